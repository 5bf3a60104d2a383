#pragma once

#include <Eigen/Core>
#include <vector>

#include "carom/stop_signal.h"

namespace carom {

struct NonnegativeOptions {
  double dependence_tolerance = 1e-11;  ///< a column whose part outside the span of the others is smaller, relative to
                                        ///< its length, is one of them
  double promise_tolerance = 1e-14;  ///< B_jᵀ r / ‖B_j‖ that counts as zero, relative to ‖b‖ + Σ ‖B_j‖ |x_j|, whose
                                     ///< round-off r carries
  int max_iterations = 0;            ///< columns taken in; 0: 3 n + 10
  const StopSignal* stop = nullptr;  ///< asked at every column; null: nothing stops it
};

struct NonnegativeResult {
  bool converged = false;  ///< false: the budget of iterations is spent
  int iterations = 0;
  double residual = 0;  ///< ‖b − B x‖, computed from x
};

/// Least squares with signs: the x that makes ‖b − B x‖ least, with x_j ≥ 0 for all j that are not free.
/// B: m × n, b: m, x: n. free: n entries, empty for none. Lengths of the columns should be comparable.
///
/// Lawson and Hanson's active sets (Solving Least Squares Problems, 1974, chapter 23). The column that promises most is
/// taken in, and those whose x would turn negative are put out. Free columns are in from the start. The QR
/// factorization is by Gram–Schmidt, with every column orthogonalized twice. A column that depends on those that are in
/// waits. So a solution whose columns are dependent is not unique, and one with independent columns comes out. For
/// columns that are not in, x_j is exactly zero; for those that are in and not free, it is positive.
///
/// Optimal means that, with r = b − B x, Bᵀ r = 0 for columns that are in, and ≤ 0 for the others. If r = 0, b is in
/// the cone of the columns. Otherwise r shows that it is not: bᵀ r = ‖r‖² > 0 (Farkas).
///
/// Cost: O(m n + m s) per column taken in, s of them in; putting one out O(s (m + s)). Allocates.
NonnegativeResult nonnegative_least_squares(const Eigen::Ref<const Eigen::MatrixXd>& B,
                                            const Eigen::Ref<const Eigen::VectorXd>& b, const std::vector<bool>& free,
                                            const NonnegativeOptions& options, Eigen::Ref<Eigen::VectorXd> x);

}  // namespace carom
