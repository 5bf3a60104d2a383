#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "carom/spatial/types.h"

namespace carom {

struct ImportedModel;
struct ReadModel;

/// Placement of a model in a run of its file alone.
struct ModelPlacement {
  std::optional<double> drop;            ///< m between the lowest point of the model and the ground at z = 0
  bool ground = true;                    ///< false if the file has a ground of its own, at z = 0
  bool fixed = false;                    ///< root links without a joint are welded to the world
  bool relax_inertia = false;            ///< takes inertias nearest to those that no body can have
  double friction = 0.8;                 ///< of the ground, and of shapes of which the file says nothing
  std::vector<std::string> search_path;  ///< for package:// and model://
  std::string self_collision;            ///< auto, all or none; empty: auto
  std::string meshes;                    ///< hulls or parts; empty: hulls
  std::string parts_folder;              ///< for the parts; empty: the user's cache
  std::string keyframe;                  ///< of the file, at which it starts; empty for none
  std::vector<std::pair<std::string, double>> joints;  ///< where joints start, rad or m
  Vec3 gravity = Vec3(0, 0, -9.81);                    ///< m/s²
};

/// The model file at `path`, read as the scene of the placement reads it (SceneOverrides::read_before). Throws Error if
/// it can't be read.
std::shared_ptr<const ReadModel> read_model(const std::string& path, const ModelPlacement& asked);
/// The same of what was read already.
std::shared_ptr<const ReadModel> read_model(const std::string& path, const ModelPlacement& asked, ImportedModel model);

/// The placement with the model's own gravity and ground. Folders of the search path become absolute, so that the scene
/// finds them from wherever it is read.
ModelPlacement placed_as_file_says(const ImportedModel& model, ModelPlacement asked);
/// The same of the file at `path`. Throws Error if it can't be read.
ModelPlacement placed_as_file_says(const std::string& path, ModelPlacement asked);

/// A scene file's text that holds the model file at `path` alone: for two seconds, in steps of 1 ms. Meant to be parsed
/// with `path` as its file, so that the model is found beside it.
std::string scene_of_model(const std::string& path, const ModelPlacement& placement);

}  // namespace carom
