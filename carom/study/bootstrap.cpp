#include "carom/study/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "carom/study/quantile.h"

namespace carom {
namespace {

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// Puts the values into another order.
double median_of(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

template <class Statistic>
Interval bootstrap(const std::vector<double>& values, const BootstrapOptions& options, const Statistic& statistic) {
  const std::size_t n = values.size();
  std::vector<double> drawn = values;
  Interval interval;
  if (!std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); })) {
    interval.mean = interval.lower = interval.upper = std::numeric_limits<double>::quiet_NaN();
    return interval;  // draws with and without such a value have no order
  }
  interval.mean = statistic(drawn);
  std::mt19937_64 random(options.seed);
  std::vector<double> statistics(static_cast<std::size_t>(std::max(1, options.draws)));
  for (double& one : statistics) {
    // The upper bits of a product place a draw in 0 … n − 1 alike with every standard library.
    for (double& value : drawn) value = values[((random() >> 32) * n) >> 32];
    one = statistic(drawn);
  }
  std::sort(statistics.begin(), statistics.end());
  interval.lower = quantile(statistics, 0.025);
  interval.upper = quantile(statistics, 0.975);
  return interval;
}

}  // namespace

Interval bootstrap_mean(const std::vector<double>& values, const BootstrapOptions& options) {
  return bootstrap(values, options, mean_of);
}

Interval bootstrap_median(const std::vector<double>& values, const BootstrapOptions& options) {
  return bootstrap(values, options, median_of);
}

}  // namespace carom
