#include "carom/complementarity/linear/partial_lu.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "carom/complementarity/linear/dense_kernels.h"

namespace carom {

namespace {

constexpr int panel_width = 4;

}  // namespace

double* PartialLu::prepare(int n) {
  n_ = n;
  lu_.resize(static_cast<std::size_t>(n) * n);
  row_swap_.resize(n);
  return lu_.data();
}

bool PartialLu::factor_panel(int first, int width) {
  const int n = n_, end = first + width;
  for (int k = first; k < end; ++k) {
    double* c = column(k);
    for (int p = first; p < k; ++p) dense::add_scaled(n - p - 1, -c[p], column(p) + p + 1, c + p + 1);
    int row = k;
    for (int i = k + 1; i < n; ++i) {
      if (std::abs(c[i]) > std::abs(c[row])) row = i;
    }
    row_swap_[k] = row;
    // The whole row moves at once within the panel; columns outside it follow after the panel.
    if (row != k) {
      for (int j = first; j < end; ++j) std::swap(column(j)[k], column(j)[row]);
    }
    if (c[k] == 0 || !std::isfinite(c[k])) return false;
    const double inverse = 1 / c[k];
    for (int i = k + 1; i < n; ++i) c[i] *= inverse;
  }
  return true;
}

bool PartialLu::factor() {
  const int n = n_;
  for (int first = 0; first < n; first += panel_width) {
    const int width = std::min(panel_width, n - first), end = first + width;
    if (!factor_panel(first, width)) return false;
    for (int j = 0; j < n; ++j) {
      if (j == first) j = end;  // the panel itself is done
      if (j >= n) break;
      double* c = column(j);
      for (int k = first; k < end; ++k) std::swap(c[k], c[row_swap_[k]]);
      if (j < first) continue;
      for (int k = first; k < end; ++k) {
        for (int i = k + 1; i < end; ++i) c[i] -= c[k] * column(k)[i];
      }
      dense::ColumnSum sum(n - end, c + end);
      for (int k = first; k < end; ++k) sum.add(-c[k], column(k) + end);
    }
  }
  return true;
}

void PartialLu::solve(double* b) const {
  const int n = n_;
  for (int k = 0; k < n; ++k) std::swap(b[k], b[row_swap_[k]]);
  dense::solve_lu(n, lu_.data(), b);
}

}  // namespace carom
