#include "carom/numerics/symmetric_spectrum.h"

#include <Eigen/Eigenvalues>

namespace carom {

Spectrum symmetric_spectrum(const Eigen::MatrixXd& S) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(S);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

SmallSpectrum small_spectrum(const SmallMatrix& S) {
  const Eigen::SelfAdjointEigenSolver<SmallMatrix> solver(S);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

}  // namespace carom
