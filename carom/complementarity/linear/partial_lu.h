#pragma once

#include <vector>

namespace carom {

/// P A = L U with row exchanges, four columns at a time (Golub and Van Loan, Matrix Computations, 4th ed., section
/// 3.4). A: n × n, column-major. Cost: 2/3 n³ operations to factor, 2 n² to solve. For matrices whose rank is in
/// doubt see DenseLu. Memory is kept between calls and grows only to the largest n seen.
class PartialLu {
 public:
  /// An n × n column-major matrix to be filled before factor().
  double* prepare(int n);

  /// Factors what prepare() returned. False if a pivot is zero or not finite.
  bool factor();

  /// Solves A x = b in place.
  void solve(double* b) const;

 private:
  bool factor_panel(int first, int width);
  double* column(int j) { return lu_.data() + static_cast<std::size_t>(j) * n_; }

  int n_ = 0;
  std::vector<double> lu_;
  std::vector<int> row_swap_;
};

}  // namespace carom
