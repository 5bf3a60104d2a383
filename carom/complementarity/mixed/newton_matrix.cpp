#include "carom/complementarity/mixed/newton_matrix.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "carom/complementarity/linear/dense_kernels.h"

namespace carom {

namespace {

constexpr double largest_condition = 1e12;

/// Appends to the end of the last started column of a matrix whose columns are filled in order.
void append(Eigen::SparseMatrix<double>& matrix, int row, int column, double value) {
  matrix.insertBackByOuterInner(column, row) = value;
}

}  // namespace

bool NewtonMatrix::SparseFactor::factor(const Eigen::SparseMatrix<double>& matrix) {
  const auto columns = static_cast<std::size_t>(matrix.cols()), entries = static_cast<std::size_t>(matrix.nonZeros());
  const bool known = outer.size() == columns + 1 && inner.size() == entries &&
                     std::equal(outer.begin(), outer.end(), matrix.outerIndexPtr()) &&
                     std::equal(inner.begin(), inner.end(), matrix.innerIndexPtr());
  if (!known) {
    outer.assign(matrix.outerIndexPtr(), matrix.outerIndexPtr() + columns + 1);
    inner.assign(matrix.innerIndexPtr(), matrix.innerIndexPtr() + entries);
    lu.analyzePattern(matrix);
  }
  lu.factorize(matrix);
  return lu.info() == Eigen::Success;
}

void NewtonMatrix::form(const NcpModel& model, const double* a, const double* b) {
  n_ = model.size();
  dense_ = model.is_dense();
  largest_ = 0;
  const double proximal = model.proximal_weight();
  const auto diagonal = [&](int i) { return a[i] + b[i] * proximal; };
  if (dense_) {
    full_.resize(static_cast<std::size_t>(n_) * n_);
    double* entry = full_.data();
    model.visit_jacobian([&](int i, int j, double value) { *entry++ = b[i] * value + (i == j ? diagonal(i) : 0); });
    for (const double value : full_) largest_ = std::max(largest_, std::abs(value));
    return;
  }
  sparse_.resize(n_, n_);
  sparse_.reserve(model.entries() + n_);
  for (int j = 0; j < n_; ++j) {
    sparse_.startVec(j);
    bool done = false;  // the diagonal entry, which J need not have
    model.visit_column(j, [&](int i, int, double value) {
      if (!done && i > j) append(sparse_, j, j, diagonal(j));
      append(sparse_, i, j, b[i] * value + (i == j ? diagonal(i) : 0));
      done = done || i >= j;
    });
    if (!done) append(sparse_, j, j, diagonal(j));
  }
  sparse_.finalize();
  for (Eigen::Index k = 0; k < sparse_.nonZeros(); ++k) {
    largest_ = std::max(largest_, std::abs(sparse_.valuePtr()[k]));
  }
}

bool NewtonMatrix::factor() {
  if (!(largest_ > 0) || !std::isfinite(largest_)) return false;
  if (dense_) {
    std::copy(full_.begin(), full_.end(), lu_.prepare(n_));
    return lu_.factor() && probe();
  }
  return factor_.factor(sparse_) && probe();
}

bool NewtonMatrix::probe() {
  probe_.resize(n_);
  std::uint64_t state = 0x9e3779b97f4a7c15U;
  for (double& sign : probe_) {  // fixed signs without a pattern that H could share
    state = state * 6364136223846793005U + 1442695040888963407U;
    sign = (state >> 63) != 0 ? 1 : -1;
  }
  product_.resize(n_);
  solve(probe_.data(), product_.data());
  double size = 0;
  for (const double value : product_) size = std::max(size, std::isfinite(value) ? std::abs(value) : INFINITY);
  return size * largest_ <= largest_condition;
}

void NewtonMatrix::solve(const double* rhs, double* d) {
  if (dense_) {
    std::copy_n(rhs, n_, d);
    lu_.solve(d);
    return;
  }
  rhs_ = Eigen::Map<const Eigen::VectorXd>(rhs, n_);
  solution_ = factor_.lu.solve(rhs_);
  std::copy_n(solution_.data(), n_, d);
}

bool NewtonMatrix::solve_regularized(double lambda, const double* rhs, double* d) {
  if (dense_) {
    double* normal = lu_.prepare(n_);
    const auto column = [&](int j) { return full_.data() + static_cast<std::size_t>(j) * n_; };
    for (int j = 0; j < n_; ++j) {
      for (int i = 0; i <= j; ++i) {
        const double entry = dense::dot(n_, column(i), column(j)) + (i == j ? lambda : 0);
        normal[static_cast<std::size_t>(j) * n_ + i] = normal[static_cast<std::size_t>(i) * n_ + j] = entry;
      }
    }
    if (!lu_.factor()) return false;
    multiply_transposed(rhs, d);
    lu_.solve(d);
    return true;
  }
  const double root = std::sqrt(lambda);
  const int n = n_;
  augmented_.resize(2 * n, 2 * n);
  augmented_.reserve(2 * (sparse_.nonZeros() + n));
  for (int j = 0; j < n; ++j) {  // unknowns (d, r), rows (−√λ d + Hᵀ r; H d + √λ r); first the columns of d
    augmented_.startVec(j);
    append(augmented_, j, j, -root);
    for (Eigen::SparseMatrix<double>::InnerIterator entry(sparse_, j); entry; ++entry) {
      append(augmented_, n + static_cast<int>(entry.row()), j, entry.value());
    }
  }
  const Eigen::SparseMatrix<double> transposed = sparse_.transpose();
  for (int j = 0; j < n; ++j) {
    augmented_.startVec(n + j);
    for (Eigen::SparseMatrix<double>::InnerIterator entry(transposed, j); entry; ++entry) {
      append(augmented_, static_cast<int>(entry.row()), n + j, entry.value());
    }
    append(augmented_, n + j, n + j, root);
  }
  augmented_.finalize();
  if (!augmented_factor_.factor(augmented_)) return false;
  rhs_.setZero(2 * n);
  rhs_.tail(n) = Eigen::Map<const Eigen::VectorXd>(rhs, n);
  solution_ = augmented_factor_.lu.solve(rhs_);
  std::copy_n(solution_.data(), n, d);
  return true;
}

void NewtonMatrix::multiply_transposed(const double* x, double* y) const {
  for (int j = 0; j < n_; ++j) {
    if (dense_) {
      y[j] = dense::dot(n_, full_.data() + static_cast<std::size_t>(j) * n_, x);
      continue;
    }
    double sum = 0;
    for (Eigen::SparseMatrix<double>::InnerIterator entry(sparse_, j); entry; ++entry) {
      sum += entry.value() * x[entry.row()];
    }
    y[j] = sum;
  }
}

double NewtonMatrix::squared_norm_of_product(const double* x) {
  product_.assign(n_, 0.0);
  for (int j = 0; j < n_; ++j) {
    if (dense_) {
      dense::add_scaled(n_, x[j], full_.data() + static_cast<std::size_t>(j) * n_, product_.data());
      continue;
    }
    for (Eigen::SparseMatrix<double>::InnerIterator entry(sparse_, j); entry; ++entry) {
      product_[entry.row()] += entry.value() * x[j];
    }
  }
  return dense::dot(n_, product_.data(), product_.data());
}

}  // namespace carom
