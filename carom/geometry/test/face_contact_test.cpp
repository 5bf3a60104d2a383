// A body that rests with a face on another keeps the points that carry it, without flicker.

#include "carom/geometry/face_contact.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numbers>

#include "carom/geometry/test/random_shapes.h"

namespace carom::face_contact_test {
namespace {

Transform lifted(double z) { return {Mat3::Identity(), Vec3(0, 0, z)}; }

ConvexMesh mesh_of_box(const Vec3& h) {
  std::vector<Vec3> corners;
  corners.reserve(8);
  for (int i = 0; i < 8; ++i)
    corners.push_back(Vec3(i & 1 ? h.x() : -h.x(), i & 2 ? h.y() : -h.y(), i & 4 ? h.z() : -h.z()));
  return {std::make_shared<const Polyhedron>(convex_hull(corners))};
}

/// True if the point lies in the convex hull of the places, seen from above, to within `slack` m.
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
  RandomShapes random(5);
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
  RandomShapes random(1);
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

/// True if each point that touches among these is among those, in the same place.
bool are_among(const std::vector<ContactPoint>& these, const std::vector<ContactPoint>& those) {
  return std::all_of(these.begin(), these.end(), [&](const ContactPoint& p) {
    return p.gap > 1e-11 || std::any_of(those.begin(), those.end(), [&](const ContactPoint& q) {
             return p.feature == q.feature && (p.p_WB - q.p_WB).norm() < 1e-9 && (p.normal - q.normal).norm() < 1e-9;
           });
  });
}

/// Flat-sided things that touch along a line or at a corner, at every tilt from none to steep, turned at random or with
/// edges parallel. Round-off of a pose decides which of several equal directions is the exact one. It neither brings
/// nor takes nor moves a point that touches.
TEST(FaceContact, WhatTouchesKeepsItsPointsWhateverTheRoundOff) {
  RandomShapes random(6);
  constexpr double tilts[] = {0, 1e-7, 1e-5, 5e-4, 5e-3, 0.05, 0.2};
  std::array<int, std::size(tilts)> touching = {};
  for (int trial = 0; trial < 2000; ++trial) {
    const Shape below = trial % 2 ? Shape(random.box()) : Shape(mesh_of_box(random.box().half_extents));
    const Shape above = trial % 3 ? Shape(random.box()) : Shape(mesh_of_box(random.box().half_extents));
    const std::size_t tilt = trial % std::size(tilts);
    const Vec3 about = trial % 5 ? Vec3(random.direction()) : Vec3::UnitX();
    const Vec3 turn = trial % 4 ? Vec3(random.between(0, 6) * Vec3::UnitZ()) : Vec3::Zero();
    Transform X = {exponential(tilts[tilt] * about).toRotationMatrix() * exponential(turn).toRotationMatrix(),
                   Vec3(random.between(-0.1, 0.1), random.between(-0.1, 0.1), 3)};
    for (int i = 0; i < 60; ++i) X.p.z() -= nearest(points_of(above, X, below, lifted(0), 10)).gap;
    const auto points = points_of(above, X, below, lifted(0), 0.01);
    if (points.empty()) continue;  // it went past
    ASSERT_LT(std::abs(nearest(points).gap), 1e-12);
    touching[tilt] += static_cast<int>(
        std::count_if(points.begin(), points.end(), [](const ContactPoint& p) { return p.gap <= 1e-11; }));
    for (int change = 0; change < 5; ++change) {
      Transform moved = X;
      moved.R = exponential(random.in_cube(1e-14)).toRotationMatrix() * X.R;
      moved.p += random.in_cube(1e-14);
      const auto again = points_of(above, moved, below, lifted(0), 0.01);
      EXPECT_TRUE(are_among(points, again) && are_among(again, points))
          << shape_name(above) << " on " << shape_name(below) << " trial " << trial << " tilt " << tilts[tilt];
    }
  }
  for (const int count : touching) EXPECT_GT(count, 200);
}

/// A body that rocks on nearly parallel faces by a micrometre touches now here, now there. Every point that touches
/// keeps its number all the while.
TEST(FaceContact, WhatRocksKeepsTheNumbersOfItsPoints) {
  RandomShapes random(7);
  for (int trial = 0; trial < 1000; ++trial) {
    const Shape below = trial % 2 ? Shape(random.box()) : Shape(mesh_of_box(random.box().half_extents));
    const Shape above = trial % 3 ? Shape(random.box()) : Shape(mesh_of_box(random.box().half_extents));
    const Mat3 turn = exponential(random.between(0, 6) * Vec3::UnitZ()).toRotationMatrix();
    Transform X = {exponential(1e-6 * random.direction()).toRotationMatrix() * turn,
                   Vec3(random.between(-0.1, 0.1), random.between(-0.1, 0.1), 3)};
    for (int i = 0; i < 3; ++i) X.p.z() -= nearest(points_of(above, X, below, lifted(0), 10)).gap;
    for (int change = 0; change < 10; ++change) {
      Transform rocked = X;
      rocked.R = exponential(1e-6 * random.direction()).toRotationMatrix() * X.R;
      for (int i = 0; i < 3; ++i) rocked.p.z() -= nearest(points_of(above, rocked, below, lifted(0), 10)).gap;
      const auto before = points_of(above, X, below, lifted(0), 0.01);
      for (const ContactPoint& q : points_of(above, rocked, below, lifted(0), 0.01)) {
        if (q.gap > 1e-12) continue;
        EXPECT_TRUE(std::any_of(
            before.begin(), before.end(),
            [&](const ContactPoint& p) { return p.feature == q.feature && (p.p_WB - q.p_WB).norm() < 1e-5; }))
            << shape_name(above) << " on " << shape_name(below) << " trial " << trial << " feature " << q.feature;
      }
    }
  }
}

/// Between faces within 0.01 rad of one another, one corner is the nearest point of the two shapes in every direction.
/// This holds whichever face is the exact one. No point is reported beside the corners. The few exceptions are nearest
/// where two edges cross beside the faces, farther from both normals.
TEST(FaceContact, ACornerOfNearlyParallelFacesIsTheExactPair) {
  RandomShapes random(8);
  int below_is_exact = 0, by_edges = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const Shape below = trial % 2 ? Shape(random.box()) : Shape(mesh_of_box(random.box().half_extents));
    const Shape above = trial % 3 ? Shape(random.box()) : Shape(mesh_of_box(random.box().half_extents));
    const Mat3 turn = exponential(random.between(0, 6) * Vec3::UnitZ()).toRotationMatrix();
    const Vec3 tilt = std::pow(10, random.between(-12, -2)) * random.direction();
    Transform X = {exponential(tilt).toRotationMatrix() * turn, Vec3(0, 0, 3)};
    X.p.z() -= nearest(points_of(above, X, below, lifted(0), 10)).gap;
    for (const double gap : {1e-3, 0.0, -1e-6}) {
      Transform moved = X;
      moved.p.z() += gap;
      const auto points = points_of(above, moved, below, lifted(0), 0.01);
      ASSERT_GE(points.size(), 3u);
      const ContactPoint& least = nearest(points);
      const double reached = 1e-12 * (bounding_radius(above) + bounding_radius(below));  // as near as the exact pair
      EXPECT_NEAR(least.gap, separation_along(least.normal, above, moved, below, lifted(0)), reached);
      if (std::min(least.normal.z(), least.normal.dot(moved.R.col(2))) < std::cos(0.01)) {
        ++by_edges;
        continue;
      }
      below_is_exact += least.normal.z() == 1;
      for (const ContactPoint& p : points) {
        EXPECT_GT(p.feature, 0);
        EXPECT_EQ(p.normal, least.normal);
        EXPECT_LT((p.p_WA - p.p_WB - p.gap * p.normal).norm(), 1e-15);
      }
    }
  }
  EXPECT_GT(below_is_exact, 500);
  EXPECT_LT(below_is_exact, 5500);
  EXPECT_LT(by_edges, 60);  // one in a hundred
}

TEST(FaceContact, IsTheCommonPartOfTheFaces) {
  // The corners of two overlapping rectangles' common part, by their own coordinates.
  RandomShapes random(2);
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

/// A body that lies along a ridge touches it at both ends of what they have in common, not somewhere along it.
TEST(FaceContact, WhatLiesAlongARidgeIsHeldAtBothEnds) {
  RandomShapes random(9);
  const double reach = std::sqrt(2);  // of an edge about the middle of a box whose section is a square of half-side 1
  for (int trial = 0; trial < 500; ++trial) {
    const double width = random.between(0.1, 0.3), half = random.between(0.2, 0.5), other = random.between(0.2, 0.5);
    const Box ridge = {{width, half, width}}, block = {{0.2, other, 0.2}};
    const Mat3 on_edge = exponential(std::numbers::pi / 4 * Vec3::UnitY()).toRotationMatrix();
    const Mat3 along = exponential(std::numbers::pi / 2 * Vec3::UnitX()).toRotationMatrix();
    struct {
      Shape shape;
      Mat3 R;
      double height;
    } const lain[] = {{block, on_edge, 0.2 * reach},
                      {mesh_of_box(block.half_extents), on_edge, 0.2 * reach},
                      {Cylinder{0.2, other}, along, 0.2},
                      {Capsule{0.2, other}, along, 0.2}};
    const Mat3 turn = exponential(random.between(0, 6) * Vec3::UnitZ()).toRotationMatrix();
    const double y = random.between(-0.6, 0.6) * (half + other), gap = random.between(1e-4, 1e-3);
    const double first = std::max(-half, y - other), last = std::min(half, y + other);
    for (const auto& [shape, R, height] : lain) {
      for (const Shape& below : {Shape(ridge), Shape(mesh_of_box(ridge.half_extents))}) {
        const auto points = points_of(shape, {turn * R, turn * Vec3(0, y, width * reach + height + gap)}, below,
                                      {turn * on_edge, Vec3::Zero()}, 0.01);
        double least = 1, greatest = -1;
        for (const ContactPoint& p : points) {
          EXPECT_NEAR(p.gap, gap, 1e-15);
          EXPECT_LT((p.normal - Vec3::UnitZ()).norm(), 1e-9);
          EXPECT_LT((p.p_WA - p.p_WB - p.gap * p.normal).norm(), 1e-15);
          least = std::min(least, turn.col(1).dot(p.p_WB));
          greatest = std::max(greatest, turn.col(1).dot(p.p_WB));
        }
        EXPECT_EQ(points.size(), 2u) << shape_name(shape) << " on " << shape_name(below);
        EXPECT_NEAR(least, first, 1e-12) << shape_name(shape) << " on " << shape_name(below);
        EXPECT_NEAR(greatest, last, 1e-12) << shape_name(shape) << " on " << shape_name(below);
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
  RandomShapes random(3);
  for (int trial = 0; trial < 1000; ++trial) {
    const Transform X = random.pose(0.3);
    const auto points = points_of(can, X, HalfSpace{}, lifted(0), std::numeric_limits<double>::infinity());
    EXPECT_NEAR(nearest(points).gap, -support(can, X, -Vec3::UnitZ()), 1e-14);
    for (const ContactPoint& p : points) EXPECT_LT(outside(can, X, p.p_WA), 1e-14);
  }
}

TEST(FaceContact, EllipsoidsAndMeshesOnTheGroundHaveTheirLowestPoint) {
  RandomShapes random(4);
  for (int trial = 0; trial < 1000; ++trial) {
    const Transform X = random.pose(0.3);
    const Shape shape = trial % 2 ? Shape(random.ellipsoid()) : Shape(random.mesh());
    const auto points = points_of(shape, X, HalfSpace{}, lifted(0), std::numeric_limits<double>::infinity());
    EXPECT_NEAR(nearest(points).gap, -support(shape, X, -Vec3::UnitZ()), 1e-14);
  }
}

}  // namespace
}  // namespace carom::face_contact_test
