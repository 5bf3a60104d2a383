#include "carom/study/noisy_minimum.h"

#include <gtest/gtest.h>

#include "carom/error.h"

#include <cmath>
#include <stdexcept>

namespace carom::noisy_minimum_test {
namespace {

TEST(NoisyMinimumTest, FindsTheValleyOfASteppedFunction) {
  // A crooked valley with steps of 0.01 all over it, which has no slope anywhere that a derivative could find.
  const auto stepped = [](const std::vector<double>& x) {
    const double a = x[0] - 3, b = x[1] + 0.2 - 0.3 * a;
    return std::floor(100 * (a * a + 10 * b * b)) / 100;
  };
  const Minimum least = noisy_minimum(stepped, {1, 0.5}, {0, -1}, {5, 1});
  EXPECT_LE(least.value, 0.011);
  EXPECT_NEAR(least.at[0], 3, 0.2);
  EXPECT_NEAR(least.at[1], -0.2, 0.1);
}

TEST(NoisyMinimumTest, StaysBetweenTheBoundsAndEndsOnOne) {
  bool inside = true;
  const auto falling = [&](const std::vector<double>& x) {
    inside = inside && x[0] >= 2 && x[0] <= 4 && x[1] >= -1 && x[1] <= 1;
    return x[0] + std::abs(x[1]);
  };
  const Minimum least = noisy_minimum(falling, {9, 0.7}, {2, -1}, {4, 1});  // a start outside is moved to 4
  EXPECT_TRUE(inside);
  EXPECT_NEAR(least.at[0], 2, 0.01);
  EXPECT_NEAR(least.at[1], 0, 0.01);
}

TEST(NoisyMinimumTest, SpendsNoMoreThanItsBudgetAndReturnsTheBestSeen) {
  for (const int budget : {1, 7, 40, 200}) {
    int calls = 0;
    double best = 1e9;
    const auto counted = [&](const std::vector<double>& x) {
      ++calls;
      const double value = std::pow(x[0] - 0.3, 2) + std::pow(x[1] - x[0] * x[0], 2) + std::pow(x[2], 2);
      best = std::min(best, value);
      return value;
    };
    MinimumOptions options;
    options.evaluations = budget;
    const Minimum least = noisy_minimum(counted, {0.9, 0.1, 0.5}, {-1, -1, -1}, {1, 1, 1}, options);
    EXPECT_LE(calls, budget);
    EXPECT_EQ(least.evaluations, calls);
    EXPECT_EQ(least.value, best);
  }
}

TEST(NoisyMinimumTest, WhatTheFunctionThrowsPassesThrough) {
  const auto thrower = [](const std::vector<double>& x) -> double {
    if (x[0] != 0.5) throw Error("not there");
    return 1;
  };
  try {
    (void)noisy_minimum(thrower, {0.5}, {0}, {1});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "not there");
  }
}

}  // namespace
}  // namespace carom::noisy_minimum_test
