#pragma once

#include <string>
#include <utility>
#include <vector>

#include "carom/scene/yaml.h"

namespace carom {

/// A fault where the value of a scene's key `carom` is no version that this Carom reads.
void check_version(const YamlNode& version, Diagnostics& diagnostics);

/// True of keys whose lists hold parts of a scene: those of two files are joined. Other lists are values, such as
/// gravity.
bool holds_parts(const std::string& key);

/// Puts what the files under the key `include` say into the tree, as if it stood there, and removes the key: a file or
/// a list of files, each relative to the file that names it, which may include others in turn. Lists are joined, those
/// of included files first; maps are joined key by key; where both say something of one key, the file that includes
/// holds, and of two included files the later one. The keys `carom`, `name`, `duration` and `record` of an included
/// file are left out, so that a whole scene may be included for its mechanism. Values keep the place where they stand,
/// and relative paths in them are taken from there.
///
/// Returns the included files with their fingerprints, by their names from the scene's folder. A file that is not
/// there, is no YAML map, or includes itself is told, and left out.
std::vector<std::pair<std::string, std::string>> include_files(YamlNode& root, Diagnostics& diagnostics);

}  // namespace carom
