#pragma once

#include <vector>

#include "carom/scene/joint_coordinates.h"

namespace carom {

/// A weighted sum of joint coordinates in a scene.
struct JointSum {
  std::vector<CoordinateShare> shares;  ///< at least one; bodies by their number in the scene
  bool is_angle = false;                ///< of the first: the sum counts in the unit of that
};

/// A list of {joint, ratio}; the ratio is 1 where it is missing. Nothing, and a fault told, if there is none.
std::optional<JointSum> read_joint_sum(const YamlNode& node, const SceneJoints& joints, Diagnostics& diagnostics);

}  // namespace carom
