#include "carom/impact/poisson_impact.h"

#include <algorithm>

#include "carom/impact/impact_rows.h"

namespace carom {

ImpactOutcome PoissonImpactLaw::solve(const ImpactProblem& problem, const EndLawOptions& options,
                                      Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> velocity) {
  check_sizes(problem);
  plain_blocks(problem, blocks_);
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    Block& block = blocks_[b];
    if (block.kind == BlockKind::bilateral) continue;
    const double s = std::max(0.0, -problem.u(block.normal_row()));
    block.restitution = problem.surfaces[b].restitution.at(s);
  }
  ContactOptions contact = options.contact;
  contact.stop = problem.stop;
  contact.rungs = problem.rungs;
  const ContactSolution solution = law_.solve({problem.A, problem.u, blocks_}, contact, {}, impulse, velocity);
  problem.A.multiply(impulse, velocity);
  velocity += problem.u;
  ImpactOutcome outcome;
  outcome.rounds = law_.expanded() ? 2 : 1;
  outcome.intervals = 1;
  measure(problem, impulse, velocity, outcome);
  outcome.status = status_of(solution, outcome);
  return outcome;
}

}  // namespace carom
