#include "carom/problem_files/fclib_global.h"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

#include "carom/error.h"

namespace carom {
namespace {

using Eigen::VectorXd;
using SparseMatrix = Eigen::SparseMatrix<double>;

/// Differences of mirrored entries of M, relative to its largest entry. Up to the first they are round-off of assembly.
/// Up to the second they come from programs that linearise forces in the step.
constexpr double mass_round_off = 1e-13;
constexpr double largest_mass_skew = 1e-6;

/// (M + Mᵀ) / 2, with a remark where M was further from it than round-off.
SparseMatrix symmetric_mass(const SparseMatrix& M, const std::string& file, std::vector<std::string>& remarks) {
  double size = 0, worst = 0;
  Eigen::Index row = 0, column = 0;
  const SparseMatrix mirrored = M.transpose(), difference = M - mirrored;
  for (Eigen::Index j = 0; j < M.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator it(M, j); it; ++it) size = std::max(size, std::abs(it.value()));
    for (SparseMatrix::InnerIterator it(difference, j); it; ++it) {
      if (std::abs(it.value()) <= worst) continue;
      worst = std::abs(it.value());
      row = it.row();
      column = j;
    }
  }
  if (worst == 0) return M;
  std::ostringstream part;
  part << std::setprecision(2) << worst / size;
  if (worst > largest_mass_skew * size) {
    throw Error(file + ": the mass matrix M is not symmetric: entries (" + std::to_string(row) + ", " +
                std::to_string(column) + ") and (" + std::to_string(column) + ", " + std::to_string(row) +
                ") differ by " + part.str() + " of its largest entry; at most 1e-6 is taken for round-off");
  }
  if (worst > mass_round_off * size) {
    remarks.push_back("M is off from symmetric by " + part.str() + " of its largest entry: (M + M^T) / 2 was taken");
  }
  return 0.5 * (M + mirrored);
}

/// A = Jᵀ M⁻¹ J, never formed. The factors are not changed by solving, so threads may share them.
class Elimination : public ContactProduct {
 public:
  Elimination(const SparseMatrix& M, const SparseMatrix& J, const std::string& file) : J_(J) {
    factors_.compute(M);
    if (factors_.info() != Eigen::Success || !(factors_.vectorD().size() == 0 || factors_.vectorD().minCoeff() > 0)) {
      throw Error(file + ": the mass matrix M is not positive definite; it must be");
    }
  }

  Eigen::Index rows() const override { return J_.cols(); }
  void multiply(const Eigen::Ref<const VectorXd>& p, Eigen::Ref<VectorXd> y) const override {
    y = J_.transpose() * factors_.solve(J_ * p);
  }
  /// Column j of A.
  VectorXd column(Eigen::Index j) const { return J_.transpose() * factors_.solve(VectorXd(J_.col(j))); }
  /// Jᵀ M⁻¹ f.
  VectorXd velocity(const VectorXd& f) const { return J_.transpose() * factors_.solve(f); }

 private:
  SparseMatrix J_;
  Eigen::SimplicialLDLT<SparseMatrix> factors_;
};

/// J = [H G], columns in the order of the problem's rows.
SparseMatrix columns_of(const FclibGlobal& global) {
  const Eigen::Index k = problem_rows(global.dimension, global.w.size(), global.b.size());
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(static_cast<std::size_t>(global.H.nonZeros() + global.G.nonZeros()));
  for (Eigen::Index j = 0; j < global.H.cols(); ++j) {
    const Eigen::Index row = problem_row(global.dimension, j);
    for (SparseMatrix::InnerIterator it(global.H, j); it; ++it) entries.emplace_back(it.row(), row, it.value());
  }
  for (Eigen::Index j = 0; j < global.G.cols(); ++j) {
    const Eigen::Index row = k - global.b.size() + j;
    for (SparseMatrix::InnerIterator it(global.G, j); it; ++it) entries.emplace_back(it.row(), row, it.value());
  }
  SparseMatrix J(global.f.size(), k);
  J.setFromTriplets(entries.begin(), entries.end());
  return J;
}

}  // namespace

StoredProblem problem_of(const FclibGlobal& global, const std::string& file, double most) {
  StoredProblem stored;
  auto product = std::make_shared<const Elimination>(symmetric_mass(global.M, file, stored.notes.remarks),
                                                     columns_of(global), file);
  stored.u = product->velocity(global.f) + rows_of(global.dimension, global.w, global.b);
  stored.blocks = blocks_of(global.dimension, global.mu, global.b.size());
  std::vector<Eigen::Triplet<double>> entries;
  for (Eigen::Index j = 0; j < product->rows(); ++j) {
    const VectorXd column = product->column(j);
    for (Eigen::Index i = 0; i < column.size(); ++i) {
      if (column(i) != 0) entries.emplace_back(i, j, column(i));
    }
    if (static_cast<double>(entries.size()) > most) {
      stored.form = ContactOperator::Form::product;
      stored.product = std::move(product);
      return stored;
    }
  }
  SparseMatrix W(product->rows(), product->rows());
  W.setFromTriplets(entries.begin(), entries.end());
  // Mirrored entries differ by the round-off of the elimination alone.
  stored.set_operator(0.5 * (W + SparseMatrix(W.transpose())), file);
  return stored;
}

}  // namespace carom
