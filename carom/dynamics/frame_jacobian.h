#pragma once

#include "carom/dynamics/workspace.h"

// Jacobian of a frame that is fixed in a body, its rate, and the acceleration that velocities alone give it:
//
//   (ω; ẋ) = J(q) v,    (ω̇; ẍ) = J v̇ + J̇(q, v) v
//
// with ω the body's angular velocity (rad/s) and x the position of the frame's origin (m). Both are relative to the
// world and in its axes, the angular part first. That point of the body has the ordinary velocity ẋ and acceleration ẍ.
// J̇ is the rate of J as the point moves along.
//
// A coordinate has a column S (Featherstone 2008, section 2.10), taken as a motion vector about x. Its column of J is
// S, and that of J̇ is Ṡ + (0; S_ω × ẋ), where Ṡ = C × S with C the velocity of what carries S. For the world, `body`
// is −1 and the results are zeros. The argument `point_W` is x at the moment, world frame. The rates v̇ are those of
// v's components. J and J̇ are 6 × nv. O(depth), after O(nv) zeros.
namespace carom {

/// J. Its lower half is the Jacobian of the point. Needs forward_kinematics.
void frame_jacobian(const Model& model, int body, const Vec3& point_W, const DynamicsWorkspace& workspace,
                    Eigen::Ref<MatrixX> J);

/// J̇. Needs forward_velocity at q and v.
void frame_jacobian_rate(const Model& model, int body, const Vec3& point_W, const VectorX& v,
                         const DynamicsWorkspace& workspace, Eigen::Ref<MatrixX> J_dot);

/// J̇ v, rad/s² and m/s², without the matrix. Needs forward_velocity.
Vec6 frame_bias_acceleration(const Model& model, int body, const Vec3& point_W, const DynamicsWorkspace& workspace);

}  // namespace carom
