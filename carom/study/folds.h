#pragma once

#include <vector>

namespace carom {

/// Positions 0 … n − 1 dealt out in turn to `count` folds.
std::vector<std::vector<int>> deal_folds(int n, int count);

}  // namespace carom
