#pragma once

#include <string>
#include <vector>

#include "carom/scene/scene.h"
#include "carom/scene/values.h"

namespace carom {

/// Content of the keys `method`, `duration` and `record`, with the overrides put in their place.
struct RunSettings {
  Method method;
  bool method_read = true;  ///< false: its stepper or law is none that there is, and what depends on it means nothing
  double duration = 0;      ///< s
  RecordOptions record;
  std::vector<std::string> warnings;
};

/// rebounds: something in the scene has a restitution above 0. If nothing has, a stepper that is asked for in place of
/// the file's may need a law that the file lacks. It then takes law plastic, and a warning says so.
RunSettings read_run_settings(const YamlNode& scene, const SceneOverrides& overrides, bool rebounds,
                              Diagnostics& diagnostics);

}  // namespace carom
