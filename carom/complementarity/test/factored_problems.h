#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "carom/complementarity/certificate.h"
#include "carom/complementarity/factored/augmented_lagrangian.h"
#include "carom/complementarity/factored/factored_problem.h"
#include "testing/problems/problem_factors.h"
#include "testing/problems/problem_families.h"

namespace carom::factored_test {

using families::factors_of;

/// Unilateral rows of one direction on one body that contradict one another: each asks for `apart` more than the one
/// before.
struct EqualRows {
  EqualRows(int count, double apart) : u(Eigen::VectorXd::Constant(count, -1)) {
    G.group_start.push_back(1);
    for (int i = 0; i < count; ++i) {
      G.group.push_back(0);
      G.value.push_back(1);
      G.row_start.push_back(i + 1);
      G.value_start.push_back(i + 1);
      blocks.push_back({.kind = BlockKind::unilateral, .row = i, .offset = apart * i});
    }
  }
  ContactProblem problem() const { return {G, u, blocks}; }

  ContactFactors G;
  Eigen::VectorXd u;
  std::vector<Block> blocks;
};

/// The worst that the certificate says of both cones' conditions.
inline double worst(const SolveCertificate& c, int directions) {
  const double both = std::max(
      {c.normal_complementarity, c.cone_violation, c.dissipation_residual, c.bilateral_residual, c.bounded_residual});
  return directions == 0 ? std::max(both, c.natural_map) : both;
}

/// One method in factors by itself. run: what it makes of the posed problem and impulses in its units.
template <class Run>
ContactSolution by_one_method(const ContactProblem& problem, int directions, double tolerance,
                              std::span<const double> start, Eigen::Ref<Eigen::VectorXd> impulse,
                              Eigen::Ref<Eigen::VectorXd> velocity, const Run& run) {
  FactoredProblem posed;
  posed.pose(problem, directions);
  std::vector<double> p;
  posed.to_units(start, p);
  const FactoredResult result = run(posed, p);
  posed.from_units(p, impulse);
  problem.A.multiply(impulse, velocity);
  velocity += problem.u;
  ContactSolution solution;
  solution.iterations = result.iterations;
  solution.residual = result.residual;
  solution.status = result.residual <= tolerance ? SolveStatus::solved : SolveStatus::inaccurate;
  return solution;
}

inline ContactSolution by_multipliers(const ContactProblem& problem, int directions, std::span<const double> start,
                                      Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> velocity) {
  const AugmentedLagrangianOptions options;
  return by_one_method(
      problem, directions, options.tolerance, start, impulse, velocity,
      [&](FactoredProblem& posed, std::vector<double>& p) { return AugmentedLagrangian().run(posed, options, p); });
}

}  // namespace carom::factored_test
