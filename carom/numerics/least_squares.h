#pragma once

#include <Eigen/Core>
#include <vector>

namespace carom {

/// The X (n × k) that makes ‖A X − B‖ least, and of all such the one of least norm. A: m × n, B: m × k. Uses a complete
/// orthogonal decomposition: QR with column pivoting, then from the right. Columns of A that are combinations of the
/// others, but for `threshold` times the longest column, count as dependent. O(m n min(m, n) + (m + n) n k).
Eigen::MatrixXd least_squares(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B, double threshold = 1e-12);

/// Columns of A (m × n) that can be left out without loss of rank, in the order of pivots. QR with column pivoting ends
/// before them, as their remaining parts are at most `threshold` times the longest column. O(m n min(m, n)).
std::vector<int> dependent_columns(const Eigen::MatrixXd& A, double threshold);

}  // namespace carom
