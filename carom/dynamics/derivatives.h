#pragma once

#include <vector>

#include "carom/dynamics/solve_columns.h"
#include "carom/dynamics/workspace.h"

// Derivatives of τ = M v̇ + c(q, v) − g(q) (inverse_dynamics) and of v̇ = M⁻¹ (τ − c + g) (forward_dynamics).
//
// Column k of ∂/∂q is the slope along integrate(q, e_k, h) at h = 0, with e_k the k-th unit velocity. So rotations are
// differentiated along turns about the body's own axes, and a free body's position along displacements in these axes.
// For scalar coordinates, whose v is q̇, it is the ordinary partial derivative. Meanwhile v and v̇ keep their
// components, which for spherical and free joints are in the body's axes and turn with it. First derivatives do not
// show that integrate moves a free body about its centre of mass.
//
// Coordinate j has the twist S_j. B_j and A_j are the velocity and acceleration of what carries the coordinate's own
// displacement, with gravity as an acceleration of the base. C_j is the velocity of what carries S_j. Sums over the
// bodies beyond the coordinate are marked c:
//
//   ψ̇_j = B_j × S_j,   ψ̈_j = A_j × S_j + B_j × ψ̇_j,   Ṡ_j = C_j × S_j
//   ∂τ_i/∂q_j = S_iᵀ (Iᶜ_i ψ̈_j + 2 Bᶜ_i ψ̇_j)                        j moves S_i
//   ∂τ_i/∂q_j = S_iᵀ (Iᶜ_j ψ̈_j + 2 Bᶜ_j ψ̇_j + S_j ×* fᶜ_j)         j lies beyond i
//   ∂τ_i/∂v_j = S_iᵀ (Iᶜ (ψ̇_j + Ṡ_j) + 2 Bᶜ S_j),   ∂τ_i/∂v̇_j = M_ij     c: beyond both
//   ∂v̇/∂(q, v) = −M⁻¹ ∂τ/∂(q, v),   ∂v̇/∂τ = M⁻¹
//
// The parent's body carries a coordinate of a spherical or free joint, and the joint's body carries its S. In a product
// of exponentials, the coordinates before it carry both.
//
// Source: Singh, Russo and Wensing, Efficient analytical derivatives of rigid-body dynamics using spatial vector
// algebra, IEEE Robotics and Automation Letters 7(2), 2022. For ∂v̇: Carpentier and Mansard, Analytical derivatives of
// rigid body dynamics algorithms, RSS 2018. Carom departs from them in three points. It uses the world's axes about the
// joints' origins. It allows joints whose S varies with their own coordinates. It computes B as a sum over masses,
// which needs twelve numbers (CoriolisMap).
//
// Reflected inertia is in M and nowhere else. Springs and damping are not included, as they are not in τ; their
// derivatives are −stiffness and −damping on the diagonals. Only springs of spherical and free joints have others off
// their rest.
//
// If `twists` line up, the accelerations are not unique. There ∂v̇ uses the least accelerations of solve_mass and omits
// the slope of this choice; ∂τ is valid everywhere. O(n depth) for ∂τ, O(n²) for ∂v̇. Nothing allocates once outputs
// have their size. Quaternions in q must have unit length.
namespace carom {

/// Forces of moving masses when the axes in which they are expressed turn with d (Singh et al.'s B, times two):
///
///   2 B (d, ·) = 2 Σ m (x × (d × ẋ); d × ẋ),   x from O, ẋ in the world
///
/// The linear part of the motion that it is applied to does nothing.
struct CoriolisMap {
  Mat3 turning = Mat3::Zero();   ///< Σ m ((x·ẋ) 1 − ẋ xᵀ), kg m²/s
  Vec3 momentum = Vec3::Zero();  ///< Σ m ẋ, kg m/s

  CoriolisMap() = default;
  CoriolisMap(const RigidInertia& I, const Motion& V);

  Force operator*(const Motion& m) const { return {2 * turning * m.angular, 2 * m.angular.cross(momentum)}; }
  /// The moment of 2 Bᵀ m, whose force is zero.
  Vec3 transposed_moment(const Motion& m) const {
    return 2 * (turning.transpose() * m.angular + momentum.cross(m.linear));
  }
  /// Adds a map about a point that lies at r from this one's.
  void add_shifted(const CoriolisMap& B, const Vec3& r) {
    turning += B.turning - B.momentum * r.transpose();
    turning.diagonal().array() += B.momentum.dot(r);
    momentum += B.momentum;
  }
};

/// ∂τ/∂q, ∂τ/∂v and ∂τ/∂v̇, each nv × nv; row i is τ_i's, SI units of the coordinates.
struct InverseDynamicsDerivatives {
  MatrixX dtau_dq, dtau_dv;
  MatrixX M;  ///< symmetric to the bit
};

/// v̇ and its derivatives, each nv × nv; row i is v̇_i's.
struct ForwardDynamicsDerivatives {
  VectorX vdot;
  MatrixX dvdot_dq, dvdot_dv;
  MatrixX M_inverse;  ///< ∂v̇/∂τ
};

/// Scratch of the two functions below for one model, one thread. The fields of a body are expressed in the world's axes
/// about its O.
struct DerivativeScratch {
  explicit DerivativeScratch(const Model& model);

  struct Column {
    Motion psi_dot, psi_ddot;
    Motion psi_dot_plus_S_dot;
  };
  std::vector<Column> columns;        ///< by velocity coordinate
  std::vector<CoriolisMap> coriolis;  ///< by body, of it and all that hangs on it
  InverseDynamicsDerivatives inverse;
  VectorX tau;
  ColumnSolveScratch solve;
};

/// Needs forward_velocity at q and v.
void inverse_dynamics_derivatives(const Model& model, const VectorX& v, const VectorX& vdot,
                                  DynamicsWorkspace& workspace, DerivativeScratch& scratch,
                                  InverseDynamicsDerivatives& derivatives);

/// Calls forward_dynamics, and leaves of it what that leaves, factors of M for solve_mass included.
void forward_dynamics_derivatives(const Model& model, const VectorX& q, const VectorX& v, const VectorX& tau,
                                  DynamicsWorkspace& workspace, DerivativeScratch& scratch,
                                  ForwardDynamicsDerivatives& derivatives);

}  // namespace carom
