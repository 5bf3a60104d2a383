// The parts behind the pairs of convex shapes: two boxes by their axes, and the first normal.

#include "carom/geometry/box_separation.h"

#include <gtest/gtest.h>

#include <numbers>

#include "carom/geometry/bullet_normal.h"
#include "carom/geometry/test/random_shapes.h"

namespace carom::box_separation_test {
namespace {

TEST(BoxSeparation, OfAlignedBoxesIsTheLargestOfThreeGaps) {
  RandomShapes random(1);
  for (int trial = 0; trial < 1000; ++trial) {
    const Box a = random.box(), b = random.box();
    const Vec3 line = random.in_cube(1.5);
    const BoxSeparation found = box_separation(a, {Mat3::Identity(), line}, b, Transform());
    EXPECT_NEAR(found.pair.gap, (line.cwiseAbs() - a.half_extents - b.half_extents).maxCoeff(), 1e-15);
    EXPECT_FALSE(found.by_edges);
  }
}

TEST(BoxSeparation, OfCrossedEdgesIsTheDistanceOfTheirLines) {
  // Two cubes stand on edge, one turned by a right angle about the line between them: edge meets edge.
  const Box cube = {Vec3::Constant(0.1)};
  const double quarter = std::numbers::pi / 4, reach = 0.1 * std::sqrt(2.0);
  const Mat3 about_x = exponential(quarter * Vec3::UnitX()).toRotationMatrix();
  const Mat3 about_y = exponential(quarter * Vec3::UnitY()).toRotationMatrix();
  for (const double gap : {-0.02, 0.0, 0.3}) {
    const BoxSeparation found =
        box_separation(cube, {about_x, Vec3(0, 0, 2 * reach + gap)}, cube, {about_y, Vec3::Zero()});
    EXPECT_TRUE(found.by_edges);
    EXPECT_TRUE(found.touches);
    EXPECT_NEAR(found.pair.gap, gap, 1e-15);
    EXPECT_LT((found.pair.normal - Vec3::UnitZ()).norm(), 1e-15);
    EXPECT_LT((found.pair.p_WB - Vec3(0, 0, reach)).norm(), 1e-15);
  }
}

TEST(BoxSeparation, IsNeverMoreThanTheDistance) {
  RandomShapes random(2);
  for (int trial = 0; trial < 2000; ++trial) {
    const Box a = random.box(), b = random.box();
    const Transform X_WA = random.pose(0.6), X_WB = random.pose(0.6);
    const BoxSeparation found = box_separation(a, X_WA, b, X_WB);
    EXPECT_NEAR(separation_along(found.pair.normal, a, X_WA, b, X_WB), found.pair.gap, 1e-14);
    EXPECT_LE(found.pair.gap, nearest(points_of(a, X_WA, b, X_WB, 10)).gap + 1e-14);
  }
}

TEST(BulletNormal, IsNearTheLineOfTheCentresOfBalls) {
  RandomShapes random(3);
  for (int trial = 0; trial < 500; ++trial) {
    const Ellipsoid a = {Vec3::Constant(random.between(0.1, 0.3))}, b = {Vec3::Constant(random.between(0.1, 0.3))};
    const Vec3 line = random.direction();
    const double distance = a.semi_axes.x() + b.semi_axes.x() + random.between(0.01, 1);
    const NormalGuess guess = bullet_normal(a, {random.rotation(), distance * line}, b, Transform());
    EXPECT_NEAR(guess.normal.norm(), 1, 1e-14);
    EXPECT_LT((guess.normal - line).norm(), 1e-2);
  }
}

TEST(BulletNormal, IsADirectionWhereShapesAreOneInAnother) {
  RandomShapes random(4);
  for (int a = 0; a < 6; ++a) {
    for (int b = 0; b < 6; ++b) {
      const NormalGuess guess = bullet_normal(random.shape(a), Transform(), random.shape(b), Transform());
      EXPECT_NEAR(guess.normal.norm(), 1, 1e-14);
      EXPECT_TRUE(guess.p_A.allFinite());
    }
  }
}

}  // namespace
}  // namespace carom::box_separation_test
