#pragma once

#include <vector>

#include "carom/model/state.h"

namespace carom {

/// Place of a body frame's origin and motion of the frame, all in world axes.
struct BodyMotion {
  Vec3 position;           ///< of the body frame's origin, m
  Quaternion orientation;  ///< R_WB, w ≥ 0
  Vec3 velocity;           ///< of the origin, m/s
  Vec3 angular_velocity;   ///< rad/s
};

/// One entry per body of the model. O(n).
std::vector<BodyMotion> body_motions(const Model& model, const State& state);

}  // namespace carom
