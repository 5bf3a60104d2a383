#include "carom/study/least_misfit.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <atomic>
#include <cmath>

namespace carom::least_misfit_test {
namespace {

using Eigen::VectorXd;

Misfit of_two(const std::function<VectorXd(double a, double b)>& function) {
  Misfit misfit;
  misfit.owner = {-1, -1};
  misfit.weight = {1};
  misfit.residuals = [function](int /*experiment*/, const VectorXd& u) -> std::optional<VectorXd> {
    return function(u[0], u[1]);
  };
  return misfit;
}

TEST(LeastMisfit, FollowsACurvedValley) {
  // Rosenbrock's, in the square from −2 to 2: least, zero, at (1, 1).
  const Misfit misfit = of_two([](double a, double b) {
    const double x = 4 * a - 2, y = 4 * b - 2;
    return VectorXd{{1 - x, 10 * (y - x * x)}};
  });
  const MisfitPoint least = least_misfit(misfit, VectorXd{{0.2, 0.75}}, {0, 1}, true, SearchEffort());
  EXPECT_NEAR(least.u[0], 0.75, 1e-6);
  EXPECT_NEAR(least.u[1], 0.75, 1e-6);
}

TEST(LeastMisfit, StaysWithinTheRangesAndMeetsTheConditionsThere) {
  // r = (x − 2, y − 0.4 + 0.5 (x − 1)): x at its end 1, y at 0.4.
  const Misfit misfit = of_two([](double x, double y) { return VectorXd{{x - 2, y - 0.4 + 0.5 * (x - 1)}}; });
  const MisfitPoint least = least_misfit(misfit, VectorXd{{0.1, 0.9}}, {0, 1}, true, SearchEffort());
  EXPECT_EQ(least.u[0], 1);
  EXPECT_NEAR(least.u[1], 0.4, 1e-7);
  const MisfitPoint held = least_misfit(misfit, VectorXd{{0.5, 0.9}}, {1}, true, SearchEffort());
  EXPECT_EQ(held.u[0], 0.5);
  EXPECT_NEAR(held.u[1], 0.65, 1e-7);
}

TEST(LeastMisfit, OfALossThatIsRobustLeavesOutliersAside) {
  // Twenty values at 0.3 and one at 0.9, for one number; noise 0.01.
  Misfit misfit = of_two([](double a, double /*b*/) {
    VectorXd r = VectorXd::Constant(21, (a - 0.3) / 0.01);
    r[20] = (a - 0.9) / 0.01;
    return r;
  });
  const double mean = least_misfit(misfit, VectorXd{{0.5, 0.5}}, {0}, true, SearchEffort()).u[0];
  EXPECT_NEAR(mean, 0.3 + 0.6 / 21, 1e-8);
  for (const Loss loss : {Loss::soft_l1, Loss::huber}) {
    misfit.loss = loss;
    EXPECT_NEAR(least_misfit(misfit, VectorXd{{0.5, 0.5}}, {0}, true, SearchEffort()).u[0], 0.3, 0.001);
  }
}

/// Lines y = a t + b_e of ten experiments with offsets of their own; `round`: values in steps, as jumps of a
/// simulation.
Misfit lines(double round) {
  Misfit misfit;
  misfit.owner = {-1};
  misfit.weight.assign(10, 1.0);
  for (int e = 0; e < 10; ++e) misfit.owner.push_back(e);
  misfit.residuals = [round](int e, const VectorXd& u) -> std::optional<VectorXd> {
    VectorXd r(30);
    const double truth = 0.05 + 0.09 * e;
    for (int i = 0; i < 30; ++i) {
      const double t = i / 29.0;
      const double model = u[0] * t + u[1 + e];
      const double stepped = round > 0 ? std::floor(model / round) * round + round / 2 : model;
      r[i] = (stepped - (0.37 * t + truth)) / 0.01;
    }
    return r;
  };
  return misfit;
}

TEST(LeastMisfit, FindsSharedNumbersAndThoseOfExperimentsSmoothOrNot) {
  for (const double round : {0.0, 0.002}) {
    const Misfit misfit = lines(round);
    const StartsResult found = least_misfit_of_starts(misfit, VectorXd::Constant(11, 0.5), {.starts = 3, .seed = 1});
    EXPECT_EQ(found.smoothness.smooth, round == 0);
    const double near = round == 0 ? 1e-7 : 0.002;
    EXPECT_NEAR(found.best.u[0], 0.37, near);
    for (int e = 0; e < 10; ++e) EXPECT_NEAR(found.best.u[1 + e], 0.05 + 0.09 * e, near) << e;
  }
}

TEST(LeastMisfit, IsTheSameToTheBitOnAnyNumberOfThreads) {
  const Misfit misfit = lines(0.003);
  std::vector<VectorXd> found;
  for (const int threads : {1, 2, 4}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
    found.push_back(least_misfit_of_starts(misfit, VectorXd::Constant(11, 0.4), {.starts = 4, .seed = 3}).best.u);
  }
  EXPECT_EQ(found[0], found[1]);
  EXPECT_EQ(found[0], found[2]);
}

TEST(LeastMisfit, KeepsToItsRunsAndIsNeverWorseThanItsStart) {
  for (const bool smooth : {true, false}) {
    const Misfit lined = lines(smooth ? 0 : 0.003);
    std::atomic<int> count = 0;
    Misfit counted = lined;
    counted.residuals = [&](int e, const VectorXd& u) {
      ++count;
      return lined.residuals(e, u);
    };
    const VectorXd start = VectorXd::Constant(11, 0.4);
    const double at_start = cost_at(lined, start);
    for (const int runs : {10, 25, 60, 200, 600, 1500, 4000}) {
      count = 0;
      const MisfitPoint found = least_misfit(counted, start, all_but(11), smooth, {.thorough = true, .runs = runs});
      EXPECT_LE(count, runs) << smooth;
      EXPECT_LE(found.cost, at_start) << smooth << " " << runs;
      EXPECT_NEAR(found.cost, cost_at(lined, found.u), 1e-9 * at_start);
      if (runs <= 25) {
        EXPECT_TRUE(found.cut);
      }
      if (runs == 4000) {
        EXPECT_LT(found.cost, 1e-3 * at_start) << smooth;
      }
    }
    count = 0;
    EXPECT_FALSE(least_misfit(counted, start, all_but(11), smooth, SearchEffort()).cut);
    // A budget that the search does not reach changes nothing.
    const MisfitPoint whole = least_misfit(lined, start, all_but(11), smooth, SearchEffort());
    EXPECT_EQ(whole.runs, count);
    EXPECT_EQ(least_misfit(lined, start, all_but(11), smooth, {.thorough = true, .runs = 100 * count}).cost,
              whole.cost);
  }
}

TEST(LeastMisfit, SharesItsRunsAmongTheStarts) {
  const Misfit lined = lines(0.003);
  std::atomic<int> count = 0;
  Misfit counted = lined;
  counted.residuals = [&](int e, const VectorXd& u) {
    ++count;
    return lined.residuals(e, u);
  };
  const StartsResult found = least_misfit_of_starts(counted, VectorXd::Constant(11, 0.4),
                                                    {.starts = 4, .seed = 3, .smooth = false, .runs = 902});
  EXPECT_LE(count, 902);
  EXPECT_GT(count, 600);
  EXPECT_EQ(found.starts, 4);
  EXPECT_TRUE(found.cut);
  count = 0;  // for two starts, no more
  EXPECT_EQ(least_misfit_of_starts(counted, VectorXd::Constant(11, 0.4),
                                   {.starts = 4, .seed = 3, .smooth = false, .runs = 29})
                .starts,
            2);
  EXPECT_LE(count, 29);
}

TEST(LeastMisfit, OfSeveralStartsIsTheLowestOfSeveralMinima) {
  // cos(6π x): minima of the misfit (r = x − 0.8 + wave) all along; only one is least.
  const Misfit misfit = of_two([](double x, double y) {
    return VectorXd{{3 * (x - 0.83), 2 * std::sin(9 * (x - 0.83)), y - 0.5}};
  });
  const MisfitPoint one = least_misfit(misfit, VectorXd{{0.1, 0.5}}, {0, 1}, true, SearchEffort());
  const StartsResult several = least_misfit_of_starts(misfit, VectorXd{{0.1, 0.5}}, {.starts = 8, .seed = 5});
  EXPECT_GT(one.cost, 0.1);
  EXPECT_NEAR(several.best.u[0], 0.83, 1e-6);
  EXPECT_LT(several.agreeing, several.starts);
}

}  // namespace
}  // namespace carom::least_misfit_test
