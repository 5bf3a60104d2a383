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

/// Puts the contents of the files under the key `include` into the tree, as if they stood there, and removes the key.
/// Its value is a file or a list of files, each relative to the file that names it. These may include others in turn.
/// Lists of parts (`holds_parts`) are joined, those of included files first. Maps are joined key by key. If two files
/// give a key different values, the including file wins over an included one, and a later included file over an earlier
/// one. The keys `carom`, `name`, `duration` and `record` of an included file are left out, so a whole scene may be
/// included for its mechanism. Values keep the place where they stand, and relative paths in them are taken from there.
///
/// Returns the included files with their fingerprints, by their names from the scene's folder. A file that does not
/// exist, is no YAML map, or includes itself is told, and left out.
std::vector<std::pair<std::string, std::string>> include_files(YamlNode& root, Diagnostics& diagnostics);

}  // namespace carom
