#pragma once

#include <Eigen/Core>
#include <vector>

#include "carom/complementarity/contact_solver.h"
#include "carom/impact/impact_problem.h"

namespace carom {

/// How the complementarity problems of an impact law are solved: with the exact cone, to a residual of 1e-12, so that
/// momentum and signs hold to round-off.
struct EndLawOptions {
  ContactOptions contact = exact_cone();

  static ContactOptions exact_cone() {
    ContactOptions options;
    options.cone = FrictionCone::exact;
    options.exact.tolerance = 1e-12;
    return options;
  }
};

/// The status of a law from that of its complementarity problem and from what the outcome leaves undone (call measure
/// first): solved, to 1e-10 at least, is resolved. Anything else is inconsistent: rows that contradict each other, a
/// wedge that has no solution, or one that the solver did not find.
ImpactStatus status_of(const ContactSolution& solution, const ImpactOutcome& outcome);

/// The perfectly plastic blow, e = 0 whatever the surfaces say: one complementarity problem with Coulomb's friction on
/// the velocity after it,
///
///     0 ≤ u_n⁺ ⊥ p_n ≥ 0,   p_t = −μ p_n u_t⁺ / ‖u_t⁺‖ or ‖p_t‖ ≤ μ p_n where u_t⁺ = 0,   u⁺ = u + A p
///
/// (Moreau 1988). Never gains energy: u⁺ᵀ p ≤ 0 contact by contact, and ½ (u⁺ + u)ᵀ p = u⁺ᵀ p − ½ pᵀ A p. Velocities
/// are unique without friction; impulses need not be, nor velocities at high friction, and then the solver's choice
/// counts.
class PlasticLaw {
 public:
  /// impulse and velocity: k, p and u + A p. Throws as check_sizes (impact_rows.h). Keeps its buffers.
  [[nodiscard]] ImpactOutcome solve(const ImpactProblem& problem, const EndLawOptions& options,
                                    Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> velocity);

 private:
  ContactSolver solver_;
  std::vector<Block> blocks_;
};

}  // namespace carom
