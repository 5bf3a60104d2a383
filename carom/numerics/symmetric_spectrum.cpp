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

ThreeSpectrum three_spectrum(const Eigen::Matrix3d& S) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(S);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Eigen::Matrix3d semidefinite_inverse(const Eigen::Matrix3d& S, double none) {
  const ThreeSpectrum spectrum = three_spectrum(S);
  Eigen::Vector3d inverse = Eigen::Vector3d::Zero();
  for (int k = 0; k < 3; ++k) {
    if (spectrum.values[k] > none * spectrum.values[2]) inverse[k] = 1 / spectrum.values[k];
  }
  return spectrum.vectors * inverse.asDiagonal() * spectrum.vectors.transpose();
}

}  // namespace carom
