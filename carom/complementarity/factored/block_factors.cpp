#include "carom/complementarity/factored/block_factors.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace carom {

namespace {

constexpr int slab = 6;  // columns that are eliminated one by one, a body's

#define CAROM_INLINED inline __attribute__((always_inline))

using Two = double __attribute__((vector_size(16)));
using Four = double __attribute__((vector_size(32)));

/// product (rows × columns) = left (rows × depth) right (columns × depth)ᵀ, of leading dimensions stride and rows.
/// Every entry is one sum in the order of the columns, whatever the sizes and however many lanes add at once.
template <int columns, typename Lanes>
CAROM_INLINED void multiply_strip(int rows, int depth, const double* __restrict left, const double* __restrict right,
                                  int stride, double* __restrict product) {
  constexpr int lanes = sizeof(Lanes) / sizeof(double);
  int i = 0;
  for (; i + 2 * lanes <= rows; i += 2 * lanes) {
    Lanes sum[columns][2] = {};
    const double *a = left + i, *b = right;
    for (int k = 0; k < depth; ++k, a += stride, b += stride) {
      Lanes first, second;
      std::memcpy(&first, a, sizeof(Lanes));
      std::memcpy(&second, a + lanes, sizeof(Lanes));
      for (int j = 0; j < columns; ++j) {
        sum[j][0] += b[j] * first;
        sum[j][1] += b[j] * second;
      }
    }
    for (int j = 0; j < columns; ++j) std::memcpy(product + j * rows + i, sum[j], 2 * sizeof(Lanes));
  }
  for (; i < rows; ++i) {
    double sum[columns] = {};
    const double *a = left + i, *b = right;
    for (int k = 0; k < depth; ++k, a += stride, b += stride) {
      for (int j = 0; j < columns; ++j) sum[j] += b[j] * *a;
    }
    for (int j = 0; j < columns; ++j) product[j * rows + i] = sum[j];
  }
}

template <typename Lanes>
CAROM_INLINED void multiply_strips(int rows, int columns, int depth, const double* left, const double* right,
                                   int stride, double* product) {
  int j = 0;
  for (; j + slab <= columns; j += slab) {
    multiply_strip<slab, Lanes>(rows, depth, left, right + j, stride, product + j * rows);
  }
  for (; j < columns; ++j) multiply_strip<1, Lanes>(rows, depth, left, right + j, stride, product + j * rows);
}

#if defined(__x86_64__)
/// On processors that have wider vectors: the same sums, so the same bits.
__attribute__((target("avx2"))) void multiply_by_fours(int rows, int columns, int depth, const double* left,
                                                       const double* right, int stride, double* product) {
  multiply_strips<Four>(rows, columns, depth, left, right, stride, product);
}
const bool has_fours = __builtin_cpu_supports("avx2") != 0;
#endif

void multiply(int rows, int columns, int depth, const double* left, const double* right, int stride, double* product) {
#if defined(__x86_64__)
  if (has_fours) {
    multiply_by_fours(rows, columns, depth, left, right, stride, product);
    return;
  }
#endif
  multiply_strips<Two>(rows, columns, depth, left, right, stride, product);
}

void subtract_scaled(int n, double a, const double* __restrict x, double* __restrict y) {
  for (int i = 0; i < n; ++i) y[i] -= a * x[i];
}

}  // namespace

void BlockFactors::reset(const BlockPattern& pattern, bool general) {
  pattern_ = &pattern;
  general_ = general;
  values_.assign(static_cast<std::size_t>(pattern.values()) * (general ? 2 : 1), 0.0);
  row_in_panel_.resize(pattern.places());
}

void BlockFactors::place_rows(const Panel& panel) {
  for (int i = panel.rows_begin; i < panel.rows_end; ++i) {
    row_in_panel_[pattern_->row_place(i)] = pattern_->row_offset(i);
  }
}

/// to −= what an earlier panel has left for this one: its rows times those of them that are columns here.
void BlockFactors::take(const BlockPattern::Update& update, const Panel& panel, const double* left, const double* right,
                        double* to) {
  const Panel& from = pattern_->panels()[update.panel];
  const int top = pattern_->row_offset(update.rows_begin);
  const int rows = from.height - top;
  const int columns = (update.own_end < from.rows_end ? pattern_->row_offset(update.own_end) : from.height) - top;
  product_.resize(std::max(product_.size(), static_cast<std::size_t>(rows) * columns));
  multiply(rows, columns, from.width, left + from.value + top, right + from.value + top, from.height, product_.data());
  for (int i = update.rows_begin, end = i; i < from.rows_end; i = end) {
    // Rows that follow one another here as they do there.
    const int first = row_in_panel_[pattern_->row_place(i)];
    int count = 0;
    for (; end < from.rows_end && row_in_panel_[pattern_->row_place(end)] == first + count; ++end) {
      count += pattern_->place_size(pattern_->row_place(end));
    }
    const int offset = pattern_->row_offset(i) - top;
    for (int k = update.rows_begin; k < update.own_end; ++k) {
      const int place = pattern_->row_place(k);
      double* column = to + panel.value + static_cast<std::ptrdiff_t>(row_in_panel_[place]) * panel.height + first;
      const double* product = product_.data() + (pattern_->row_offset(k) - top) * rows + offset;
      for (int j = 0; j < pattern_->place_size(place); ++j) {
        for (int r = 0; r < count; ++r) column[r] -= product[r];
        column += panel.height;
        product += rows;
      }
    }
  }
}

/// The same from the panel's own columns before `column`, for the `count` columns there.
void BlockFactors::take_columns(const Panel& panel, int column, int count, const double* left, const double* right,
                                double* to) {
  const int rows = panel.height - column;
  product_.resize(std::max(product_.size(), static_cast<std::size_t>(rows) * count));
  multiply(rows, count, column, left + panel.value + column, right + panel.value + column, panel.height,
           product_.data());
  for (int j = 0; j < count; ++j) {
    subtract_scaled(rows, 1, product_.data() + j * rows,
                    to + panel.value + static_cast<std::ptrdiff_t>(column + j) * panel.height + column);
  }
}

bool BlockFactors::eliminate(const Panel& panel, const StopSignal* stop) {
  double *L = values(), *U = upper();
  for (int first = 0; first < panel.width; first += slab) {
    const int end = std::min(first + slab, panel.width);
    ask_to_go_on(stop);
    if (first > 0) take_columns(panel, first, end - first, L, U, L);
    if (first > 0 && general_) take_columns(panel, first, end - first, U, L, U);
    for (int j = first; j < end; ++j) {
      const int rest = panel.height - j - 1;
      double* lower = L + panel.value + static_cast<std::ptrdiff_t>(j) * panel.height + j;
      double* upper = U + panel.value + static_cast<std::ptrdiff_t>(j) * panel.height + j;
      double pivot = lower[0];
      if (!std::isfinite(pivot) || pivot == 0 || (!general_ && pivot < 0)) return false;
      if (!general_) lower[0] = pivot = std::sqrt(pivot);
      for (int i = 1; i <= rest; ++i) lower[i] /= pivot;
      for (int k = 1; k < end - j; ++k) {
        const std::ptrdiff_t column = static_cast<std::ptrdiff_t>(k) * (panel.height + 1);
        subtract_scaled(rest - k + 1, upper[k], lower + k, lower + column);
        if (general_) subtract_scaled(rest - k + 1, lower[k], upper + k, upper + column);
      }
    }
  }
  return true;
}

bool BlockFactors::factor(const StopSignal* stop) {
  double *L = values(), *U = upper();
  for (const Panel& panel : pattern_->panels()) {
    place_rows(panel);
    for (const BlockPattern::Update& update : pattern_->updates(panel)) {
      ask_to_go_on(stop);
      take(update, panel, L, U, L);
      if (general_) take(update, panel, U, L, U);
    }
    if (!eliminate(panel, stop)) return false;
  }
  return true;
}

/// x ← L⁻¹ x, as far as the panel goes.
void BlockFactors::forward(const Panel& panel) {
  const double* column = values() + panel.value;
  double* x = x_.data() + panel.first_column;
  const int rest = panel.height - panel.width;
  std::fill_n(below_.begin(), rest, 0.0);
  for (int j = 0; j < panel.width; ++j, column += panel.height) {
    if (!general_) x[j] /= column[j];
    subtract_scaled(panel.width - j - 1, x[j], column + j + 1, x + j + 1);
    subtract_scaled(rest, x[j], column + panel.width, below_.data());
  }
  const double* from = below_.data();
  for (int i = panel.below_begin; i < panel.rows_end; ++i) {
    const int place = pattern_->row_place(i);
    for (int row = pattern_->place_start(place); row < pattern_->place_start(place + 1); ++row) x_[row] += *from++;
  }
}

/// x ← U⁻¹ x, likewise.
void BlockFactors::backward(const Panel& panel) {
  double* to = below_.data();
  for (int i = panel.below_begin; i < panel.rows_end; ++i) {
    const int place = pattern_->row_place(i);
    to = std::copy(x_.begin() + pattern_->place_start(place), x_.begin() + pattern_->place_start(place + 1), to);
  }
  double* x = x_.data() + panel.first_column;
  const int rest = panel.height - panel.width;
  for (int j = panel.width - 1; j >= 0; --j) {
    const double* column = upper() + panel.value + static_cast<std::ptrdiff_t>(j) * panel.height;
    double sum = x[j];
    for (int i = j + 1; i < panel.width; ++i) sum -= column[i] * x[i];
    for (int i = 0; i < rest; ++i) sum -= column[panel.width + i] * below_[i];
    x[j] = sum / column[j];
  }
}

void BlockFactors::solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) {
  const std::span<const Panel> panels = pattern_->panels();
  x_.resize(pattern_->columns());
  below_.resize(pattern_->columns());
  x.resize(b.size());
  const auto own_rows = [&](int place) { return pattern_->group_start(pattern_->group_at(place)); };
  for (int place = 0; place < pattern_->places(); ++place) {
    std::copy_n(b.data() + own_rows(place), pattern_->place_size(place), x_.data() + pattern_->place_start(place));
  }
  for (const Panel& panel : panels) forward(panel);
  std::for_each(panels.rbegin(), panels.rend(), [this](const Panel& panel) { backward(panel); });
  for (int place = 0; place < pattern_->places(); ++place) {
    std::copy_n(x_.data() + pattern_->place_start(place), pattern_->place_size(place), x.data() + own_rows(place));
  }
}

}  // namespace carom
