#pragma once

#include <span>
#include <vector>

#include "carom/complementarity/dense_lu.h"

namespace carom {

/// Coordinates of a vector in a basis: those on basic z by slot (k), those on basic w by row (n; zero elsewhere).
struct BasisVector {
  std::vector<double> z;
  std::vector<double> w;
};

/// A basis of the columns of [I, −R, −d], the system w − R z − d z₀ = q of Lemke's method, with n of the 2 n + 1
/// variables basic. Variables are numbered w_i: i, z_j: n + j, z₀: 2 n.
///
/// With k basic z (z₀ among them) there are k nonbasic w, and B⁻¹ is known from the k × k matrix C, its rows of basic z
/// and columns of nonbasic w:  the column of a basic w is a unit vector, and a row of a basic w_i is R_i· C. So only C
/// is stored and updated; a column B⁻¹ a = (C a_β, a + R_·α C a_β) is made when it is wanted. In contact problems k is
/// about three per touching contact and n is ten, so a pivot costs n k + 2 k² multiplications where the condensed
/// tableau costs n². The rows β of the second part must vanish: that checks every column at no cost, and drives its
/// refinement.
class LemkeBasis {
 public:
  /// Starts from all w basic. R: n × n, column-major, kept by reference until the next bind.
  void bind(const double* R, int n);

  /// d (n), the column of z₀; to be filled before z₀ enters.
  double* covering() { return covering_.data(); }

  /// Starts from z_j basic for j in `basic` and w_i for all other rows. False if that is no basis.
  bool start(std::span<const int> basic);

  /// C anew from R by factorization. False if the basis is singular to working precision.
  bool refactorize();

  /// x = B⁻¹ a, refined against R while its residual is above `refine_above`, relative, and falls. False if the refined
  /// residual is still large (C has lost its digits).
  bool solve(const double* a, BasisVector& x, double refine_above = 1e-14);

  /// x = B⁻¹ (column of a variable).
  bool column(int variable, BasisVector& x);

  /// Coordinates of B⁻¹ (column of a variable) on basic z only.
  void column_on_z(int variable, std::vector<double>& x);

  /// What `column_on_z` implies for the row of basic w_i.
  double row_entry(int variable, const std::vector<double>& x, int row) const;

  /// The entering variable replaces the leaving one; x is the entering column.
  void pivot(int entering, int leaving, const BasisVector& x);

  int size() const { return n_; }
  int order() const { return static_cast<int>(slot_variable_.size()); }
  bool is_basic(int variable) const {
    return variable < n_ ? column_of_row_[variable] < 0 : slot_of_z_[variable - n_] >= 0;
  }
  /// Variable that holds slot s.
  int slot_variable(int s) const { return slot_variable_[s]; }
  int slot(int variable) const { return slot_of_z_[variable - n_]; }

 private:
  double* inverse_column(int c) { return inverse_.data() + static_cast<std::size_t>(c) * stride_; }
  const double* inverse_column(int c) const { return inverse_.data() + static_cast<std::size_t>(c) * stride_; }
  const double* z_column(int variable) const {
    return variable == 2 * n_ ? covering_.data() : R_ + static_cast<std::size_t>(variable - n_) * n_;
  }
  double column_entry(int variable, int row) const {
    return variable < n_ ? (variable == row ? 1.0 : 0.0) : -z_column(variable)[row];
  }
  void multiply_inverse(const double* a, std::vector<double>& x);
  void spread(const double* z, double* w) const;
  double residual_on_nonbasic(const double* w) const;
  void inverse_row(int leaving);
  void drop_row(int slot);
  void drop_column(int row);
  void clear();

  int n_ = 0;
  int stride_ = 0;
  const double* R_ = nullptr;
  std::vector<double> covering_;
  std::vector<double> inverse_;     // C, k × k in columns of length stride_
  std::vector<int> slot_variable_;  // basic z of each row of C
  std::vector<int> column_row_;     // nonbasic w of each column of C
  std::vector<int> slot_of_z_;      // n + 1, −1 where nonbasic
  std::vector<int> column_of_row_;  // n, −1 where w is basic
  std::vector<double> row_;         // one row of B⁻¹ over the columns of C
  std::vector<double> scratch_;
  std::vector<double> correction_;
  std::vector<double> unit_;
  DenseLu lu_;
};

}  // namespace carom
