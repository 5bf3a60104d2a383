#pragma once

#include <Eigen/Cholesky>

namespace carom {

/// L Lᵀ of a positive definite n × n matrix, of which the lower triangle is read: n³/3 operations, a solution 2 n².
/// After an info() other than Eigen::Success, which a matrix gives that is not positive definite, it solves nothing.
using Cholesky = Eigen::LLT<Eigen::MatrixXd>;

}  // namespace carom

/// @cond
// Compiled in cholesky.cpp, for all that use this type.
extern template class Eigen::LLT<Eigen::MatrixXd>;
extern template carom::Cholesky& carom::Cholesky::compute(const Eigen::EigenBase<Eigen::MatrixXd>& matrix);
extern template void carom::Cholesky::solveInPlace(const Eigen::MatrixBase<Eigen::VectorXd>& x) const;
/// @endcond
