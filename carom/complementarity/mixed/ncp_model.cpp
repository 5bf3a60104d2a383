#include "carom/complementarity/mixed/ncp_model.h"

#include <algorithm>

#include "carom/error.h"

namespace carom {

namespace {

constexpr int scaling_passes = 4;
/// Columns leave the caller's sizes by this factor at most. A J that happens to be near zero where the scales are found
/// says little about the rest of the way.
constexpr double largest_column_change = 0x1p20;

double power_of_two(double x) { return std::exp2(std::round(std::log2(x))); }

bool all_finite(const double* values, std::size_t count) {
  return std::all_of(values, values + count, [](double v) { return std::isfinite(v); });
}

}  // namespace

void NcpModel::begin(const MixedNcp& problem) {
  problem_ = &problem;
  n_ = static_cast<int>(problem.size());
  proximal_ = 0;
  function_calls = jacobian_calls = 0;
  for (auto* buffer : {&x_, &F_, &row_scale_, &column_scale_, &lower_, &upper_, &centre_, &row_size_, &column_size_}) {
    buffer->resize(n_);
  }
  std::fill(row_scale_.begin(), row_scale_.end(), 1.0);
  std::fill(column_scale_.begin(), column_scale_.end(), 1.0);
  if (is_dense()) {
    dense_.resize(static_cast<std::size_t>(n_) * n_);
  } else {
    sparse_.resize(n_, n_);
    sparse_.setZero();
  }
  set_bounds();
}

void NcpModel::set_bounds() {
  for (int i = 0; i < n_; ++i) {
    lower_[i] = problem_->lower(i) / column_scale_[i];
    upper_[i] = problem_->upper(i) / column_scale_[i];
  }
}

bool NcpModel::evaluate(const double* x, double* F) {
  ++function_calls;
  to_original(x, x_.data());
  Eigen::Map<Eigen::VectorXd> value(F_.data(), n_);
  value.setZero();
  if (!problem_->function(Eigen::Map<const Eigen::VectorXd>(x_.data(), n_), value)) return false;
  for (int i = 0; i < n_; ++i) {
    F[i] = row_scale_[i] * F_[i] + (proximal_ > 0 ? proximal_ * (x[i] - centre_[i]) : 0);
  }
  return all_finite(F, n_);
}

bool NcpModel::linearize() {
  ++jacobian_calls;
  const Eigen::Map<const Eigen::VectorXd> x(x_.data(), n_);
  if (is_dense()) {
    Eigen::Map<Eigen::MatrixXd> J(dense_.data(), n_, n_);
    J.setZero();
    return problem_->dense_jacobian(x, J) && all_finite(dense_.data(), dense_.size());
  }
  if (!problem_->sparse_jacobian(x, sparse_)) return false;
  if (sparse_.rows() != n_ || sparse_.cols() != n_) {
    throw Error("The sparse Jacobian is " + std::to_string(sparse_.rows()) + " x " + std::to_string(sparse_.cols()) +
                "; it must be " + std::to_string(n_) + " x " + std::to_string(n_) + ".");
  }
  sparse_.makeCompressed();
  return all_finite(sparse_.valuePtr(), sparse_.nonZeros());
}

double NcpModel::residual() {
  const Eigen::Map<const Eigen::VectorXd> x(x_.data(), n_), F(F_.data(), n_);
  if (!is_dense()) return mixed_ncp_residual(*problem_, x, F, sparse_, row_size_);
  return mixed_ncp_residual(*problem_, x, F, Eigen::Map<const Eigen::MatrixXd>(dense_.data(), n_, n_), row_size_);
}

void NcpModel::measure(std::vector<double>& rows, std::vector<double>& columns) const {
  std::fill(rows.begin(), rows.end(), 0.0);
  std::fill(columns.begin(), columns.end(), 0.0);
  visit_jacobian([&](int i, int j, double entry) {
    rows[i] = std::max(rows[i], std::abs(entry));
    columns[j] = std::max(columns[j], std::abs(entry));
  });
}

void NcpModel::scale() {
  const auto size = [&](int j) { return problem_->sizes.empty() ? 1.0 : power_of_two(problem_->sizes[j]); };
  for (int j = 0; j < n_; ++j) {
    row_scale_[j] = 1;
    column_scale_[j] = size(j);
  }
  for (int pass = 0; pass < scaling_passes; ++pass) {
    measure(row_size_, column_size_);
    for (int i = 0; i < n_; ++i) {
      if (row_size_[i] > 0) row_scale_[i] /= std::sqrt(row_size_[i]);
      if (column_size_[i] == 0) continue;
      column_scale_[i] = std::clamp(column_scale_[i] / std::sqrt(column_size_[i]), size(i) / largest_column_change,
                                    size(i) * largest_column_change);
    }
  }
  measure(row_size_, column_size_);
  for (int i = 0; i < n_; ++i) {
    row_scale_[i] = power_of_two(row_size_[i] > 0 ? row_scale_[i] / row_size_[i] : row_scale_[i]);
    column_scale_[i] = power_of_two(column_scale_[i]);
  }
  set_bounds();
}

void NcpModel::set_proximal(double weight, const double* centre) {
  proximal_ = weight;
  if (weight > 0) std::copy_n(centre, n_, centre_.begin());
}

void NcpModel::to_scaled(const double* x, double* scaled) const {
  for (int i = 0; i < n_; ++i) scaled[i] = x[i] / column_scale_[i];
}

void NcpModel::to_original(const double* scaled, double* x) const {
  for (int i = 0; i < n_; ++i) x[i] = scaled[i] * column_scale_[i];
}

}  // namespace carom
