#include "carom/problem_files/stored_problem.h"

#include <algorithm>
#include <cmath>

#include "carom/error.h"

namespace carom {
namespace {

/// Differences of mirrored entries, relative to the largest entry: below the first round-off of assembly, up to the
/// second what linearised gyroscopic terms make.
constexpr double round_off = 1e-13;
constexpr double largest_skew = 0.02;

/// Fewer non-zeros than this part of all entries, and of a size where it counts, pay for the indirection.
constexpr double sparse_part = 0.1;
constexpr Eigen::Index smallest_sparse = 60;

}  // namespace

ContactOperator StoredProblem::A() const {
  switch (form) {
    case ContactOperator::Form::dense:
      return {dense};
    case ContactOperator::Form::sparse:
      return {sparse};
    case ContactOperator::Form::factors:  // written as a matrix
    case ContactOperator::Form::product:
      break;
  }
  return {*product};
}

void StoredProblem::set_operator(const Eigen::SparseMatrix<double>& W, const std::string& file) {
  const Eigen::SparseMatrix<double> mirrored = W.transpose();
  Eigen::SparseMatrix<double> difference = W - mirrored;
  double size = 0, worst = 0;
  Eigen::Index row = 0, column = 0;
  for (Eigen::Index j = 0; j < W.outerSize(); ++j) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(W, j); it; ++it) size = std::max(size, std::abs(it.value()));
    for (Eigen::SparseMatrix<double>::InnerIterator it(difference, j); it; ++it) {
      if (std::abs(it.value()) <= worst) continue;
      worst = std::abs(it.value());
      row = it.row();
      column = j;
    }
  }
  if (worst > largest_skew * size) {
    throw Error(file + ": W is not symmetric: entry (" + std::to_string(row) + ", " + std::to_string(column) + ") is " +
                std::to_string(W.coeff(row, column)) + " and its mirror image is " +
                std::to_string(W.coeff(column, row)) +
                "; the operator of a frictional contact problem is W = H^T M^-1 H");
  }
  skew.resize(0, 0);
  if (worst > round_off * size) skew = 0.5 * difference;
  const Eigen::SparseMatrix<double> symmetric = worst > 0 ? Eigen::SparseMatrix<double>(0.5 * (W + mirrored)) : W;
  const double part =
      static_cast<double>(symmetric.nonZeros()) / static_cast<double>(std::max<Eigen::Index>(1, W.size()));
  if (W.rows() >= smallest_sparse && part <= sparse_part) {
    form = ContactOperator::Form::sparse;
    sparse = symmetric;
    sparse.makeCompressed();
    dense.resize(0, 0);
  } else {
    form = ContactOperator::Form::dense;
    dense = symmetric;
    sparse.resize(0, 0);
  }
}

}  // namespace carom
