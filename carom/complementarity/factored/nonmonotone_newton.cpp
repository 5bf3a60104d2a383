#include "carom/complementarity/factored/nonmonotone_newton.h"

#include <algorithm>

namespace carom {

namespace {

constexpr double rho = 3;
constexpr double least_epsilon = 1e-8, most_epsilon = 1e-2, epsilon_of_residual = 100;
constexpr double progress = 0.9;
constexpr int patience = 3, halvings = 6;

}  // namespace

FactoredResult NonmonotoneNewton::run(FactoredProblem& problem, const NonmonotoneOptions& options,
                                      std::vector<double>& p) {
  newton_.begin(problem, rho, options.stop);
  newton_.start_at(p);
  FactoredResult best{newton_.residual(), 0};
  double highest = 0;
  int stale = 0, steps = 0;
  while (best.residual > options.tolerance && steps < options.max_steps && stale <= patience) {
    highest = std::max(highest, newton_.merit());
    const double epsilon = std::clamp(epsilon_of_residual * best.residual, least_epsilon, most_epsilon);
    if (!newton_.step(epsilon, highest, halvings)) break;
    ++steps;
    const double residual = newton_.residual();
    stale = residual < progress * best.residual ? 0 : stale + 1;
    if (residual >= best.residual) continue;
    best.residual = residual;
    p = newton_.impulse();
  }
  best.iterations = steps;
  return best;
}

}  // namespace carom
