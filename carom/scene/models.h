#pragma once

#include <string>
#include <vector>

#include "carom/model/appearance.h"
#include "carom/scene/bodies.h"
#include "carom/scene/constraints.h"
#include "carom/scene/drives.h"
#include "carom/scene/joints.h"

namespace carom {

struct ReadModel;

/// A sensor of a model file. Its colliders have no numbers before the scene's shapes are all known.
struct ModelSensor {
  Sensor sensor;
  std::vector<std::pair<int, std::size_t>>
      shapes;  ///< of a contact sensor: body and place among its shapes; −1 and place among SceneModels::world_shapes
};

/// Content of model files (URDF, SDFormat, MJCF), which a scene has beside bodies, shapes and materials.
struct SceneModels {
  std::vector<SceneJoint> joints;
  std::vector<SceneShape> world_shapes;
  std::vector<SceneConstraint> constraints;
  std::vector<SceneDrives::Placed> drives;
  std::vector<SceneDrives::PlacedWrench> wrenches;
  std::vector<std::pair<int, int>> excluded;
  std::vector<int> with_parent;
  std::vector<NamedFrame> frames;
  std::vector<ModelSensor> sensors;  ///< bodies by their number in `bodies`
  std::vector<Visual> visuals;       ///< bodies by their number in `bodies`
  std::vector<std::string> warnings;
  std::vector<std::pair<std::string, std::string>>
      fingerprints;  ///< of the files, by the name that the scene gives them
};

/// Reads the key `models` of a scene. Each file's links become bodies at the end of `bodies`, and its materials go into
/// `materials`. Weights that a file has carried are carried in this gravity, m/s². With a `name`, every name of the
/// file gets it and a point in front. The shapes in `world` do not move; the ground for `drop` is among them. A model
/// that was read before (null: none) is not read again. A fault of a model file throws ImportError.
SceneModels read_models(const YamlNode& scene, const Vec3& gravity, const CollisionGroups& groups,
                        const std::vector<SceneShape>& world, const ReadModel* read_before, SceneMaterials& materials,
                        SceneBodies& bodies, Diagnostics& diagnostics);

}  // namespace carom
