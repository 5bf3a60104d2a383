#include "carom/study/bootstrap.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace carom::bootstrap_test {
namespace {

TEST(BootstrapTest, CoversAKnownMeanAsOftenAsItSays) {
  // Samples of 60 from an exponential distribution of mean 1. The count of covered means is binomial, and 400 trials at
  // 0.95 have a standard deviation of 4.4. Such small samples of a skewed distribution cover a few percent less.
  std::mt19937 random(1);
  std::exponential_distribution<double> waiting(1);
  const int trials = 400;
  int covered = 0;
  double width = 0;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> values(60);
    for (double& value : values) value = waiting(random);
    const Interval interval = bootstrap_mean(values, {.draws = 1000, .seed = static_cast<std::uint64_t>(trial)});
    covered += interval.lower <= 1 && 1 <= interval.upper ? 1 : 0;
    width += (interval.upper - interval.lower) / trials;
  }
  EXPECT_GT(covered, 0.90 * trials);
  EXPECT_LT(covered, 0.98 * trials);
  EXPECT_NEAR(width, 2 * 1.96 / std::sqrt(60.0), 0.03);
}

TEST(BootstrapTest, IsTheQuantileOfTheMeanOfTwoValues) {
  // Resamples of {0, 1} have the means 0, ½, 1 with probabilities ¼, ½, ¼, so 95 % lie between 0 and 1.
  const Interval interval = bootstrap_mean({0, 1});
  EXPECT_EQ(interval.mean, 0.5);
  EXPECT_EQ(interval.lower, 0);
  EXPECT_EQ(interval.upper, 1);
  EXPECT_FALSE(interval.excludes_zero());
}

TEST(BootstrapTest, AValueThatIsNoNumberLeavesNoInterval) {
  for (const double bad : {std::nan(""), HUGE_VAL}) {
    for (const Interval& interval : {bootstrap_mean({0, 1, bad, 2}), bootstrap_median({0, 1, bad, 2})}) {
      EXPECT_TRUE(std::isnan(interval.mean) && std::isnan(interval.lower) && std::isnan(interval.upper));
      EXPECT_FALSE(interval.excludes_zero());
    }
  }
}

TEST(BootstrapTest, EqualValuesLeaveNoDoubt) {
  const Interval interval = bootstrap_mean(std::vector<double>(7, -2.5));
  EXPECT_EQ(interval.lower, -2.5);
  EXPECT_EQ(interval.upper, -2.5);
  EXPECT_TRUE(interval.excludes_zero());
}

TEST(BootstrapTest, OneSeedDrawsTheSameAndAnotherNot) {
  const std::vector<double> values{3, 1, 4, 1, 5, 9, 2, 6};
  const Interval first = bootstrap_mean(values, {.draws = 200, .seed = 5});
  EXPECT_EQ(first.lower, bootstrap_mean(values, {.draws = 200, .seed = 5}).lower);
  EXPECT_NE(first.lower, bootstrap_mean(values, {.draws = 200, .seed = 6}).lower);
}

TEST(BootstrapTest, MeanAndIntervalMoveAndScaleWithTheValues) {
  const std::vector<double> values{3, 1, 4, 1, 5, 9, 2, 6};
  std::vector<double> moved = values;
  for (double& value : moved) value = 10 + 2 * value;
  const Interval a = bootstrap_mean(values), b = bootstrap_mean(moved);
  EXPECT_NEAR(b.mean, 10 + 2 * a.mean, 1e-12);
  EXPECT_NEAR(b.lower, 10 + 2 * a.lower, 1e-12);
  EXPECT_NEAR(b.upper, 10 + 2 * a.upper, 1e-12);
}

}  // namespace
}  // namespace carom::bootstrap_test
