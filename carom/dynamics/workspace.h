#pragma once

#include <vector>

#include "carom/dynamics/joint_kinematics.h"
#include "carom/model/model.h"

namespace carom {

/// Per-thread results and scratch of the recursions over one model's tree. Vectors have one entry per body, allocated
/// by the constructor and never again.
///
/// Which function fills what:
///   forward_kinematics   X_PB, X_WB, S
///   forward_velocity     V, bias, reflected_energy (needs forward_kinematics at the same q)
///   factor_mass          IA, U, Dinv (needs forward_kinematics)
///   forward_dynamics     all of the above, with factors of M alone
/// Every function may overwrite the scratch.
struct DynamicsWorkspace {
  using Subspace = Twists;
  using JointMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>;

  explicit DynamicsWorkspace(const Model& model);

  std::vector<Transform> X_PB;  ///< body frame in its parent's body frame
  std::vector<Transform> X_WB;  ///< body frame in the world
  std::vector<Subspace> S;      ///< joint motion subspace, motion vectors in B: V = X_PB⁻¹ V_parent + S v
  std::vector<Vec6> V;          ///< velocity of the body in the world, motion vector in B
  std::vector<Vec6> bias;  ///< acceleration of the body at v̇ = 0 relative to its parent's, in B (c_i of table 7.1)
  std::vector<double> reflected_energy;  ///< kinetic energy of the joint's reflected inertia, J

  std::vector<Mat6> IA;           ///< articulated inertia, in B
  std::vector<Subspace> U;        ///< IA S
  std::vector<JointMatrix> Dinv;  ///< (Sᵀ IA S + extra)⁻¹

  std::vector<Vec6> scratch_a, scratch_f;  ///< accelerations and forces of the recursion that runs, in B
  std::vector<Mat6> scratch_I;             ///< composite inertias, in B
};

}  // namespace carom
