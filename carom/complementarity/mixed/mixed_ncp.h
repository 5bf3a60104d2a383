#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <functional>
#include <span>
#include <string>

namespace carom {

/// Mixed nonlinear complementarity problem (Dirkse and Ferris 1995; Facchinei and Pang 2003, section 1.1): find x with
/// l ≤ x ≤ u and, row by row,
///
///     F_i(x) ≥ 0 where x_i = l_i,    F_i(x) = 0 where l_i < x_i < u_i,    F_i(x) ≤ 0 where x_i = u_i.
///
/// With l_i = −∞ and u_i = ∞, x_i is free and row i an equation. With l_i = 0 and u_i = ∞, 0 ≤ x_i ⊥ F_i ≥ 0. With
/// l_i = u_i, x_i is fixed and row i demands nothing. The vectors x, F, l and u have n entries; J = ∂F/∂x is n × n.
/// Units are the caller's. Row i may be scaled by any positive number, which changes no answer below.
///
/// A view: bounds and sizes stay the caller's. The functions are only called with x in the box. They return false where
/// they are not defined, and the solvers then take a shorter step; a number that is not finite counts as false. A
/// solution need not exist and need not be unique.
struct MixedNcp {
  using Input = Eigen::Ref<const Eigen::VectorXd>;

  Eigen::Ref<const Eigen::VectorXd> lower;  ///< −∞ where there is no bound
  Eigen::Ref<const Eigen::VectorXd> upper;  ///< ∞ where there is no bound
  std::function<bool(const Input& x, Eigen::Ref<Eigen::VectorXd> F)> function;
  /// One of the next two. The dense J arrives as zero.
  std::function<bool(const Input& x, Eigen::Ref<Eigen::MatrixXd> J)> dense_jacobian;
  /// J arrives as the last call of the same solve left it, at first n × n and empty. Write the same pattern again, with
  /// zeros where it has to be. The ordering of the factorization is then found once.
  std::function<bool(const Input& x, Eigen::SparseMatrix<double>& J)> sparse_jacobian;
  /// n, > 0: change of each unknown that matters, in its unit (1e-3 for a layer of millimetres in metres); empty: ones.
  std::span<const double> sizes = {};
  /// n, ≥ 0: change of each row that matters, in its unit; 0 or empty: found from J (mixed_ncp_residual).
  std::span<const double> row_sizes = {};

  Eigen::Index size() const { return lower.size(); }
};

/// Why a solver of a mixed complementarity problem stopped.
enum class NcpStatus {
  solved,              ///< residual within tolerance
  iteration_limit,     ///< budget spent
  local_minimum,       ///< of the merit function ½‖Φ‖², where Φ ≠ 0: no solution is near
  stalled,             ///< no step lowers the merit: round-off above the tolerance, a kink of F, or a wrong Jacobian
  function_undefined,  ///< not defined at the start, or nowhere along the steps
};
std::string status_name(NcpStatus status);

/// Throws carom::Error if sizes disagree, a size is not positive, a row's is negative, or not exactly one Jacobian is
/// given. It also throws if a lower bound is above its upper one or is not a number. O(n).
void check(const MixedNcp& problem);

/// Natural residual: max_i |x̂_i − clamp(x̂_i − F̂_i, l̂_i, û_i)|, zero exactly at solutions (Facchinei and Pang,
/// proposition 1.5.8). Here x̂ = x_i / s_i with s the problem's sizes, l̂ and û alike, and F̂_i = F_i / t_i. The size
/// t_i is the largest |J_ij| clamp(|x_j|, s_j, 1000 s_j) of the row (1 for a row of zeros). It says how much F_i
/// changes if one unknown changes by its own size or, if that is more, by all of itself. An unknown that has run away
/// excuses nothing beyond that. Where the problem gives a row's size, that is t_i: a caller may know that little of
/// what an unknown could do to the row is excused. So the residual is dimensionless and unchanged by any scaling of
/// rows. It says about what relative change of x mends x. F = e^−x, which tends to zero without ever getting there,
/// keeps a residual above 1e-3. Near a pole of F, where J has no bound, t grows with it. The residual is not finite
/// where F or J is not defined. This overload evaluates F and J and allocates.
double mixed_ncp_residual(const MixedNcp& problem, const Eigen::Ref<const Eigen::VectorXd>& x);

/// The same from x, F and a dense J.
double mixed_ncp_residual(const MixedNcp& problem, const Eigen::Ref<const Eigen::VectorXd>& x,
                          const Eigen::Ref<const Eigen::VectorXd>& F, const Eigen::Ref<const Eigen::MatrixXd>& J,
                          std::span<double> row_sizes);

/// The same from x, F and a sparse J. row_sizes: n, scratch.
double mixed_ncp_residual(const MixedNcp& problem, const Eigen::Ref<const Eigen::VectorXd>& x,
                          const Eigen::Ref<const Eigen::VectorXd>& F, const Eigen::SparseMatrix<double>& J,
                          std::span<double> row_sizes);

}  // namespace carom
