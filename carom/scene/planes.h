#pragma once

#include <optional>

#include "carom/scene/diagnostics.h"
#include "carom/scene/yaml.h"
#include "carom/spatial/types.h"

namespace carom {

/// The axes of a frame whose x–y plane is named by two letters, xy, xz or yz. Its x is along the first letter and y
/// along the second; z = x × y, so that z of xz is −y. Columns are the axes. Tells a fault if the value is none of
/// these.
std::optional<Mat3> read_plane(const YamlNode& node, Diagnostics& diagnostics);

}  // namespace carom
