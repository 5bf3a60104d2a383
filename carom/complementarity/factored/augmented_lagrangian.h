#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <vector>

#include "carom/complementarity/factored/factored_problem.h"
#include "carom/stop_signal.h"

namespace carom {

struct AugmentedLagrangianOptions {
  double tolerance = 1e-9;           ///< on FactoredProblem::measure
  int max_iterations = 600;          ///< Newton steps of all rounds together
  const StopSignal* stop = nullptr;  ///< asked at every one, and within them; null: nothing stops it
};

/// Contact problems with the operator A = G Gᵀ in factors: many contacts on few bodies (walls, piles), where A is
/// singular, large and of low rank. Unknown is y = Gᵀ p, the change of the mechanism's velocity in the kinetic metric,
/// n numbers however many contacts there are.
///
/// With the lift s_i = μ ‖u_t,i‖ (of polygons as in ImpulseSet) held, Coulomb's law is p_i ∈ C_i, a convex problem in
/// y, and the method of multipliers solves it (Rockafellar 1976; Newton's steps within as in Li, Sun and Toh 2018):
///
///     y = Gᵀ p⁺,   p⁺_i = P_C(p_i − r_i (u_i + (G y)_i + (offset_i + s_i) e_n)),   then p ← p⁺, s ← lift of u⁺
///
/// The first line is the gradient of a convex function of y, piecewise smooth; its Newton matrix is 1 + Gᵀ D G with D_i
/// = r_i ∂P_C, sparse and positive definite. From its solution, where the lifts were held, Newton's steps with lifts
/// that follow the slip, whose matrix is not symmetric, go on as long as they arrive; where they do not, the lifts are
/// held to the end of the round. Far from a solution sweeps of Gauss and Seidel's kind go before. r_i = ρ / a_i grows
/// from round to round while they arrive, and falls where not. Redundant contacts that contradict one another by δ hand
/// their load on by ρ δ a round, so ρ goes far; y counts from where a round began, so that what ρ enlarges are changes
/// and not the round-off of sums, and contacts with velocities that do not vanish keep to a smaller one. Where a round
/// undoes the last one, half of it is taken. p stays near where it began: of the ways to share a load
/// among redundant contacts one near the warm start is found, and none is preferred otherwise.
///
/// Kinds of blocks: all that FactoredProblem knows. Cost: a Newton step factors a sparse n × n matrix; settled stacks
/// take none from a warm start.
class AugmentedLagrangian {
 public:
  /// p: impulses in the problem's units to begin with; the best that were found when it ends. An iteration is a Newton
  /// step, or ten sweeps.
  [[nodiscard]] FactoredResult run(FactoredProblem& problem, const AugmentedLagrangianOptions& options,
                                   std::vector<double>& p);

 private:
  void lift(double share);
  double lag() const;
  void approach();
  void keep(double residual);
  void begin_round(double rho);
  double size() const { return std::max({size_, y_.norm(), 1e-300}); }
  int descend(double tolerance, int most);
  int follow(double tolerance, int most);
  double evaluate(bool lifted);
  bool factor(GroupedMatrix::Kind kind);
  bool advance(double rho, double tolerance, int most);
  void advance_rounds(const AugmentedLagrangianOptions& options);

  FactoredProblem* problem_ = nullptr;
  std::vector<double> lift_, stiffness_;
  double size_ = 0;  // ‖Gᵀp‖ where a round began
  Eigen::VectorXd y_, gradient_, step_, from_y_, held_y_;
  std::vector<double> p_, w_, projected_, change_, from_w_, held_w_, held_lift_, derivative_;
  int iterations_ = 0, steps_ = 0;  // of the solve, of a round
  const StopSignal* stop_ = nullptr;
  bool stands_ = false;  // begun near a solution, and each round came nearer
  double least_ = 0;     // residual of best_
  std::vector<double> best_, round_start_;
};

}  // namespace carom
