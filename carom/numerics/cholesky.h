#pragma once

#include <Eigen/Cholesky>

namespace carom {

/// L Lᵀ of a positive definite n × n matrix, of which the lower triangle is read; info() says whether it is one.
using Cholesky = Eigen::LLT<Eigen::MatrixXd>;

}  // namespace carom

/// @cond
// Compiled in cholesky.cpp.
extern template class Eigen::LLT<Eigen::MatrixXd>;
extern template carom::Cholesky& carom::Cholesky::compute(const Eigen::EigenBase<Eigen::MatrixXd>& matrix);
extern template void carom::Cholesky::solveInPlace(const Eigen::MatrixBase<Eigen::VectorXd>& x) const;
/// @endcond
