#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

/// The inner loops of the pivoting methods: contiguous, free of aliasing, and with one fixed order of summation. So a
/// result never depends on where its buffer happens to lie in memory.
namespace carom::dense {

/// y += a x.
inline void add_scaled(int n, double a, const double* __restrict x, double* __restrict y) {
  for (int i = 0; i < n; ++i) y[i] += a * x[i];
}

/// y += a₀ x₀ + a₁ x₁ + a₂ x₂ + a₃ x₃: one pass over y instead of four.
inline void add_four_scaled(int n, const double* a, const double* const* x, double* __restrict y) {
  const double a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3];
  const double* __restrict x0 = x[0];
  const double* __restrict x1 = x[1];
  const double* __restrict x2 = x[2];
  const double* __restrict x3 = x[3];
  for (int i = 0; i < n; ++i) y[i] += (a0 * x0[i] + a1 * x1[i]) + (a2 * x2[i] + a3 * x3[i]);
}

/// b = (L U)⁻¹ b for L (unit diagonal) and U side by side in the n × n column-major LU. 2 n² operations.
inline void solve_lu(int n, const double* LU, double* b) {
  const auto column = [&](int j) { return LU + static_cast<std::size_t>(j) * n; };
  for (int k = 0; k < n; ++k) {
    if (b[k] != 0) add_scaled(n - k - 1, -b[k], column(k) + k + 1, b + k + 1);
  }
  for (int k = n - 1; k >= 0; --k) {
    b[k] /= column(k)[k];
    if (b[k] != 0) add_scaled(k, -b[k], column(k), b);
  }
}

/// xᵀ y, in four interleaved partial sums.
inline double dot(int n, const double* __restrict x, const double* __restrict y) {
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    s0 += x[i] * y[i];
    s1 += x[i + 1] * y[i + 1];
    s2 += x[i + 2] * y[i + 2];
    s3 += x[i + 3] * y[i + 3];
  }
  for (; i < n; ++i) s0 += x[i] * y[i];
  return (s0 + s1) + (s2 + s3);
}

/// max |x_i|, 0 for none, in four interleaved maxima.
inline double largest(int n, const double* x) {
  double m0 = 0, m1 = 0, m2 = 0, m3 = 0;
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    m0 = std::max(m0, std::abs(x[i]));
    m1 = std::max(m1, std::abs(x[i + 1]));
    m2 = std::max(m2, std::abs(x[i + 2]));
    m3 = std::max(m3, std::abs(x[i + 3]));
  }
  for (; i < n; ++i) m0 = std::max(m0, std::abs(x[i]));
  return std::max(std::max(m0, m1), std::max(m2, m3));
}

/// y += Σ a_i x_i of any number of columns, taken four at a time; columns with a zero multiplier cost nothing.
class ColumnSum {
 public:
  ColumnSum(int n, double* y) : n_(n), y_(y) {}
  ~ColumnSum() {
    for (int i = 0; i < held_; ++i) add_scaled(n_, a_[i], x_[i], y_);
  }
  ColumnSum(const ColumnSum&) = delete;
  ColumnSum& operator=(const ColumnSum&) = delete;

  void add(double a, const double* x) {
    if (a == 0) return;
    a_[held_] = a;
    x_[held_] = x;
    if (++held_ == 4) {
      add_four_scaled(n_, a_, x_, y_);
      held_ = 0;
    }
  }

 private:
  int n_;
  double* y_;
  int held_ = 0;
  double a_[4] = {};
  const double* x_[4] = {};
};

}  // namespace carom::dense
