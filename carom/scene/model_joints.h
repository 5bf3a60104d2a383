#pragma once

#include <string>

#include "carom/scene/model_starts.h"

namespace carom {

/// Coordinates of a model file's joint that one name stands for: all of it, or one of several joints that MJCF puts in
/// one body (a+b).
struct NamedCoordinates {
  int link, first, count;
};

/// Changes what the file says of a joint by a map of the keys of joints: start, limits, damping, friction, spring,
/// reflected inertia. Keys that are left out stay as in the file. A start beyond the limits is told.
void change_joint(const YamlNode& map, const std::string& name, const NamedCoordinates& named, ModelEntry& entry,
                  Diagnostics& diagnostics);

}  // namespace carom
