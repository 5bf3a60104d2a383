// Edits between words: one for each letter that is missing, too many or wrong, one for neighbours that changed places.

#include "carom/edit_distance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>

namespace carom::edit_distance_test {
namespace {

TEST(EditDistance, CountsOneForEachKindOfSlip) {
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("damping", "damping"), 0);
  EXPECT_EQ(edit_distance("damping", "dampng"), 1);
  EXPECT_EQ(edit_distance("damping", "dampping"), 1);
  EXPECT_EQ(edit_distance("damping", "dumping"), 1);
  EXPECT_EQ(edit_distance("damping", "dampign"), 1);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("abc", "xyz"), 3);
}

/// Random words: both ways alike, between the difference of lengths and the longer length, and k slips never make
/// more than k.
TEST(EditDistance, IsSymmetricAndNoMoreThanTheSlipsThatWereMade) {
  std::mt19937 random(3);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  for (int trial = 0; trial < 2000; ++trial) {
    std::string word(1 + below(9), 'a');
    for (char& c : word) c = static_cast<char>('a' + below(4));
    std::string slipped = word;
    const int slips = static_cast<int>(below(4));
    for (int k = 0; k < slips; ++k) {
      const std::size_t at = below(slipped.size());
      if (below(3) == 0) {
        slipped.insert(at, 1, static_cast<char>('a' + below(4)));
      } else if (below(2) == 0 && slipped.size() > 1) {
        slipped.erase(at, 1);
      } else {
        slipped[at] = static_cast<char>('a' + below(4));
      }
    }
    const int distance = edit_distance(word, slipped);
    const auto [shorter, longer] = std::minmax({static_cast<int>(word.size()), static_cast<int>(slipped.size())});
    EXPECT_EQ(distance, edit_distance(slipped, word)) << word << " " << slipped;
    EXPECT_LE(distance, slips) << word << " " << slipped;
    EXPECT_GE(distance, longer - shorter);
    EXPECT_LE(distance, longer);
    EXPECT_EQ(distance == 0, word == slipped);
  }
}

}  // namespace
}  // namespace carom::edit_distance_test
