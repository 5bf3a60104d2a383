#pragma once

#include <span>
#include <vector>

#include "carom/complementarity/linear/dense_lu.h"
#include "carom/complementarity/polyhedral/lcp_matrix.h"

namespace carom {

/// Coordinates of a vector in a basis, by variable (2 n + 1; zero where nonbasic).
using BasisVector = std::vector<double>;

/// A basis of the columns of [I, −R, −d], the system w − R z − d z₀ = q of Lemke's method. Always n of the 2 n + 1
/// variables are basic. Variables are numbered w_i: i, z_j: n + j, z₀: 2 n. R is the equilibrated matrix of an
/// LcpMatrix.
///
/// With k basic z (z₀ among them) there are k nonbasic w. All of B⁻¹ is known from the k × k matrix C: its rows of
/// basic z and columns of nonbasic w. The column of a basic w is a unit vector, and a row of a basic w_i is R_i· C. So
/// only C is stored and updated; a column B⁻¹ a is made when it is wanted.
///
/// In turn, only a core of C is stored. In every contact that slides, the cap λ of a group and a member β_j are basic,
/// and w_λ and w_βj are not. The rows λ and β_j of the system can then be solved for β_j and λ with pivots of one:
///
///     β_j = a_λ + (row λ)·(the other z),    λ = −(a_βj + (row β_j)·(all z but λ))
///
/// and the rows of w_λ and w_βj are left out. The rest is a Schur complement. Its inverse is the part of C without
/// these rows and columns. So to key a group is to forget two rows and two columns of C, and to release it is to
/// compute them anew. The core has one slot for a sliding contact, three for a sticking one and none for an open one.
///
/// Cost of a pivot: a product with R and 2 core² multiplications; 2 core² more where a group is released. The rows of
/// nonbasic w in B⁻¹ a must vanish: that checks every column at no cost, and drives its refinement.
class LemkeBasis {
 public:
  /// Starts from all w basic. R is kept by reference until the next bind.
  void bind(LcpMatrix& R);

  /// d (n), the column of z₀; to be filled before z₀ enters.
  double* covering() { return covering_.data(); }

  /// Starts from z_j basic for j in `basic` and w_i for all other rows. If these columns are dependent, z that cannot
  /// be pivoted in one after the other stay nonbasic; see is_basic.
  void start(std::span<const int> basic);

  /// The core anew from R by factorization. False if the basis is singular to working precision.
  bool refactorize();

  /// x = B⁻¹ a, refined against R while its residual is above `refine_above`, relative, and falls. False if the refined
  /// residual is still large (C has lost its digits). a: n.
  bool solve(const double* a, BasisVector& x, double refine_above = 1e-14);

  /// x = B⁻¹ (column of a variable).
  bool column(int variable, BasisVector& x, double refine_above = 1e-14);

  /// The entering variable replaces the leaving one; x is the entering column.
  void pivot(int entering, int leaving, const BasisVector& x);

  /// The row of a basic variable in B⁻¹ [I, R] (2 n), for unit right sides and for columns of z. Without a product with
  /// R, begin_row gives the first n entries, except those of caps. Then complete_row gives the rest.
  void begin_row(int variable, std::vector<double>& entries);
  void complete_row(int variable, std::vector<double>& entries);

  int size() const { return n_; }
  int core() const { return static_cast<int>(slots_.size()); }
  bool is_basic(int variable) const { return basic_[variable] != 0; }

 private:
  double* inverse_column(int c) { return inverse_.data() + static_cast<std::size_t>(c) * stride_; }
  void clear();
  void make_room(int order);
  void append_slot(int z);
  void append_row(int row);
  void drop_slot(int z);
  void drop_row(int row);

  int key_of_row(int row) const;
  void take(std::span<const int> basic);
  void insert_one_by_one(std::span<const int> basic);
  int key_candidate(int group) const;
  void key_if_possible(int group);
  void release(int group);

  void add_solution(BasisVector& x);
  void reduce_to_core(const double* a, double* z);
  double core_residual(const BasisVector& x) const;
  void row_over_core(int row, int minus, double* entries);
  void row_of_inverse(int variable);
  double cap_sum(int group, const double* core_z) const;

  int n_ = 0;
  int stride_ = 0;
  LcpMatrix* R_ = nullptr;
  std::vector<double> covering_;
  std::vector<double> inverse_;     // core of C, in columns of length stride_
  std::vector<int> slots_;          // z (n for z₀) of each row of the core
  std::vector<int> rows_;           // nonbasic w of each column of the core
  std::vector<int> slot_of_z_;      // n + 1, −1 where nonbasic or keyed
  std::vector<int> column_of_row_;  // n, −1 where w is basic or keyed
  std::vector<char> basic_;         // 2 n + 1
  std::vector<int> group_of_;       // of each pair, member or cap, or −1
  std::vector<int> key_;            // of each group: the member that is keyed with its cap, or −1
  std::vector<double> row_;         // one row of B⁻¹ over the columns of the core
  std::vector<double> core_z_, core_left_;
  std::vector<double> rhs_, delta_, unit_, key_entry_;
  std::vector<int> wanted_;  // columns of which a row's entries are wanted: slots, then keys
  std::vector<double> entries_;
  DenseLu lu_;
  BasisVector inserted_;
};

}  // namespace carom
