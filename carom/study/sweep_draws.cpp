#include "carom/study/sweep_draws.h"

#include <boost/math/special_functions/erf.hpp>
#include <boost/random/sobol.hpp>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

namespace carom {
namespace {

/// Mixes the bits of a counter (splitmix64: Steele, Lea and Flood 2014).
std::uint64_t mixed(std::uint64_t counter) {
  std::uint64_t z = counter + 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

std::uint64_t bits_of(std::uint64_t seed, std::uint64_t dimension, std::uint64_t point) {
  return mixed(mixed(mixed(seed) + dimension) + point);
}

/// The middle of one of 2⁵² intervals of (0, 1).
double unit(std::uint64_t bits) { return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52; }

void make_latin(std::uint64_t seed, std::vector<std::vector<double>>& points) {
  const std::size_t count = points.size();
  for (std::size_t d = 0; count > 0 && d < points.front().size(); ++d) {
    std::vector<std::size_t> place(count);
    std::iota(place.begin(), place.end(), std::size_t{0});
    // The directions behind the points' own give the order of the intervals.
    for (std::size_t i = count - 1; i > 0; --i) std::swap(place[i], place[bits_of(seed, ~d, i) % (i + 1)]);
    for (std::size_t i = 0; i < count; ++i) {
      points[i][d] = (static_cast<double>(place[i]) + unit(bits_of(seed, d, i))) / static_cast<double>(count);
    }
  }
}

void make_sobol(std::uint64_t seed, std::vector<std::vector<double>>& points) {
  if (points.empty()) return;
  const std::size_t dimensions = points.front().size();
  boost::random::sobol sequence(dimensions);
  for (std::vector<double>& point : points) {
    for (std::size_t d = 0; d < dimensions; ++d) point[d] = unit(sequence() ^ bits_of(seed, d, 0));
  }
}

}  // namespace

std::vector<std::vector<double>> unit_points(SweepSampling sampling, std::uint64_t seed, int count, int dimensions) {
  std::vector<std::vector<double>> points(static_cast<std::size_t>(count),
                                          std::vector<double>(static_cast<std::size_t>(dimensions)));
  if (dimensions == 0) return points;
  if (sampling == SweepSampling::latin) make_latin(seed, points);
  if (sampling == SweepSampling::sobol) make_sobol(seed, points);
  for (std::size_t i = 0; sampling == SweepSampling::random && i < points.size(); ++i) {
    for (std::size_t d = 0; d < points[i].size(); ++d) points[i][d] = unit(bits_of(seed, d, i));
  }
  return points;
}

std::vector<double> drawn(const SweepVariable& variable, const double* unit) {
  using Kind = SweepVariable::Kind;
  if (variable.kind == Kind::uniform) return {variable.a + unit[0] * (variable.b - variable.a)};
  if (variable.kind == Kind::normal) {
    return {variable.a - variable.b * std::numbers::sqrt2 * boost::math::erfc_inv(2 * unit[0])};
  }
  const double near = std::sqrt(1 - unit[0]), far = std::sqrt(unit[0]);
  const double first = 2 * std::numbers::pi * unit[1], second = 2 * std::numbers::pi * unit[2];
  return {far * std::cos(second), near * std::sin(first), near * std::cos(first), far * std::sin(second)};
}

}  // namespace carom
