#pragma once

#include <Eigen/Core>
#include <functional>

#include "carom/problem_files/linear_problem.h"

namespace carom {

/// The number that is zero in a case of a mixed linear complementarity problem: z_i, w_i, or not yet said which.
enum class PairCase : char { open, z_zero, w_zero };

/// Result of deciding a problem by its cases.
struct LinearDecision {
  enum class End {
    found,      ///< z was accepted
    none,       ///< every case is refuted: no solution exists
    undecided,  ///< the budget is spent, or round-off hides which
  };
  End end = End::undecided;
  int cases = 0;      ///< that were looked at
  Eigen::VectorXd z;  ///< n, after found
  Eigen::VectorXd y;  ///< n, after none: what refutes the problem without its complementarity; empty where it takes
                      ///< more cases than that one
};

/// Decides a mixed linear complementarity problem by cases. Without complementarity it is a set of linear conditions,
///
///     w = M z + q,  z_i ≥ 0, w_i ≥ 0 of complementary rows,  w_i = 0 of equations                              (1)
///
/// Least squares with signs (nonnegative_least_squares.h) finds a point that meets them, or a vector y that refutes
/// them (Farkas). The pair (z_i, w_i) of that point that is furthest from complementary gives two further cases,
/// z_i = 0 and w_i = 0. A refuted case gives none. So the search finds a solution, or shows that there is none,
/// whatever M is. If there is none, each branch ended in a case with a y that `refutes` agreed to. The number of cases
/// may be exponential; the work is bounded by `most_cases` and 1e10 multiplications.
///
/// `accept` is asked about points whose pairs are all complementary but for round-off, and may improve them.
LinearDecision decide_by_cases(const LinearProblem& problem, int most_cases,
                               const std::function<bool(Eigen::VectorXd& z)>& accept);

/// The checker, by products of its own. It returns true if y shows that no z meets (1) with the zeros of a case:
///
///     y_i ≥ 0 unless w_i = 0,    (Mᵀy)_j ≤ 0 unless z_j = 0, = 0 of free z_j,    qᵀy < 0
///
/// For such a z, yᵀ(M z + q) would be < 0, and yet equal to yᵀw ≥ 0. Each condition is checked to `tolerance`, relative
/// to the terms of its sum. `cases`: n. O(n²).
bool refutes(const LinearProblem& problem, const std::vector<PairCase>& cases,
             const Eigen::Ref<const Eigen::VectorXd>& y, double tolerance = 1e-10);

}  // namespace carom
