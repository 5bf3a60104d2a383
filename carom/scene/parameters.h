#pragma once

#include <map>
#include <string>

#include "carom/scene/diagnostics.h"
#include "carom/scene/yaml.h"

namespace carom {

/// Puts numbers in place of formulas: every value of the tree whose text starts with '=' is one, in the names that the
/// map `parameters` at its top gives to numbers and further formulas.
///
///     parameters: {r1: 0.07, r2: 0.04, tail: =r2 * (r1 + r2) / (r1 - r2)}
///     …                     radius: =r1      position: [=r1 + r2, 0, "=max(r1, r2)"]
///
/// A formula with a comma is written in quotes inside [ ] and { }. Parameters may use each other in any order. Numbers
/// are those of a scene (SI, rad; 30*deg). What a formula gives is checked where it stands like a number written there.
///
/// Faults, each at its place: a name that is none, an unknown name, parameters that depend on each other in a circle,
/// formulas that say nothing or are not finite, and a parameter that nothing uses.
///
/// Formulas over a mechanism (everything under `outputs`, the force of a drive of type feedback) stay as they are; a
/// parameter counts as used in them. The parameters themselves become numbers, which parameter_values() reads.
///
/// False if a number is missing: what could not be computed stays a formula, so that reading on would tell of more
/// faults than there are.
[[nodiscard]] bool resolve_parameters(YamlNode& root, Diagnostics& diagnostics);

/// Values of a tree's parameters, by name; they must be resolved.
std::map<std::string, double> parameter_values(const YamlNode& root);

/// The value is a formula: its text starts with '='.
bool is_formula(const YamlNode& node);

}  // namespace carom
