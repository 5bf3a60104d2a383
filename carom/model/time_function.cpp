#include "carom/model/time_function.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

namespace carom {
namespace {

double slope(const TimeFunction& f, std::size_t i) {
  return (f.values[i + 1] - f.values[i]) / (f.times[i + 1] - f.times[i]);
}

/// Rate of the table at its i-th time. It is zero where the values turn and at both ends, else the weighted harmonic
/// mean of the slopes on both sides.
double table_rate(const TimeFunction& f, std::size_t i) {
  if (i == 0 || i + 1 == f.times.size()) return 0;
  const double before = slope(f, i - 1), after = slope(f, i);
  if (before * after <= 0) return 0;
  const double h_before = f.times[i] - f.times[i - 1], h_after = f.times[i + 1] - f.times[i];
  const double weight = (h_before + 2 * h_after) / (3 * (h_before + h_after));
  return before * after / (weight * after + (1 - weight) * before);
}

struct ValueAndRate {
  double value = 0, rate = 0;
};

ValueAndRate table_at(const TimeFunction& f, double t) {
  if (f.times.empty()) return {};
  if (t <= f.times.front()) return {f.values.front(), 0};
  if (t >= f.times.back()) return {f.values.back(), 0};
  const auto next = std::upper_bound(f.times.begin(), f.times.end(), t);
  const auto i = static_cast<std::size_t>(next - f.times.begin()) - 1;
  const double h = f.times[i + 1] - f.times[i], s = (t - f.times[i]) / h;
  const double left = table_rate(f, i) * h, right = table_rate(f, i + 1) * h;
  const double rise = f.values[i + 1] - f.values[i];
  // Hermite's cubic on the unit interval.
  const double square = 3 * rise - 2 * left - right, cube = left + right - 2 * rise;
  return {f.values[i] + s * (left + s * (square + s * cube)), (left + s * (2 * square + 3 * s * cube)) / h};
}

bool all_finite(const std::vector<double>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace

double TimeFunction::at(double t) const {
  double sum = 0;
  for (std::size_t k = polynomial.size(); k-- > 0;) sum = sum * t + polynomial[k];
  for (const Sinusoid& s : sinusoids) sum += s.amplitude * std::sin(2 * std::numbers::pi * s.frequency * t + s.phase);
  return sum + table_at(*this, t).value;
}

double TimeFunction::rate(double t) const {
  double sum = 0;
  for (std::size_t k = polynomial.size(); k-- > 1;) sum = sum * t + static_cast<double>(k) * polynomial[k];
  for (const Sinusoid& s : sinusoids) {
    const double speed = 2 * std::numbers::pi * s.frequency;
    sum += s.amplitude * speed * std::cos(speed * t + s.phase);
  }
  return sum + table_at(*this, t).rate;
}

std::string time_function_fault(const TimeFunction& function) {
  const bool finite = all_finite(function.polynomial) && all_finite(function.times) && all_finite(function.values) &&
                      std::all_of(function.sinusoids.begin(), function.sinusoids.end(), [](const Sinusoid& s) {
                        return std::isfinite(s.amplitude) && std::isfinite(s.frequency) && std::isfinite(s.phase);
                      });
  if (!finite) return "has a number that is not finite; every coefficient, time and value must be";
  std::ostringstream text;
  if (function.times.size() != function.values.size()) {
    text << "has a table of " << function.times.size() << " times and " << function.values.size()
         << " values; give as many of each";
    return text.str();
  }
  const auto place =
      std::adjacent_find(function.times.begin(), function.times.end(), [](double a, double b) { return !(a < b); });
  if (place == function.times.end()) return "";
  text << "has a table whose times go from " << *place << " to " << *(place + 1)
       << "; each must be later than the one before";
  return text.str();
}

}  // namespace carom
