#pragma once

#include <vector>

#include "carom/model/sensor.h"
#include "carom/scene/assemble.h"

namespace carom {

/// What the key `sensors` says of parts that are read, with their numbers for bodies, shapes and constraints. A
/// sensor's name is that of no body, joint, constraint or frame, since its numbers are called after it as theirs are.
std::vector<Sensor> read_sensors(const YamlNode& scene, const SceneParts& parts, Diagnostics& diagnostics);

}  // namespace carom
