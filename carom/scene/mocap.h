#pragma once

#include <map>
#include <string>

#include "carom/model/constraint.h"
#include "carom/scene/model_starts.h"

// Bodies of MJCF files that motion capture moves, here along paths of the scene. Such a body is free, with a weld to a
// frame G of the world that moves. At rest G is where the file puts the body's origin, in the axes of the file's world.
namespace carom {

/// The key `mocap` of a model: a map from names of bodies to paths of G.
std::map<std::string, FramePath> read_mocap(const YamlNode& node, Diagnostics& diagnostics);

/// Tells names in `node` that are no body of the model that motion capture moves.
void check_mocap(const YamlNode& node, const ImportedModel& model, Diagnostics& diagnostics);

/// A body that moves along a path, at the start.
struct MocapStart {
  Transform X_WB;
  Vec3 velocity = Vec3::Zero(), angular_velocity = Vec3::Zero();  ///< of the body's origin, world axes
};
MocapStart mocap_start(const ModelEntry& entry, const ImportedModel::Link& link);

/// The weld that moves the link, which has this number in the scene.
Constraint mocap_weld(const ModelEntry& entry, const ImportedModel::Link& link, int body);

}  // namespace carom
