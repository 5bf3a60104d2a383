#pragma once

#include <Eigen/Core>
#include <vector>

#include "carom/complementarity/contact_solver.h"
#include "carom/impact/impact_problem.h"

namespace carom {

/// Options of the complementarity problems of an impact law. The cone is exact and the tolerance 1e-12, so that
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

/// The status of a law, from that of its complementarity problem and from the outcome's residual (call measure first).
/// Resolved: the problem is solved, to 1e-10 at least, and the residual at most 1e-9. Anything else is inconsistent:
/// contradictory rows, a wedge without a solution, or a solution that the solver did not find.
ImpactStatus status_of(const ContactSolution& solution, const ImpactOutcome& outcome);

/// The blocks of an impact as those of a plastic one. They keep kind, friction, and the offset of bilateral rows, but
/// nothing that end-of-step laws add. Replaces the contents of `blocks`.
void plain_blocks(const ImpactProblem& problem, std::vector<Block>& blocks);

/// A law that is one complementarity problem in the velocity after the impact: plain blocks, which the law completes,
/// and their solution.
class EndLaw {
 public:
  /// The blocks of this impact, plain ones to begin with. Throws as check_sizes (impact_rows.h).
  std::vector<Block>& begin(const ImpactProblem& problem);
  /// impulse and velocity: k, p and u + A p.
  [[nodiscard]] ImpactOutcome solve(const ImpactProblem& problem, const EndLawOptions& options,
                                    Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> velocity);

 private:
  ContactSolver solver_;
  std::vector<Block> blocks_;
};

}  // namespace carom
