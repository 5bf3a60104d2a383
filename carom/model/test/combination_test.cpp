// Two materials' coefficients make one.
#include "carom/combination.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace carom::combination_test {
namespace {

constexpr Combination rules[] = {Combination::minimum, Combination::maximum, Combination::average,
                                 Combination::geometric_mean, Combination::product};

TEST(Combination, HasTheMeansThatItNames) {
  EXPECT_EQ(combine(Combination::minimum, 0.2, 0.8), 0.2);
  EXPECT_EQ(combine(Combination::maximum, 0.2, 0.8), 0.8);
  EXPECT_DOUBLE_EQ(combine(Combination::average, 0.2, 0.8), 0.5);
  EXPECT_DOUBLE_EQ(combine(Combination::geometric_mean, 0.2, 0.8), 0.4);
  EXPECT_DOUBLE_EQ(combine(Combination::product, 0.2, 0.8), 0.16);
}

TEST(Combination, DoesNotAskWhichMaterialComesFirst) {
  for (const Combination rule : rules) EXPECT_EQ(combine(rule, 0.3, 1.7), combine(rule, 1.7, 0.3));
}

/// All but the product give a material with itself its own coefficient, and stay between two that differ.
TEST(Combination, IsAMeanButForTheProduct) {
  for (const double a : {0.0, 0.1, 0.9, 3.0}) {
    for (const Combination rule : rules) {
      if (rule == Combination::product) continue;
      EXPECT_DOUBLE_EQ(combine(rule, a, a), a);
      const double mixed = combine(rule, a, 0.5);
      EXPECT_GE(mixed, std::min(a, 0.5));
      EXPECT_LE(mixed, std::max(a, 0.5));
    }
    EXPECT_DOUBLE_EQ(combine(Combination::product, a, a), a * a);
  }
}

}  // namespace
}  // namespace carom::combination_test
