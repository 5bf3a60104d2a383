#pragma once

#include <vector>

#include "carom/model/sensor.h"
#include "carom/scene/assemble.h"
#include "carom/scene/models.h"

namespace carom {

/// The sensors of model files and of a scene's key `sensors`, with the numbers of the bodies, shapes and constraints
/// that they read. A sensor's name is that of no body, joint, constraint or frame, since its numbers are called after
/// it as theirs are. A sensor of the scene takes the place of a model's with the same name. A model's sensor has
/// `_sensor` at its end if the scene uses its name otherwise.
std::vector<Sensor> read_sensors(const YamlNode& scene, const SceneParts& parts, std::vector<ModelSensor> of_models,
                                 Diagnostics& diagnostics);

}  // namespace carom
