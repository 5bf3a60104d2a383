#pragma once

#include <optional>
#include <string>
#include <vector>

#include <cstdint>

#include "carom/geometry/shape.h"
#include "carom/model/restitution_change.h"
#include "carom/scene/collision_groups.h"
#include "carom/scene/materials.h"

namespace carom {

/// A shape as a scene file gives it, on a body or the world.
struct SceneShape {
  Place place;
  std::string name;  ///< owner/name, unique in the scene
  Shape shape;
  Transform X_BS;
  int material = 0;
  std::uint32_t groups = 1, collides_with = 0xffffffff;  ///< as in Collider
  GroupMasks named;
  std::optional<Vec3> friction_axis = std::nullopt;  ///< in the shape's frame
  std::optional<RestitutionChange> restitution_change = std::nullopt;
  Place change_place = {};  ///< of restitution_change
  bool behind = false;      ///< visuals of its model file are drawn in its place
};

/// The list under `shapes` of `owner` ("world" or a body's name). A shape at fault is left out, and `complete` set
/// false. A shape without a name gets that of its type, numbered if the owner has several such. `owned`: the owner's
/// groups, for all its shapes.
std::vector<SceneShape> read_shapes(const YamlNode& list, const std::string& owner, const SceneMaterials& materials,
                                    const CollisionGroups& groups, const GroupMasks& owned, bool& complete,
                                    Diagnostics& diagnostics);

}  // namespace carom
