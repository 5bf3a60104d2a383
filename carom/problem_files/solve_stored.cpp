#include "carom/problem_files/solve_stored.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "carom/complementarity/infeasibility.h"
#include "carom/complementarity/island_certificate.h"

namespace carom {
namespace {

using Eigen::VectorXd;

constexpr int most_rounds = 100;
/// Rounds without a smaller residual after which there is no hope for one.
constexpr int patience = 5;

double tolerance(const ContactOptions& options) {
  return options.cone == FrictionCone::exact ? options.exact.tolerance : options.polyhedral.lcp.residual_tolerance;
}

void solve_once(const StoredProblem& stored, ContactSolver& solver, const VectorXd& warm_start,
                StoredSolution& result) {
  const std::span<const double> start(warm_start.data(), static_cast<std::size_t>(warm_start.size()));
  result.solution = solver.solve(stored.problem(), result.options, start, result.impulse, result.velocity);
  result.islands = solver.islands().count();
  if (result.solution.status != SolveStatus::infeasible) return;
  result.dual = Eigen::Map<const VectorXd>(solver.infeasibility().data(),
                                           static_cast<Eigen::Index>(solver.infeasibility().size()));
  result.dual_checked = proves_infeasible(stored.problem(), result.dual);
}

/// Rounds until the problem that the last impulse poses is solved by it.
void solve_in_rounds(const StoredProblem& stored, ContactSolver& solver, const VectorXd& warm_start,
                     StoredSolution& result) {
  IslandCertifier certifier;
  VectorXd posed(stored.rows()), start = warm_start, best, impulse(stored.rows()), velocity(stored.rows());
  double least = std::numeric_limits<double>::infinity();
  int iterations = 0, best_round = 0;
  for (int round = 1; round <= most_rounds && round - best_round <= patience; ++round) {
    posed = stored.u;
    if (start.size() > 0) posed += stored.skew * start;
    const ContactProblem problem{stored.A(), posed, stored.blocks};
    const std::span<const double> from(start.data(), static_cast<std::size_t>(start.size()));
    ContactSolution solution = solver.solve(problem, result.options, from, impulse, velocity);
    result.islands = solver.islands().count();
    iterations += solution.iterations;
    start = impulse;
    posed = stored.u + stored.skew * impulse;
    const SolveCertificate certificate =
        certifier.certify({stored.A(), posed, stored.blocks}, impulse, generators(result.options));
    const double residual = judged_residual(certificate, result.options.cone);
    result.rounds = round;
    if (!(residual < least)) continue;
    least = residual;
    best_round = round;
    result.impulse = impulse;
    result.solution = solution;
    if (least <= tolerance(result.options)) break;
  }
  result.solution.iterations = iterations;
  result.solution.residual = least;
  // A ray of one round's problem says nothing about the problem itself. Nor does a residual that is small only because
  // the impulses of a problem without solution are large. In both cases the solver has not called the round solved.
  const bool solved = least <= tolerance(result.options) && result.solution.status == SolveStatus::solved;
  if (!solved) result.solution.status = SolveStatus::inaccurate;
}

}  // namespace

StoredSolution solve_stored(const StoredProblem& stored, const ContactOptions& options, const VectorXd& warm_start) {
  StoredSolution result;
  result.options = options;
  result.impulse = result.velocity = VectorXd::Zero(stored.rows());
  ContactSolver solver;
  const auto began = std::chrono::steady_clock::now();
  if (stored.is_symmetric()) {
    solve_once(stored, solver, warm_start, result);
  } else {
    solve_in_rounds(stored, solver, warm_start, result);
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();

  VectorXd posed = stored.u;
  if (!stored.is_symmetric()) posed += stored.skew * result.impulse;
  const ContactProblem problem{stored.A(), posed, stored.blocks};
  result.certificate = IslandCertifier().certify(problem, result.impulse, generators(options));
  problem.A.multiply(result.impulse, result.velocity);
  result.velocity += posed;
  if (result.solution.status == SolveStatus::solved && !is_borne_out(result)) {
    result.solution.status = SolveStatus::inaccurate;
  }
  return result;
}

bool is_borne_out(const StoredSolution& solved) {
  return judged_residual(solved.certificate, solved.options.cone) <= std::max(1e-8, tolerance(solved.options));
}

}  // namespace carom
