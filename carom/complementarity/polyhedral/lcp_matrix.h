#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

namespace carom {

/// The matrix R (n × n) of a linear complementarity problem as Lemke's method sees it. It is equilibrated, R̂ = S_r R
/// S_c with powers of two, and known by its columns, rows and products. In these units the unknowns are ẑ = S_c⁻¹ z and
/// ŵ = S_r w. Functions that are not const use scratch memory of the object.
///
/// Caps. Friction and bounds put pairs of a special form into R: a group of members β, contiguous, and its cap λ with
///
///     column λ:  1 in the rows of the members, 0 elsewhere
///     row λ:    −1 in the columns of the members, other entries anywhere (0 in column λ)
///
/// where no column has an entry in the rows of two caps. LemkeBasis eliminates these with pivots of one.
class LcpMatrix {
 public:
  struct Group {
    int cap = 0;    ///< pair of λ
    int first = 0;  ///< pair of the first member
    int count = 0;
  };

  LcpMatrix() = default;
  LcpMatrix(const LcpMatrix&) = default;
  LcpMatrix& operator=(const LcpMatrix&) = default;
  virtual ~LcpMatrix() = default;

  int size() const { return n_; }

  /// Most z that can be basic together besides one cap and one member of every group; a larger basis costs memory.
  virtual int largest_core() const { return n_; }

  /// w += x R̂ e_j.
  virtual void add_column(int j, double x, double* w) = 0;
  /// w += R̂ z.
  virtual void multiply_add(const double* z, double* w) = 0;
  /// z += R̂ᵀ w.
  virtual void multiply_transposed_add(const double* w, double* z) = 0;
  /// entries[s] = R̂(i, columns[s]), 0 for columns[s] = n.
  virtual void row(int i, std::span<const int> columns, double* entries) = 0;

  double row_scale(int i) const { return row_scale_[i]; }
  double column_scale(int j) const { return column_scale_[j]; }
  /// Size of ŵ_i and ẑ_i where the problem's demand, max −q̂_i / pair_scale_i, is one.
  double pair_scale(int i) const { return pair_scale_[i]; }

  std::span<const Group> groups() const { return groups_; }
  /// The group of which pair j is a member, or −1.
  int member_group(int j) const { return member_group_[j]; }
  /// The group whose cap has an entry in column j, or −1, and that entry.
  int cap_group(int j) const { return cap_group_[j]; }
  double cap_entry(int j) const { return cap_entry_[j]; }

  bool is_cap(int pair) const { return group_of_cap_[pair] >= 0; }
  int group_of_cap(int pair) const { return group_of_cap_[pair]; }

  double shift() const { return shift_; }
  /// From now on R̂ + shift · I, less the rows of caps, for proximal points.
  void set_shift(double shift) { shift_ = shift; }

 protected:
  void resize(int n);  ///< scales one, no groups, no shift

  int n_ = 0;
  double shift_ = 0;
  std::vector<double> row_scale_, column_scale_, pair_scale_, cap_entry_;
  std::vector<int> member_group_, cap_group_, group_of_cap_;

  std::vector<Group> groups_;
};

/// A dense R, copied and equilibrated by three sweeps over its rows and columns. A column costs n, a product n².
class DenseLcpMatrix final : public LcpMatrix {
 public:
  void build(const Eigen::Ref<const Eigen::MatrixXd>& R);

  void add_column(int j, double x, double* w) override;
  void multiply_add(const double* z, double* w) override;
  void multiply_transposed_add(const double* w, double* z) override;
  void row(int i, std::span<const int> columns, double* entries) override;

 private:
  void equilibrate();

  std::vector<double> R_;  // column-major
  std::vector<double> row_size_, column_size_;
};

}  // namespace carom
