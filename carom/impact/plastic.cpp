#include "carom/impact/plastic.h"

#include <algorithm>

#include "carom/impact/impact_rows.h"

namespace carom {
namespace {

/// Approach speed, relative to the largest speed, and energy gained, relative to what the impulses exchange, that count
/// as round-off of an unfinished solve.
constexpr double round_off = 1e-9;

}  // namespace

ImpactStatus status_of(const ContactSolution& solution, const ImpactOutcome& outcome) {
  if (solution.status == SolveStatus::solved && outcome.residual <= round_off) return ImpactStatus::resolved;
  if (solution.status == SolveStatus::infeasible) return ImpactStatus::inconsistent;
  return outcome.residual <= round_off && outcome.energy_change <= 0 ? ImpactStatus::budget
                                                                     : ImpactStatus::inconsistent;
}

ImpactOutcome PlasticLaw::solve(const ImpactProblem& problem, const EndLawOptions& options,
                                Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> velocity) {
  check_sizes(problem);
  blocks_.assign(problem.blocks.begin(), problem.blocks.end());
  for (Block& block : blocks_) {
    block.floor = block.restitution = block.push_speed = 0;
    if (block.kind != BlockKind::bilateral) block.offset = 0;
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
