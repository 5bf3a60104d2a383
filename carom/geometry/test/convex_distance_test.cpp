// The signed distance of convex shapes by itself: its normal is its own proof, whoever stands first.

#include "carom/geometry/convex_distance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "carom/geometry/test/random_shapes.h"

namespace carom {
namespace {

TEST(ConvexDistance, TheNormalProvesTheGapAndNoDirectionProvesMore) {
  Random random(31);
  for (int trial = 0; trial < 1500; ++trial) {
    const Shape a = random.shape(trial % 6), b = random.shape((trial / 6) % 6);
    const Transform X_WA = random.pose(0.6), X_WB = random.pose(0.6);
    const ConvexDistance found = convex_distance(a, X_WA, b, X_WB);
    EXPECT_NEAR(found.normal.norm(), 1, 1e-12);
    EXPECT_NEAR(separation(a, X_WA, b, X_WB, found.normal), found.gap, 1e-12) << trial;
    EXPECT_NEAR(separation_along(found.normal, a, X_WA, b, X_WB), found.gap, 1e-12) << trial;
    EXPECT_LT((found.p_WA - found.gap * found.normal - found.p_WB).norm(), 1e-12) << trial;
    for (int k = 0; k < 200; ++k) {
      EXPECT_LE(separation_along(random.direction(), a, X_WA, b, X_WB), found.gap + 1e-9) << trial;
    }
  }
}

TEST(ConvexDistance, IsThatOfTheOtherWayRoundAndOfTheWorldTurned) {
  Random random(32);
  for (int trial = 0; trial < 600; ++trial) {
    const Shape a = random.shape(trial % 6), b = random.shape((trial / 6) % 6);
    const Transform X_WA = random.pose(0.8), X_WB = random.pose(0.8), turn = random.pose(2);
    const double gap = convex_distance(a, X_WA, b, X_WB).gap;
    EXPECT_NEAR(convex_distance(b, X_WB, a, X_WA).gap, gap, 1e-9) << trial;
    EXPECT_NEAR(convex_distance(a, turn * X_WA, b, turn * X_WB).gap, gap, 1e-9) << trial;
  }
}

TEST(ConvexDistance, OfSpheresIsThatOfTheirCentres) {
  Random random(33);
  for (int trial = 0; trial < 300; ++trial) {
    const Sphere a = random.sphere(), b = random.sphere();
    const Transform X_WA = random.pose(0.5), X_WB = random.pose(0.5);
    const Vec3 between = X_WA.p - X_WB.p;
    const ConvexDistance found = convex_distance(a, X_WA, b, X_WB);
    EXPECT_NEAR(found.gap, between.norm() - a.radius - b.radius, 1e-13);
    EXPECT_LT((found.normal - between.normalized()).norm(), 1e-7);
  }
}

}  // namespace
}  // namespace carom
