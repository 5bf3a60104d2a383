#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carom/model/joint.h"
#include "carom/scene/bodies.h"

namespace carom {

/// A joint as a scene file gives it.
struct SceneJoint {
  Place place;
  int child = -1;
  Joint joint;       ///< with the parent's number in SceneBodies
  VectorX position;  ///< of its coordinates at the start, velocity_size entries (spherical: none, see orientation)
  VectorX velocity;  ///< at the start, as in State::v. Empty for a free joint: the body's own keys say it
  Orientation orientation;  ///< R_FM at the start, spherical joints
  VectorX asked;            ///< where it would have started, if beyond its limits: position is then the nearest within
};

/// "joint 'knee' starts at its limit, −0.65 rad: …" for every coordinate that was moved there. `remedy` ends each.
std::vector<std::string> moved_starts(const SceneJoint& joint, const std::string& remedy);

/// Content of the key `joints`.
struct SceneJoints {
  std::vector<SceneJoint> joints;
  std::vector<int> of_body;     ///< number of the joint that each body hangs on, −1: moves freely in the world
  std::vector<char> is_static;  ///< bodies that only fixed joints lie between them and the world
  bool complete = true;         ///< false if a joint could not be read
  std::vector<std::string> warnings;
};

/// Reads the joints, and tells faults of the tree: two joints under one body, loops. It also tells contradictions
/// between bodies and joints: initial motion given on both, no inertia on a body that moves, a half-space on such a
/// body. The joints `of_models` are those that model files brought, and come first.
SceneJoints read_joints(const YamlNode& scene, const SceneBodies& bodies, std::vector<SceneJoint> of_models,
                        Diagnostics& diagnostics);

}  // namespace carom
