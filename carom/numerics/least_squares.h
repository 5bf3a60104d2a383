#pragma once

#include <Eigen/Core>
#include <vector>

namespace carom {

/// The X (n × k) of least norm among those that make ‖A X − B‖ least, for A of size m × n and B of size m × k, by a
/// complete orthogonal decomposition: QR with column pivoting, then from the right. Columns of A that are combinations
/// of the others, but for `threshold` times the longest column, count as dependent. O(m n min(m, n) + (m + n) n k).
Eigen::MatrixXd least_squares(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B, double threshold = 1e-12);

/// Columns of A (m × n) that can be left out without loss of rank: those that QR with column pivoting has left once the
/// remaining parts of all are at most `threshold` times the longest column. In the order of pivots; O(m n min(m, n)).
std::vector<int> dependent_columns(const Eigen::MatrixXd& A, double threshold);

}  // namespace carom
