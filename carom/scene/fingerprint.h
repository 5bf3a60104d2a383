#pragma once

#include <string>

#include "carom/scene/diagnostics.h"

namespace carom {

/// A file's name relative to the scene's own folder. A relative path that an included file gives is turned into the
/// path from there.
std::string name_from_scene(const std::string& name, const Diagnostics& diagnostics, Place place);

/// Sixteen hexadecimal digits that change with the file's bytes (FNV-1a, 64 bits). A file that cannot be read gives
/// those of an empty one.
std::string fingerprint(const std::string& path);

}  // namespace carom
