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

/// Contact problems with the operator A = G Gᵀ in factors. They have many contacts on few bodies (walls, piles), so
/// that A is singular, large and of low rank. The unknown is y = Gᵀ p, the change of the mechanism's velocity in the
/// kinetic metric: n numbers however many contacts there are.
///
/// With the lift s_i = μ ‖u_t,i‖ (for polygons see ImpulseSet) fixed, Coulomb's law is p_i ∈ C_i, a convex problem in
/// y. The method of multipliers solves it (Rockafellar 1976; Newton's steps within as in Li, Sun and Toh 2018):
///
///     y = Gᵀ p⁺,   p⁺_i = P_C(p_i − r_i (u_i + (G y)_i + (offset_i + s_i) e_n)),   then p ← p⁺, s ← lift of u⁺
///
/// The first line is the gradient of a convex, piecewise smooth function of y. Its Newton matrix is 1 + Gᵀ D G with
/// D_i = r_i ∂P_C, sparse and positive definite. From its solution with fixed lifts, Newton's steps go on with lifts
/// that follow the slip; their matrix is not symmetric. If they do not arrive, the lifts are fixed to the end of the
/// round. Far from a solution, Gauss–Seidel sweeps go before. The stiffness r_i = ρ / a_i grows from round to round
/// while the steps arrive, and falls if not. Redundant contacts that contradict one another by δ hand on their load by
/// ρ δ a round, so ρ grows far. To let ρ enlarge changes and not the round-off of sums, y counts from where a round
/// began. Contacts with velocities that do not vanish keep to a smaller ρ. If a round undoes the last one, half of it
/// is taken. The impulses stay near where they began. Among the ways to share a load between redundant contacts, one
/// near the warm start is found; none is preferred otherwise.
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
