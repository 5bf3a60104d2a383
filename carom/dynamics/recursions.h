#pragma once

#include "carom/dynamics/workspace.h"

// The O(n) recursions over the tree, for
//
//   M(q) v̇ + c(q, v) = τ + g(q),   with M (nv × nv) the mass matrix, c the Coriolis and centrifugal forces, g gravity,
//
// and v̇ the componentwise rates of v (body axes for spherical and free joints). Reflected inertias of the joints are
// on the diagonal of M, everywhere. Source: Featherstone, Rigid Body Dynamics Algorithms, 2008: tables 5.1 (RNEA), 6.2
// (CRBA) and 7.1 (ABA). Carom departs from it in three points. Motion and force vectors are in the world's axes about
// the joint's origin (link_algebra.h). A revolute joint's S is then an axis, and a step to the parent turns nothing. A
// joint of several coordinates is eliminated coordinate by coordinate. The function solve_mass is the articulated-body
// recursion without its velocity terms, so one set of factors serves many right-hand sides.
//
// M is positive definite where all bodies have extent (for points see singular_mass.h), so all of these have one
// answer. The exception is a joint of `twists` where these line up (gimbal lock). There M is singular to round-off. Its
// solves answer forces that the motion can feel by the least accelerations. They leave the others (a torque on a
// coordinate against its equal) unanswered.
//
// Bodies that cannot move take no part. Functions that say "needs forward_kinematics" rely on the workspace's poses
// being those of the q meant. Nothing allocates once outputs have their size. Sizes: q position_count, everything like
// v velocity_count.
namespace carom {

/// Poses of the bodies and the joints' motion subspaces. Quaternions in q must have unit length.
void forward_kinematics(const Model& model, const VectorX& q, DynamicsWorkspace& workspace);
/// Velocities of the bodies and bias accelerations. Needs forward_kinematics at the same q.
void forward_velocity(const Model& model, const VectorX& q, const VectorX& v, DynamicsWorkspace& workspace);

/// τ = M v̇ + c(q, v) − gravity, the joint forces for the acceleration vdot. Needs forward_velocity. Springs, damping
/// and contacts are not in it.
void inverse_dynamics(const Model& model, const VectorX& vdot, DynamicsWorkspace& workspace, VectorX& tau);

/// Joint forces that keep the momentum of a motion straight, without gravity. They are c(q, v) with the accelerations
/// of spherical joints and free bodies' centres of mass zero in the axes of F, not the body's.
///
/// With it M (u⁺ − u) = h (τ − momentum_bias) holds for velocities u that transport_velocity carries. For a single free
/// body it is ω × I ω about the centre of mass and nothing else. Needs forward_velocity.
void momentum_bias(const Model& model, const VectorX& v, DynamicsWorkspace& workspace, VectorX& bias);

/// Generalized gravity force, −∂V/∂q in the coordinates of v. Needs forward_kinematics.
void gravity_force(const Model& model, DynamicsWorkspace& workspace, VectorX& tau);

/// Joint-space mass matrix M (CRBA), nv × nv, both triangles. Needs forward_kinematics. O(n depth).
void mass_matrix(const Model& model, DynamicsWorkspace& workspace, MatrixX& M);

/// Factors M + diag(extra) in O(n): articulated inertias for solve_mass. In an implicit step, for example, `extra` is h
/// damping + h² stiffness. It has nv entries, or none for zero. Needs forward_kinematics.
void factor_mass(const Model& model, const VectorX& extra, DynamicsWorkspace& workspace);

/// x = (M + diag(extra))⁻¹ b, O(n). Needs factor_mass. x may be b.
void solve_mass(const Model& model, const VectorX& b, DynamicsWorkspace& workspace, VectorX& x);

/// The same restricted to the tree of `root`. Entries of b and x outside it are neither read nor written. x must have
/// its full size; it may be b. O(bodies of the tree).
void solve_mass_tree(const Model& model, int root, const VectorX& b, DynamicsWorkspace& workspace, VectorX& x);

/// v̇ = M⁻¹ (τ − c + gravity) by the articulated-body recursion, in three walks. Leaves what the recursions above need
/// of forward_kinematics and forward_velocity, and factors of M for solve_mass. It does not fill the workspace's X_WB
/// and V, nor the energies; for these call those two.
void forward_dynamics(const Model& model, const VectorX& q, const VectorX& v, const VectorX& tau,
                      DynamicsWorkspace& workspace, VectorX& vdot);

/// Kinetic energy ½ vᵀ M v, J. Needs forward_velocity.
double kinetic_energy(const Model& model, const DynamicsWorkspace& workspace);
/// Gravity of the bodies that move (zero at the world's origin) and springs of joints and between points, J. Needs
/// forward_kinematics.
double potential_energy(const Model& model, const VectorX& q, const DynamicsWorkspace& workspace);

/// Joint springs: force −stiffness times the stretch (spring_stretch.h), in the coordinates of v.
void spring_force(const Model& model, const VectorX& q, VectorX& tau);

/// Linear velocity in the world of a point fixed in `body` (−1: zero). Needs forward_velocity.
Vec3 point_velocity(int body, const Vec3& point_W, const DynamicsWorkspace& workspace);

}  // namespace carom
