#pragma once

#include <Eigen/Core>

#include "carom/impact/end_law.h"

namespace carom {

/// Newton's hypothesis for all contacts at once, as one complementarity problem with Coulomb's friction on the velocity
/// after the impact,
///
///     0 ≤ u_n⁺ − e s ⊥ p_n ≥ 0,   s = max(0, −u_n⁻),   p_t opposes u_t⁺ within μ p_n
///
/// with u⁺ = u + A p and e of the surface at the approach speed s (Newton 1687; Moreau 1988). A contact that did not
/// approach is only kept from doing so.
///
/// Energy: ½ (u⁺ + u)ᵀ p = Σ e s p_n + u_t⁺ᵀ p_t − ½ pᵀ A p. It is −½ (1 − e)/(1 + e) pᵀ A p ≤ 0 without friction and
/// with one e, if no contact was parting before. It can rise with friction, with several e, or if a parting contact is
/// pushed together. Friction turns the slip while the law insists on the normal velocity (Kane's pendulum). The outcome
/// then says so in energy_change; nothing is repaired.
///
/// Velocities are unique without friction; impulses need not be. If contacts wedge a body, no velocity may satisfy them
/// all, as between two walls that face each other. The impact is then plastic, and its status `budget`.
class NewtonImpactLaw {
 public:
  /// impulse and velocity: k, p and u + A p. Throws as check_sizes (impact_rows.h). Keeps its buffers.
  [[nodiscard]] ImpactOutcome solve(const ImpactProblem& problem, const EndLawOptions& options,
                                    Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> velocity);

 private:
  EndLaw law_;
};

}  // namespace carom
