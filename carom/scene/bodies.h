#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "carom/scene/shapes.h"

namespace carom {

/// A body as a scene file gives it.
struct SceneBody {
  Place place;
  std::string name;
  std::vector<SceneShape> shapes;
  std::optional<SpatialInertia> inertia;  ///< in the body frame
  bool inertia_read = true;               ///< false if what stood there was at fault

  // Start of a free body, in the world.
  Vec3 position = Vec3::Zero();          ///< of the body frame's origin, m
  Orientation orientation;               ///< R_WB
  Vec3 velocity = Vec3::Zero();          ///< of the body frame's origin, m/s
  Vec3 angular_velocity = Vec3::Zero();  ///< rad/s, world axes
  std::optional<Place> motion_place;     ///< the first of these keys; none is given if empty
};

/// Content of the key `bodies`. A body whose name can't be read is left out, and `complete` is then false.
struct SceneBodies {
  std::vector<SceneBody> bodies;
  std::map<std::string, int> index;  ///< by name
  bool complete = true;
};

SceneBodies read_bodies(const YamlNode& scene, const SceneMaterials& materials, const CollisionGroups& groups,
                        Diagnostics& diagnostics);

/// Number of the body named, −1 for "world".
std::optional<int> read_body_reference(const YamlNode& node, const std::string& label, const SceneBodies& bodies,
                                       Diagnostics& diagnostics);

}  // namespace carom
