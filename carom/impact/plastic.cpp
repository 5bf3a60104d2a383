#include "carom/impact/plastic.h"

#include <algorithm>

#include "carom/impact/impact_rows.h"

namespace carom {
namespace {

/// Residual of a complementarity problem, and approach speed relative to the largest speed, up to which a blow counts
/// as solved.
constexpr double unsolved = 1e-10, approach = 1e-9;

}  // namespace

ImpactStatus status_of(const ContactSolution& solution, const ImpactOutcome& outcome) {
  // Where impulses are large for the velocities they leave, round-off keeps the residual above what was asked for.
  const bool solved = solution.status == SolveStatus::solved || solution.residual <= unsolved;
  return solved && outcome.residual <= approach ? ImpactStatus::resolved : ImpactStatus::inconsistent;
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
