#include "carom/impact/end_law.h"

#include "carom/impact/impact_rows.h"

namespace carom {
namespace {

/// Residual of a complementarity problem, and approach speed relative to the largest speed, up to which an impact
/// counts as solved.
constexpr double unsolved = 1e-10, approach = 1e-9;

}  // namespace

ImpactStatus status_of(const ContactSolution& solution, const ImpactOutcome& outcome) {
  // Round-off keeps the residual above what was asked for where impulses are large for the velocities they leave.
  const bool solved = solution.status == SolveStatus::solved || solution.residual <= unsolved;
  return solved && outcome.residual <= approach ? ImpactStatus::resolved : ImpactStatus::inconsistent;
}

void plain_blocks(const ImpactProblem& problem, std::vector<Block>& blocks) {
  blocks.assign(problem.blocks.begin(), problem.blocks.end());
  for (Block& block : blocks) {
    block.floor = block.restitution = block.push_speed = 0;
    if (block.kind != BlockKind::bilateral) block.offset = 0;
  }
}

std::vector<Block>& EndLaw::begin(const ImpactProblem& problem) {
  check_sizes(problem);
  plain_blocks(problem, blocks_);
  return blocks_;
}

ImpactOutcome EndLaw::solve(const ImpactProblem& problem, const EndLawOptions& options,
                            Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> velocity) {
  ContactOptions contact = options.contact;
  contact.stop = problem.stop;
  contact.rungs = problem.rungs;
  const ContactSolution solution = solver_.solve({problem.A, problem.u, blocks_}, contact, {}, impulse, velocity);
  ImpactOutcome outcome;
  outcome.rounds = outcome.intervals = 1;
  measure(problem, impulse, velocity, outcome);
  outcome.status = status_of(solution, outcome);
  return outcome;
}

}  // namespace carom
