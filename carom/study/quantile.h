#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace carom {

/// The number at a part (0 … 1) of a sorted list that is not empty: linear between the ranks.
inline double quantile(const std::vector<double>& sorted, double part) {
  const double rank = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(rank));
  const double above = sorted[std::min(below + 1, sorted.size() - 1)];
  return sorted[below] + (rank - static_cast<double>(below)) * (above - sorted[below]);
}

}  // namespace carom
