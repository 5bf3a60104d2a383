#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "carom/study/method_choice.h"

namespace carom::python {

/// Settings that carom.load takes beside a path.
struct SceneSettings {
  std::optional<std::string> stepper, law, dynamics, cone, smooth;
  std::optional<double> step, duration;                                 ///< s
  std::map<std::string, std::variant<double, std::string>> parameters;  ///< of a scene
  // For a model file alone.
  std::optional<double> drop, friction;
  bool fixed = false, relax_inertia = false;
  std::string keyframe, self_collision, meshes;
  std::map<std::string, double> joints;
  std::vector<std::string> search_path;
  std::optional<Vec3> gravity;  ///< m/s²; the file's own if left out
};

/// Settings that take the place of the scene's own method and duration.
SceneOverrides overrides_of(const SceneSettings& settings);
/// True if there are settings that only a file can follow: parameters, and those of model files.
bool has_file_settings(const SceneSettings& settings);

/// The text of the scene, made around a model file if it is one. Throws Error or SceneError.
SceneSource scene_source(const std::string& path, const SceneSettings& settings);
/// Reads it. Faults of a scene that was made around a model file are told without lines of a text that nobody has seen.
Scene read_scene(const SceneSource& source);

}  // namespace carom::python
