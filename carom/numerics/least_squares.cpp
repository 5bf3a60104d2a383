#include "carom/numerics/least_squares.h"

#include <Eigen/QR>

namespace carom {

Eigen::MatrixXd least_squares(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B, double threshold) {
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factors;
  factors.setThreshold(threshold);
  factors.compute(A);
  return factors.solve(B);
}

std::vector<int> dependent_columns(const Eigen::MatrixXd& A, double threshold) {
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factors(A);
  factors.setThreshold(threshold);
  const auto& order = factors.colsPermutation().indices();
  return {order.data() + factors.rank(), order.data() + order.size()};
}

}  // namespace carom
