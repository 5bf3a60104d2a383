#include "carom/complementarity/mixed/semismooth_newton.h"

#include <algorithm>
#include <cmath>

namespace carom {

namespace {

/// Halvings of a Newton step before another direction is tried.
constexpr int newton_halvings = 12;

}  // namespace

bool SemismoothNewton::regularized_step(NcpIterate& iterate, double weight) {
  const double square = iterate.matrix().largest() * iterate.matrix().largest();
  const double lambda = square * weight;
  if (!(lambda > 0) || !iterate.matrix().solve_regularized(lambda, rhs_.data(), direction_.data())) return false;
  return iterate.search(direction_.data(), newton_halvings);
}

bool SemismoothNewton::step(NcpIterate& iterate) {
  const int n = iterate.model().size();
  rhs_.resize(n);
  direction_.resize(n);
  for (int i = 0; i < n; ++i) rhs_[i] = -iterate.phi()[i];
  if (iterate.matrix().factor()) {
    iterate.matrix().solve(rhs_.data(), direction_.data());
    if (iterate.search(direction_.data(), newton_halvings)) return true;
  }
  // Relative to H: near the merit itself, but never so small that round-off decides, nor so large as a gradient step.
  const double near = std::clamp(2 * iterate.merit(), 1e-13, 1e-3);
  return regularized_step(iterate, near) || regularized_step(iterate, std::max(1e-2, near)) || iterate.gradient_step();
}

NcpStatus SemismoothNewton::run(NcpIterate& iterate, const NcpIterate::Goal& goal, int& iterations) {
  return iterate.descend(goal, iterations, [&] { return step(iterate); });
}

}  // namespace carom
