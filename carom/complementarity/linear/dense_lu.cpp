#include "carom/complementarity/linear/dense_lu.h"

#include <cmath>
#include <cstddef>
#include <utility>

#include "carom/complementarity/linear/dense_kernels.h"

namespace carom {

void DenseLu::reserve(int n) {
  lu_.reserve(static_cast<std::size_t>(n) * n);
  row_swap_.reserve(n);
  column_swap_.reserve(n);
}

double* DenseLu::prepare(int n) {
  n_ = n;
  lu_.resize(static_cast<std::size_t>(n) * n);
  row_swap_.resize(n);
  column_swap_.resize(n);
  return lu_.data();
}

int DenseLu::factor(double tolerance) {
  const int n = n_;
  const auto column = [&](int j) { return lu_.data() + static_cast<std::size_t>(j) * n; };
  double largest_pivot = 0;
  for (int k = 0; k < n; ++k) {
    double pivot = 0;
    int row = k, col = k;
    for (int j = k; j < n; ++j) {
      const double* c = column(j);
      for (int i = k; i < n; ++i) {
        if (std::abs(c[i]) > pivot) {
          pivot = std::abs(c[i]);
          row = i;
          col = j;
        }
      }
    }
    if (k == 0) largest_pivot = pivot;
    if (pivot == 0 || pivot <= tolerance * largest_pivot) return k;
    row_swap_[k] = row;
    column_swap_[k] = col;
    if (col != k) {
      for (int i = 0; i < n; ++i) std::swap(column(k)[i], column(col)[i]);
    }
    if (row != k) {
      for (int j = 0; j < n; ++j) std::swap(column(j)[k], column(j)[row]);
    }
    double* pivot_column = column(k);
    const double inverse = 1 / pivot_column[k];
    for (int i = k + 1; i < n; ++i) pivot_column[i] *= inverse;
    for (int j = k + 1; j < n; ++j) {
      double* c = column(j);
      if (c[k] != 0) dense::add_scaled(n - k - 1, -c[k], pivot_column + k + 1, c + k + 1);
    }
  }
  return n;
}

void DenseLu::solve(double* b) {
  const int n = n_;
  for (int k = 0; k < n; ++k) std::swap(b[k], b[row_swap_[k]]);
  dense::solve_lu(n, lu_.data(), b);
  for (int k = n - 1; k >= 0; --k) std::swap(b[k], b[column_swap_[k]]);
}

}  // namespace carom
