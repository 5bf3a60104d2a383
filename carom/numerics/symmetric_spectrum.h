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

}  // namespace carom
