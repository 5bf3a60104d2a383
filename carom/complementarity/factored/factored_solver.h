#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "carom/complementarity/factored/augmented_lagrangian.h"
#include "carom/complementarity/factored/cone_interior.h"
#include "carom/complementarity/factored/factored_problem.h"
#include "carom/complementarity/factored/nonmonotone_newton.h"
#include "carom/complementarity/factored/proximal_rounds.h"

namespace carom {

struct FactoredOptions {
  int directions = 0;                ///< generators of the friction cones; 0: the exact cone
  double tolerance = 1e-9;           ///< on FactoredProblem::measure, asked for where it is cheap
  double enough = 1e-9;              ///< the same of a solution: not less than `tolerance`
  int max_iterations = 600;          ///< of the last method
  const StopSignal* stop = nullptr;  ///< asked at every iteration, and within; null: nothing stops it
};

/// Contact problems with A = G Gᵀ in factors: many contacts on few bodies, walls and heaps. Methods one after the
/// other, the cheapest first, each only where the ones before it did not arrive:
///
///     Multipliers    6 iterations to `tolerance`, if the start is near and nothing that pushes moves.
///     Sweeps         20 of Gauss–Seidel, from a start that is far.
///     Newton         A few steps solve most of what changed a little (nonmonotone_newton.h).
///     Interior       From where the sweeps ended, down to 1e-4; Newton's end is often a trap (cone_interior.h).
///                    Once more from nothing where that jams above 1e-3.
///     Proximal       From there (proximal_rounds.h).
///     Multipliers    From the best of all: slow and sure (augmented_lagrangian.h).
///
/// Rows of redundant contacts contradict one another by some 1e-8 of what a step adds to velocities. Which of them bear
/// load is decided in the last digits; half of all iterations go there if `enough` is `tolerance`. With a looser one, a
/// structure that moves is solved to `enough`. One at rest, where creep shows, is solved to `tolerance` if 6 iterations
/// do that, or 12 after it has just come to rest.
///
/// Blocks: all that FactoredProblem knows; the interior point is left out where it does not know them. Results depend
/// on the problem, the options and the warm start alone.
class FactoredSolver {
 public:
  /// warm_start: k impulses or empty. impulse, velocity: k. The solution's `tolerance` is the one that applied to it.
  /// Iterations: factorisations, and tens of sweeps.
  [[nodiscard]] ContactSolution solve(const ContactProblem& problem, const FactoredOptions& options,
                                      std::span<const double> warm_start, Eigen::Ref<Eigen::VectorXd> impulse,
                                      Eigen::Ref<Eigen::VectorXd> velocity);

 private:
  void run(const FactoredOptions& options);
  bool arrive(const FactoredOptions& options);
  void by_multipliers(SolverRung rung, double tolerance, int most, const FactoredOptions& options);
  void sweep(const StopSignal* stop);
  void by_interior_point(const FactoredOptions& options);
  bool stands();
  void take(SolverRung rung, const FactoredResult& result, const std::vector<double>& p);

  FactoredProblem problem_;
  AugmentedLagrangian multipliers_;
  NonmonotoneNewton newton_;
  ConeInterior interior_;
  ProximalRounds proximal_;
  std::vector<double> best_, p_, w_, swept_;
  Eigen::VectorXd y_;
  double residual_ = 0;  // of best_
  int iterations_ = 0;
  RungTrace rungs_;
};

}  // namespace carom
