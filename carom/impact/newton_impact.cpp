#include "carom/impact/newton_impact.h"

#include <algorithm>

#include "carom/impact/impact_rows.h"
#include "carom/impact/newton.h"

namespace carom {

ImpactOutcome NewtonImpactLaw::solve(const ImpactProblem& problem, const EndLawOptions& options,
                                     Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> velocity) {
  check_sizes(problem);
  blocks_.assign(problem.blocks.begin(), problem.blocks.end());
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    Block& block = blocks_[b];
    block.floor = block.push_speed = 0;
    if (block.kind == BlockKind::bilateral) continue;
    const double s = std::max(0.0, -problem.u(block.normal_row()));
    block.offset = 0;
    block.restitution = restitution_at(problem.surfaces[b].restitution, s);
    apply_newton(s, block);
  }
  const ContactSolution solution =
      solver_.solve({problem.A, problem.u, blocks_}, options.contact, {}, impulse, velocity);
  ImpactOutcome outcome;
  outcome.rounds = outcome.intervals = 1;
  measure(problem, impulse, velocity, outcome);
  outcome.status = status_of(solution, outcome);
  return outcome;
}

}  // namespace carom
