#include "carom/numerics/solve_three.h"

#include <Eigen/LU>

namespace carom {

Eigen::Vector3d solve_three(const Eigen::Matrix3d& A, const Eigen::Vector3d& b) { return A.partialPivLu().solve(b); }

Eigen::Matrix3d solve_three(const Eigen::Matrix3d& A, const Eigen::Matrix3d& B) { return A.partialPivLu().solve(B); }

}  // namespace carom
