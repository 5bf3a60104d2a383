#include "carom/complementarity/lemke_basis.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "carom/complementarity/dense_kernels.h"

namespace carom {

namespace {

/// Residual of a column, relative to its size, above which C has lost its digits.
constexpr double lost_above = 1e-9;
constexpr int refinements = 3;

/// A basis whose pivots span more than this is singular to working precision.
constexpr double rank_tolerance = 1e-14;

double largest(const double* x, int n) {
  double size = 0;
  for (int i = 0; i < n; ++i) size = std::max(size, std::abs(x[i]));
  return size;
}

}  // namespace

void LemkeBasis::bind(const double* R, int n) {
  n_ = n;
  stride_ = n + 1;
  R_ = R;
  inverse_.resize(static_cast<std::size_t>(stride_) * stride_);
  for (auto* vector : {&row_, &scratch_, &correction_}) vector->resize(n + 1);
  covering_.assign(n, 0.0);
  unit_.assign(n, 0.0);
  slot_variable_.reserve(n + 1);
  column_row_.reserve(n + 1);
  lu_.reserve(n + 1);
  clear();
}

void LemkeBasis::clear() {
  slot_variable_.clear();
  column_row_.clear();
  slot_of_z_.assign(n_ + 1, -1);
  column_of_row_.assign(n_, -1);
}

bool LemkeBasis::start(std::span<const int> basic) {
  clear();
  for (const int j : basic) {
    slot_of_z_[j] = column_of_row_[j] = order();
    slot_variable_.push_back(n_ + j);
    column_row_.push_back(j);
  }
  return refactorize();
}

bool LemkeBasis::refactorize() {
  const int k = order();
  if (k == 0) return true;
  double* basis = lu_.prepare(k);
  for (int s = 0; s < k; ++s) {
    const double* column = z_column(slot_variable_[s]);
    for (int c = 0; c < k; ++c) basis[static_cast<std::size_t>(s) * k + c] = -column[column_row_[c]];
  }
  if (lu_.factor(rank_tolerance) < k) return false;
  for (int c = 0; c < k; ++c) {
    double* column = inverse_column(c);
    std::fill(column, column + k, 0.0);
    column[c] = 1;
    lu_.solve(column);
  }
  return true;
}

void LemkeBasis::multiply_inverse(const double* a, std::vector<double>& x) {
  const int k = order();
  std::fill(x.begin(), x.begin() + k, 0.0);
  dense::ColumnSum sum(k, x.data());
  for (int c = 0; c < k; ++c) sum.add(a[column_row_[c]], inverse_column(c));
}

void LemkeBasis::spread(const double* z, double* w) const {
  dense::ColumnSum sum(n_, w);
  for (int s = 0; s < order(); ++s) sum.add(z[s], z_column(slot_variable_[s]));
}

double LemkeBasis::residual_on_nonbasic(const double* w) const {
  double size = 0;
  for (const int row : column_row_) size = std::max(size, std::abs(w[row]));
  return size;
}

bool LemkeBasis::solve(const double* a, BasisVector& x, double refine_above) {
  const int k = order();
  x.z.resize(n_ + 1);
  x.w.assign(a, a + n_);
  multiply_inverse(a, x.z);
  spread(x.z.data(), x.w.data());
  const double size = largest(a, n_) + largest(x.z.data(), k);
  double residual = residual_on_nonbasic(x.w.data());
  for (int i = 0; i < refinements && residual > refine_above * size; ++i) {
    multiply_inverse(x.w.data(), correction_);
    for (int s = 0; s < k; ++s) x.z[s] += correction_[s];
    spread(correction_.data(), x.w.data());
    const double before = residual;
    residual = residual_on_nonbasic(x.w.data());
    if (!(residual < 0.5 * before)) break;
  }
  for (const int row : column_row_) x.w[row] = 0;
  return residual <= lost_above * size;
}

bool LemkeBasis::column(int variable, BasisVector& x) {
  if (variable < n_) {
    unit_[variable] = 1;
    const bool accurate = solve(unit_.data(), x);
    unit_[variable] = 0;
    return accurate;
  }
  const double* column = z_column(variable);
  for (int i = 0; i < n_; ++i) scratch_[i] = -column[i];
  return solve(scratch_.data(), x);
}

void LemkeBasis::column_on_z(int variable, std::vector<double>& x) {
  const int k = order();
  if (variable < n_) {
    const double* column = inverse_column(column_of_row_[variable]);
    std::copy(column, column + k, x.begin());
    return;
  }
  const double* column = z_column(variable);
  for (int i = 0; i < n_; ++i) scratch_[i] = -column[i];
  multiply_inverse(scratch_.data(), x);
}

double LemkeBasis::row_entry(int variable, const std::vector<double>& x, int row) const {
  double value = column_entry(variable, row);
  for (int s = 0; s < order(); ++s) value += z_column(slot_variable_[s])[row] * x[s];
  return value;
}

void LemkeBasis::inverse_row(int leaving) {
  const int k = order();
  if (leaving >= n_) {
    const int r = slot(leaving);
    for (int c = 0; c < k; ++c) row_[c] = inverse_column(c)[r];
    return;
  }
  for (int s = 0; s < k; ++s) scratch_[s] = z_column(slot_variable_[s])[leaving];
  for (int c = 0; c < k; ++c) row_[c] = dense::dot(k, scratch_.data(), inverse_column(c));
}

void LemkeBasis::drop_row(int slot) {
  const int last = order() - 1;
  for (int c = 0; c < static_cast<int>(column_row_.size()); ++c) inverse_column(c)[slot] = inverse_column(c)[last];
  slot_variable_[slot] = slot_variable_[last];
  slot_of_z_[slot_variable_[slot] - n_] = slot;
  slot_variable_.pop_back();
}

void LemkeBasis::drop_column(int row) {
  const int c = column_of_row_[row];
  const int last = static_cast<int>(column_row_.size()) - 1;
  if (c != last) std::copy(inverse_column(last), inverse_column(last) + order(), inverse_column(c));
  column_row_[c] = column_row_[last];
  column_of_row_[column_row_[c]] = c;
  column_of_row_[row] = -1;
  column_row_.pop_back();
}

void LemkeBasis::pivot(int entering, int leaving, const BasisVector& x) {
  const bool z_leaves = leaving >= n_;
  const bool z_enters = entering >= n_;
  const int rows = order();
  int r = z_leaves ? slot(leaving) : rows;
  const double pivot = z_leaves ? x.z[r] : x.w[leaving];
  inverse_row(leaving);
  if (!z_leaves) {  // w becomes nonbasic: its column, so far a unit vector that was not stored, appears
    const int c = static_cast<int>(column_row_.size());
    column_of_row_[leaving] = c;
    column_row_.push_back(leaving);
    std::fill(inverse_column(c), inverse_column(c) + rows, 0.0);
    row_[c] = 1;
  }
  // The row of the entering variable is the leaving one's over the pivot, stored where a z is concerned.
  const int columns = static_cast<int>(column_row_.size());
  for (int c = 0; c < columns; ++c) {
    const double multiplier = row_[c] / pivot;
    double* column = inverse_column(c);
    if (multiplier != 0) dense::add_scaled(rows, -multiplier, x.z.data(), column);
    column[r] = multiplier;
  }
  if (z_enters) {
    if (!z_leaves) slot_variable_.push_back(entering);
    slot_variable_[r] = entering;
    slot_of_z_[entering - n_] = r;
  } else if (z_leaves) {
    drop_row(r);
  }
  if (z_leaves) slot_of_z_[leaving - n_] = -1;
  if (!z_enters) drop_column(entering);
}

}  // namespace carom
