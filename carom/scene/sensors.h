#pragma once

#include <vector>

#include "carom/model/sensor.h"
#include "carom/scene/assemble.h"

namespace carom {

/// The sensors of a scene's key `sensors`, with the numbers of the bodies, shapes and constraints that they read. A
/// sensor's name is that of no body, joint, constraint or frame, since its numbers are called after it as theirs are.
std::vector<Sensor> read_sensors(const YamlNode& scene, const SceneParts& parts, Diagnostics& diagnostics);

}  // namespace carom
