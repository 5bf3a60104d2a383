#pragma once

#include "carom/model/state.h"

// These calls put bodies that move freely into a state by pose and velocity in the world, not by coordinates. A free
// joint may hang on another body. Then the call uses the parent's motion in the state, so place parents first. Both
// throw Error where the body does not move freely: then set the coordinates of its joint (part_numbers.h).
namespace carom {

/// Puts the body's frame at X_WB. Throws Error if X_WB.R is no rotation, too.
void set_pose(const Model& model, int body, const Transform& X_WB, State& state);
/// Gives the body at its pose in the state an angular velocity and a velocity of its frame's origin, world axes, rad/s
/// and m/s.
void set_velocity(const Model& model, int body, const Vec3& angular, const Vec3& linear, State& state);

}  // namespace carom
