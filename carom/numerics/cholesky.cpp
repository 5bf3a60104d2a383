#include "carom/numerics/cholesky.h"

template class Eigen::LLT<Eigen::MatrixXd>;
template carom::Cholesky& carom::Cholesky::compute(const Eigen::EigenBase<Eigen::MatrixXd>& matrix);
template void carom::Cholesky::solveInPlace(const Eigen::MatrixBase<Eigen::VectorXd>& x) const;
