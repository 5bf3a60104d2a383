#pragma once

#include <memory>

#include "carom/impact/impact_solver.h"
#include "carom/impact/law_kind.h"

namespace carom {

/// The law of an impact, whichever it is, with its options.
class ImpactLaw {
 public:
  /// Throws Error for LawKind::none, which is no law of an impact.
  explicit ImpactLaw(LawKind kind, const ImpactLawOptions& options = {});

  /// As ImpactSolver::solve. trace: emptied by laws that don't tell their path.
  [[nodiscard]] ImpactOutcome solve(const ImpactProblem& problem, Eigen::Ref<Eigen::VectorXd> impulse,
                                    Eigen::Ref<Eigen::VectorXd> velocity, PlusTrace* trace = nullptr);

 private:
  std::unique_ptr<ImpactSolver> solver_;
};

}  // namespace carom
