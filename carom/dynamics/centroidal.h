#pragma once

#include <span>

#include "carom/dynamics/workspace.h"

// A set of bodies as a whole: mass, centre of mass c, momentum about it, and how that depends on the velocity:
//
//   (k; p) = A_G(q) v,        (k̇; ṗ) = A_G v̇ + Ȧ_G v
//
// with p = m ċ the linear momentum and k the angular momentum about c, both in the world's axes, angular part first.
// Source: Orin, Goswami and Lee, Centroidal dynamics of a humanoid robot, Autonomous Robots 35, 2013. They write it as
// a spatial force in the same frame, at c with the world's axes. For a floating tree, (k̇; ṗ) is the moment about c and
// the sum of all external forces. The joints have no influence on it; gravity gives (0; m g).
//
// The set consists of the bodies that move, as in potential_energy. Bodies that only fixed joints tie to the world have
// no part in mass, centre or inertia. If nothing moves, the mass and all other values are zero. A joint's reflected
// inertia has kinetic energy but no momentum, since it represents a rotor whose axis is unknown. It is on M's diagonal
// and not in A_G. The rates v̇ are those of v's components. Distances are taken within the set, so nothing is lost far
// from the world's origin.
namespace carom {

/// Angular parts about the centre of mass; world axes.
struct CentroidalState {
  double mass = 0;                       ///< kg
  Vec3 center = Vec3::Zero();            ///< c in the world, m
  Vec3 velocity = Vec3::Zero();          ///< ċ, m/s
  Vec3 linear_momentum = Vec3::Zero();   ///< p, kg m/s
  Vec3 angular_momentum = Vec3::Zero();  ///< k, kg m²/s
  Mat3 inertia = Mat3::Zero();           ///< of the set with its joints locked, about c, kg m²
};

/// State of all bodies. Needs forward_velocity; after forward_kinematics alone, mass, center and inertia. O(n).
CentroidalState centroidal_state(const Model& model, const DynamicsWorkspace& workspace);
/// State of some bodies: model.tree(i).bodies, for one. O(bodies).
CentroidalState centroidal_state(const Model& model, std::span<const int> bodies, const DynamicsWorkspace& workspace);

/// A_G of all bodies, 6 × nv. Needs forward_kinematics. O(n).
void centroidal_momentum_matrix(const Model& model, DynamicsWorkspace& workspace, Eigen::Ref<MatrixX> A);
/// A_G of the tree of `root`, 6 × nv; columns of other trees are zero. O(bodies of the tree), after O(nv) zeros.
void centroidal_momentum_matrix_tree(const Model& model, int root, DynamicsWorkspace& workspace, Eigen::Ref<MatrixX> A);

/// Ȧ_G v of all bodies, N m and N. Needs forward_velocity. O(n).
Vec6 centroidal_momentum_bias(const Model& model, DynamicsWorkspace& workspace);
/// Bias of the tree of `root`. O(bodies of the tree).
Vec6 centroidal_momentum_bias_tree(const Model& model, int root, DynamicsWorkspace& workspace);

}  // namespace carom
