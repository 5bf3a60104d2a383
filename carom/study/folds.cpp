#include "carom/study/folds.h"

namespace carom {

std::vector<std::vector<int>> deal_folds(int n, int count) {
  std::vector<std::vector<int>> folds(static_cast<std::size_t>(count));
  for (int i = 0; i < n; ++i) folds[static_cast<std::size_t>(i % count)].push_back(i);
  return folds;
}

}  // namespace carom
