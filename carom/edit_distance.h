#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

namespace carom {

/// Edits between two words, a swap of neighbours counted as one (restricted Damerau–Levenshtein). O(|a| |b|).
inline int edit_distance(std::string_view a, std::string_view b) {
  const int rows = static_cast<int>(a.size()) + 1, columns = static_cast<int>(b.size()) + 1;
  std::vector<int> cost(static_cast<std::size_t>(rows) * columns);
  const auto at = [&](int i, int j) -> int& { return cost[static_cast<std::size_t>(i) * columns + j]; };
  for (int i = 0; i < rows; ++i) at(i, 0) = i;
  for (int j = 0; j < columns; ++j) at(0, j) = j;
  for (int i = 1; i < rows; ++i) {
    for (int j = 1; j < columns; ++j) {
      const int replace = at(i - 1, j - 1) + (a[i - 1] == b[j - 1] ? 0 : 1);
      at(i, j) = std::min({replace, at(i - 1, j) + 1, at(i, j - 1) + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
      }
    }
  }
  return at(rows - 1, columns - 1);
}

}  // namespace carom
