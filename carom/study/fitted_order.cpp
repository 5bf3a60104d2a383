#include "carom/study/fitted_order.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom {
namespace {

/// log((a^p − b^p) / p) for a > b > 0, smooth through p = 0, where it is log log(a/b).
double log_difference(double a, double b, double p) {
  const double x = p * std::log(a / b);
  return p * std::log(b) + std::log(std::log(a / b)) + (x == 0 ? 0 : std::log(std::expm1(x) / x));
}

/// Variance of log c_k − log_difference(h_k, h_{k+1}, p).
double misfit(const std::vector<double>& steps, const std::vector<double>& changes, double p) {
  double n = 0, sum = 0, squares = 0;
  for (std::size_t k = 0; k < changes.size(); ++k) {
    if (!(changes[k] > 0) || !std::isfinite(changes[k])) continue;
    const double r = std::log(changes[k]) - log_difference(steps[k], steps[k + 1], p);
    n += 1;
    sum += r;
    squares += r * r;
  }
  return squares / n - (sum / n) * (sum / n);
}

}  // namespace

double order_of_changes(const std::vector<double>& steps, const std::vector<double>& changes) {
  const auto counts = [](double change) { return change > 0 && std::isfinite(change); };
  if (std::count_if(changes.begin(), changes.end(), counts) < 2) return std::numeric_limits<double>::quiet_NaN();
  // Golden section: the logarithms are so nearly straight in p that the misfit has one minimum.
  constexpr double ratio = 0.6180339887498949;
  double low = -4, high = 8;
  for (int i = 0; i < 80; ++i) {
    const double a = high - ratio * (high - low), b = low + ratio * (high - low);
    if (misfit(steps, changes, a) < misfit(steps, changes, b)) {
      high = b;
    } else {
      low = a;
    }
  }
  return 0.5 * (low + high);
}

double fitted_order(const std::vector<double>& x, const std::vector<double>& values) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (!(values[k] > 0) || !std::isfinite(values[k])) continue;
    const double a = std::log(x[k]), b = std::log(values[k]);
    n += 1;
    sx += a;
    sy += b;
    sxx += a * a;
    sxy += a * b;
  }
  return n < 2 ? std::numeric_limits<double>::quiet_NaN() : (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace carom
