#pragma once

#include <map>
#include <string>

#include "carom/scene/diagnostics.h"
#include "carom/scene/yaml.h"

namespace carom {

/// Replaces formulas by numbers. Every value of the tree whose text starts with '=' is a formula. Its names are those
/// of the map `parameters` at the top, which stand for numbers and further formulas.
///
///     parameters: {r1: 0.07, r2: 0.04, tail: =r2 * (r1 + r2) / (r1 - r2)}
///     …                     radius: =r1      position: [=r1 + r2, 0, "=max(r1, r2)"]
///
/// A formula with a comma is written in quotes inside [ ] and { }. Parameters may use each other in any order. Numbers
/// are those of a scene (SI, rad; 30*deg). The value of a formula is checked at its place, like a number written there.
///
/// Faults are told, each at its place. They are an invalid name, an unknown name, and parameters that depend on each
/// other in a circle. Others are a formula that can't be read or is not finite, and a parameter that nothing uses.
///
/// Formulas over a mechanism (everything under `outputs`, the force of a drive of type feedback) stay as they are. A
/// parameter counts as used in them. The parameters themselves become numbers, which parameter_values() reads.
///
/// Returns false if a number is missing. A value that could not be computed stays a formula, so reading on would tell
/// more faults than there are.
[[nodiscard]] bool resolve_parameters(YamlNode& root, Diagnostics& diagnostics);

/// Values of a tree's parameters, by name; they must be resolved.
std::map<std::string, double> parameter_values(const YamlNode& root);

/// The value is a formula: its text starts with '='.
bool is_formula(const YamlNode& node);

}  // namespace carom
