#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carom/study/method_choice.h"

namespace carom {

/// The scene or model file of a command, and what is said of a model file alone.
struct SceneOptions {
  std::string scene;
  std::string wanted = "a scene (YAML) or a model (URDF, SDFormat, MJCF)";  ///< what the command takes, in sentences
  std::optional<double> drop, friction;
  bool fixed = false, relax_inertia = false;
  std::string keyframe;
  std::string self_collision;       ///< auto, all or none; empty: auto
  std::string meshes;               ///< hulls or parts; empty: hulls
  std::string parts_folder;         ///< for the parts; empty: the user's cache
  std::vector<std::string> joints;  ///< NAME=VALUE
  std::vector<std::string> search_path;
  std::vector<std::string> settings;  ///< NAME=VALUE of a scene's parameters
};

/// hulls, parts or nothing, of --meshes and --decompose-to. Throws Error where they contradict each other.
std::string asked_meshes(const std::string& meshes, const std::string& parts_folder);

/// The text of the scene, made around a model file if it is one. Throws Error or SceneError if a file or an option is
/// wrong. `overrides`: what other options ask for in place of what the file says.
SceneSource scene_source(const SceneOptions& options, const SceneOverrides& overrides);

/// Changes by the options, for names of files: "front=0.08", "drop=0.3".
std::vector<std::string> variation(const SceneOptions& options);

/// Throws Error if an option of model files is given: for commands that got none.
void check_no_model_options(const SceneOptions& options);

/// Returns what work() returns. Faults of a scene that was made around a model file are told without the lines of its
/// text, which nobody has seen.
template <class Work>
auto telling_faults(const SceneOptions& options, Work&& work);

/// Faults of a made scene as an Error; those of a scene file as they are.
[[noreturn]] void tell_faults(const SceneOptions& options, const SceneError& error);

template <class Work>
auto telling_faults(const SceneOptions& options, Work&& work) {
  try {
    return work();
  } catch (const SceneError& error) {
    tell_faults(options, error);
  }
}

/// Tells of shapes that overlap at the start: position-level steppers drive them apart within one step, compliant
/// layers throw them.
void warn_of_overlap(const Scene& scene);

/// Throws Error if the option's value is no positive number of seconds.
void check_seconds(const char* option, const std::optional<double>& seconds);

}  // namespace carom
