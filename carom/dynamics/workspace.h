#pragma once

#include <vector>

#include "carom/dynamics/joint_kinematics.h"
#include "carom/dynamics/link_algebra.h"
#include "carom/model/model.h"

namespace carom {

/// One column of a joint's motion subspace S, and what the articulated-body recursion keeps of it. A joint of several
/// coordinates is eliminated column by column, as a chain of joints of one coordinate with nothing between them. Joints
/// of `twists` (twists_joint.h) are the exception, since their columns may line up.
struct JointColumn {
  /// Which parts of S can be other than zero. Most joints turn about O or slide, and cost half for it.
  enum class Kind { angular, linear, general };
  Kind kind = Kind::general;
  Motion S;
  Force U;                       ///< I S, with I the inertia beyond this column
  double reflected_inertia = 0;  ///< the joint's, constant
  double D_inverse = 0;          ///< 1 / (Sᵀ I S + reflected inertia + extra)
};

/// A body in motion; vectors in the world's axes, about the origin O of the frame M of its inboard joint.
struct NodeState {
  Mat3 R = Mat3::Identity();  ///< R_WM
  Vec3 p = Vec3::Zero();      ///< O in the world, m
  Vec3 r = Vec3::Zero();      ///< from the parent's O to this one
  RigidInertia inertia;       ///< of the body
  Motion V;                   ///< velocity of the body
  Motion bias;                ///< acceleration at v̇ = 0 relative to the parent's (c_i of table 7.1)
  ArticulatedInertia IA;      ///< of the body and all that hangs on it, before its own joint
  Motion a;                   ///< scratch: acceleration
  Force f;                    ///< scratch: force
};

/// Per-thread results and scratch of the recursions over one model's tree. Vectors have one entry per body, columns one
/// per velocity coordinate; allocated by the constructor and never again.
///
/// Which function fills what:
///   forward_kinematics   X_WB; R, p, r, inertia of the nodes; S of the columns
///   forward_velocity     V, reflected_energy; V, bias of the nodes (needs forward_kinematics at the same q)
///   factor_mass          IA of the nodes; U, D_inverse of the columns, and of twists (needs forward_kinematics)
///   forward_dynamics     nodes and columns, with factors of M alone; not X_WB, V, reflected_energy
///
/// Every function may overwrite the scratch.
struct DynamicsWorkspace {
  explicit DynamicsWorkspace(const Model& model);

  /// D⁺ of the joint of body i if it is of `twists`, else null.
  const Mat6* inverse_of(const TreeNode& node, int i) const {
    return node.type == JointType::twists ? &twists_inverse[i] : nullptr;
  }

  std::vector<Transform> X_WB;           ///< body frame in the world
  std::vector<Vec6> V;                   ///< velocity of the body in the world, motion vector in B
  std::vector<double> reflected_energy;  ///< kinetic energy of the joint's reflected inertia, J
  std::vector<NodeState> nodes;
  std::vector<JointColumn> columns;
  std::vector<Mat6> twists_inverse;     ///< by body, D⁺ of joints of `twists`; empty in a model that has none
  std::vector<RigidInertia> composite;  ///< scratch: inertias of the body and all that hangs on it, welded
};

}  // namespace carom
