#include "benchmarks/exact_solvers.h"

#include <algorithm>

#include "carom/complementarity/certificate.h"
#include "carom/complementarity/cone/cone_solver.h"

namespace carom::bench {

namespace {

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

Outcome solve_by_peer(SiconosMethod method, const ContactProblem& problem, double tolerance, bool& converged) {
  SiconosConeProblem peer(problem);
  Outcome outcome;
  std::vector<double> times;
  median_seconds([&] {
    const SiconosRun run = peer.solve(method, tolerance);
    times.push_back(run.seconds);
    converged = run.converged;
  });
  outcome.seconds = median(times);
  outcome.residual = certify(problem, peer.impulse(), 0).natural_map;
  return outcome;
}

}  // namespace

std::vector<ExactSolver> exact_solvers() {
  std::vector<ExactSolver> solvers{{"Carom"}};
  for (const SolverKind kind : {SolverKind::gauss_seidel, SolverKind::newton, SolverKind::proximal}) {
    solvers.push_back({solver_name(kind), false, kind});
  }
  if (!siconos_is_there()) return solvers;
  for (const SiconosMethod method :
       {SiconosMethod::nsgs, SiconosMethod::prox, SiconosMethod::nsn_ac, SiconosMethod::admm}) {
    solvers.push_back({name(method), true, SolverKind::none, method});
  }
  return solvers;
}

Outcome solve_exact(const ExactSolver& solver, const ContactProblem& problem, double tolerance, bool& converged) {
  if (solver.peer) return solve_by_peer(solver.siconos_method, problem, tolerance, converged);
  ConeSolver cone;
  ConeOptions options;
  options.method = solver.method;
  options.tolerance = tolerance;
  Eigen::VectorXd impulse(problem.u.size()), velocity(problem.u.size());
  Outcome outcome;
  outcome.seconds = median_seconds([&] {
    const ContactSolution solution = cone.solve(problem, options, {}, impulse, velocity);
    outcome.iterations = solution.iterations;
    converged = solution.status == SolveStatus::solved;
  });
  outcome.residual = certify(problem, impulse, 0).natural_map;
  return outcome;
}

}  // namespace carom::bench
