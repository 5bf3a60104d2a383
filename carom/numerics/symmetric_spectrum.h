#pragma once

#include <Eigen/Core>

namespace carom {

/// Eigenvalues λ of a symmetric n × n matrix S, ascending, and orthonormal eigenvectors in columns: S = V diag(λ) Vᵀ.
struct Spectrum {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};

/// S must be finite; its lower triangle is read. About 9 n³ operations; allocates.
Spectrum symmetric_spectrum(const Eigen::MatrixXd& S);

/// At most 9 × 9, in place.
using SmallMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 9, 9>;
using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 9, 1>;

struct SmallSpectrum {
  SmallVector values;
  SmallMatrix vectors;
};

/// The same up to 9 × 9, without allocation.
SmallSpectrum small_spectrum(const SmallMatrix& S);

}  // namespace carom
