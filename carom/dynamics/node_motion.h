#pragma once

#include <cmath>

#include "carom/dynamics/joint_column.h"

// One body's part of the walk from the roots to the leaves. Recursions that need poses alone, or velocities alone, or
// both in one walk, call these for every body.
namespace carom {

/// The turn of M in F by an angle about z.
inline Mat3 turned_about_z(const Mat3& R_WF, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  Mat3 R;
  R.col(0) = c * R_WF.col(0) + s * R_WF.col(1);
  R.col(1) = c * R_WF.col(1) - s * R_WF.col(0);
  R.col(2) = R_WF.col(2);
  return R;
}

/// Joints whose S is not made of M's axes.
inline void pose_general_joint(const TreeNode& node, const Joint& joint, const Mat3& R_WF, const VectorX& q,
                               NodeState& state, JointColumn* columns) {
  const Vec6 at_rest = Vec6::Zero();
  const JointMotion motion =
      joint_motion(joint, q.segment(node.q_index, position_size(joint)), at_rest.head(node.velocity_size));
  state.R.noalias() = R_WF * motion.X_FM.R;
  state.r += R_WF * motion.X_FM.p;
  for (int k = 0; k < node.velocity_size; ++k) {
    columns[k].S = {state.R * motion.S.col(k).head<3>(), state.R * motion.S.col(k).tail<3>()};
  }
}

/// The rotation of q's quaternion, whatever its length: integrators pass through some that are not quite unit, and the
/// recursions rely on axes that are.
inline Mat3 rotation_at(const VectorX& q, int i) {
  const double w = q[i], x = q[i + 1], y = q[i + 2], z = q[i + 3];
  const double s = 2 / (w * w + x * x + y * y + z * z);
  Mat3 R;
  R << 1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y),  //
      s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x),   //
      s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y);
  return R;
}

/// Pose of the body, its inertia in the world's axes, and S of its columns, from its parent's pose.
inline void pose_node(const TreeNode& node, const Joint& joint, const VectorX& q, const NodeState* parent,
                      NodeState& state, JointColumn* columns) {
  Mat3 R_WF = node.X_PF.R;
  state.r = node.X_PF.p;
  if (parent) {
    R_WF = parent->R * node.X_PF.R;
    state.r = parent->R * node.X_PF.p;
  }
  switch (node.type) {
    case JointType::fixed:
      state.R = R_WF;
      break;
    case JointType::revolute:
      state.R = turned_about_z(R_WF, q[node.q_index]);
      columns[0].S.angular = state.R.col(2);
      break;
    case JointType::prismatic:
      state.R = R_WF;
      state.r += q[node.q_index] * R_WF.col(2);
      columns[0].S.linear = R_WF.col(2);
      break;
    case JointType::spherical:
      state.R.noalias() = R_WF * rotation_at(q, node.q_index);
      for (int k = 0; k < 3; ++k) columns[k].S.angular = state.R.col(k);
      break;
    case JointType::free:
      state.R.noalias() = R_WF * rotation_at(q, node.q_index);
      state.r += R_WF * q.segment<3>(node.q_index + 4);
      for (int k = 0; k < 3; ++k) columns[k].S.angular = columns[3 + k].S.linear = state.R.col(k);
      break;
    default:
      pose_general_joint(node, joint, R_WF, q, state, columns);
  }
  state.p = parent ? Vec3(parent->p + state.r) : state.r;
  state.inertia = {node.mass, state.R * node.moment, node.inertia.in_axes(state.R)};
}

/// Velocity and bias of the body from its parent's velocity. Needs its pose.
inline void move_node(const TreeNode& node, const VectorX& v, const NodeState* parent, NodeState& state,
                      const JointColumn* columns) {
  Motion V = parent ? parent->V.moved_by(state.r) : Motion();
  Motion bias;
  if (subspace_fixed_in_body(node)) {
    Motion relative;
    for (int k = 0; k < node.velocity_size; ++k) add_scaled(columns[k], v[node.v_index + k], relative);
    V += relative;
    bias = cross(V, relative);
  } else {
    // A product of exponentials: each coordinate's twist is carried along by those before it.
    for (int k = 0; k < node.velocity_size; ++k) {
      add_scaled(columns[k], v[node.v_index + k], V);
      bias += cross_scaled(V, columns[k], v[node.v_index + k]);
    }
  }
  state.V = V;
  state.bias = bias;
}

/// The body's velocity as in the workspace's V: a motion vector in B.
inline Vec6 velocity_in_body(const NodeState& state, const Transform& X_WB) {
  const Motion at_origin = state.V.moved_by(X_WB.p - state.p);
  Vec6 V;
  V << X_WB.R.transpose() * at_origin.angular, X_WB.R.transpose() * at_origin.linear;
  return V;
}

}  // namespace carom
