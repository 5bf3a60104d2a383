#include "benchmarks/stewart_trinkle_lcp.h"

#include <cmath>
#include <numbers>

namespace carom::bench {

StewartTrinkleLcp stewart_trinkle_lcp(const ContactProblem& problem, int directions) {
  const Eigen::Index rows = problem.u.size(), n = rows / 3, K = directions;
  StewartTrinkleLcp lcp;
  lcp.D = Eigen::MatrixXd::Zero(rows, n + K * n);
  Eigen::VectorXd target = problem.u;
  for (Eigen::Index c = 0; c < n; ++c) {
    lcp.D(3 * c + 2, c) = 1;
    for (Eigen::Index j = 0; j < K; ++j) {
      // Opposite directions are exact negatives, as the solvers that are compared would make them.
      const Eigen::Index half = K % 2 == 0 ? j % (K / 2) : j;
      const double sign = half == j ? 1 : -1;
      const double angle = 2 * std::numbers::pi * static_cast<double>(half) / static_cast<double>(K);
      lcp.D(3 * c, n + K * c + j) = sign * std::cos(angle);
      lcp.D(3 * c + 1, n + K * c + j) = sign * std::sin(angle);
    }
    target(3 * c + 2) += problem.blocks[static_cast<std::size_t>(c)].offset;
  }
  Eigen::MatrixXd A(rows, rows);
  problem.A.copy_to(A);
  const Eigen::Index m = lcp.D.cols(), size = m + n;
  lcp.R = Eigen::MatrixXd::Zero(size, size);
  lcp.R.topLeftCorner(m, m) = lcp.D.transpose() * A * lcp.D;
  lcp.q = Eigen::VectorXd::Zero(size);
  lcp.q.head(m) = lcp.D.transpose() * target;
  for (Eigen::Index c = 0; c < n; ++c) {
    lcp.R(m + c, c) = problem.blocks[static_cast<std::size_t>(c)].friction.x();
    lcp.R.block(m + c, n + K * c, 1, K).setConstant(-1);
    lcp.R.block(n + K * c, m + c, K, 1).setConstant(1);
  }
  return lcp;
}

}  // namespace carom::bench
