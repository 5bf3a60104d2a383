#pragma once

#include <optional>

#include "carom/model/restitution_change.h"
#include "carom/restitution.h"
#include "carom/scene/values.h"

namespace carom {

/// The key `restitution` of a material or a pair: a number, {capture, plastic, minimum}, {slope} or {table: [[speed,
/// coefficient], …]}.
std::optional<Restitution> read_restitution(const YamlNode& node, Diagnostics& diagnostics);

/// The key `restitution_change` of a shape: {along: direction, table: [[coordinate, change], …]}.
std::optional<RestitutionChange> read_restitution_change(const YamlNode& node, Diagnostics& diagnostics);

}  // namespace carom
