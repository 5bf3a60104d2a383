#include "scene_source.h"

#include <charconv>
#include <cmath>
#include <filesystem>

#include "carom/import/imported_model.h"
#include "carom/scene/model_scene.h"
#include "carom/scene/scene_text.h"
#include "sentences.h"

namespace carom::python {
namespace {

namespace fs = std::filesystem;

void check_positive(const char* name, const std::optional<double>& seconds) {
  if (seconds && !(std::isfinite(*seconds) && *seconds > 0)) {
    throw Error(std::string(name) + ": it must be a positive time in seconds, and is " + std::to_string(*seconds));
  }
}

void check_not_negative(const char* name, const std::optional<double>& value) {
  if (value && !(std::isfinite(*value) && *value >= 0)) {
    throw Error(std::string(name) + ": it must be at least 0, and is " + std::to_string(*value));
  }
}

ModelPlacement placement_of(const SceneSettings& settings) {
  check_not_negative("drop", settings.drop);
  check_not_negative("friction", settings.friction);
  ModelPlacement placement;
  placement.drop = settings.drop;
  placement.fixed = settings.fixed;
  placement.relax_inertia = settings.relax_inertia;
  placement.search_path = settings.search_path;
  placement.keyframe = settings.keyframe;
  placement.self_collision = settings.self_collision;
  placement.meshes = settings.meshes;
  placement.friction = settings.friction.value_or(placement.friction);
  placement.joints.assign(settings.joints.begin(), settings.joints.end());
  return placement;
}

SceneSource model_source(const std::string& path, const SceneSettings& settings, SceneOverrides overrides) {
  ModelPlacement placement = placement_of(settings);
  overrides.read_before = read_model(path, placement);
  placement = placed_as_file_says(overrides.read_before->model, std::move(placement));
  if (settings.gravity) {
    if (!settings.gravity->allFinite()) throw Error("gravity: its three numbers must be finite, m/s²");
    placement.gravity = *settings.gravity;
  }
  const std::string whole = fs::absolute(path).lexically_normal().string();
  return {scene_of_model(whole, placement), whole, std::move(overrides)};
}

bool has_model_settings(const SceneSettings& settings) {
  return settings.gravity || settings.drop || settings.friction || settings.fixed || settings.relax_inertia ||
         !settings.keyframe.empty() || !settings.self_collision.empty() || !settings.meshes.empty() ||
         !settings.joints.empty() || !settings.search_path.empty();
}

/// The shortest text that reads as the same number.
std::string written(double value) {
  char text[40];
  const auto [end, error] = std::to_chars(std::begin(text), std::end(text), value);
  static_cast<void>(error);
  return {text, end};
}

std::string scene_text(const std::string& path, const SceneSettings& settings) {
  std::string text = read_scene_text(path);
  if (settings.parameters.empty()) return text;
  std::vector<std::pair<std::string, std::string>> values;
  for (const auto& [name, value] : settings.parameters) {
    const auto* number = std::get_if<double>(&value);
    values.emplace_back(name, number != nullptr ? written(*number) : std::get<std::string>(value));
    if (!written_number(values.back().second)) {
      throw Error("parameter " + name + ": '" + values.back().second +
                  "' is no number; right are 0.12 and '20 deg', for example");
    }
  }
  return SceneText(std::move(text), path).with_written(values);
}

}  // namespace

SceneOverrides overrides_of(const SceneSettings& settings) {
  check_positive("step", settings.step);
  check_positive("duration", settings.duration);
  SceneOverrides overrides =
      overrides_from({settings.stepper, settings.law, settings.dynamics, settings.cone, settings.smooth});
  overrides.step = settings.step;
  overrides.duration = settings.duration;
  return overrides;
}

bool has_file_settings(const SceneSettings& settings) {
  return has_model_settings(settings) || !settings.parameters.empty();
}

SceneSource scene_source(const std::string& path, const SceneSettings& settings) {
  const SceneOverrides overrides = overrides_of(settings);
  if (fs::path(path).extension() == ".h5") throw Error(path + " looks like a record, not a scene");
  if (is_model_file(path)) {
    if (!settings.parameters.empty()) throw Error("parameters are those of a scene; a model file has none");
    return model_source(path, settings, overrides);
  }
  if (has_model_settings(settings)) {
    throw Error(
        "drop, friction, gravity, fixed, keyframe, joints, self_collision, meshes, relax_inertia and search_path are "
        "for "
        "model files (URDF, SDFormat, MJCF); a scene says these itself");
  }
  return {scene_text(path, settings), path, overrides};
}

Scene read_scene(const SceneSource& source) {
  try {
    return source.scene();
  } catch (const SceneError& error) {
    if (!is_model_file(source.file)) throw;
    throw Error(sentences(error, source.file + ": "));
  }
}

}  // namespace carom::python
