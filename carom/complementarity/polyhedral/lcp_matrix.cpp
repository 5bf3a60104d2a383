#include "carom/complementarity/polyhedral/lcp_matrix.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "carom/complementarity/linear/dense_kernels.h"

namespace carom {

namespace {

/// Sweeps of equilibration, after which rows and columns have sizes near one.
constexpr int scaling_sweeps = 3;

double power_of_two_below(double x) { return std::ldexp(1.0, std::ilogb(x)); }

}  // namespace

void LcpMatrix::resize(int n) {
  n_ = n;
  shift_ = 0;
  for (auto* scale : {&row_scale_, &column_scale_, &pair_scale_}) scale->assign(n, 1.0);
  cap_entry_.assign(n, 0.0);
  member_group_.assign(n, -1);
  cap_group_.assign(n, -1);
  group_of_cap_.assign(n, -1);
  groups_.clear();
}

void DenseLcpMatrix::build(const Eigen::Ref<const Eigen::MatrixXd>& R) {
  resize(static_cast<int>(R.rows()));
  const std::size_t n = n_;
  R_.resize(n * n);
  for (std::size_t j = 0; j < n; ++j) std::copy_n(R.data() + j * R.outerStride(), n, R_.data() + j * n);
  equilibrate();
}

void DenseLcpMatrix::equilibrate() {
  const std::size_t n = n_;
  row_size_.resize(n);
  column_size_.resize(n);
  for (int sweep = 0; sweep < scaling_sweeps; ++sweep) {
    std::fill(row_size_.begin(), row_size_.end(), 0.0);
    for (std::size_t j = 0; j < n; ++j) {
      const double* column = R_.data() + j * n;
      double size = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const double entry = std::abs(column[i]) * row_scale_[i];
        size = std::max(size, entry);
        row_size_[i] = std::max(row_size_[i], entry * column_scale_[j]);
      }
      // Sizes of the last sweep scale rows and columns together, so that a symmetric matrix stays so.
      column_size_[j] = size * column_scale_[j];
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (row_size_[i] > 0) row_scale_[i] /= std::sqrt(row_size_[i]);
      if (column_size_[i] > 0) column_scale_[i] /= std::sqrt(column_size_[i]);
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    row_scale_[i] = power_of_two_below(row_scale_[i]);
    column_scale_[i] = power_of_two_below(column_scale_[i]);
  }
  for (std::size_t j = 0; j < n; ++j) {
    double* column = R_.data() + j * n;
    for (std::size_t i = 0; i < n; ++i) column[i] *= row_scale_[i] * column_scale_[j];
  }
}

void DenseLcpMatrix::add_column(int j, double x, double* w) {
  dense::add_scaled(n_, x, R_.data() + static_cast<std::size_t>(j) * n_, w);
  w[j] += shift_ * x;
}

void DenseLcpMatrix::multiply_add(const double* z, double* w) {
  dense::ColumnSum sum(n_, w);
  for (int j = 0; j < n_; ++j) sum.add(z[j], R_.data() + static_cast<std::size_t>(j) * n_);
  if (shift_ != 0) sum.add(shift_, z);
}

void DenseLcpMatrix::multiply_transposed_add(const double* w, double* z) {
  for (int j = 0; j < n_; ++j) {
    z[j] += dense::dot(n_, R_.data() + static_cast<std::size_t>(j) * n_, w) + shift_ * w[j];
  }
}

void DenseLcpMatrix::row(int i, std::span<const int> columns, double* entries) {
  for (std::size_t s = 0; s < columns.size(); ++s) {
    const int j = columns[s];
    entries[s] = j == n_ ? 0.0 : R_[static_cast<std::size_t>(j) * n_ + i] + (j == i ? shift_ : 0.0);
  }
}

}  // namespace carom
