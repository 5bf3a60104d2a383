#pragma once

#include <Eigen/Core>

namespace carom {

/// An impact at k contacts without friction, as propagative laws see it (paper PROP: Seghete and Murphey 2014, section
/// II): in the kinetic metric, with unit normals.
///
/// Covectors have the product ⟨a, b⟩ = aᵀ M⁻¹ b (5). With the normals n_i = ∂φ_i/∂q, the rows of J, and the momentum p,
///
///     A_ij = ⟨n_i, n_j⟩   (A = J M⁻¹ Jᵀ, 1/kg),      u_i = ⟨p, n_i⟩ = (J v)_i   (m/s, > 0 opening),
///
/// so A and u say all that a law needs. Stored here in units of the lengths l_i = √A_ii (kg^−½):
///
///     cosine_ij = A_ij / (l_i l_j),     approach_i = u_i / l_i (√J),     impulse p_i = π_i / l_i (N s),
///
/// where π are the impulses along the unit normals, and w = approach + cosine · π. Contacts that are closed already are
/// contacts like any other, with u_i = 0.
struct NormalImpact {
  Eigen::MatrixXd cosine;    ///< k × k, cosines of the angles between normals; ones on the diagonal
  Eigen::VectorXd approach;  ///< k, ⟨p⁻, n_i⟩ for unit n_i, √J; < 0 infeasible (6)
  Eigen::VectorXd length;    ///< k, ‖n_i‖, kg^−½
  Eigen::MatrixXd factor;    ///< k × r, rows n_i in an orthonormal basis of their span: cosine = factor · factorᵀ
  double outside = 0;  ///< part of approach that no momentum makes, relative: 0 to round-off unless a contact is driven

  Eigen::Index size() const { return approach.size(); }
  Eigen::Index rank() const { return factor.cols(); }
  bool independent() const { return rank() == size(); }
  /// ½ ‖p⁻‖² of the part of p⁻ in the span of the normals: the kinetic energy that the contacts can reach, J.
  double reachable_energy() const;
  /// Scale of tolerances, √J: the norm of the part of p⁻ in the span of the normals. Resets keep it, and no |⟨p, n_i⟩|
  /// exceeds it. If driven contacts make a |⟨p⁻, n_i⟩| larger, the largest of these is the scale.
  double scale() const;

  Eigen::VectorXd impulse_of(const Eigen::VectorXd& pi) const { return pi.cwiseQuotient(length); }
  Eigen::VectorXd velocity_of(const Eigen::VectorXd& w) const { return w.cwiseProduct(length); }
};

/// From A (k × k, 1/kg) and the velocities u (k, m/s) before the impact. The rank of A is decided at 1e-12 of its
/// scaled eigenvalues. Throws carom::Error if A is not square, symmetric, positive semidefinite and finite, has a
/// contact that no impulse moves, or does not fit u. O(k³).
NormalImpact normal_impact(const Eigen::Ref<const Eigen::MatrixXd>& A, const Eigen::Ref<const Eigen::VectorXd>& u);

/// Outcome of an impact, in the caller's units.
struct NormalOutcome {
  Eigen::VectorXd impulse;   ///< k, along the normals, N s
  Eigen::VectorXd velocity;  ///< k, u + A · impulse, m/s
};

}  // namespace carom
