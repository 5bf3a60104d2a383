#include "carom/study/noisy_minimum.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <nlopt.hpp>

namespace carom {
namespace {

/// The function on the unit cube, with the best point that was seen.
struct Search {
  const std::function<double(const std::vector<double>&)>& function;
  const std::vector<double>&lower, &upper;
  std::vector<double> best, scratch;
  double least = 0;
  int evaluations = 0;
  std::exception_ptr thrown = nullptr;

  double evaluate(const std::vector<double>& unit) {
    for (std::size_t i = 0; i < unit.size(); ++i) scratch[i] = lower[i] + unit[i] * (upper[i] - lower[i]);
    const double value = function(scratch);
    if (evaluations++ == 0 || value < least) {
      least = value;
      best = unit;
    }
    return value;
  }
};

/// NLopt would put an exception of its own in place of whatever is thrown through it: it is kept, and NLopt stopped.
double objective(const std::vector<double>& unit, std::vector<double>& /*gradient*/, void* data) {
  auto* search = static_cast<Search*>(data);
  try {
    return search->evaluate(unit);
  } catch (...) {
    search->thrown = std::current_exception();
    throw nlopt::forced_stop();
  }
}

void run_round(Search& search, nlopt::algorithm method, double step, int evaluations, double resolution) {
  nlopt::opt optimizer(method, static_cast<unsigned>(search.best.size()));
  optimizer.set_lower_bounds(0);
  optimizer.set_upper_bounds(1);
  optimizer.set_initial_step(step);
  optimizer.set_xtol_abs(resolution);
  optimizer.set_maxeval(evaluations);
  optimizer.set_min_objective(objective, &search);
  std::vector<double> at = search.best;
  try {
    optimizer.optimize(at);
  } catch (const nlopt::roundoff_limited&) {  // as good as it gets: the best point is kept
  } catch (...) {
    if (!search.thrown) throw;
  }
  if (search.thrown) std::rethrow_exception(search.thrown);
}

}  // namespace

Minimum noisy_minimum(const std::function<double(const std::vector<double>&)>& function,
                      const std::vector<double>& start, const std::vector<double>& lower,
                      const std::vector<double>& upper, const MinimumOptions& options) {
  std::vector<double> unit(start.size());
  for (std::size_t i = 0; i < start.size(); ++i) {
    unit[i] = std::clamp((start[i] - lower[i]) / (upper[i] - lower[i]), 0.0, 1.0);
  }
  Search search{function, lower, upper, unit, start, 0, 0, nullptr};
  search.evaluate(unit);
  double step = options.step;
  const auto fewest = static_cast<int>(2 * start.size() + 2);  // for a quadratic model to begin with
  const auto left = [&] { return options.evaluations - search.evaluations; };
  while (left() > 0 && !start.empty()) {
    const double before = search.least;
    if (start.size() > 1 && left() > fewest) run_round(search, nlopt::LN_BOBYQA, step, left(), options.resolution);
    if (left() > 0) run_round(search, nlopt::LN_SBPLX, 0.4 * step, left(), options.resolution);
    if (before - search.least <= options.gain * std::abs(before)) break;
    step *= 0.5;
  }
  Minimum minimum{std::vector<double>(start.size()), search.least, search.evaluations};
  for (std::size_t i = 0; i < start.size(); ++i) minimum.at[i] = lower[i] + search.best[i] * (upper[i] - lower[i]);
  return minimum;
}

}  // namespace carom
