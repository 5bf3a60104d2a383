#pragma once

#include <vector>

namespace carom {

/// P A Q = L U with complete pivoting, so that rank shows in the pivots. Source: Golub and Van Loan, Matrix
/// Computations, 4th ed., section 3.4.8. A: n × n, column-major. Cost: 2/3 n³ operations and n³/3 comparisons to
/// factor, 2 n² to solve. Memory is kept between calls and grows only to the largest n seen.
class DenseLu {
 public:
  /// Memory for matrices up to n × n.
  void reserve(int n);

  /// An n × n column-major matrix to be filled before factor().
  double* prepare(int n);

  /// Factors what prepare() returned. Rank: number of pivots above `tolerance` times the largest.
  int factor(double tolerance);

  /// Solves A x = b in place; needs full rank.
  void solve(double* b);

 private:
  int n_ = 0;
  std::vector<double> lu_;
  std::vector<int> row_swap_;
  std::vector<int> column_swap_;
};

}  // namespace carom
