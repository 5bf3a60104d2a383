#include "carom/impact/newton_impact.h"

#include <algorithm>

#include "carom/impact/newton.h"

namespace carom {
namespace {

/// Approach left, relative to the largest speed, beyond which the problem has no solution rather than an inexact one.
constexpr double no_solution = 1e-6;

}  // namespace

ImpactOutcome NewtonImpactLaw::solve(const ImpactProblem& problem, const EndLawOptions& options,
                                     Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> velocity) {
  std::vector<Block>& blocks = law_.begin(problem);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (blocks[b].kind == BlockKind::bilateral) continue;
    const double s = std::max(0.0, -problem.u(blocks[b].normal_row()));
    blocks[b].restitution = problem.surfaces[b].restitution.at(s);
    apply_newton(s, blocks[b]);
  }
  ImpactOutcome outcome = law_.solve(problem, options, impulse, velocity);
  if (outcome.status != ImpactStatus::inconsistent || outcome.residual <= no_solution) return outcome;
  law_.begin(problem);
  outcome = law_.solve(problem, options, impulse, velocity);
  if (outcome.status == ImpactStatus::resolved) outcome.status = ImpactStatus::budget;
  return outcome;
}

}  // namespace carom
