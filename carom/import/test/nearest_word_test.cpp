#include "carom/nearest_word.h"

#include <gtest/gtest.h>

namespace carom::nearest_word_test {
namespace {

const std::vector<std::string> laws{"none", "newton", "poisson", "plus", "plastic"};

TEST(NearestWord, IsTheOneWithinTheFewestEdits) {
  EXPECT_EQ(nearest_word("newtn", laws), "newton");
  EXPECT_EQ(nearest_word("plastik", laws), "plastic");
  EXPECT_EQ(nearest_word("poisson", laws), "poisson");
  EXPECT_EQ(nearest_word("coulomb", laws), "") << "too far from all";
  EXPECT_EQ(nearest_word("", laws), "");
  EXPECT_EQ(nearest_word("ab", {"aa", "bb"}), "aa") << "the first of equals";
}

TEST(NearestWord, IsNearWithinAThirdOfItsLength) {
  EXPECT_TRUE(is_near("thorwn", "thrown"));
  EXPECT_TRUE(is_near("x", "y"));
  EXPECT_FALSE(is_near("foo.bar", "box.qw"));
  EXPECT_FALSE(is_near("nosuch", "time"));
  EXPECT_FALSE(is_near("word", ""));
}

TEST(NearestWord, SentencesGuessOrList) {
  EXPECT_EQ(unknown_word("law", "newtn", laws), "unknown law 'newtn'; did you mean 'newton'?");
  EXPECT_EQ(unknown_word("law", "coulomb", laws),
            "unknown law 'coulomb'; there are: none, newton, poisson, plus, plastic");
}

}  // namespace
}  // namespace carom::nearest_word_test
