#pragma once

#include <string>

#include "carom/scene/diagnostics.h"

namespace carom {

/// A file's name as it is from the scene's own folder: of one that an included file names by a relative path, that
/// path from there.
std::string name_from_scene(const std::string& name, const Diagnostics& diagnostics, Place place);

/// Sixteen hexadecimal digits that change with the file's bytes (FNV-1a, 64 bits). Of a file that cannot be read those
/// of an empty one.
std::string fingerprint(const std::string& path);

}  // namespace carom
