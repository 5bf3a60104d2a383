#pragma once

#include <Eigen/Core>

#include "carom/impact/end_law.h"

namespace carom {

/// The perfectly plastic impact, e = 0 whatever the surfaces say: one complementarity problem with Coulomb's friction
/// on the velocity after it,
///
///     0 ≤ u_n⁺ ⊥ p_n ≥ 0,   p_t = −μ p_n u_t⁺ / ‖u_t⁺‖ or ‖p_t‖ ≤ μ p_n where u_t⁺ = 0
///
/// with u⁺ = u + A p (Moreau 1988). It never gains energy: u⁺ᵀ p ≤ 0 contact by contact, and ½ (u⁺ + u)ᵀ p = u⁺ᵀ p − ½
/// pᵀ A p. Velocities are unique without friction; impulses need not be. At high friction velocities need not be
/// either, and the solver's choice counts.
class PlasticLaw {
 public:
  /// impulse and velocity: k, p and u + A p. Throws as check_sizes (impact_rows.h). Keeps its buffers.
  [[nodiscard]] ImpactOutcome solve(const ImpactProblem& problem, const EndLawOptions& options,
                                    Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> velocity);

 private:
  EndLaw law_;
};

}  // namespace carom
