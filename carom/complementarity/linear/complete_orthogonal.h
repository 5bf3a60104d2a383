#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

namespace carom {

/// Which singular values count, and how far updates may drift from the matrix.
struct CompleteOrthogonalOptions {
  double rank_tolerance = 1e-10;  ///< singular values below it, relative to the longest column, count as zero
  double drift_tolerance = 1e-11;  ///< ‖(B − U R Vᵀ) t‖ / (longest column · ‖t‖) above which B is factored anew
};

/// Result of a solve.
struct LeastNormSolution {
  double residual = 0;  ///< ‖b − B x‖
  double norm = 0;      ///< ‖x‖
  int rank = 0;
};

/// Complete orthogonal factorization that follows edits of its matrix,
///
///     B = U [R 0; 0 0] Vᵀ + E,   B: m × n,  U: m × m and V: n × n orthogonal,  R: r × r upper triangular,
///
/// with ‖E‖ below the rank tolerance. It gives x = V₁ R⁻¹ U₁ᵀ b, which has the least norm of all x that make ‖b − B x‖
/// least. Source: Golub and Van Loan, Matrix Computations, 4th ed., 5.5.2. To minimize Σ x_i² / k_i instead, factor B
/// diag(√k) and scale its solution by √k.
///
/// Rows and columns may be appended, removed and replaced at O((m + n)²) each, by plane rotations. Edits follow
/// Stewart, An updating algorithm for subspace tracking, IEEE Trans. Signal Process. 40, 1992. Removal is as in Golub
/// and Van Loan 6.5.3, with U and V at hand, so that nothing is subtracted. Removing turns the row of U or V until it
/// is a unit vector. The part of R that it carried shrinks a row or a column of R and never grows one. Indices behave
/// as in std::vector: append at the end, removal moves the later ones down.
///
/// Rank is decided when it is asked for. Inverse iteration estimates the smallest singular value of R. While that is
/// below tolerance, it is turned into the last column of R, which is dropped. An appended vector whose part outside the
/// range is below tolerance does not raise the rank. B itself is kept, and every solution is refined against it once. B
/// is factored anew when what was dropped, or the drift along a probe vector, exceeds tolerance.
///
/// Cost: about 4 m² n + 4 n² m operations to factorize. An edit takes 6 (m + n)², a solve 3 m n + m² + n². Nothing is
/// allocated for sizes within what was reserved or seen.
class CompleteOrthogonal {
 public:
  void reserve(int rows, int columns);
  void set_options(const CompleteOrthogonalOptions& options) { options_ = options; }

  /// Takes a copy of B.
  void factorize(const Eigen::Ref<const Eigen::MatrixXd>& B);

  void append_row(std::span<const double> row);        ///< n entries
  void append_column(std::span<const double> column);  ///< m entries
  void remove_row(int i);
  void remove_column(int j);
  /// Replaced vectors go to the end, as if removed and appended.
  void replace_row(int i, std::span<const double> row);
  void replace_column(int j, std::span<const double> column);

  int rows() const { return m_; }
  int columns() const { return n_; }
  int rank();
  /// Number of edits that ended in a new factorization.
  int refactorizations() const { return refactorizations_; }

  /// b: m, x: n.
  LeastNormSolution solve(std::span<const double> b, std::span<double> x);

  /// λ: m, of least norm, with Bᵀ λ = the part of x (n) in the row space.
  void multipliers(std::span<const double> x, std::span<double> lambda);

  /// ‖(B − U R Vᵀ) t‖ / (longest column · ‖t‖) for a fixed vector t. O(m n + m² + n r).
  double drift();

 private:
  double* u(int j) { return u_.data() + j * u_.outerStride(); }
  const double* u(int j) const { return u_.data() + j * u_.outerStride(); }
  double* v(int j) { return v_.data() + j * v_.outerStride(); }
  const double* v(int j) const { return v_.data() + j * v_.outerStride(); }
  double* r(int j) { return r_.data() + j * r_.outerStride(); }
  const double* r(int j) const { return r_.data() + j * r_.outerStride(); }
  const double* b(int j) const { return b_.data() + j * b_.outerStride(); }
  double longest_column() const;

  void decompose();
  void reduce_columns(double threshold);
  void eliminate_right();
  void settle();
  bool deflate(double threshold);
  double smallest_direction(double threshold);
  void rotate_rows(int k, int l, int from, double c, double s);
  void gather(double* weights, int from, int to, bool left);
  void solve_upper(double* x) const;
  double solve_scaled(int size, double* x) const;
  void solve_transposed_scaled(bool growing, double* x) const;
  void solve_upper_transposed(double* x) const;
  void apply_pseudoinverse(const double* b, double* x);

  CompleteOrthogonalOptions options_;
  int m_ = 0, n_ = 0, rank_ = 0;
  bool settled_ = true;
  int refactorizations_ = 0;
  double scale_ = 0;    // longest column, never below it
  double dropped_ = 0;  // Frobenius norm of what was set to zero since B was factored
  Eigen::MatrixXd u_, v_, r_, b_;
  std::vector<double> work_, direction_, residual_;
};

}  // namespace carom
