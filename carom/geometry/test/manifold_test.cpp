// Which points a pair of shapes that rest on one another gets, where they lie, and that they stay.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "carom/error.h"
#include "carom/geometry/contact_points.h"
#include "carom/geometry/test/random_shapes.h"

namespace carom::manifold_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const Transform origin;

Transform at(double x, double y, double z) { return {Mat3::Identity(), Vec3(x, y, z)}; }

/// z axis of the shape along `axis`.
Transform along(const Vec3& axis, const Vec3& position) {
  return {Quaternion::FromTwoVectors(Vec3::UnitZ(), axis).toRotationMatrix(), position};
}

void expect_point(const ContactPoint& point, int feature, double gap, const Vec3& p_WA, const Vec3& p_WB,
                  const Vec3& normal) {
  EXPECT_EQ(point.feature, feature);
  EXPECT_NEAR(point.gap, gap, 1e-14);
  EXPECT_LT((point.p_WA - p_WA).norm(), 1e-14) << point.p_WA.transpose();
  EXPECT_LT((point.p_WB - p_WB).norm(), 1e-14) << point.p_WB.transpose();
  EXPECT_LT((point.normal - normal).norm(), 1e-14) << point.normal.transpose();
}

/// Rocks A by 1e-9 every way: the same features stay, at the same places, with the same gaps.
void expect_steady(const std::string& what, const Shape& a, const Transform& X_WA, const Shape& b,
                   const Transform& X_WB, double margin) {
  SCOPED_TRACE(what);
  RandomShapes random(17);
  const auto still = points_of(a, X_WA, b, X_WB, margin);
  for (int trial = 0; trial < 200; ++trial) {
    const Transform X = {exponential(1e-9 * random.in_cube(1)).toRotationMatrix() * X_WA.R,
                         X_WA.p + 1e-9 * random.in_cube(1)};
    const auto rocked = points_of(a, X, b, X_WB, margin);
    ASSERT_EQ(rocked.size(), still.size()) << "trial " << trial;
    for (std::size_t i = 0; i < still.size(); ++i) {
      EXPECT_EQ(rocked[i].feature, still[i].feature);
      EXPECT_NEAR(rocked[i].gap, still[i].gap, 1e-8);
      EXPECT_LT((rocked[i].p_WA - still[i].p_WA).norm(), 1e-8) << "trial " << trial;
      EXPECT_LT((rocked[i].normal - still[i].normal).norm(), 1e-7) << "trial " << trial;
    }
  }
}

TEST(Manifold, BoxLiesOnFourCornersOfItsEight) {
  const Shape box = Box{{0.3, 0.2, 0.1}};
  const Transform X = at(1, 2, 0.1 - 1e-3);
  const auto points = points_of(box, X, HalfSpace{}, origin, 0.01);
  ASSERT_EQ(points.size(), 4u);
  for (int i = 0; i < 4; ++i) {
    const Vec3 corner(1 + (i & 1 ? 0.3 : -0.3), 2 + (i & 2 ? 0.2 : -0.2), -1e-3);
    expect_point(points[i], i, -1e-3, corner, Vec3(corner.x(), corner.y(), 0), Vec3::UnitZ());
  }
  expect_steady("box on the ground", box, X, HalfSpace{}, origin, 0.01);
  EXPECT_EQ(points_of(box, X, HalfSpace{}, origin, infinity).size(), 8u);
}

TEST(Manifold, BallsVerticesAndEndsAgainstAHalfSpaceAnywhere) {
  RandomShapes random(1);
  for (int trial = 0; trial < 1000; ++trial) {
    const Transform X_WA = random.pose(1), X_WB = random.pose(1);
    const Vec3 up = X_WB.R.col(2);
    const Shape shapes[] = {random.sphere(), random.box(), random.capsule()};
    for (const Shape& a : shapes) {
      const auto points = points_of(a, X_WA, HalfSpace{}, X_WB, infinity);
      ASSERT_EQ(points.size(), a.index() == 0 ? 1u : a.index() == 1 ? 8u : 2u);
      EXPECT_NEAR(nearest(points).gap, -support(a, X_WA, -up) - up.dot(X_WB.p), 1e-14);
      for (const ContactPoint& p : points) {
        EXPECT_NEAR(up.dot(p.p_WA - X_WB.p), p.gap, 1e-14);
        EXPECT_NEAR(up.dot(p.p_WB - X_WB.p), 0, 1e-14);
        EXPECT_LT((p.p_WA - p.p_WB - p.gap * up).norm(), 1e-14);
        EXPECT_LT(outside(a, X_WA, p.p_WA), 1e-14);
      }
      const auto swapped = points_of(HalfSpace{}, X_WB, a, X_WA, infinity);
      ASSERT_EQ(swapped.size(), points.size());
      for (std::size_t i = 0; i < points.size(); ++i) {
        EXPECT_EQ(swapped[i].feature, points[i].feature);
        EXPECT_EQ(swapped[i].gap, points[i].gap);
        EXPECT_EQ(swapped[i].normal, -points[i].normal);
        EXPECT_EQ(swapped[i].p_WA, points[i].p_WB);
      }
    }
  }
}

TEST(Manifold, ParallelCapsulesTouchAtTheEndsOfTheirOverlap) {
  RandomShapes random(2);
  for (int trial = 0; trial < 1000; ++trial) {
    const Capsule a = random.capsule(), b = random.capsule();
    const double shift = random.between(-0.9, 0.9) * (a.half_length + b.half_length);
    const double low = std::max(-b.half_length, shift - a.half_length);
    const double high = std::min(b.half_length, shift + a.half_length);
    const double gap = 1e-3, side = a.radius + b.radius + gap;
    const bool reversed = trial % 2;
    const Transform X_WA = {Vec3(1, reversed ? -1 : 1, reversed ? -1 : 1).asDiagonal(), Vec3(side, 0, shift)};
    const auto points = points_of(a, X_WA, b, origin, gap + 1e-12);
    if (high - low < 1e-3) continue;
    ASSERT_EQ(points.size(), 2u) << "trial " << trial;
    double lowest = infinity, highest = -infinity;
    for (const ContactPoint& p : points) {
      EXPECT_NEAR(p.gap, gap, 1e-13);
      EXPECT_LT((p.normal - Vec3::UnitX()).norm(), 1e-12);
      EXPECT_NEAR(p.p_WB.x(), b.radius, 1e-14);
      lowest = std::min(lowest, p.p_WA.z());
      highest = std::max(highest, p.p_WA.z());
    }
    EXPECT_NEAR(lowest, low, 1e-13);
    EXPECT_NEAR(highest, high, 1e-13);
  }
}

TEST(Manifold, LogsStaySteadyOnOneAnother) {
  const Capsule log = {0.1, 0.5}, peg = {0.1, 0.2}, thin = {0.01, 0.5};
  for (const double shift : {0.0, 0.1, 0.3, 0.999}) {
    expect_steady("log on log", log, at(0, 0.2, shift), log, origin, 1e-6);
    expect_steady("peg on log", peg, at(0, 0.2, shift), log, origin, 1e-6);
    expect_steady("thin on log", thin, at(0, 0.11, shift), log, origin, 1e-6);
  }
  expect_steady("crossed", log, along(Vec3::UnitX(), Vec3(0, 0.2, 0)), log, origin, 1e-6);
  expect_steady("end on side", log, along(Vec3::UnitX(), Vec3(0.6, 0, 0)), log, origin, 1e-6);
  expect_steady("crossed by an end", log, along(Vec3(1, 0, 0.02).normalized(), Vec3(0, 0.2, 0.5)), log, origin, 1e-6);
  expect_steady("end on end", log, at(0, 0, 1.2), log, origin, 1e-6);
}

TEST(Manifold, CrossedCapsulesTouchOnce) {
  RandomShapes random(3);
  for (int trial = 0; trial < 1000; ++trial) {
    const Capsule a = {random.between(0.05, 0.1), 1}, b = {random.between(0.05, 0.1), 1};
    const double angle = random.between(0.5, 2.6), height = random.between(-0.3, 0.3);
    const Vec3 axis(std::cos(angle), std::sin(angle), 0);
    const Transform X_WA = along(axis, random.between(-0.5, 0.5) * axis + height * Vec3::UnitZ());
    const Transform X_WB = along(Vec3::UnitX(), random.between(-0.5, 0.5) * Vec3::UnitX());
    const auto points = points_of(a, X_WA, b, X_WB, std::abs(height) - a.radius - b.radius + 1e-3);
    ASSERT_EQ(points.size(), 1u);
    const double side = height < 0 ? -1 : 1;
    EXPECT_EQ(points[0].feature, 4);
    EXPECT_NEAR(points[0].gap, std::abs(height) - a.radius - b.radius, 1e-14);
    EXPECT_LT((points[0].normal - side * Vec3::UnitZ()).norm(), 1e-13);
    EXPECT_LT((points[0].p_WB - side * b.radius * Vec3::UnitZ()).norm(), 1e-13);
  }
}

TEST(Manifold, CapsuleLiesOnABox) {
  const Capsule capsule = {0.1, 0.3};
  const double sink = 1e-4;
  const Transform X = along(Vec3::UnitX(), Vec3(0, 0, 0.6 - sink));
  // Within the face the ends carry it.
  const Box wide = {{1, 1, 0.5}};
  auto points = points_of(capsule, X, wide, origin, 0);
  ASSERT_EQ(points.size(), 2u);
  expect_point(points[0], 0, -sink, Vec3(-0.3, 0, 0.5 - sink), Vec3(-0.3, 0, 0.5), Vec3::UnitZ());
  expect_point(points[1], 1, -sink, Vec3(0.3, 0, 0.5 - sink), Vec3(0.3, 0, 0.5), Vec3::UnitZ());
  // Across a beam the beam's edges do, however long it is and whether or not its axis has sunk in.
  const Box beam = {{0.2, 1, 0.5}};
  for (const double depth : {-1e-4, 0.05, 0.1, 0.12}) {
    const Transform X_WA = along(Vec3::UnitX(), Vec3(0, 0, 0.6 - depth));
    points = points_of(capsule, X_WA, beam, origin, -depth + 1e-9);
    ASSERT_EQ(points.size(), 2u) << depth;
    for (const ContactPoint& p : points) {
      EXPECT_NEAR(p.gap, -depth, 1e-14);
      EXPECT_LT((p.normal - Vec3::UnitZ()).norm(), 1e-14);
      EXPECT_NEAR(std::abs(p.p_WB.x()), 0.2, 1e-14);
    }
    EXPECT_LT(points[0].p_WB.x() * points[1].p_WB.x(), 0);
  }
}

TEST(Manifold, CapsuleStaysSteadyOnABox) {
  const Capsule capsule = {0.1, 0.3};
  const Box wide = {{1, 1, 0.5}}, beam = {{0.2, 1, 0.5}}, same = {{0.3, 1, 0.5}};
  for (const double depth : {-1e-4, 0.0, 0.05, 0.11}) {
    const Transform X = along(Vec3::UnitX(), Vec3(0, 0, 0.6 - depth));
    for (const Box& box : {wide, beam, same}) expect_steady("lying", capsule, X, box, origin, -depth + 1e-6);
    // Oblique across the beam.
    expect_steady("oblique", capsule, along(Vec3(1, 0.4, 0).normalized(), X.p), beam, origin, -depth + 1e-6);
  }
  // Along an edge, seen from between its faces, and beyond its ends.
  const Box cube = {{0.2, 0.2, 0.2}};
  const Vec3 out = 0.2 * Vec3(0, 1, 1) + 0.1 * Vec3(0, 1, 1).normalized();
  expect_steady("along an edge", capsule, along(Vec3::UnitX(), out), cube, origin, 1e-6);
  EXPECT_EQ(points_of(capsule, along(Vec3::UnitX(), out), cube, origin, 1e-6).size(), 2u);
  expect_steady("upright on a face", capsule, at(0, 0, 0.6), cube, origin, 1e-6);
  expect_steady("upright on an edge", capsule, at(0.2, 0, 0.6), cube, origin, 1e-6);
  expect_steady("upright on a vertex", capsule, at(0.2, 0.2, 0.6), cube, origin, 1e-6);
  expect_steady("leaning on an edge", capsule,
                along(Vec3(1, 0, -1).normalized(), Vec3(0.2, 0, 0.2) + 0.1 * Vec3(1, 0, 1).normalized()), cube, origin,
                1e-6);
}

TEST(Manifold, CapsuleThroughABoxLeavesByTheShortestWay) {
  const Box box = {{0.5, 0.3, 0.4}};
  // Skewered along z, off the middle: out by the nearest side, for all of its length.
  const auto through = points_of(Capsule{0.1, 2}, at(0.1, -0.05, 0.2), box, origin, infinity);
  EXPECT_NEAR(nearest(through).gap, -(0.3 - 0.05) - 0.1, 1e-14);
  EXPECT_LT((nearest(through).normal + Vec3::UnitY()).norm(), 1e-14);
  for (const ContactPoint& p : through) EXPECT_LT((p.normal + Vec3::UnitY()).norm(), 1e-14);
  // Dipped in from above: out by the top.
  const auto dipped = points_of(Capsule{0.1, 2}, at(0.1, 0, 2.35), box, origin, 0);
  ASSERT_EQ(dipped.size(), 1u);
  expect_point(dipped[0], 0, -0.05 - 0.1, Vec3(0.1, 0, 0.25), Vec3(0.1, 0, 0.4), Vec3::UnitZ());
  // Through an edge at 45 degrees, its axis a depth below the edge.
  const double depth = 0.02;
  const Vec3 normal = Vec3(1, 0, 1).normalized(), edge(0.5, 0, 0.4);
  const auto cut =
      points_of(Capsule{0.1, 1}, along(Vec3(1, 0, -1).normalized(), edge - depth * normal), box, origin, infinity);
  EXPECT_NEAR(nearest(cut).gap, -depth - 0.1, 1e-14);
  EXPECT_LT((nearest(cut).normal - normal).norm(), 1e-14);
  EXPECT_LT((nearest(cut).p_WB - edge).norm(), 1e-14);
}

TEST(Manifold, SphereInAndOnABox) {
  const Box box = {{0.5, 0.3, 0.4}};
  const auto point = [&](double x, double y, double z) {
    const auto points = points_of(Sphere{0.1}, at(x, y, z), box, origin, infinity);
    EXPECT_EQ(points.size(), 1u);
    return points[0];
  };
  expect_point(point(0, 0, 0), 0, -0.4, Vec3(0, -0.1, 0), Vec3(0, 0.3, 0), Vec3::UnitY());         // centre
  expect_point(point(0.1, 0, 0.4), 0, -0.1, Vec3(0.1, 0, 0.3), Vec3(0.1, 0, 0.4), Vec3::UnitZ());  // face
  expect_point(point(0.5, 0.3, 0), 0, -0.1, Vec3(0.4, 0.3, 0), Vec3(0.5, 0.3, 0), Vec3::UnitX());  // edge
  expect_point(point(-0.5, 0.3, 0.4), 0, -0.1, Vec3(-0.4, 0.3, 0.4), Vec3(-0.5, 0.3, 0.4), -Vec3::UnitX());
  const Vec3 out = Vec3(1, 1, 1).normalized();
  const Vec3 beyond = Vec3(0.5, 0.3, 0.4) + 0.2 * out;
  expect_point(point(beyond.x(), beyond.y(), beyond.z()), 0, 0.1, beyond - 0.1 * out, Vec3(0.5, 0.3, 0.4), out);
  // Through the face without a step: the normal and the foot stay, the gap is the height.
  for (const double height : {-1e-3, -1e-12, -1e-17, 0.0, 1e-17, 1e-12, 1e-3}) {
    const double z = 0.4 + height;
    expect_point(point(0.1, 0.2, z), 0, height - 0.1, Vec3(0.1, 0.2, z - 0.1), Vec3(0.1, 0.2, 0.4), Vec3::UnitZ());
  }
}

TEST(Manifold, PointsInOnePlaceStillHaveANormal) {
  expect_point(points_of(Sphere{0.1}, origin, Sphere{0.2}, origin, 0)[0], 0, -0.3, Vec3(0, 0, -0.1), Vec3(0, 0, 0.2),
               Vec3::UnitZ());
  const double tiny = std::numeric_limits<double>::denorm_min();
  for (const double x : {tiny, 1e-200, 1e-160, 1e-140}) {
    const auto points = points_of(Sphere{0.1}, at(x, x, 0), Sphere{0.2}, origin, 0);
    ASSERT_EQ(points.size(), 1u);
    EXPECT_NEAR(points[0].normal.norm(), 1, 1e-15);
    EXPECT_NEAR(points[0].gap, -0.3, 1e-15);
  }
  // A sphere on a capsule's axis leaves across it; crossing axes part along their common perpendicular.
  for (const double z : {0.0, 0.3, 0.5}) {
    const auto points = points_of(Sphere{0.1}, at(0, 0, z), Capsule{0.2, 0.5}, origin, 0);
    EXPECT_EQ(points[0].gap, -(0.1 + 0.2));
    EXPECT_EQ(points[0].normal, Vec3::UnitX());
  }
  const auto crossing = points_of(Capsule{0.1, 0.5}, along(Vec3::UnitX(), Vec3::Zero()), Capsule{0.2, 0.5}, origin, 0);
  EXPECT_NEAR(nearest(crossing).gap, -(0.1 + 0.2), 1e-15);
  EXPECT_NEAR(std::abs(nearest(crossing).normal.y()), 1, 1e-15);
}

TEST(Manifold, OnlyHalfSpacesCannotCollide) {
  RandomShapes random(7);
  std::vector<ContactPoint> points;
  for (int i = 0; i < 7; ++i) {
    for (int j = 0; j < 7; ++j) {
      const Shape a = i < 6 ? random.shape(i) : Shape(HalfSpace{}), b = j < 6 ? random.shape(j) : Shape(HalfSpace{});
      EXPECT_EQ(can_collide(a, b), i < 6 || j < 6) << i << j;
      if (i < 6 || j < 6) {
        points.clear();
        contact_points(a, origin, b, origin, infinity, points);
        EXPECT_FALSE(points.empty()) << i << j;
      } else {
        EXPECT_THROW(contact_points(a, origin, b, origin, 0, points), Error);
      }
    }
  }
}

TEST(Manifold, PointsAreAppended) {
  std::vector<ContactPoint> points;
  contact_points(Sphere{1}, at(0, 0, 1), HalfSpace{}, origin, 0, points);
  contact_points(HalfSpace{}, origin, Sphere{1}, at(0, 0, 1), 0, points);
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0].normal, Vec3::UnitZ());
  EXPECT_EQ(points[1].normal, -Vec3::UnitZ());
}

}  // namespace
}  // namespace carom::manifold_test
