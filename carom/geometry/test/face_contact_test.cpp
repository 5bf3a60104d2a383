// What holds a body that rests with a face on another, and that it does not flicker.

#include "carom/geometry/face_contact.h"

#include <gtest/gtest.h>

#include <numbers>

#include "carom/geometry/test/random_shapes.h"

namespace carom {
namespace {

Transform lifted(double z) { return {Mat3::Identity(), Vec3(0, 0, z)}; }

ConvexMesh mesh_of_box(const Vec3& h) {
  std::vector<Vec3> corners;
  corners.reserve(8);
  for (int i = 0; i < 8; ++i)
    corners.push_back(Vec3(i & 1 ? h.x() : -h.x(), i & 2 ? h.y() : -h.y(), i & 4 ? h.z() : -h.z()));
  return {std::make_shared<const Polyhedron>(convex_hull(corners))};
}

/// Whether the point lies in the convex hull of the places, seen from above, to within `slack` m.
bool held_by(const std::vector<ContactPoint>& points, const Vec3& center, double slack) {
  for (int k = 0; k < 360; ++k) {
    const double angle = k * std::numbers::pi / 180;
    const Vec3 d(std::cos(angle), std::sin(angle), 0);
    double reach = -1e9;
    for (const ContactPoint& p : points) reach = std::max(reach, d.dot(p.p_WB - center));
    if (reach < slack) return false;
  }
  return true;
}

/// Things with a flat side down at z = −0.25.
std::vector<Shape> standing_shapes() {
  return {Box{{0.2, 0.3, 0.25}}, mesh_of_box({0.2, 0.3, 0.25}), Cylinder{0.2, 0.25}};
}

TEST(FaceContact, HoldsWhatStandsOnAnotherFace) {
  for (const Shape& below : standing_shapes()) {
    for (const Shape& above : standing_shapes()) {
      const auto points = points_of(above, lifted(0.5), below, lifted(0), 0.01);
      ASSERT_GE(points.size(), 3u);
      for (const ContactPoint& p : points) {
        EXPECT_NEAR(p.gap, 0, 1e-15);
        EXPECT_LT((p.normal - Vec3::UnitZ()).norm(), 1e-15);
        EXPECT_NEAR(p.p_WB.z(), 0.25, 1e-15);
      }
      // The octagon in a cap reaches to cos(22.5°) of its radius.
      EXPECT_TRUE(held_by(points, Vec3(0, 0, 0.25), 0.92 * 0.2)) << shape_name(above) << " on " << shape_name(below);
    }
  }
}

TEST(FaceContact, OfEqualFacesTheSameIsTheReferenceWhateverTheRoundOff) {
  // Bricks of a wall, laid half across one another: round-off of a pose decides nothing.
  Random random(5);
  const Shape brick = Box{{0.1, 0.05, 0.05}};
  const Transform below = lifted(0), above = {Mat3::Identity(), Vec3(0.1, 0, 0.1)};
  const auto points = points_of(brick, above, brick, below, 0.01);
  ASSERT_EQ(points.size(), 4u);
  for (int trial = 0; trial < 1000; ++trial) {
    Transform moved = above;
    moved.R = exponential(random.in_cube(1e-15)).toRotationMatrix();
    moved.p += random.in_cube(1e-15);
    const auto again = points_of(brick, moved, brick, below, 0.01);
    ASSERT_EQ(again.size(), points.size());
    for (std::size_t k = 0; k < points.size(); ++k) {
      EXPECT_EQ(again[k].feature, points[k].feature);
      EXPECT_LT((again[k].p_WB - points[k].p_WB).norm(), 1e-12);
    }
  }
}

TEST(FaceContact, KeepsItsPointsWhenWhatStandsRocksByANanoradian) {
  Random random(1);
  for (const Shape& below : standing_shapes()) {
    for (const Shape& above : standing_shapes()) {
      for (int trial = 0; trial < 200; ++trial) {
        const Mat3 turn = exponential(random.between(0, 6) * Vec3::UnitZ()).toRotationMatrix();
        const Transform flat = {turn, Vec3(random.between(-0.1, 0.1), random.between(-0.1, 0.1), 0.5)};
        const auto points = points_of(above, flat, below, lifted(0), 0.01);
        Transform rocked = flat;
        rocked.R = exponential(1e-9 * random.direction()).toRotationMatrix() * flat.R;
        rocked.p.z() += random.between(-1e-9, 1e-9);
        const auto after = points_of(above, rocked, below, lifted(0), 0.01);
        for (const ContactPoint& p : points) {
          EXPECT_TRUE(std::any_of(after.begin(), after.end(),
                                  [&](const ContactPoint& q) { return (p.p_WB - q.p_WB).norm() < 1e-6; }))
              << shape_name(above) << " on " << shape_name(below) << " trial " << trial << " feature " << p.feature;
        }
        for (const ContactPoint& p : after) EXPECT_NEAR(p.gap, 0, 3e-9);
        EXPECT_TRUE(held_by(after, Vec3(flat.p.x(), flat.p.y(), 0.25), 0.01));
      }
    }
  }
}

TEST(FaceContact, IsTheCommonPartOfTheFaces) {
  // The corners of two overlapping rectangles' common part, by their own coordinates.
  Random random(2);
  for (int trial = 0; trial < 500; ++trial) {
    const Box a = random.box(), b = random.box();
    const double x = random.between(-0.4, 0.4), y = random.between(-0.4, 0.4);
    const Transform X_WA = {Mat3::Identity(), Vec3(x, y, a.half_extents.z() + b.half_extents.z() - 1e-4)};
    const auto points = points_of(a, X_WA, b, lifted(0), 0.01);
    const double x0 = std::max(x - a.half_extents.x(), -b.half_extents.x());
    const double x1 = std::min(x + a.half_extents.x(), b.half_extents.x());
    const double y0 = std::max(y - a.half_extents.y(), -b.half_extents.y());
    const double y1 = std::min(y + a.half_extents.y(), b.half_extents.y());
    if (x1 - x0 < 1e-3 || y1 - y0 < 1e-3) continue;  // then another way out may be shorter
    ASSERT_EQ(points.size(), 4u) << trial;
    for (const double u : {x0, x1}) {
      for (const double v : {y0, y1}) {
        EXPECT_TRUE(std::any_of(points.begin(), points.end(), [&](const ContactPoint& p) {
          return std::hypot(p.p_WB.x() - u, p.p_WB.y() - v) < 1e-12;
        })) << trial;
      }
    }
  }
}

TEST(FaceContact, LogsLieSideBySideWhereTheyOverlap) {
  const Mat3 lying = exponential(std::numbers::pi / 2 * Vec3::UnitX()).toRotationMatrix();  // axes along y
  for (const Shape& below : {Shape(Cylinder{0.2, 0.5}), Shape(Capsule{0.2, 0.5})}) {
    for (const double slide : {0.0, 0.3, 0.7}) {
      const Transform X_WB = {lying, Vec3::Zero()}, X_WA = {lying, Vec3(0, slide, 0.3)};
      const auto points = points_of(Cylinder{0.1, 0.5}, X_WA, below, X_WB, 0.01);
      ASSERT_EQ(points.size(), 2u);
      const double low = std::min(points[0].p_WB.y(), points[1].p_WB.y());
      const double high = std::max(points[0].p_WB.y(), points[1].p_WB.y());
      EXPECT_NEAR(low, slide - 0.5, 1e-9);
      EXPECT_NEAR(high, 0.5, 1e-9);
      for (const ContactPoint& p : points) EXPECT_NEAR(p.gap, 0, 1e-12);
    }
  }
}

TEST(FaceContact, ACylinderStandsLiesAndWobblesOnTheGround) {
  const Cylinder can{0.2, 0.25};
  const auto standing = points_of(can, lifted(0.25), HalfSpace{}, lifted(0), 0.01);
  EXPECT_TRUE(held_by(standing, Vec3::Zero(), 0.92 * 0.2));
  const Mat3 lying = exponential(std::numbers::pi / 2 * Vec3::UnitX()).toRotationMatrix();
  const auto side = points_of(can, {lying, Vec3(0, 0, 0.2)}, HalfSpace{}, lifted(0), 0.001);
  ASSERT_EQ(side.size(), 2u);
  EXPECT_NEAR(std::abs(side[0].p_WA.y() - side[1].p_WA.y()), 0.5, 1e-12);
  Random random(3);
  for (int trial = 0; trial < 1000; ++trial) {
    const Transform X = random.pose(0.3);
    const auto points = points_of(can, X, HalfSpace{}, lifted(0), std::numeric_limits<double>::infinity());
    EXPECT_NEAR(nearest(points).gap, -support(can, X, -Vec3::UnitZ()), 1e-14);
    for (const ContactPoint& p : points) EXPECT_LT(outside(can, X, p.p_WA), 1e-14);
  }
}

TEST(FaceContact, EllipsoidsAndMeshesOnTheGroundHaveTheirLowestPoint) {
  Random random(4);
  for (int trial = 0; trial < 1000; ++trial) {
    const Transform X = random.pose(0.3);
    const Shape shape = trial % 2 ? Shape(random.ellipsoid()) : Shape(random.mesh());
    const auto points = points_of(shape, X, HalfSpace{}, lifted(0), std::numeric_limits<double>::infinity());
    EXPECT_NEAR(nearest(points).gap, -support(shape, X, -Vec3::UnitZ()), 1e-14);
  }
}

}  // namespace
}  // namespace carom
