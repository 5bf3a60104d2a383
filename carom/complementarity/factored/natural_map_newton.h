#pragma once

#include <Eigen/Core>
#include <vector>

#include "carom/complementarity/factored/factored_problem.h"

namespace carom {

/// Newton's steps on the impulses themselves, on the natural map of every block
///
///     R(p) = p − P_C(x),   x = p − r (w + s e_n) − τ (p − c),   w = u + offset + G y,   y = Gᵀ p
///
/// with a lift s that follows the slip, r = ρ / a of the block, and a pull τ towards a centre c. A step with
/// V = ∂P_C(x), E = 1 + e_n ∂s/∂w and a regularisation ε is
///
///     (M + r V E G Gᵀ) dp = −R,   M = 1 + ε − (1 − τ) V
///
/// or, M inverted block by block, one factorisation of the mechanism's size:
///
///     (1 + Gᵀ r M⁻¹ V E G) dy = −Gᵀ M⁻¹ R,   dp = −M⁻¹ (R + r V E G dy)
///
/// ε or τ must be positive: where a contact sticks V is 1. Semismooth Newton on the natural map: Qi and Sun 1993; of
/// contact with friction in this form: Alart and Curnier 1991.
class NaturalMapNewton {
 public:
  /// A copy of `centre` is kept; empty: τ is 0. `stop` is asked at every step and within; or null.
  void begin(FactoredProblem& problem, double rho, const StopSignal* stop);
  void pull_to(const std::vector<double>& centre, double tau);

  /// Takes p as the iterate.
  void start_at(const std::vector<double>& p);

  /// One step with ε from the iterate, halved at most `halvings` times until the merit is below `reference`; else the
  /// halving of least merit. False, and nothing is moved, if the matrix is singular.
  bool step(double epsilon, double reference, int halvings);

  const std::vector<double>& impulse() const { return p_; }
  double residual() const { return problem_->measure(p_, w_); }
  double merit() const { return merit_; }      ///< Σ a ‖R‖² of the iterate
  double largest() const { return largest_; }  ///< max ‖R‖ / ρ, an impulse

 private:
  void evaluate(const std::vector<double>& p, const std::vector<double>& w, bool derivatives);
  void invert(double epsilon);

  FactoredProblem* problem_ = nullptr;
  const StopSignal* stop_ = nullptr;
  double rho_ = 1, tau_ = 0, merit_ = 0, largest_ = 0;
  std::vector<double> p_, w_, centre_, R_, step_, change_, trial_p_, trial_w_;
  std::vector<double> V_, slope_, inverse_, D_;  // by block: stride², stride, stride², stride² numbers
  Eigen::VectorXd y_, right_, dy_;
};

}  // namespace carom
