#pragma once

#include <Eigen/Core>

namespace carom {

/// Eigenvalues λ of a symmetric n × n matrix S, ascending, and orthonormal eigenvectors in columns: S = V diag(λ) Vᵀ.
struct Spectrum {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};

/// n ≥ 1, S finite; its lower triangle is read. Eigenvalues of matrices that are not finite are not numbers. About 9 n³
/// operations; allocates.
Spectrum symmetric_spectrum(const Eigen::MatrixXd& S);

/// At most 6 × 6, as large as a joint has coordinates; on the stack.
using SmallMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>;
using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;

struct SmallSpectrum {
  SmallVector values;
  SmallMatrix vectors;
};

/// The same up to 6 × 6, without allocation.
SmallSpectrum small_spectrum(const SmallMatrix& S);

struct ThreeSpectrum {
  Eigen::Vector3d values;
  Eigen::Matrix3d vectors;
};

/// The same for 3 × 3, without allocation.
ThreeSpectrum three_spectrum(const Eigen::Matrix3d& S);

/// Inverse of a symmetric S without negative eigenvalues. It is zero along eigenvectors whose eigenvalue is at most
/// `none` times the largest, as in the moments of inertia of a point mass or a rod.
Eigen::Matrix3d semidefinite_inverse(const Eigen::Matrix3d& S, double none = 1e-14);

}  // namespace carom
