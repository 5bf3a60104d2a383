#pragma once

#include <Eigen/Core>
#include <string>

#include "carom/complementarity/contact_problem.h"
#include "carom/problem_files/linear_problem.h"

namespace carom {

/// Result of solving a mixed linear complementarity problem.
struct LinearSolution {
  SolveStatus status = SolveStatus::inaccurate;  ///< solved, infeasible (no solution exists) or inaccurate
  std::string method;    ///< that gave the result: pivoting, lemke, newton or cases; none where there was none to find
  int iterations = 0;    ///< pivots, Newton steps and cases of all methods that were tried
  int cases = 0;         ///< that were looked at, see linear_cases.h; 0: none had to be
  Eigen::VectorXd z, w;  ///< n; after a status other than solved the best point
  LinearCertificate certificate;  ///< of that point
  Eigen::VectorXd dual;  ///< after infeasible: y ≥ 0 that refutes even M z + q ≥ 0, z ≥ 0 (linear_cases.h), checked; of
                         ///< no size where all `cases` together refute the problem, each with its own
  double seconds = 0;  ///< of wall clock
};

/// Solves a mixed linear complementarity problem, or shows that it has no solution. Each method runs only if the one
/// before did not reach `tolerance` in the residual of `certify`, nor showed that there is no solution:
///
///     1. Pivoting: principal pivoting, if M is symmetric and there are no equations.
///     2. Lemke: Lemke's path after elimination of the equations (box_lcp.h).
///     3. Cases: case by case, until one holds or all are refuted (linear_cases.h), for the first few cases.
///     4. Newton: semismooth Newton and its fallbacks (mixed_ncp_solver.h).
///     5. Cases: as many as the bound on their work allows.
///
/// Each result is refined on the zeros that it found. If there are several solutions, the first one found is returned.
LinearSolution solve_linear(const LinearProblem& problem, double tolerance);

}  // namespace carom
