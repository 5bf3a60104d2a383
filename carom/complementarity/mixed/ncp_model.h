#pragma once

#include <Eigen/SparseCore>
#include <cmath>
#include <cstddef>
#include <vector>

#include "carom/complementarity/mixed/mixed_ncp.h"

namespace carom {

/// A mixed complementarity problem as the Newton methods of this room see it. Unknowns and rows are scaled, and a
/// proximal term may be switched on:
///
///     x̂_j = x_j / c_j,    F̂_i = r_i F_i + λ (x̂_i − x̂ᶜ_i),    Ĵ_ij = r_i J_ij c_j + λ δ_ij.
///
/// The scales c, r are positive powers of two, so that bounds and residual lose no digit. From c = sizes, they bring
/// rows and columns of J to a largest entry near one (Ruiz 2001). Fischer and Burmeister's function and gradient steps
/// need that, Newton steps do not. The proximal weight is λ ≥ 0, and x̂ᶜ is its centre. Memory is kept between
/// problems.
class NcpModel {
 public:
  /// Takes a problem. Scales are one until scale().
  void begin(const MixedNcp& problem);

  int size() const { return n_; }
  bool is_dense() const { return static_cast<bool>(problem_->dense_jacobian); }

  /// F̂ at x̂, both n. False where F is not defined. The point becomes the current one.
  bool evaluate(const double* x, double* F);

  /// J at the current point. False where it is not defined.
  bool linearize();

  /// mixed_ncp_residual at the current point, once linearized; without the proximal term.
  double residual();

  /// Chooses scales from J at the current point and the bounds with them. Scaled points before are no longer valid.
  void scale();

  /// Sets the proximal term, λ = 0 switches it off. centre: n, scaled, copied.
  void set_proximal(double weight, const double* centre);
  double proximal_weight() const { return proximal_; }

  double lower(int i) const { return lower_[i]; }  ///< l_i / c_i
  double upper(int i) const { return upper_[i]; }  ///< u_i / c_i

  void to_scaled(const double* x, double* scaled) const;
  void to_original(const double* scaled, double* x) const;
  double clamp(int i, double x) const { return std::fmin(std::fmax(x, lower_[i]), upper_[i]); }

  /// Calls visit(i, j, r_i J_ij c_j) for all entries, column by column, rows of a column rising. λ is not in them.
  template <typename Visit>
  void visit_jacobian(Visit&& visit) const {
    for (int j = 0; j < n_; ++j) visit_column(j, visit);
  }
  template <typename Visit>
  void visit_column(int j, Visit&& visit) const {
    if (is_dense()) {
      const double* column = dense_.data() + static_cast<std::size_t>(j) * n_;
      for (int i = 0; i < n_; ++i) visit(i, j, row_scale_[i] * column[i] * column_scale_[j]);
      return;
    }
    for (Eigen::SparseMatrix<double>::InnerIterator entry(sparse_, j); entry; ++entry) {
      const int i = static_cast<int>(entry.row());
      visit(i, j, row_scale_[i] * entry.value() * column_scale_[j]);
    }
  }
  /// Entries that visit_jacobian visits.
  Eigen::Index entries() const { return is_dense() ? static_cast<Eigen::Index>(n_) * n_ : sparse_.nonZeros(); }

  int function_calls = 0;
  int jacobian_calls = 0;

 private:
  void set_bounds();
  void measure(std::vector<double>& rows, std::vector<double>& columns) const;

  const MixedNcp* problem_ = nullptr;
  int n_ = 0;
  double proximal_ = 0;
  std::vector<double> x_, F_;  // in the caller's units
  std::vector<double> dense_;  // J, column-major
  Eigen::SparseMatrix<double> sparse_;
  std::vector<double> row_scale_, column_scale_, lower_, upper_, centre_;
  std::vector<double> row_size_, column_size_;
};

}  // namespace carom
