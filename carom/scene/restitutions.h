#pragma once

#include <optional>

#include "carom/restitution.h"
#include "carom/scene/values.h"

namespace carom {

/// The key `restitution` of a material or a pair: a number, {capture, plastic, minimum}, {slope} or {table: [[speed,
/// coefficient], …]}.
std::optional<Restitution> read_restitution(const YamlNode& node, Diagnostics& diagnostics);

}  // namespace carom
