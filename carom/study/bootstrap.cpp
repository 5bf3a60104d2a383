#include "carom/study/bootstrap.h"

#include <algorithm>
#include <random>

#include "carom/study/quantile.h"

namespace carom {
Interval bootstrap_mean(const std::vector<double>& values, const BootstrapOptions& options) {
  const std::size_t n = values.size();
  Interval interval;
  for (const double value : values) interval.mean += value / static_cast<double>(n);
  std::mt19937_64 random(options.seed);
  std::vector<double> means(static_cast<std::size_t>(std::max(1, options.draws)));
  for (double& mean : means) {
    double sum = 0;
    // The upper bits of a product place a draw in 0 … n − 1 alike with every standard library.
    for (std::size_t i = 0; i < n; ++i) sum += values[((random() >> 32) * n) >> 32];
    mean = sum / static_cast<double>(n);
  }
  std::sort(means.begin(), means.end());
  interval.lower = quantile(means, 0.025);
  interval.upper = quantile(means, 0.975);
  return interval;
}

}  // namespace carom
