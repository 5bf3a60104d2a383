#pragma once

#include <cstdint>
#include <vector>

namespace carom {

/// A mean, or another statistic, and the limits between which 95 % of those of resampled data lie.
struct Interval {
  double mean = 0, lower = 0, upper = 0;
  bool excludes_zero() const { return lower > 0 || upper < 0; }
};

struct BootstrapOptions {
  int draws = 4000;        ///< resamples
  std::uint64_t seed = 1;  ///< the same seed draws the same resamples
};

/// Percentile bootstrap of the mean (Efron 1979). In each of the draws, n values are drawn with replacement, and their
/// mean is taken. The limits are the 2.5 % and 97.5 % quantiles of these means. The values have to be independent of
/// one another, such as errors of tosses, or differences of two simulators' errors toss by toss. There is at least one
/// value. O(n · draws).
Interval bootstrap_mean(const std::vector<double>& values, const BootstrapOptions& options = {});
/// The same of the median, with the same draws.
Interval bootstrap_median(const std::vector<double>& values, const BootstrapOptions& options = {});

}  // namespace carom
