#pragma once

#include <Eigen/Core>

namespace carom {

/// x with A x = b, by Gaussian elimination with row pivoting. If A is singular, the result is huge or not finite, and
/// no error is reported.
Eigen::Vector3d solve_three(const Eigen::Matrix3d& A, const Eigen::Vector3d& b);
/// X with A X = B.
Eigen::Matrix3d solve_three(const Eigen::Matrix3d& A, const Eigen::Matrix3d& B);

}  // namespace carom
