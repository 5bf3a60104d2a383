#pragma once

#include <vector>

#include "carom/scene/joints.h"

namespace carom {

/// The joints whose names match a pattern, or one of a list of patterns: their places in joints.joints, in that order,
/// each once. In a pattern, * stands for anything and ? for a character. A pattern that matches nothing is told, with
/// the nearest names.
std::vector<std::size_t> read_joint_patterns(const YamlNode& node, const SceneJoints& joints, Diagnostics& diagnostics);

/// True if the name has a wildcard.
bool is_pattern(const std::string& name);

/// True if the name matches the pattern.
bool matches(const std::string& name, const std::string& pattern);

/// Up to three names that are nearest to a pattern: "; the nearest names are 'a', 'b'".
std::string nearest_names(const std::string& pattern, std::vector<std::string> names);

}  // namespace carom
