#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "carom/complementarity/least_norm/active_set.h"
#include "carom/complementarity/least_norm/norm_dual.h"
#include "carom/numerics/cholesky.h"

namespace carom {

struct NormBoundOptions {
  double accuracy = 1e-7;  ///< of the bound, relative, at which its improvement ends
  double infeasible_above =
      1e6;  ///< multiple of the problem's natural impulse (the largest that one row would take to stop, |w_i| / A_ii)
  int power_steps = 16;  ///< values of τ tried at most
};

enum class NormBoundStatus {
  bounded,     ///< as good as it gets, to accuracy
  infeasible,  ///< the bound exceeds infeasible_above: no answer of any sensible size exists
  inaccurate,  ///< stopped short; the bound holds all the same
};

/// Multipliers with a large bound (see NormDual), for problems too large to search. For each of a rising sequence of τ,
/// then for bisected ones, it solves the convex problem
///
///     minimize ½ yᵀ H y + qᵀ y   subject to   G y + g in a product of half-lines and second-order cones
///
/// by the augmented Lagrangian method with semismooth Newton steps (Rockafellar, Math. Oper. Res. 1, 1976; Li, Sun and
/// Toh, SIAM J. Optim. 28, 2018). Its multipliers are in the dual cones at every step, so that every iterate bounds.
/// The power at the minimizer, Σ p_i w_i, is the slope of the bound in τ.
///
/// Cost: some ten to a hundred Cholesky factorizations of order k. Memory is kept, and grows with the size.
class LeastNormBound {
 public:
  [[nodiscard]] NormBoundStatus compute(const LeastNormProblem& problem, const NormBoundOptions& options,
                                        NormDual& dual);

 private:
  struct Cone {
    int first = 0, size = 1;  // rows of G: a half-line, or (x, y, z) with ‖(x, y)‖ ≤ z
    bool line = false;        // an equation
  };

  void lay_out(const LeastNormProblem& problem);
  void pose(const LeastNormProblem& problem);
  void add_condition(int row, bool equation);
  void add_cone(const Block& block, const BlockLabel& label, double given);
  void scale();
  double maximize(double tau, const NormBoundOptions& options, double limit);
  void project(Eigen::VectorXd& s, bool jacobian);
  double penalty_value(double sigma);
  bool newton(double sigma);
  double dual_value();
  void write(const LeastNormProblem& problem, double tau, double value, NormDual& dual) const;

  int n_ = 0, conditions_ = 0;  // unknowns, rows of G
  double unit_ = 1;             // of impulse, per scaled unknown
  double tau_unit_ = 1, fixed_ = 0;
  std::vector<Cone> cones_;
  std::vector<int> of_row_;     // unknown of each row of the problem, −1 where none
  std::vector<int> origin_;     // row of the problem of each row of G
  std::vector<double> factor_;  // what multiplies its multiplier there
  bool converged_ = false;
  int first_cone_ = 0;  // rows of G before it belong to λ, from it on to ν
  Eigen::VectorXd p_fixed_, w_, power_, g_, q_, x_, z_, s_, step_, direction_, gradient_, best_z_, best_step_, step_z_,
      trial_x_;
  Eigen::MatrixXd T_, AT_, power_matrix_, G_, H_, newton_matrix_, JG_;
  Cholesky factors_, newton_factors_;
};

/// Verdict of a bound on an answer.
enum class Optimality {
  optimal,  ///< no admissible answer is shorter by more than 1e-6, relative
  within,   ///< none is shorter by more than `excess`
  unknown,  ///< the answer is not admissible, or the bound is 0
};

struct OptimalityGap {
  Optimality optimality = Optimality::unknown;
  double excess = 0;  ///< norm / bound − 1
};

/// dual_bound: proven_norm of the multipliers.
OptimalityGap optimality_gap(LabelStatus status, double norm, double dual_bound);

}  // namespace carom
