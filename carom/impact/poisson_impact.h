#pragma once

#include <Eigen/Core>
#include <vector>

#include "carom/impact/end_law.h"
#include "carom/impact/poisson.h"

namespace carom {

/// Poisson's hypothesis for all contacts at once: PoissonLaw (poisson.h, with the equations) of an impact, e of each
/// surface at the speed its contact approaches with before the impact.
///
/// A contact that does not approach then but is compressed by others is owed e at no speed. One frictionless contact
/// rebounds with e times its approach. Several contacts with friction, or with several e, can gain energy; the outcome
/// says so in energy_change.
class PoissonImpactLaw {
 public:
  /// impulse and velocity: k, p and u + A p. Throws as check_sizes (impact_rows.h). Keeps its buffers.
  [[nodiscard]] ImpactOutcome solve(const ImpactProblem& problem, const EndLawOptions& options,
                                    Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> velocity);

  /// The two phases of the last solve.
  const PoissonLaw& phases() const { return law_; }

 private:
  PoissonLaw law_;
  std::vector<Block> blocks_;
};

}  // namespace carom
