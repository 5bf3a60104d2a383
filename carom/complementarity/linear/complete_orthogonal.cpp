#include "carom/complementarity/linear/complete_orthogonal.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "carom/complementarity/linear/dense_kernels.h"

namespace carom {
namespace {

struct Rotation {
  double c = 1, s = 0;
};

/// c a + s b = ±hypot(a, b), c b − s a = 0.
Rotation rotation_to(double a, double b) {
  if (b == 0) return {1, 0};
  const double length = std::hypot(a, b);
  return {a / length, b / length};
}

/// (x, y) ← (c x + s y, c y − s x).
void rotate(int n, double* __restrict x, double* __restrict y, Rotation g) {
  for (int i = 0; i < n; ++i) {
    const double t = g.c * x[i] + g.s * y[i];
    y[i] = g.c * y[i] - g.s * x[i];
    x[i] = t;
  }
}

double square_norm(int n, const double* x) { return dense::dot(n, x, x); }

/// A reflection I − β w wᵀ with w = x + sign(x₀) ‖x‖ e₀; x becomes w. Returns β, and what x₀ turns into.
std::pair<double, double> reflection(int n, double* x) {
  const double length = std::sqrt(square_norm(n, x));
  if (length == 0) return {0, 0};
  const double image = x[0] > 0 ? -length : length;
  x[0] -= image;
  return {-1 / (image * x[0]), image};
}

void erase_from_columns(double* first, Eigen::Index stride, int columns, int rows, int row) {
  for (int j = 0; j < columns; ++j) {
    double* column = first + j * stride;
    std::copy(column + row + 1, column + rows, column + row);
  }
}

double probe(int j) { return 0.75 + 0.5 * static_cast<double>((j * 7 + 3) % 11) / 11 * (j % 2 == 0 ? 1 : -3); }

constexpr double huge = 1e100;

}  // namespace

void CompleteOrthogonal::reserve(int rows, int columns) {
  const auto grow = [](Eigen::MatrixXd& matrix, int p, int q) {
    if (matrix.rows() < p || matrix.cols() < q) {
      matrix.conservativeResize(std::max<Eigen::Index>(matrix.rows(), p), std::max<Eigen::Index>(matrix.cols(), q));
    }
  };
  grow(u_, rows, rows);
  grow(v_, columns, columns);
  grow(r_, rows, columns);
  grow(b_, rows, columns);
  const std::size_t length = static_cast<std::size_t>(std::max(rows, columns)) + 1;
  for (std::vector<double>* buffer : {&work_, &direction_, &residual_}) {
    if (buffer->size() < length) buffer->resize(length);
  }
}

double CompleteOrthogonal::longest_column() const {
  double longest = 0;
  for (int j = 0; j < n_; ++j) longest = std::max(longest, square_norm(m_, b(j)));
  return std::sqrt(longest);
}

void CompleteOrthogonal::factorize(const Eigen::Ref<const Eigen::MatrixXd>& B) {
  m_ = static_cast<int>(B.rows());
  n_ = static_cast<int>(B.cols());
  reserve(m_, n_);
  for (int j = 0; j < n_; ++j) std::copy(B.col(j).data(), B.col(j).data() + m_, b_.data() + j * b_.outerStride());
  decompose();
}

void CompleteOrthogonal::decompose() {
  for (int j = 0; j < n_; ++j) {
    std::copy(b(j), b(j) + m_, r(j));
    std::fill(v(j), v(j) + n_, 0.0);
    v(j)[j] = 1;
  }
  for (int j = 0; j < m_; ++j) {
    std::fill(u(j), u(j) + m_, 0.0);
    u(j)[j] = 1;
  }
  dropped_ = 0;
  scale_ = longest_column();
  reduce_columns(options_.rank_tolerance * scale_);
  eliminate_right();
  settled_ = false;
}

/// Reflections from the left, columns in order of what is left of them: [R S; 0 ~0].
void CompleteOrthogonal::reduce_columns(double threshold) {
  for (rank_ = 0; rank_ < std::min(m_, n_); ++rank_) {
    const int k = rank_, length = m_ - k;
    int longest = k;
    double best = -1, rest = 0;
    for (int j = k; j < n_; ++j) {
      const double size = square_norm(length, r(j) + k);
      rest += size;
      if (size > best) {
        best = size;
        longest = j;
      }
    }
    if (std::sqrt(best) <= threshold) {
      dropped_ = std::sqrt(rest);
      return;
    }
    if (longest != k) {
      std::swap_ranges(r(k), r(k) + m_, r(longest));
      std::swap_ranges(v(k), v(k) + n_, v(longest));
    }
    double* w = r(k) + k;
    const auto [beta, image] = reflection(length, w);
    for (int j = k + 1; j < n_; ++j) dense::add_scaled(length, -beta * dense::dot(length, w, r(j) + k), w, r(j) + k);
    std::fill_n(work_.data(), m_, 0.0);
    for (int j = k; j < m_; ++j) dense::add_scaled(m_, beta * w[j - k], u(j), work_.data());
    for (int j = k; j < m_; ++j) dense::add_scaled(m_, -w[j - k], work_.data(), u(j));
    *w = image;
  }
}

/// Reflections from the right: [R S] → [R 0]. Row i of R and S is swept into R(i, i), the last row first.
void CompleteOrthogonal::eliminate_right() {
  const int extra = n_ - rank_;
  if (extra == 0) return;
  double* w = direction_.data();
  for (int i = rank_ - 1; i >= 0; --i) {
    const auto column = [&](int k) { return k == 0 ? i : rank_ + k - 1; };
    for (int k = 0; k <= extra; ++k) w[k] = r(column(k))[i];
    const auto [beta, image] = reflection(extra + 1, w);
    std::fill_n(work_.data(), std::max(n_, i), 0.0);
    for (int k = 0; k <= extra; ++k) dense::add_scaled(i, beta * w[k], r(column(k)), work_.data());
    for (int k = 0; k <= extra; ++k) dense::add_scaled(i, -w[k], work_.data(), r(column(k)));
    std::fill_n(work_.data(), n_, 0.0);
    for (int k = 0; k <= extra; ++k) dense::add_scaled(n_, beta * w[k], v(column(k)), work_.data());
    for (int k = 0; k <= extra; ++k) dense::add_scaled(n_, -w[k], work_.data(), v(column(k)));
    r(i)[i] = image;
  }
}

/// Rows k and l of R from column `from` on, and the columns of U.
void CompleteOrthogonal::rotate_rows(int k, int l, int from, double c, double s) {
  for (int j = from; j < rank_; ++j) {
    double* column = r(j);
    const double t = c * column[k] + s * column[l];
    column[l] = c * column[l] - s * column[k];
    column[k] = t;
  }
  rotate(m_, u(k), u(l), {c, s});
}

/// Turns columns [from, to) of U (left) or V, outside the range, until `weights` is zero there but in the first.
void CompleteOrthogonal::gather(double* weights, int from, int to, bool left) {
  for (int k = to - 1; k > from; --k) {
    if (weights[k] == 0) continue;
    const Rotation g = rotation_to(weights[k - 1], weights[k]);
    weights[k - 1] = g.c * weights[k - 1] + g.s * weights[k];
    weights[k] = 0;
    rotate(left ? m_ : n_, left ? u(k - 1) : v(k - 1), left ? u(k) : v(k), g);
  }
}

void CompleteOrthogonal::append_column(std::span<const double> column) {
  reserve(m_, n_ + 1);
  std::copy(column.begin(), column.end(), b_.data() + n_ * b_.outerStride());
  double* c = direction_.data();
  for (int k = 0; k < m_; ++k) c[k] = dense::dot(m_, u(k), column.data());
  gather(c, rank_, m_, true);
  scale_ = std::max(scale_, std::sqrt(square_norm(m_, column.data())));
  for (int j = 0; j < n_; ++j) v(j)[n_] = 0;
  ++n_;
  std::fill(v(n_ - 1), v(n_ - 1) + n_, 0.0);
  v(n_ - 1)[n_ - 1] = 1;
  settled_ = false;
  if (m_ > rank_ && std::abs(c[rank_]) > options_.rank_tolerance * scale_) {
    if (rank_ < n_ - 1) std::swap_ranges(v(rank_), v(rank_) + n_, v(n_ - 1));
    std::copy(c, c + rank_ + 1, r(rank_));
    ++rank_;
    return;
  }
  if (m_ > rank_) dropped_ = std::hypot(dropped_, c[rank_]);
  for (int i = rank_ - 1; i >= 0; --i) {
    const Rotation g = rotation_to(r(i)[i], c[i]);
    rotate(i + 1, r(i), c, g);
    rotate(n_, v(i), v(n_ - 1), g);
  }
}

void CompleteOrthogonal::append_row(std::span<const double> row) {
  reserve(m_ + 1, n_);
  for (int j = 0; j < n_; ++j) b_(m_, j) = row[j];
  double* d = direction_.data();
  for (int k = 0; k < n_; ++k) d[k] = dense::dot(n_, v(k), row.data());
  gather(d, rank_, n_, false);
  for (int j = 0; j < m_; ++j) u(j)[m_] = 0;
  ++m_;
  std::fill(u(m_ - 1), u(m_ - 1) + m_, 0.0);
  u(m_ - 1)[m_ - 1] = 1;
  scale_ = std::max(scale_, longest_column());
  settled_ = false;
  if (n_ > rank_ && std::abs(d[rank_]) > options_.rank_tolerance * scale_) {
    const int last = rank_;
    if (last < m_ - 1) std::swap_ranges(u(last), u(last) + m_, u(m_ - 1));
    std::fill(r(last), r(last) + last, 0.0);
    for (int j = 0; j <= last; ++j) r(j)[last] = d[j];
    ++rank_;
    for (int i = 0; i < last; ++i) {
      const Rotation g = rotation_to(r(i)[i], r(i)[last]);
      rotate_rows(i, last, i, g.c, g.s);
    }
    return;
  }
  if (n_ > rank_) dropped_ = std::hypot(dropped_, d[rank_]);
  for (int i = 0; i < rank_; ++i) {
    const Rotation g = rotation_to(r(i)[i], d[i]);
    for (int j = i; j < rank_; ++j) {
      const double t = g.c * r(j)[i] + g.s * d[j];
      d[j] = g.c * d[j] - g.s * r(j)[i];
      r(j)[i] = t;
    }
    rotate(m_, u(i), u(m_ - 1), g);
  }
}

void CompleteOrthogonal::remove_column(int j) {
  double* w = direction_.data();
  for (int k = 0; k < n_; ++k) w[k] = v(k)[j];
  gather(w, rank_, n_, false);
  for (int k = 0; k + 1 < rank_; ++k) {
    const Rotation g = rotation_to(w[k + 1], w[k]);
    w[k + 1] = g.c * w[k + 1] + g.s * w[k];
    rotate(n_, v(k + 1), v(k), g);
    r(k)[k + 1] = 0;
    rotate(k + 2, r(k + 1), r(k), g);
    const Rotation h = rotation_to(r(k)[k], r(k)[k + 1]);
    rotate_rows(k, k + 1, k, h.c, h.s);
  }
  if (rank_ == n_) {
    --rank_;
  } else {
    const int gone = rank_;
    if (rank_ > 0) {
      const Rotation g = rotation_to(w[rank_], w[rank_ - 1]);
      rotate(n_, v(rank_), v(rank_ - 1), g);
      for (int i = 0; i < rank_; ++i) r(rank_ - 1)[i] *= g.c;
    }
    if (gone != n_ - 1) std::copy(v(n_ - 1), v(n_ - 1) + n_, v(gone));
  }
  for (int k = j; k + 1 < n_; ++k) std::copy(b(k + 1), b(k + 1) + m_, b_.data() + k * b_.outerStride());
  erase_from_columns(v_.data(), v_.outerStride(), n_ - 1, n_, j);
  --n_;
  settled_ = false;
}

void CompleteOrthogonal::remove_row(int i) {
  double* w = direction_.data();
  for (int k = 0; k < m_; ++k) w[k] = u(k)[i];
  gather(w, rank_, m_, true);
  for (int k = rank_ - 2; k >= 0; --k) {
    const Rotation g = rotation_to(w[k], w[k + 1]);
    w[k] = g.c * w[k] + g.s * w[k + 1];
    r(k)[k + 1] = 0;
    rotate_rows(k, k + 1, k, g.c, g.s);
    const Rotation h = rotation_to(r(k + 1)[k + 1], r(k)[k + 1]);
    rotate(k + 2, r(k + 1), r(k), h);
    rotate(n_, v(k + 1), v(k), h);
  }
  if (rank_ == m_) {
    // The first row of R goes, and its first column has nothing else: it joins the columns outside the range.
    for (int k = 0; k + 1 < rank_; ++k) {
      std::copy(r(k + 1) + 1, r(k + 1) + k + 2, r(k));
      std::copy(u(k + 1), u(k + 1) + m_, u(k));
      std::swap_ranges(v(k), v(k) + n_, v(k + 1));
    }
    --rank_;
  } else {
    if (rank_ > 0) {
      const Rotation g = rotation_to(w[rank_], w[0]);
      rotate(m_, u(rank_), u(0), g);
      for (int k = 0; k < rank_; ++k) r(k)[0] *= g.c;
    }
    if (rank_ != m_ - 1) std::copy(u(m_ - 1), u(m_ - 1) + m_, u(rank_));
  }
  erase_from_columns(b_.data(), b_.outerStride(), n_, m_, i);
  erase_from_columns(u_.data(), u_.outerStride(), m_ - 1, m_, i);
  --m_;
  settled_ = false;
}

void CompleteOrthogonal::replace_row(int i, std::span<const double> row) {
  remove_row(i);
  append_row(row);
}

void CompleteOrthogonal::replace_column(int j, std::span<const double> column) {
  remove_column(j);
  append_column(column);
}

void CompleteOrthogonal::solve_upper(double* x) const {
  for (int j = rank_ - 1; j >= 0; --j) {
    x[j] /= r(j)[j];
    dense::add_scaled(j, -x[j], r(j), x);
  }
}

void CompleteOrthogonal::solve_upper_transposed(double* x) const {
  for (int j = 0; j < rank_; ++j) x[j] = (x[j] - dense::dot(j, r(j), x)) / r(j)[j];
}

/// R₁ x = b for the leading `size` rows and columns, or a multiple x of the solution where that would overflow. Returns
/// the multiple.
double CompleteOrthogonal::solve_scaled(int size, double* x) const {
  double multiple = 1;
  for (int j = size - 1; j >= 0; --j) {
    x[j] /= r(j)[j];
    if (std::abs(x[j]) > huge) {
      for (int k = 0; k < size; ++k) x[k] /= huge;
      multiple /= huge;
    }
    dense::add_scaled(j, -x[j], r(j), x);
  }
  return multiple;
}

/// The same for R₁ᵀ x = b, or for b = ±1 with the signs that make x grow (Golub and Van Loan 3.5.4).
void CompleteOrthogonal::solve_transposed_scaled(bool growing, double* x) const {
  double one = 1;
  for (int j = 0; j < rank_; ++j) {
    const double sum = dense::dot(j, r(j), x);
    x[j] = ((growing ? (sum > 0 ? -one : one) : x[j]) - sum) / r(j)[j];
    if (std::abs(x[j]) > huge) {
      for (int k = 0; k < (growing ? j + 1 : rank_); ++k) x[k] /= huge;
      one /= huge;
    }
  }
}

/// A unit vector in direction_ along which R is small, and how small: exactly if a diagonal entry is below threshold,
/// else by inverse iteration.
double CompleteOrthogonal::smallest_direction(double threshold) {
  double* x = direction_.data();
  const auto normalize = [&](int size) {
    const double length = std::sqrt(square_norm(size, x));
    for (int k = 0; k < size; ++k) x[k] /= length;
    return length;
  };
  for (int i = 0; i < rank_; ++i) {
    if (std::abs(r(i)[i]) > threshold) continue;
    std::fill_n(x, rank_, 0.0);
    for (int k = 0; k < i; ++k) x[k] = -r(i)[k];
    x[i] = solve_scaled(i, x);
    const double last = x[i];
    return std::abs(r(i)[i] * last) / normalize(i + 1);
  }
  solve_transposed_scaled(true, x);
  normalize(rank_);
  double smallest = std::numeric_limits<double>::infinity();
  for (int pass = 0; pass < 3; ++pass) {
    if (pass > 0) {
      solve_transposed_scaled(false, x);
      normalize(rank_);
    }
    const double multiple = solve_scaled(rank_, x);
    const double estimate = multiple / normalize(rank_);
    const bool done = estimate > 0.5 * smallest || estimate > 1e3 * threshold;
    smallest = std::min(smallest, estimate);
    if (done) break;
  }
  return smallest;
}

/// Drops the direction of the smallest singular value if that is below threshold.
bool CompleteOrthogonal::deflate(double threshold) {
  if (rank_ == 0 || smallest_direction(threshold) > threshold) return false;
  double* x = direction_.data();
  for (int k = 0; k + 1 < rank_; ++k) {
    const Rotation g = rotation_to(x[k + 1], x[k]);
    x[k + 1] = g.c * x[k + 1] + g.s * x[k];
    rotate(n_, v(k + 1), v(k), g);
    r(k)[k + 1] = 0;
    rotate(k + 2, r(k + 1), r(k), g);
    const Rotation h = rotation_to(r(k)[k], r(k)[k + 1]);
    rotate_rows(k, k + 1, k, h.c, h.s);
  }
  dropped_ = std::hypot(dropped_, std::sqrt(square_norm(rank_, r(rank_ - 1))));
  --rank_;
  return true;
}

void CompleteOrthogonal::settle() {
  if (settled_) return;
  scale_ = longest_column();
  const auto deflate_all = [&] {
    while (deflate(options_.rank_tolerance * scale_)) {
    }
  };
  deflate_all();
  const double allowed = options_.rank_tolerance * scale_ * std::sqrt(static_cast<double>(1 + std::min(m_, n_)));
  if (dropped_ > 2 * allowed || drift() > options_.drift_tolerance + dropped_ / scale_) {
    ++refactorizations_;
    decompose();
    deflate_all();
  }
  settled_ = true;
}

int CompleteOrthogonal::rank() {
  settle();
  return rank_;
}

double CompleteOrthogonal::drift() {
  const double scale = longest_column();
  if (scale == 0) return 0;
  double* image = work_.data();
  std::fill_n(image, m_, 0.0);
  double size = 0;
  for (int j = 0; j < n_; ++j) {
    dense::add_scaled(m_, probe(j), b(j), image);
    size += probe(j) * probe(j);
  }
  double* along = direction_.data();
  for (int l = 0; l < rank_; ++l) {
    along[l] = 0;
    for (int j = 0; j < n_; ++j) along[l] += v(l)[j] * probe(j);
  }
  double error = 0;  // the norm of Uᵀ B t − R Vᵀ t
  for (int k = 0; k < m_; ++k) {
    double entry = dense::dot(m_, u(k), image);
    for (int l = k; l < rank_; ++l) entry -= r(l)[k] * along[l];
    error += entry * entry;
  }
  return std::sqrt(error / size) / scale;
}

/// x += V₁ R⁻¹ U₁ᵀ b.
void CompleteOrthogonal::apply_pseudoinverse(const double* b, double* x) {
  for (int k = 0; k < rank_; ++k) work_[k] = dense::dot(m_, u(k), b);
  solve_upper(work_.data());
  for (int k = 0; k < rank_; ++k) dense::add_scaled(n_, work_[k], v(k), x);
}

LeastNormSolution CompleteOrthogonal::solve(std::span<const double> b, std::span<double> x) {
  settle();
  double* residual = residual_.data();
  std::fill(x.begin(), x.end(), 0.0);
  std::copy(b.begin(), b.end(), residual);
  for (int pass = 0; pass < 2; ++pass) {
    apply_pseudoinverse(residual, x.data());
    std::copy(b.begin(), b.end(), residual);
    for (int j = 0; j < n_; ++j) dense::add_scaled(m_, -x[j], this->b(j), residual);
  }
  return {std::sqrt(square_norm(m_, residual)), std::sqrt(square_norm(n_, x.data())), rank_};
}

void CompleteOrthogonal::multipliers(std::span<const double> x, std::span<double> lambda) {
  settle();
  for (int k = 0; k < rank_; ++k) work_[k] = dense::dot(n_, v(k), x.data());
  solve_upper_transposed(work_.data());
  std::fill(lambda.begin(), lambda.end(), 0.0);
  for (int k = 0; k < rank_; ++k) dense::add_scaled(m_, work_[k], u(k), lambda.data());
}

}  // namespace carom
