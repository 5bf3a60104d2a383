// The signed distance of convex shapes by itself: its normal is its own proof, whichever shape comes first.

#include "carom/geometry/convex_distance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "carom/geometry/test/random_shapes.h"

namespace carom::convex_distance_test {
namespace {

TEST(ConvexDistance, TheNormalProvesTheGapAndNoDirectionProvesMore) {
  RandomShapes random(31);
  for (int trial = 0; trial < 1500; ++trial) {
    const Shape a = random.shape(trial % 9), b = random.shape((trial / 9) % 9);
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
  RandomShapes random(32);
  for (int trial = 0; trial < 600; ++trial) {
    const Shape a = random.shape(trial % 9), b = random.shape((trial / 9) % 9);
    const Transform X_WA = random.pose(0.8), X_WB = random.pose(0.8), turn = random.pose(2);
    const double gap = convex_distance(a, X_WA, b, X_WB).gap;
    EXPECT_NEAR(convex_distance(b, X_WB, a, X_WA).gap, gap, 1e-9) << trial;
    EXPECT_NEAR(convex_distance(a, turn * X_WA, b, turn * X_WB).gap, gap, 1e-9) << trial;
  }
}

TEST(ConvexDistance, OfSpheresIsThatOfTheirCentres) {
  RandomShapes random(33);
  for (int trial = 0; trial < 300; ++trial) {
    const Sphere a = random.sphere(), b = random.sphere();
    const Transform X_WA = random.pose(0.5), X_WB = random.pose(0.5);
    const Vec3 between = X_WA.p - X_WB.p;
    const ConvexDistance found = convex_distance(a, X_WA, b, X_WB);
    EXPECT_NEAR(found.gap, between.norm() - a.radius - b.radius, 1e-13);
    EXPECT_LT((found.normal - between.normalized()).norm(), 1e-7);
  }
}

/// A mesh as drawn has faces whose corners lie in one plane to seven digits. The point that touches may lie in a part
/// of such a face that has its own plane.
TEST(ConvexDistance, TouchesNearlyFlatFacesWhereTheyAre) {
  RandomShapes random(34);
  int flat = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const double bump = std::pow(10.0, -random.between(6, 8));
    std::vector<Vec3> corners;
    corners.reserve(7);
    for (int i = 0; i < 4; ++i) corners.emplace_back(random.between(-0.3, 0.3), random.between(-0.3, 0.3), -0.1);
    for (int i = 0; i < 3; ++i) {
      const double angle = 2.1 * i + random.between(0, 1);
      corners.emplace_back(0.4 * std::cos(angle), 0.4 * std::sin(angle), 0.1);
    }
    const auto above = [&](double z) { return Vec3(random.between(-0.1, 0.1), random.between(-0.1, 0.1), z); };
    corners.push_back(above(0.1 + bump));
    const ConvexMesh b{std::make_shared<const Polyhedron>(convex_hull(corners))};
    const Shape a = random.shape(2 + trial % 4);
    const Transform X_WB = random.pose(0.3);
    Transform X_WA = {random.rotation(), X_WB * above(1)};
    const Vec3 up = X_WB.R.col(2);
    const double reach = support(a, {X_WA.R, Vec3::Zero()}, -up);
    X_WA.p += (0.1 + reach + random.between(1e-4, 1e-2) - up.dot(X_WA.p - X_WB.p)) * up;
    const ConvexDistance found = convex_distance(b, X_WB, a, X_WA);
    if (found.gap <= 0) continue;
    flat += b.polyhedron->flats.size() < b.polyhedron->faces.size();
    EXPECT_LT(outside(b, X_WB, found.p_WA), 1e-8) << shape_name(a) << " trial " << trial << " bump " << bump;
    EXPECT_LT(outside(a, X_WA, found.p_WB), 1e-8) << shape_name(a) << " trial " << trial << " bump " << bump;
  }
  EXPECT_GT(flat, 700);
}

/// An edge on the flat end of a superquadric, whose farthest point moves 1e10 times as fast as the normal turns.
TEST(ConvexDistance, OfEdgesOnFlatEndsHasPointsOfBoth) {
  RandomShapes random(35);
  for (int trial = 0; trial < 1000; ++trial) {
    const Superquadric b{Vec3(0.2, 0.3, 0.1),
                         Vec3(random.between(4, 10), random.between(4, 10), random.between(4, 10))};
    const Shape a = trial % 2 ? Shape(random.box()) : Shape(random.cylinder());
    const double tilt = std::pow(10.0, -random.between(1, 6));
    const Mat3 R = exponential(tilt * random.direction()).toRotationMatrix() *
                   exponential(Vec3(0, 0, random.between(0, 6))).toRotationMatrix() *
                   exponential(Vec3(trial % 2 ? 0.8 : 1.5707963, 0, 0)).toRotationMatrix();
    const double low = support(a, {R, Vec3::Zero()}, -Vec3::UnitZ());
    const Transform X_WB = random.pose(0.3);
    const Vec3 over(random.between(-0.05, 0.05), random.between(-0.05, 0.05), 0.1 + low + random.between(-0.01, 0.001));
    const Transform X_WA = X_WB * Transform{R, over};
    const ConvexDistance found = convex_distance(a, X_WA, b, X_WB);
    EXPECT_LT(outside(a, X_WA, found.p_WA), 1e-9) << shape_name(a) << " trial " << trial;
    EXPECT_LT(outside(b, X_WB, found.p_WB), 1e-9) << shape_name(a) << " trial " << trial;
  }
}

}  // namespace
}  // namespace carom::convex_distance_test
