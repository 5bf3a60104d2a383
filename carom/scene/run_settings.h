#pragma once

#include <string>
#include <vector>

#include "carom/scene/scene.h"
#include "carom/scene/values.h"

namespace carom {

/// What the keys `method`, `duration` and `record` say, with the overrides put in their place.
struct RunSettings {
  Method method;
  bool method_read = true;  ///< false: its stepper or law is none that there is, and what depends on it means nothing
  double duration = 0;      ///< s
  RecordOptions record;
  std::vector<std::string> warnings;
};

RunSettings read_run_settings(const YamlNode& scene, const SceneOverrides& overrides, Diagnostics& diagnostics);

}  // namespace carom
