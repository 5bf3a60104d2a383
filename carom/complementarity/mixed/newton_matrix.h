#pragma once

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <Eigen/SparseLU>
#include <vector>

#include "carom/complementarity/linear/partial_lu.h"
#include "carom/complementarity/mixed/ncp_model.h"

namespace carom {

/// H = diag(a) + diag(b) Ĵ, an element of the generalized Jacobian of Fischer and Burmeister's Φ at a point of an
/// NcpModel. Solves are by PartialLu if J is dense, by Eigen::SparseLU if it is sparse. The ordering of a sparse
/// factorization is found again only when the pattern changes. Dense solves allocate nothing once as large a matrix has
/// been seen; of sparse ones Eigen's factorization does.
class NewtonMatrix {
 public:
  /// Forms H; a, b: n.
  void form(const NcpModel& model, const double* a, const double* b);

  /// Factors H. False if it is singular to working precision. That is if a solve with signs for a right-hand side is
  /// larger than 1e12 over the largest entry of H. The product of that solve and that entry is a lower bound of the
  /// condition number in the maximum norm.
  bool factor();

  /// d = H⁻¹ rhs, after factor() said true.
  void solve(const double* rhs, double* d);

  /// The least ‖H d − rhs‖² + λ ‖d‖² for λ > 0 (Levenberg and Marquardt). Dense: normal equations. Sparse: by r with
  /// √λ r + H d = rhs, Hᵀ r − √λ d = 0, which squares neither condition nor pattern. False if not even that can be
  /// factored. Spoils factor().
  bool solve_regularized(double lambda, const double* rhs, double* d);

  /// y = Hᵀ x.
  void multiply_transposed(const double* x, double* y) const;
  /// ‖H x‖².
  double squared_norm_of_product(const double* x);
  /// Largest entry by magnitude.
  double largest() const { return largest_; }

 private:
  /// A sparse LU with the pattern that its ordering was found for.
  struct SparseFactor {
    Eigen::SparseLU<Eigen::SparseMatrix<double>, Eigen::COLAMDOrdering<int>> lu;
    std::vector<int> outer, inner;
    bool factor(const Eigen::SparseMatrix<double>& matrix);
  };
  bool probe();

  int n_ = 0;
  bool dense_ = true;
  double largest_ = 0;
  std::vector<double> full_;  // H, column-major
  PartialLu lu_;
  Eigen::SparseMatrix<double> sparse_, augmented_;
  SparseFactor factor_, augmented_factor_;
  Eigen::VectorXd rhs_, solution_;  // of sparse solves, which take Eigen's vectors
  std::vector<double> probe_, product_;
};

}  // namespace carom
