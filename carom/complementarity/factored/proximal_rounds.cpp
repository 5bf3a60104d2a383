#include "carom/complementarity/factored/proximal_rounds.h"

#include <algorithm>
#include <cmath>

namespace carom {

namespace {

constexpr double round_rho = 10;
constexpr double round_first_epsilon = 1e-4, round_least_epsilon = 1e-8, round_most_epsilon = 1;
constexpr double round_shrink = 0.1, round_growth = 100;
constexpr double round_solved = 0.1;  // residual of a round, of the residual that it began with
constexpr double round_worse = 2;     // residual of a centre, of the one before it
constexpr int round_most_rounds = 30, round_steps_per_round = 15, round_halvings = 4;
constexpr std::size_t round_window = 3;  // merits that a step may climb to

double largest_impulse(const FactoredProblem& problem, const std::vector<double>& p) {
  double most = 0;
  for (const Block& block : problem.blocks()) {
    double square = 0;
    for (int i = 0; i < block.size(); ++i) square += p[block.row + i] * p[block.row + i];
    most = std::max(most, square);
  }
  return std::sqrt(most);
}

}  // namespace

FactoredResult ProximalRounds::run(FactoredProblem& problem, const ProximalRoundsOptions& options,
                                   std::vector<double>& p) {
  newton_.begin(problem, round_rho, options.stop);
  newton_.pull_to(p, round_rho * round_first_epsilon);
  newton_.start_at(p);
  FactoredResult best{newton_.residual(), 0};
  const double at_start = largest_impulse(problem, p);
  centre_ = p;
  double of_centre = best.residual, epsilon = round_first_epsilon;
  for (int round = 0; round < round_most_rounds && best.residual > options.tolerance; ++round) {
    newton_.pull_to(centre_, round_rho * epsilon);
    newton_.start_at(centre_);
    recent_.clear();
    bool arrived = false;
    for (int step = 0; step < round_steps_per_round; ++step) {
      const double size = at_start > 0 ? at_start : largest_impulse(problem, newton_.impulse());
      arrived = step > 0 && newton_.largest() <= round_solved * std::min(of_centre, best.residual) * size;
      if (arrived || best.iterations == options.max_steps) break;
      recent_.push_back(newton_.merit());
      const auto first = recent_.size() > round_window ? recent_.end() - round_window : recent_.begin();
      if (!newton_.step(0, *std::max_element(first, recent_.end()), round_halvings)) break;
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
    if (arrived && residual < round_worse * of_centre) {
      centre_ = newton_.impulse();
      of_centre = residual;
    } else {
      centre_ = p;
      of_centre = best.residual;
    }
    epsilon = arrived ? std::max(round_least_epsilon, round_shrink * epsilon)
                      : std::min(round_most_epsilon, round_growth * epsilon);
  }
  return best;
}

}  // namespace carom
