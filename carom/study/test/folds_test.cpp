#include "carom/study/folds.h"

#include <gtest/gtest.h>

#include <vector>

namespace carom::folds_test {
namespace {

TEST(Folds, HoldEachPositionOnceAndAreEquallyLarge) {
  for (const int n : {1, 5, 12, 13}) {
    const std::vector<std::vector<int>> folds = deal_folds(n, 5);
    ASSERT_EQ(folds.size(), 5u);
    std::vector<int> seen(static_cast<std::size_t>(n), 0);
    for (const std::vector<int>& fold : folds) {
      EXPECT_GE(static_cast<int>(fold.size()), n / 5);
      EXPECT_LE(static_cast<int>(fold.size()), (n + 4) / 5);
      for (const int position : fold) ++seen.at(static_cast<std::size_t>(position));
    }
    EXPECT_EQ(seen, std::vector<int>(static_cast<std::size_t>(n), 1));
  }
}

}  // namespace
}  // namespace carom::folds_test
