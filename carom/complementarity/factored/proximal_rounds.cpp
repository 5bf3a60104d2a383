#include "carom/complementarity/factored/proximal_rounds.h"

#include <algorithm>
#include <cmath>

namespace carom {

namespace {

constexpr double rho = 10;
constexpr double first_epsilon = 1e-4, least_epsilon = 1e-8, most_epsilon = 1;
constexpr double shrink = 0.1, growth = 100;
constexpr double solved = 0.1;  // residual of a round, of the residual that it began with
constexpr double worse = 2;     // residual of a centre, of the one before it
constexpr int most_rounds = 30, steps_per_round = 15, halvings = 4;
constexpr std::size_t window = 3;  // merits that a step may climb to

double largest_impulse(const FactoredProblem& problem, const std::vector<double>& p) {
  double most = 0;
  for (const Block& block : problem.blocks()) {
    double square = 0;
    for (int i = 0; i < block.size(); ++i) square += p[block.row + i] * p[block.row + i];
    most = std::max(most, square);
  }
  return most > 0 ? std::sqrt(most) : 1;
}

}  // namespace

FactoredResult ProximalRounds::run(FactoredProblem& problem, const ProximalRoundsOptions& options,
                                   std::vector<double>& p) {
  newton_.begin(problem, rho, options.stop);
  newton_.pull_to(p, rho * first_epsilon);
  newton_.start_at(p);
  FactoredResult best{newton_.residual(), 0};
  const double size = largest_impulse(problem, p);
  centre_ = p;
  double of_centre = best.residual, epsilon = first_epsilon;
  for (int round = 0; round < most_rounds && best.residual > options.tolerance; ++round) {
    newton_.pull_to(centre_, rho * epsilon);
    newton_.start_at(centre_);
    recent_.clear();
    bool arrived = false;
    for (int step = 0; step < steps_per_round; ++step) {
      arrived = step > 0 && newton_.largest() <= solved * std::min(of_centre, best.residual) * size;
      if (arrived || best.iterations == options.max_steps) break;
      recent_.push_back(newton_.merit());
      const auto first = recent_.size() > window ? recent_.end() - window : recent_.begin();
      if (!newton_.step(0, *std::max_element(first, recent_.end()), halvings)) break;
      ++best.iterations;
      const double residual = newton_.residual();
      if (residual < best.residual) {
        best.residual = residual;
        p = newton_.impulse();
      }
      if (best.residual <= options.tolerance) return best;
    }
    if (best.iterations == options.max_steps) return best;
    const double residual = newton_.residual();
    if (arrived && residual < worse * of_centre) {
      centre_ = newton_.impulse();
      of_centre = residual;
    } else {
      centre_ = p;
      of_centre = best.residual;
    }
    epsilon = arrived ? std::max(least_epsilon, shrink * epsilon) : std::min(most_epsilon, growth * epsilon);
  }
  return best;
}

}  // namespace carom
