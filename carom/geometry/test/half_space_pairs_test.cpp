// Contact of every kind of shape with a plane, by its own function.

#include "carom/geometry/half_space_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <limits>

#include "carom/geometry/test/random_shapes.h"

namespace carom::half_space_pairs_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(HalfSpacePairs, TheLeastGapIsTheShapesReachTowardsThePlane) {
  RandomShapes random(41);
  constexpr int kinds = 9;
  double worst = 0;
  for (int trial = 0; trial < kinds * (std::getenv("CAROM_LONG") ? 1000000 : 200); ++trial) {
    const Shape a = random.shape(trial % kinds);
    const Transform X_WA = random.pose(1), X_WB = random.pose(1);
    const Vec3 up = X_WB.R.col(2);
    std::vector<ContactPoint> points;
    shape_half_space(a, X_WA, X_WB, infinity, points);
    ASSERT_FALSE(points.empty());
    ASSERT_FALSE(HasFailure());
    const double error = std::abs(nearest(points).gap + support(a, X_WA, -up) + up.dot(X_WB.p));
    worst = std::max(worst, error);
    EXPECT_LT(error, 1e-12) << trial;
    for (const ContactPoint& point : points) {
      EXPECT_LT((point.normal - up).norm(), 1e-14);
      EXPECT_NEAR(up.dot(point.p_WB - X_WB.p), 0, 1e-12);                   // on the plane
      EXPECT_NEAR(up.dot(point.p_WA - X_WB.p), point.gap, 1e-12);           // as far from it as it says
      EXPECT_LT((point.p_WA - point.gap * up - point.p_WB).norm(), 1e-12);  // straight above
      EXPECT_LE(outside(a, X_WA, point.p_WA), 1e-9) << trial;               // of the shape
    }
  }
  std::cout << "worst " << worst << std::endl;
}

TEST(HalfSpacePairs, TheMarginLeavesOutWhatIsFartherAndNothingElse) {
  RandomShapes random(42);
  for (int trial = 0; trial < 600; ++trial) {
    const Shape a = random.shape(trial % 9);
    const Transform X_WA = random.pose(0.5), X_WB = random.pose(0.5);
    const double margin = random.between(-0.2, 0.4);
    std::vector<ContactPoint> all, near;
    shape_half_space(a, X_WA, X_WB, infinity, all);
    shape_half_space(a, X_WA, X_WB, margin, near);
    std::erase_if(all, [&](const ContactPoint& point) { return point.gap > margin; });
    ASSERT_EQ(near.size(), all.size()) << trial;
    for (std::size_t k = 0; k < all.size(); ++k) {
      EXPECT_EQ(near[k].gap, all[k].gap);
      EXPECT_EQ(near[k].feature, all[k].feature);
    }
  }
}

TEST(HalfSpacePairs, EachKindHasItsOwnFunction) {
  RandomShapes random(43);
  const Transform X_WA = random.pose(0.5), X_WB = random.pose(0.5);
  const auto expect_same = [&](const Shape& shape, auto&& own) {
    std::vector<ContactPoint> by_kind, by_name;
    shape_half_space(shape, X_WA, X_WB, infinity, by_kind);
    own(by_name);
    ASSERT_EQ(by_kind.size(), by_name.size());
    for (std::size_t k = 0; k < by_kind.size(); ++k) EXPECT_EQ(by_kind[k].gap, by_name[k].gap);
  };
  const Sphere sphere = random.sphere();
  expect_same(sphere, [&](auto& points) { sphere_half_space(sphere, X_WA, X_WB, infinity, points); });
  const Capsule capsule = random.capsule();
  expect_same(capsule, [&](auto& points) { capsule_half_space(capsule, X_WA, X_WB, infinity, points); });
  const Box box = random.box();
  expect_same(box, [&](auto& points) { box_half_space(box, X_WA, X_WB, infinity, points); });
  const Cylinder cylinder = random.cylinder();
  expect_same(cylinder, [&](auto& points) { cylinder_half_space(cylinder, X_WA, X_WB, infinity, points); });
  const Ellipsoid ellipsoid = random.ellipsoid();
  expect_same(ellipsoid, [&](auto& points) { smooth_half_space(ellipsoid, X_WA, X_WB, infinity, points); });
  const ConvexMesh mesh = random.mesh();
  expect_same(mesh, [&](auto& points) { polyhedron_half_space(*mesh.polyhedron, 0, X_WA, X_WB, infinity, points); });
}

}  // namespace
}  // namespace carom::half_space_pairs_test
