#pragma once

#include "carom/dynamics/workspace.h"

// Coordinates and mass centres of free joints, and products with a column of S that leave out what its kind says is
// zero.
namespace carom {

/// True if S is constant in the body's axes, and all of it turns with each of the joint's coordinates. The others are
/// products of exponentials, whose columns are carried by the coordinates before them alone.
inline bool subspace_fixed_in_body(const TreeNode& node) {
  return node.type == JointType::spherical || node.type == JointType::free;
}

/// The rotation of a free or spherical joint, from coordinate i on.
inline Quaternion read_quaternion(const VectorX& q, Eigen::Index i) {
  return Quaternion(q[i], q[i + 1], q[i + 2], q[i + 3]);
}

/// Centre of mass of the body of a free joint in its frame M; the origin of another.
inline Vec3 center_in_M(const Model& model, int body) {
  const Joint& joint = model.joints()[body];
  if (joint.type != JointType::free) return Vec3::Zero();
  return joint.X_BM.R.transpose() * (model.bodies()[body].inertia.center - joint.X_BM.p);
}

/// Sᵀ f
inline double project(const JointColumn& column, const Force& f) {
  switch (column.kind) {
    case JointColumn::Kind::angular:
      return column.S.angular.dot(f.moment);
    case JointColumn::Kind::linear:
      return column.S.linear.dot(f.force);
    case JointColumn::Kind::general:
      break;
  }
  return dot(f, column.S);
}

/// m += S x
inline void add_scaled(const JointColumn& column, double x, Motion& m) {
  if (column.kind != JointColumn::Kind::linear) m.angular += x * column.S.angular;
  if (column.kind != JointColumn::Kind::angular) m.linear += x * column.S.linear;
}

/// I S
template <typename Inertia>
Force times(const Inertia& I, const JointColumn& column) {
  switch (column.kind) {
    case JointColumn::Kind::angular:
      return I.of_angular(column.S.angular);
    case JointColumn::Kind::linear:
      return I.of_linear(column.S.linear);
    case JointColumn::Kind::general:
      break;
  }
  return I * column.S;
}

/// V × (S x)
inline Motion cross_scaled(const Motion& V, const JointColumn& column, double x) {
  switch (column.kind) {
    case JointColumn::Kind::angular: {
      const Vec3 turn = x * column.S.angular;
      return {V.angular.cross(turn), V.linear.cross(turn)};
    }
    case JointColumn::Kind::linear:
      return {Vec3::Zero(), V.angular.cross(Vec3(x * column.S.linear))};
    case JointColumn::Kind::general:
      break;
  }
  return cross(V, Motion{x * column.S.angular, x * column.S.linear});
}

/// Calls f(coordinate of v, Sᵀ force) from the body to its root, for a force about the body's O. Needs
/// forward_kinematics. O(depth).
template <class F>
void for_each_projected(const Model& model, int body, Force force, const DynamicsWorkspace& workspace, F&& f) {
  for (int i = body; i >= 0; i = model.nodes()[i].parent) {
    const TreeNode& node = model.nodes()[i];
    for (int k = node.v_index; k < node.v_index + node.velocity_size; ++k) f(k, project(workspace.columns[k], force));
    force = force.moved_back_by(workspace.nodes[i].r);
  }
}

/// Adds to `forces` (by velocity coordinate) what a force on a body, about its O, is on the coordinates towards the
/// root.
inline void add_projected(const Model& model, int body, const Force& force, const DynamicsWorkspace& workspace,
                          double* forces) {
  for_each_projected(model, body, force, workspace, [&](int k, double projected) { forces[k] += projected; });
}

/// Sums the bodies' forces f towards the roots and projects them on the joints.
inline void project_forces(const Model& model, DynamicsWorkspace& workspace, VectorX& tau) {
  tau.resize(model.velocity_count());
  for (int i = model.body_count() - 1; i >= 0; --i) {
    const TreeNode& node = model.nodes()[i];
    const NodeState& state = workspace.nodes[i];
    for (int k = node.v_index; k < node.v_index + node.velocity_size; ++k) {
      tau[k] = project(workspace.columns[k], state.f);
    }
    if (node.parent >= 0) workspace.nodes[node.parent].f += state.f.moved_back_by(state.r);
  }
}

}  // namespace carom
