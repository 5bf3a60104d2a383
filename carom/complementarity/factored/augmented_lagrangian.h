#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <span>
#include <vector>

#include "carom/complementarity/factored/grouped_matrix.h"
#include "carom/complementarity/factored/impulse_set.h"
#include "carom/stop_signal.h"

namespace carom {

struct AugmentedLagrangianOptions {
  int directions = 0;                ///< generators of the friction cones; 0: the exact cone
  double tolerance = 1e-9;           ///< on the residual below
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
/// residual: max_i ‖p_i − P_C(p_i − (w_i + s_i e_n) / a_i)‖ over the largest ‖p_i‖, w = u⁺ + offset, a_i the mean
/// diagonal entry of the block (certify's natural map where the cone is exact), or 0.11 of the same in units of
/// velocity.
///
/// Kinds of blocks: see knows(). Cost: a Newton step factors a sparse n × n matrix; settled
/// stacks take none from a warm start.
class AugmentedLagrangian {
 public:
  /// Whether the method can take such a block.
  static bool knows(const Block& block, int directions);

  /// problem.A in factors, all blocks known. warm_start: k impulses or empty. impulse, velocity: k.
  [[nodiscard]] ContactSolution solve(const ContactProblem& problem, const AugmentedLagrangianOptions& options,
                                      std::span<const double> warm_start, Eigen::Ref<Eigen::VectorXd> impulse,
                                      Eigen::Ref<Eigen::VectorXd> velocity);

 private:
  void prepare(const ContactProblem& problem, int directions);
  void respond(const std::vector<double>& p);
  double measure(const std::vector<double>& p) const;
  void lift(double share);
  double lag() const;
  bool still() const;
  void sweep();
  void approach();
  void keep(double residual);
  void begin_round(double rho);
  double size() const { return std::max({size_, y_.norm(), 1e-300}); }
  int descend(double tolerance, int most);
  int follow(double tolerance, int most);
  double evaluate(bool lifted);
  bool advance(double rho, double tolerance, int most);
  void run(const AugmentedLagrangianOptions& options);

  ContactFactors G_;  // rows in units of the sets
  std::vector<Block> blocks_;
  std::vector<PolygonCorner> polygon_;
  std::vector<ImpulseSet> sets_;
  std::vector<double> u_;  // with the offset in the normal row
  std::vector<double> mean_diagonal_, lift_, stiffness_;
  double velocity_size_ = 1;
  double size_ = 0;  // ‖Gᵀp‖ where a round began
  Eigen::VectorXd y_, gradient_, step_, from_y_, held_y_;
  std::vector<double> p_, w_, projected_, change_, from_w_, held_w_, held_lift_, derivative_;
  GroupedMatrix newton_;
  int iterations_ = 0, steps_ = 0;  // of the solve, of a round
  const StopSignal* stop_ = nullptr;
  bool stands_ = false;  // begun near a solution, and each round came nearer
  double least_ = 0;     // residual of best_
  std::vector<double> best_, round_start_;
};

}  // namespace carom
