// The numbers of contacts with ground: each once, the same whatever is asked for, and those that are not there.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "carom/geometry/height_field_pairs.h"
#include "carom/geometry/test/grounds.h"

namespace carom::height_field_numbers_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A flat rim on flat ground rests on all its corners, however many triangles the ground has.
TEST(HeightField, NoCornerIsLostOnLargeGround) {
  constexpr int corners = 400;
  std::vector<Vec3> points = {Vec3(0, 0, 0.2)};
  for (int i = 0; i < corners; ++i) {
    const double angle = 2 * std::numbers::pi * i / corners;
    points.push_back(Vec3(0.3 * std::cos(angle), 0.3 * std::sin(angle), 0));
  }
  const ConvexMesh lid = {std::make_shared<const Polyhedron>(convex_hull(points))};
  for (const int n : {5, 101, 1001}) {
    const HeightField ground = {std::make_shared<const HeightGrid>(n, n, Vec2(0.5, 0.5), std::vector<double>(n * n))};
    EXPECT_EQ(points_of(lid, {Mat3::Identity(), Vec3(0.07, 0.03, 0)}, ground, Transform::identity(), 0.01).size(),
              corners)
        << n;
  }
}

/// Whatever number a record or a user names, it is answered, or not there.
TEST(HeightField, NumbersThatTheGroundDoesNotHaveAreNotThere) {
  RandomShapes random(31);
  const HeightField ground = rough(random, 7, 0.2, 0.2);
  const Shape box = Box{Vec3(0.1, 0.1, 0.1)};
  for (const int part : {0, 1 << 10, 1 << 20, 1 << 28, 1 << 29, 1 << 30}) {
    for (int trial = 0; trial < 400; ++trial) {
      const int feature = part + random.below(1 << 28);
      std::vector<ContactPoint> points;
      const Transform X_WA = {Mat3::Identity(), Vec3(0, 0, 0.1)};
      contact_point(box, X_WA, ground, Transform::identity(), feature, points);
      for (const ContactPoint& point : points) EXPECT_EQ(point.feature, feature);
    }
  }
}

TEST(HeightField, PointsAreNumberedOnceAndInOrder) {
  RandomShapes random(4);
  for (int trial = 0; trial < 120; ++trial) {
    const HeightField b = rough(random, 7, 0.2, 0.2);
    const Shape a = random.shape(trial % 9);
    const Transform X_WA = {random.rotation(),
                            Vec3(random.between(-0.4, 0.4), random.between(-0.4, 0.4), random.between(0, 0.6))};
    const auto points = points_of(a, X_WA, b, Transform::identity(), trial % 2 ? infinity : 0.1);
    for (std::size_t k = 1; k < points.size(); ++k) EXPECT_GT(points[k].feature, points[k - 1].feature);
    for (const ContactPoint& point : points) {
      EXPECT_NEAR(point.normal.norm(), 1, 1e-12);
      EXPECT_NEAR((point.p_WA - point.p_WB).dot(point.normal), point.gap, 1e-9);
    }
  }
}

/// Whatever is found near is found again by its number alone, the same to the bit. From afar the nearest point is that
/// of all the ground.
TEST(HeightField, NumbersAreTheSameForEveryMargin) {
  RandomShapes random(19);
  int asked = 0;
  for (int trial = 0; trial < 90; ++trial) {
    const HeightField b = rough(random, 7, 0.2, 0.2);
    const Shape a = random.shape(trial % 9);
    const Transform X_WA = {random.rotation(),
                            Vec3(random.between(-0.4, 0.4), random.between(-0.4, 0.4), random.between(0.1, 0.9))};
    const auto near = points_of(a, X_WA, b, Transform::identity(), random.between(0, 0.4));
    const auto all = points_of(a, X_WA, b, Transform::identity(), infinity);
    for (const ContactPoint& point : near) {
      if (point.gap < -1e-3) continue;  // holds and ways out depend on what else is near
      std::vector<ContactPoint> one;
      contact_point(a, X_WA, b, Transform::identity(), point.feature, one);
      ASSERT_EQ(one.size(), 1u) << trial << " " << point.feature;
      EXPECT_EQ(one[0].gap, point.gap);
      EXPECT_EQ(one[0].p_WA, point.p_WA);
      const auto same = [&](const ContactPoint& other) { return other.feature == point.feature; };
      const auto known = std::find_if(all.begin(), all.end(), same);
      ASSERT_NE(known, all.end()) << trial << " " << point.feature;
      EXPECT_EQ(known->gap, point.gap);
      ++asked;
    }
    std::vector<ContactPoint> found;
    nearest_points(a, X_WA, b, Transform::identity(), found);
    EXPECT_EQ(nearest(found).gap, nearest(all).gap) << trial;
  }
  EXPECT_GT(asked, 100);
}

}  // namespace
}  // namespace carom::height_field_numbers_test
