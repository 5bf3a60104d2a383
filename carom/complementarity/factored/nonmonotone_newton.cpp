#include "carom/complementarity/factored/nonmonotone_newton.h"

#include <algorithm>

namespace carom {

namespace {

constexpr double climbing_rho = 3;
constexpr double climbing_least_epsilon = 1e-8, climbing_most_epsilon = 1e-2, climbing_epsilon_of_residual = 100;
constexpr double climbing_progress = 0.9;
constexpr int climbing_patience = 3, climbing_halvings = 6;

}  // namespace

FactoredResult NonmonotoneNewton::run(FactoredProblem& problem, const NonmonotoneOptions& options,
                                      std::vector<double>& p) {
  newton_.begin(problem, climbing_rho, options.stop);
  newton_.start_at(p);
  FactoredResult best{newton_.residual(), 0};
  double highest = 0;
  int stale = 0, steps = 0;
  while (best.residual > options.tolerance && steps < options.max_steps && stale <= climbing_patience) {
    highest = std::max(highest, newton_.merit());
    const double epsilon =
        std::clamp(climbing_epsilon_of_residual * best.residual, climbing_least_epsilon, climbing_most_epsilon);
    if (!newton_.step(epsilon, highest, climbing_halvings)) break;
    ++steps;
    const double residual = newton_.residual();
    stale = residual < climbing_progress * best.residual ? 0 : stale + 1;
    if (residual >= best.residual) continue;
    best.residual = residual;
    p = newton_.impulse();
  }
  best.iterations = steps;
  return best;
}

}  // namespace carom
