#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "carom/complementarity/linear/dense_lu.h"
#include "carom/complementarity/polyhedral/lemke.h"

namespace carom {

/// Solves 0 ≤ w = R z + q ⊥ z ≥ 0 for a symmetric positive semidefinite R, as contacts without friction pose it. The
/// method is principal pivoting (Cottle and Dantzig 1968; Cottle, Pang and Stone 1992, section 4.3).
///
/// In the tableau x = q' + T y one of w_i, z_i is in x and the other, zero, in y. While some x_r < 0, its y_r grows.
/// The variable that falls to zero on the way, or x_r itself, changes places with its partner. So every basis on the
/// way is complementary: no z₀, no covering vector, and any basis will do as a start. If x_r does not rise and nothing
/// falls, the values that change with y_r are a y ≥ 0. It has R y = 0 and qᵀy < 0, so the problem is infeasible
/// (proves_infeasible). Rows with the least index go first. In a tie x_r goes first, else the least index (Cottle and
/// Chang 1992).
///
/// The status is inaccurate if R turns out not to be positive semidefinite, or if round-off wins. The caller then has
/// Lemke's method. The vector z is unique only if R is positive definite, w = R z + q always. A pivot costs n²
/// multiplications, for which the whole tableau is kept: the method is meant for n up to a few dozen. No allocation if
/// no larger problem came before.
class PrincipalPivoting {
 public:
  /// R: n × n, q: n, z: n. basic_z: z that are basic at the start. After a status other than solved z is zero.
  [[nodiscard]] LcpResult solve(const Eigen::Ref<const Eigen::MatrixXd>& R, const Eigen::Ref<const Eigen::VectorXd>& q,
                                std::span<const int> basic_z, const LcpOptions& options, Eigen::Ref<Eigen::VectorXd> z);

  /// After secondary_ray: y as above.
  Eigen::Map<const Eigen::VectorXd> ray() const { return {ray_.data(), static_cast<Eigen::Index>(ray_.size())}; }

 private:
  enum class Step { done, blocked, ray, not_semidefinite };

  void equilibrate(const Eigen::Ref<const Eigen::MatrixXd>& R, const Eigen::Ref<const Eigen::VectorXd>& q);
  int first_negative() const;
  Step raise(int r, int& leaving);
  void pivot(int i);
  void start_with(int i);
  bool store_ray(int r, const Eigen::Ref<const Eigen::MatrixXd>& R, const Eigen::Ref<const Eigen::VectorXd>& q);
  double finish(const Eigen::Ref<const Eigen::MatrixXd>& R, const Eigen::Ref<const Eigen::VectorXd>& q,
                Eigen::Ref<Eigen::VectorXd> z);

  double* column(int j) { return table_.data() + static_cast<std::size_t>(j) * n_; }

  int n_ = 0;
  double zero_ = 0;            // values below are round-off
  double driver_ = 0;          // y_r
  std::vector<double> table_;  // T, column-major
  std::vector<double> value_;  // x where y_r = driver_
  std::vector<double> scale_;  // R and q are equilibrated, symmetrically
  std::vector<char> z_basic_;
  std::vector<double> column_, row_, ray_;
  std::vector<int> set_;
  DenseLu lu_;
};

}  // namespace carom
