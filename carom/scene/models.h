#pragma once

#include <string>
#include <vector>

#include "carom/scene/bodies.h"
#include "carom/scene/constraints.h"
#include "carom/scene/drives.h"
#include "carom/scene/joints.h"

namespace carom {

/// What model files (URDF, SDFormat, MJCF) bring to a scene beside bodies, shapes and materials.
struct SceneModels {
  std::vector<SceneJoint> joints;
  std::vector<SceneShape> world_shapes;
  std::vector<SceneConstraint> constraints;
  std::vector<SceneDrives::Placed> drives;
  std::vector<std::pair<int, int>> excluded;
  std::vector<int> with_parent;
  std::vector<NamedFrame> frames;
  std::vector<std::string> warnings;
};

/// Reads the key `models` of a scene: each file's links become bodies at the end of `bodies`, its materials materials.
/// With a `name`, every name of the file has it and a point in front. A fault of a model file throws ImportError.
SceneModels read_models(const YamlNode& scene, SceneMaterials& materials, SceneBodies& bodies,
                        Diagnostics& diagnostics);

/// What a run of a model file alone asks for.
struct ModelPlacement {
  std::optional<double> drop;  ///< m between the lowest point of the model and a ground at z = 0, which it then gets
  bool fixed = false;          ///< the root links are welded to the world
  double friction = 0.8;       ///< of the ground, and of shapes of which the file says nothing
  std::vector<std::pair<std::string, double>> joints;  ///< where joints start, rad or m
};

/// A scene file's text that holds the model file alone: gravity, a ground, a step of 1 ms and `duration`.
std::string scene_of_model(const std::string& path, const ModelPlacement& placement);

}  // namespace carom
