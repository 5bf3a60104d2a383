#pragma once

#include <Eigen/Core>
#include <vector>

#include "carom/complementarity/polyhedral/lemke.h"

namespace carom {

/// Linear complementarity problem in a box: find x with l ≤ x ≤ u and, for F = A x + b, row by row,
///
///     F_i ≥ 0 where x_i = l_i,    F_i = 0 where l_i < x_i < u_i,    F_i ≤ 0 where x_i = u_i.
///
/// A: N × N, any; b, lower, upper: N; bounds may be −∞ and ∞ (free unknowns, whose rows are equations) or equal (fixed
/// unknowns, whose rows demand nothing). A view: the data stay the caller's.
struct BoxLcpProblem {
  Eigen::Ref<const Eigen::MatrixXd> A;
  Eigen::Ref<const Eigen::VectorXd> b;
  Eigen::Ref<const Eigen::VectorXd> lower;
  Eigen::Ref<const Eigen::VectorXd> upper;
};

/// max_i |max(min(F_i / t, (x_i − l_i) / s), (x_i − u_i) / s)|. Here s is the largest |x_i|, and t the largest single
/// term of the sums that make F. Equations and other rows each have a t of their own. Sizes that are zero count as 1.
/// Dimensionless; the units must make unknowns comparable, and rows. O(N²).
double box_lcp_residual(const BoxLcpProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& x);

/// Solves it by Lemke's method (Cottle, Pang and Stone 1992, sections 1.5 and 4.4). Equations are eliminated with their
/// free unknowns, largest pivots first. Symmetric pairs of pivots go together, so that a monotone problem stays one. If
/// A is singular on them, to 1e-9 of the largest entry of each scaled row, two things are left. These are equations 0 =
/// g(y) in the bounded unknowns y alone, and free unknowns v without a pivot. They become 0 ≤ g ⊥ v⁺ ≥ 0, 0 ≤ −g ⊥ v⁻ ≥
/// 0 with v = v⁺ − v⁻. Redundant equations, where both g and what v does are zero, are left out, with v = 0. Here y = x
/// − l or u − x. With two bounds, the upper one is a further row u − l − y ≥ 0 with its multiplier. So no equation
/// needs to be independent, but they must be consistent. Otherwise, as where Lemke's path ends on a ray, the status is
/// not solved.
///
/// If solutions are not unique, redundant unknowns included, the path picks one. Cost: (equations)·N² and Lemke's for
/// the rest. Memory is kept between calls; a call not larger than any before allocates nothing.
class BoxLcpSolver {
 public:
  /// x: N; on entry its guess of which bounds hold, if guess_active: unknowns off their bounds start in the basis.
  [[nodiscard]] LcpResult solve(const BoxLcpProblem& problem, const LcpOptions& options, bool guess_active,
                                Eigen::Ref<Eigen::VectorXd> x);

  /// Ray of the reduced problem, after secondary_ray.
  Eigen::Map<const Eigen::VectorXd> ray() const { return lemke_.ray(); }

 private:
  enum class Kind { fixed, free, lower, upper, both };

  void classify(const BoxLcpProblem& problem);
  void assemble(const BoxLcpProblem& problem);
  void equilibrate();
  void eliminate();
  bool choose_pivot(int& row, int& column) const;
  void pivot(int row, int column);
  void pair_remaining();
  void build_lcp(const BoxLcpProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& x, bool guess_active);
  void recover(const BoxLcpProblem& problem, Eigen::Ref<Eigen::VectorXd> x);

  double& entry(int row, int column) { return table_[static_cast<std::size_t>(column) * kept_ + row]; }
  double entry(int row, int column) const { return table_[static_cast<std::size_t>(column) * kept_ + row]; }

  int kept_ = 0;  // unknowns that are not fixed, equations first
  int equations_ = 0;
  int steps_ = 0;               // pivots made: step k eliminated row_of_[k] and column_of_[k]
  int pairs_ = 0, uppers_ = 0;  // bounded unknowns; of these with two bounds
  std::vector<Kind> kind_;      // N
  std::vector<int> index_;      // of each kept unknown in the problem
  std::vector<double> table_;   // kept × (kept + 1), the last column the constants
  std::vector<double> row_scale_, column_scale_, value_;
  std::vector<char> row_done_, column_done_;
  std::vector<int> row_of_, column_of_;
  std::vector<int> open_row_, open_column_;  // equations and free unknowns that stay, paired
  std::vector<int> upper_pair_;              // pairs with two bounds
  std::vector<double> matrix_, vector_, z_;
  std::vector<int> basic_;
  LemkeSolver lemke_;
};

}  // namespace carom
