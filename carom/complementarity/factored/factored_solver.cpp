#include "carom/complementarity/factored/factored_solver.h"

#include <algorithm>

namespace carom {

namespace {

constexpr double far_start = 1e-4;            // residual above which sweeps come first
constexpr int near_most = 6, rest_most = 12;  // iterations of the multipliers at rest, and just come to rest
constexpr int first_sweeps = 20, sweeps_of_iteration = 10;
constexpr double interior_tolerance = 1e-4, interior_start = 0.01;
constexpr double jammed = 1e-3, cold_start = 0.3;  // residual of an interior point that is begun anew from nothing

}  // namespace

/// Keeps p if none better was seen.
void FactoredSolver::take(SolverRung rung, const FactoredResult& result, const std::vector<double>& p) {
  iterations_ += result.iterations;
  rungs_.entered.add(rung);
  if (!(result.residual < residual_)) return;
  residual_ = result.residual;
  rungs_.won = RungSet(rung);
  best_ = p;
}

/// True if nothing that pushes moves, by the best impulses.
bool FactoredSolver::stands() {
  problem_.respond(best_, y_, w_);
  return problem_.still(best_, w_);
}

void FactoredSolver::by_multipliers(SolverRung rung, double tolerance, int most, const FactoredOptions& options) {
  p_ = best_;
  take(rung, multipliers_.run(problem_, {.tolerance = tolerance, .max_iterations = most, .stop = options.stop}, p_),
       p_);
}

void FactoredSolver::sweep(const StopSignal* stop) {
  p_ = best_;
  problem_.push(p_, y_);
  for (int i = 0; i < first_sweeps; ++i) {
    ask_to_go_on(stop);
    problem_.sweep(p_, y_);
  }
  problem_.respond(p_, y_, w_);
  take(SolverRung::factored_sweeps, {problem_.measure(p_, w_), first_sweeps / sweeps_of_iteration}, p_);
}

/// p_ from the best that interior points made of what the sweeps left, swept_.
void FactoredSolver::by_interior_point(const FactoredOptions& options) {
  ConeInteriorOptions interior;
  interior.tolerance = std::max(interior_tolerance, options.enough);
  interior.start = interior_start;
  interior.stop = options.stop;
  p_ = swept_;
  const FactoredResult warm = interior_.run(problem_, interior, p_);
  take(SolverRung::interior_point, warm, p_);
  if (warm.residual <= jammed) return;
  interior.start = cold_start;
  swept_ = p_;
  p_.assign(p_.size(), 0.0);
  const FactoredResult cold = interior_.run(problem_, interior, p_);
  take(SolverRung::interior_afresh, cold, p_);
  if (!(cold.residual < warm.residual)) p_ = swept_;
}

/// True if one of the quick methods arrived at `enough`.
bool FactoredSolver::arrive(const FactoredOptions& options) {
  const double enough = options.enough;
  if (residual_ > far_start) sweep(options.stop);
  if (residual_ <= enough) return true;
  p_ = best_;
  swept_ = best_;
  take(SolverRung::climbing_newton, newton_.run(problem_, {.tolerance = enough, .stop = options.stop}, p_), p_);
  if (residual_ <= enough) return true;
  if (ConeInterior::knows(problem_, options.directions)) {
    by_interior_point(options);
    if (residual_ <= enough) return true;
  } else {
    p_ = best_;
  }
  take(SolverRung::proximal_rounds, proximal_.run(problem_, {.tolerance = enough, .stop = options.stop}, p_), p_);
  return residual_ <= enough;
}

void FactoredSolver::run(const FactoredOptions& options) {
  const bool near = residual_ <= far_start && stands();
  if (near) {
    by_multipliers(SolverRung::standing_multipliers, options.tolerance, near_most, options);
    if (residual_ <= options.enough) return;
  }
  if (residual_ > options.enough && !arrive(options)) {
    by_multipliers(SolverRung::multipliers, options.enough, options.max_iterations, options);
  }
  const bool solved = residual_ <= options.enough;
  const bool rests = !near && solved && residual_ > options.tolerance && stands();
  if (rests) by_multipliers(SolverRung::resting_multipliers, options.tolerance, rest_most, options);
}

ContactSolution FactoredSolver::solve(const ContactProblem& problem, const FactoredOptions& options,
                                      std::span<const double> warm_start, Eigen::Ref<Eigen::VectorXd> impulse,
                                      Eigen::Ref<Eigen::VectorXd> velocity) {
  problem_.pose(problem, options.directions);
  problem_.to_units(warm_start, best_);
  problem_.respond(best_, y_, w_);
  residual_ = problem_.measure(best_, w_);
  iterations_ = 0;
  rungs_.entered = rungs_.won = RungSet(SolverRung::start);
  if (residual_ > options.tolerance) run(options);
  problem_.from_units(best_, impulse);
  problem.A.multiply(impulse, velocity);
  velocity += problem.u;
  ContactSolution solution;
  solution.size = static_cast<int>(problem.u.size());
  solution.solver = SolverKind::multipliers;
  solution.iterations = iterations_;
  solution.residual = residual_;
  solution.rungs = rungs_;
  solution.tolerance = residual_ <= options.tolerance ? options.tolerance : options.enough;
  solution.status = residual_ <= solution.tolerance        ? SolveStatus::solved
                    : iterations_ < options.max_iterations ? SolveStatus::inaccurate
                                                           : SolveStatus::iteration_limit;
  return solution;
}

}  // namespace carom
