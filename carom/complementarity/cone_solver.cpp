#include "carom/complementarity/cone_solver.h"

#include <algorithm>

#include "carom/complementarity/gauss_seidel.h"
#include "carom/error.h"

namespace carom {

ContactSolution ConeSolver::solve(const ContactProblem& problem, const ConeOptions& options,
                                  std::span<const double> warm_start, Eigen::Ref<Eigen::VectorXd> impulse,
                                  Eigen::Ref<Eigen::VectorXd> velocity) {
  ContactSolution solution;
  solution.size = static_cast<int>(problem.u.size());
  if (problem.blocks.empty()) return solution;
  if (!warm_start.empty() && static_cast<Eigen::Index>(warm_start.size()) != problem.u.size()) {
    throw Error("The warm start has " + std::to_string(warm_start.size()) + " impulses, but the contact problem has " +
                std::to_string(problem.u.size()) + " rows; give one impulse per row, or none at all.");
  }
  system_.prepare(problem);
  if (warm_start.empty()) {
    impulse.setZero();
  } else {
    std::copy(warm_start.begin(), warm_start.end(), impulse.data());
  }
  system_.velocity(impulse.data(), velocity.data());
  const GaussSeidelResult result =
      sweep_blocks(system_, options.tolerance, options.max_iterations, impulse.data(), velocity.data());
  system_.velocity(impulse.data(), velocity.data());
  solution.solver = SolverKind::gauss_seidel;
  solution.iterations = result.sweeps;
  solution.residual = system_.residual(impulse.data(), velocity.data());
  solution.status = solution.residual <= options.tolerance ? SolveStatus::solved : SolveStatus::iteration_limit;
  return solution;
}

void ConeSolver::reserve(int blocks) { system_.reserve(blocks); }

}  // namespace carom
