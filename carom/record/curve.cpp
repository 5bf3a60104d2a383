#include "carom/record/curve.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace carom {
namespace {

/// First index and end of run `r` of `runs` of n values.
std::pair<std::size_t, std::size_t> run_bounds(std::size_t r, std::size_t runs, std::size_t n) {
  return {r * n / runs, (r + 1) * n / runs};
}

float narrow(double value) {
  constexpr double largest = std::numeric_limits<float>::max();
  if (std::abs(value) <= largest || std::isnan(value)) return static_cast<float>(value);
  return std::copysign(std::numeric_limits<float>::infinity(), static_cast<float>(value > 0 ? 1 : -1));
}

}  // namespace

std::vector<double> thin(const std::vector<double>& values, std::size_t largest) {
  if (values.size() <= largest) return values;
  std::vector<double> kept;
  const std::size_t runs = largest / 2;
  for (std::size_t r = 0; r < runs; ++r) {
    const auto [first, end] = run_bounds(r, runs, values.size());
    std::size_t low = first, high = first;
    for (std::size_t i = first; i < end; ++i) {
      if (values[i] < values[low]) low = i;
      if (values[i] > values[high]) high = i;
      if (!std::isfinite(values[i])) {
        low = high = i;
        break;
      }
    }
    kept.push_back(values[std::min(low, high)]);
    kept.push_back(values[std::max(low, high)]);
  }
  return kept;
}

std::vector<double> thin_times(const std::vector<double>& times, std::size_t largest) {
  if (times.size() <= largest) return times;
  std::vector<double> kept;
  const std::size_t runs = largest / 2;
  for (std::size_t r = 0; r < runs; ++r) {
    const auto [first, end] = run_bounds(r, runs, times.size());
    kept.push_back(times[first]);
    kept.push_back(times[end - 1]);
  }
  return kept;
}

std::string base64_bytes(const std::vector<std::uint8_t>& bytes) {
  constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < count ? bytes[i + k] : 0u);
    for (std::size_t k = 0; k < 4; ++k) text += k <= count ? letters[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::string base64(const std::vector<double>& values) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(4 * values.size());
  for (double value : values) {
    const auto bits = std::bit_cast<std::uint32_t>(narrow(value));
    for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<std::uint8_t>(bits >> shift));
  }
  return base64_bytes(bytes);
}

}  // namespace carom
