// Ground by its heights: flat ground is a half-space, a slope a tilted plane. No sample of rough ground is nearer to a
// shape than the gap says. A shape that overlaps has a negative gap, no deeper than it has moved since it was apart.

#include "carom/geometry/height_field_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "carom/error.h"
#include "carom/geometry/broad_phase.h"
#include "carom/geometry/convex_distance.h"
#include "carom/geometry/test/grounds.h"
#include "carom/geometry/test/random_shapes.h"

namespace carom::height_field_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The points of both, matched by their order; numbers may differ.
void expect_same(const std::vector<ContactPoint>& found, const std::vector<ContactPoint>& right) {
  ASSERT_EQ(found.size(), right.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    EXPECT_NEAR(found[k].gap, right[k].gap, 1e-13);
    EXPECT_LT((found[k].normal - right[k].normal).norm(), 1e-13);
    EXPECT_LT((found[k].p_WA - right[k].p_WA).norm(), 1e-13);
    EXPECT_LT((found[k].p_WB - right[k].p_WB).norm(), 1e-13);
  }
}

/// A ridge that slopes down from a peak touches what lies on the peak at its end alone: the peak's own normal holds it.
TEST(HeightField, APlateOnAPeakIsHeldByThePlatesNormal) {
  const HeightField peak =
      ground(5, 5, Vec2(0.2, 0.2), [](double x, double y) { return x == 0 && y == 0 ? 0.1 : 0.0; });
  for (const Shape& plate : {Shape(Box{{0.3, 0.3, 0.01}}), Shape(Cylinder{0.35, 0.05}), Shape(Box{{0.3, 0.3, 0.2}})}) {
    const double half = std::holds_alternative<Cylinder>(plate) ? 0.05 : std::get<Box>(plate).half_extents.z();
    for (const double depth : {1e-6, 1e-4, 2.5e-3}) {
      std::vector<ContactPoint> points;
      height_field_points(plate, {Mat3::Identity(), Vec3(0, 0, 0.1 + half - depth)}, peak, {}, 0, points);
      ASSERT_FALSE(points.empty()) << depth;
      for (const ContactPoint& point : points) {
        EXPECT_NEAR(point.gap, -depth, 1e-12);
        EXPECT_LT((point.normal - Vec3::UnitZ()).norm(), 1e-9);
      }
    }
  }
}

TEST(HeightField, FlatGroundIsAHalfSpace) {
  RandomShapes random(1);
  int touching = 0;
  for (int trial = 0; trial < 1200 && !HasFailure(); ++trial) {
    const Shape a = random.shape(trial % 9);
    const HeightField b = ground(23, 17, Vec2(0.31, 0.4), [](double, double) { return 0.0; });
    const Transform X_WB = random.pose(2);
    const Transform X_WA = X_WB * Transform{random.rotation(), Vec3(random.between(-1, 1), random.between(-1, 1),
                                                                    random.between(-0.3, 0.6))};
    const double margin = trial % 2 ? infinity : 0.05;
    const auto right = points_of(a, X_WA, HalfSpace{}, X_WB, margin);
    auto found = points_of(a, X_WA, b, X_WB, margin);
    // Asked for everything, the ground tells of its far rim as well.
    std::erase_if(found, [](const ContactPoint& point) { return point.feature < 1 << 30; });
    expect_same(found, right);
    touching += !found.empty() && nearest(found).gap < 0;
    for (std::size_t k = 0; k < found.size(); ++k)
      EXPECT_EQ(found[k].feature, (1 << 30) + b.grid->triangle_count() * right[k].feature);
  }
  EXPECT_GT(touching, 200);
}

TEST(HeightField, ASlopeIsATiltedPlane) {
  RandomShapes random(2);
  for (int trial = 0; trial < 600 && !HasFailure(); ++trial) {
    const double slope_x = random.between(-1, 1), slope_y = random.between(-1, 1), level = random.between(-1, 1);
    const HeightField b =
        ground(21, 21, Vec2(0.5, 0.5), [&](double x, double y) { return level + slope_x * x + slope_y * y; });
    const Vec3 normal = Vec3(-slope_x, -slope_y, 1).normalized();
    const Transform plane = {contact_frame(normal), Vec3(0, 0, level)};
    const Shape a = random.shape(trial % 9);
    const Vec3 above = Vec3(0, 0, level) + random.between(-0.2, 0.5) * normal;
    const Transform X_WA = {random.rotation(), above};
    auto found = points_of(a, X_WA, b, Transform::identity(), 0.05);
    const auto right = points_of(a, X_WA, HalfSpace{}, plane, 0.05);
    ASSERT_EQ(found.size(), right.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
      EXPECT_NEAR(found[k].gap, right[k].gap, 1e-12);
      EXPECT_LT((found[k].normal - right[k].normal).norm(), 1e-12);
      EXPECT_LT((found[k].p_WA - right[k].p_WA).norm(), 1e-12);
    }
  }
}

/// Ground that bends both ways, every kind of shape apart from it. The least gap is the distance of two points that
/// belong to the two, and no point of the ground is nearer.
TEST(HeightField, NothingOfTheGroundIsNearerThanTheGapSays) {
  RandomShapes random(3);
  int apart = 0;
  for (int trial = 0; trial < (std::getenv("CAROM_LONG") ? 12000 : 240) && !HasFailure(); ++trial) {
    const double spacing = random.between(0.1, 0.4);
    const HeightField b = rough(random, 9, spacing, random.between(0.01, 0.3));
    const Shape a = random.shape(trial % 9);
    const Transform X_WA = {random.rotation(),
                            Vec3(random.between(-0.4, 0.4), random.between(-0.4, 0.4), random.between(0.2, 1.2))};
    const auto points = points_of(a, X_WA, b, Transform::identity(), infinity);
    ASSERT_FALSE(points.empty());
    const ContactPoint& least = nearest(points);
    if (least.gap < 1e-3) continue;
    ++apart;
    EXPECT_NEAR((least.p_WA - least.p_WB).norm(), least.gap, 1e-9);
    EXPECT_LT(outside(a, X_WA, least.p_WA), 1e-9);
    EXPECT_NEAR(b.grid->height(least.p_WB.x(), least.p_WB.y()), least.p_WB.z(), 1e-9);
    for (int sample = 0; sample < 2000; ++sample) {
      const Vec2 at = b.grid->half_size().cwiseProduct(Vec2(random.between(-1, 1), random.between(-1, 1)));
      const Vec3 p(at.x(), at.y(), b.grid->height(at.x(), at.y()));
      const double distance = nearest(points_of(Sphere{0}, {Mat3::Identity(), p}, a, X_WA, infinity)).gap;
      ASSERT_GT(distance, least.gap - 1e-9)
          << "trial " << trial << " spacing " << spacing << " nearest " << least.feature << " points " << points.size();
    }
  }
  EXPECT_GT(apart, 100);
}

/// The solid under each triangle of the ground, down to a level. For a shape over the ground, the least of its signed
/// distances to them is < 0 in overlap, and else the distance.
std::vector<ConvexMesh> columns(const HeightGrid& grid, double level) {
  std::vector<ConvexMesh> found;
  for (int t = 0; t < 2 * (grid.nx() - 1) * (grid.ny() - 1); ++t) {
    std::vector<Vec3> corners;
    for (const int sample : grid.corners(t)) {
      const Vec3 p = grid.point(sample);
      corners.insert(corners.end(), {p, Vec3(p.x(), p.y(), level)});
    }
    found.push_back({std::make_shared<const Polyhedron>(convex_hull(corners))});
  }
  return found;
}

/// That distance, where it is no more than `most`; else more than that.
double distance_of_columns(const Shape& a, const Transform& X_WA, const HeightGrid& grid,
                           const std::vector<ConvexMesh>& solids, double most) {
  double least = most + 1;
  for (int t = 0; t < static_cast<int>(solids.size()) && least > -1e-6; ++t) {
    Bounds box = {Vec3::Constant(infinity), Vec3::Constant(-infinity)};
    for (const int sample : grid.corners(t)) {
      box.lower = box.lower.cwiseMin(grid.point(sample));
      box.upper = box.upper.cwiseMax(grid.point(sample));
    }
    Vec3 beyond = (box.lower - X_WA.p).cwiseMax(X_WA.p - box.upper).cwiseMax(0);
    beyond.z() = std::max(0.0, X_WA.p.z() - box.upper.z());
    if (beyond.norm() - bounding_radius(a) > std::min(least, most)) continue;
    least = std::min(least, convex_distance(a, X_WA, solids[t], Transform::identity()).gap);
  }
  return least;
}

/// A kind of shapes on random ground, a test each: a million queries of one take minutes.
class EveryKindOnGround : public testing::TestWithParam<int> {};

/// Against the solids under the triangles: apart, the least gap is their distance, and whatever overlaps one of them
/// has a gap < 0.
TEST_P(EveryKindOnGround, IsToldApartByItsDistanceAndInOverlapByItsSign) {
  const bool all = std::getenv("CAROM_LONG") != nullptr;
  const int fields = all ? 1000 : 2, queries = all ? 1000 : 30;
  const int compared = all ? 50 : 1;  // every so many of them
  RandomShapes random(6 + GetParam());
  constexpr double margin = 0.05;
  int apart = 0, overlapping = 0, asked = 0;
  double worst = 0;
  while (asked < fields * queries && !HasFailure()) {
    const double bumps = random.between(0.01, 0.3);
    const HeightField b = rough(random, 9 + random.below(5), random.between(0.1, 0.4), bumps);
    const std::vector<ConvexMesh> solids = columns(*b.grid, -bumps - 2);
    for (int query = 0; query < queries && !HasFailure(); ++query) {
      const Shape a = random.shape(GetParam());
      const double room = std::min(0.4, b.grid->half_size().x() - bounding_radius(a));
      if (room < 0) continue;  // the rim is another matter
      const Mat3 R = random.rotation();
      const double x = random.between(-room, room), y = random.between(-room, room), z = random.between(-0.6, 0.8);
      Transform X_WA = {R, Vec3(x, y, z)};
      for (int i = 0; i < 4 && query / compared % 3 == 0; ++i) {  // nearer, as few are by chance
        const double gap = nearest(points_of(a, X_WA, b, Transform::identity(), infinity)).gap;
        X_WA.p.z() -= std::max(0.0, gap - random.between(0, margin));
      }
      const auto points = points_of(a, X_WA, b, Transform::identity(), margin);
      const double least = points.empty() ? infinity : nearest(points).gap;
      ++asked;
      for (const ContactPoint& point : points) {
        EXPECT_NEAR(point.normal.norm(), 1, 1e-12) << "query " << asked;
        EXPECT_NEAR((point.p_WA - point.p_WB).dot(point.normal), point.gap, 1e-9) << "query " << asked;
        if (least <= 0) continue;
        EXPECT_LT(outside(a, X_WA, point.p_WA), 1e-9) << "query " << asked;
        EXPECT_NEAR(b.grid->height(point.p_WB.x(), point.p_WB.y()), point.p_WB.z(), 1e-9) << "query " << asked;
      }
      if (query % compared != 0) continue;
      const double right = distance_of_columns(a, X_WA, *b.grid, solids, margin);
      if (right < -1e-6) {
        ++overlapping;
        EXPECT_LT(least, 0) << "query " << asked;
      } else if (right > 1e-6 && right < margin - 1e-9) {
        ++apart;
        EXPECT_NEAR(least, right, 1e-12) << "query " << asked;
        worst = std::max(worst, std::abs(least - right));
      } else if (right > margin + 1e-9) {
        EXPECT_TRUE(points.empty()) << "query " << asked;
      }
    }
  }
  EXPECT_GT(overlapping, asked / compared / 4);
  EXPECT_GT(apart, asked / compared / 30);
  if (all) std::printf("%d asked, %d overlap, %d near; worst %.2g m\n", asked, overlapping, apart, worst);
}

INSTANTIATE_TEST_SUITE_P(HeightField, EveryKindOnGround, testing::Range(0, 9),
                         [](const testing::TestParamInfo<int>& info) { return shape_name(info.param); });

/// Moves a shape as its deepest point says, again and again; false if that does not end.
bool gets_out(const Shape& a, Transform& X_WA, const HeightField& b, const Transform& X_WB) {
  for (int push = 0; push < 400; ++push) {
    const auto points = points_of(a, X_WA, b, X_WB, 0);
    if (points.empty() || nearest(points).gap > -1e-9) return true;
    X_WA.p -= nearest(points).gap * nearest(points).normal;
  }
  return false;
}

/// Over rough ground, with the room that the shape has there before its rim.
struct Drop {
  HeightField ground;
  Shape shape;
  double room = 0;
  Transform X_WA;
};

Drop random_drop(RandomShapes& random, int kind) {
  const double bumps = random.between(0.01, 0.3);
  Drop drop = {rough(random, 9 + random.below(5), random.between(0.1, 0.4), bumps), random.shape(kind), 0, {}};
  const double reach = bounding_radius(drop.shape);
  drop.room = std::min(0.4, drop.ground.grid->half_size().x() - reach);
  const double x = random.between(-1, 1) * drop.room, y = random.between(-1, 1) * drop.room;
  drop.X_WA = {random.rotation(), Vec3(x, y, bumps + reach + 0.01)};
  return drop;
}

/// Lowered, by its distance each time, until it touches.
void lower(Drop& drop) {
  for (int step = 0; step < 1000; ++step) {
    const double gap = nearest(points_of(drop.shape, drop.X_WA, drop.ground, Transform::identity(), infinity)).gap;
    if (gap < 1e-7) return;
    drop.X_WA.p.z() -= gap;
  }
}

/// After any small motion from where a shape first touches the ground, no gap is deeper than the motion. So an overlap
/// that appears between two steps is not shown deeper than it is, and a step never throws the shape back out.
TEST(HeightField, NoGapIsDeeperThanTheShapeHasMoved) {
  RandomShapes random(11);
  int motions = 0, deep = 0;
  for (int trial = 0; trial < (std::getenv("CAROM_LONG") ? 9000 : 90) && !HasFailure(); ++trial) {
    Drop drop = random_drop(random, trial % 9);
    if (drop.room < 0) continue;
    lower(drop);
    const double reach = bounding_radius(drop.shape);
    for (int motion = 0; motion < 8; ++motion) {
      const double most = std::pow(10, random.between(-4.5, -1.5)), part = random.between(0, 1);
      Vec3 shift = most * part * random.direction();
      if (motion % 2) shift.z() = -std::abs(shift.z());
      const Mat3 turn = exponential(most * (1 - part) / reach * random.direction()).toRotationMatrix();
      const Transform moved = {turn * drop.X_WA.R, drop.X_WA.p + shift};
      ++motions;
      for (const ContactPoint& point : points_of(drop.shape, moved, drop.ground, Transform::identity(), 0)) {
        EXPECT_GT(point.gap, -most - 1e-9) << "trial " << trial << " feature " << point.feature;
        deep += point.gap < -0.1 * most;
      }
    }
  }
  EXPECT_GT(deep, 100);
  if (std::getenv("CAROM_LONG")) std::printf("%d motions, %d points deeper than a tenth of theirs\n", motions, deep);
}

/// Farther in, the least gap is that of one piece, then of another. With few exceptions (README.md) it changes by no
/// more than the shape moves.
TEST(HeightField, TheLeastGapFollowsAPathIntoTheGround) {
  RandomShapes random(12);
  constexpr double step = 5e-4;
  int steps = 0, jumps = 0;
  for (int trial = 0; trial < (std::getenv("CAROM_LONG") ? 9000 : 45); ++trial) {
    Drop drop = random_drop(random, trial % 9);
    if (drop.room < 0) continue;
    lower(drop);
    const double x = random.between(-1, 1), y = random.between(-1, 1), z = random.between(-1, -0.2);
    const Vec3 way = step * Vec3(x, y, z).normalized();
    double last = 0;
    for (int k = 0; k < 40; ++k) {
      drop.X_WA.p += way;
      const auto points = points_of(drop.shape, drop.X_WA, drop.ground, Transform::identity(), 0);
      const double least = points.empty() ? 0 : nearest(points).gap;
      ++steps;
      jumps += std::abs(least - last) > step + 2e-7;
      last = least;
    }
  }
  EXPECT_LT(jumps, steps / 400);
  if (std::getenv("CAROM_LONG")) std::printf("%d steps, %d jumps\n", steps, jumps);
}

/// However deep it is, and whatever has pierced it.
TEST(HeightField, WhatFollowsItsDeepestPointGetsOut) {
  RandomShapes random(21);
  int overlapping = 0;
  for (int trial = 0; trial < (std::getenv("CAROM_LONG") ? 40000 : 360) && !HasFailure(); ++trial) {
    Drop drop = random_drop(random, trial % 9);
    if (drop.room < 0) continue;
    drop.X_WA.p.z() = random.between(-0.3, 0.6);
    const auto points = points_of(drop.shape, drop.X_WA, drop.ground, Transform::identity(), 0);
    if (points.empty() || nearest(points).gap >= 0) continue;
    ++overlapping;
    EXPECT_TRUE(gets_out(drop.shape, drop.X_WA, drop.ground, Transform::identity())) << trial;
  }
  EXPECT_GT(overlapping, 100);
  if (std::getenv("CAROM_LONG")) std::printf("%d overlap\n", overlapping);
}

/// Steep plates with a spike through them, near their lower end. The shortest way off the tip is along the plate's
/// normal or past its end, both through the spike. The points lead upwards instead, and the plates get off that way.
TEST(HeightField, ASpikeThroughAPlateHoldsIt) {
  const Vec3 tip(0, 0, 0.5);
  const HeightField spike =
      ground(5, 5, Vec2(0.4, 0.4), [&](double x, double y) { return x == 0 && y == 0 ? tip.z() : 0.0; });
  const Box box{Vec3(0.25, 0.25, 0.02)};
  std::vector<Vec3> corners;
  corners.reserve(8);
  for (int k = 0; k < 8; ++k) {
    corners.push_back(box.half_extents.cwiseProduct(Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1)));
  }
  const ConvexMesh mesh{std::make_shared<const Polyhedron>(convex_hull(corners))};
  RandomShapes random(7);
  for (const Shape& plate : {Shape(box), Shape(mesh), Shape(RoundedPolytope{mesh.polyhedron, 0.005}),
                             Shape(Ellipsoid{Vec3(0.3, 0.3, 0.04)}), Shape(Cylinder{0.3, 0.02})}) {
    for (const double tilt : {1.2, 1.4}) {
      for (const double above : {0.15, 0.2}) {
        SCOPED_TRACE(shape_name(plate) + " " + std::to_string(tilt) + " " + std::to_string(above));
        const Mat3 R = exponential(Vec3(0, tilt, 0)).toRotationMatrix();
        const Transform X_WB = random.pose(1), X_WA = X_WB * Transform{R, tip - above * R.col(0)};
        const auto points = points_of(plate, X_WA, spike, X_WB, 0);
        ASSERT_FALSE(points.empty());
        EXPECT_LT(nearest(points).gap, -0.01);
        for (const ContactPoint& point : points) EXPECT_GT((X_WB.R.transpose() * point.normal).z(), 0.1);
        Transform moved = X_WA;
        EXPECT_TRUE(gets_out(plate, moved, spike, X_WB));
        EXPECT_GT((X_WB.R.transpose() * (moved.p - X_WA.p)).z(), 0.01);
      }
    }
  }
}

/// Points that carry a plate elsewhere do not replace that of the spike that has pierced it.
TEST(HeightField, APlateOnOneSpikeIsHeldByTheSpikeThroughItToo) {
  const Box plate{Vec3(0.7, 0.6, 0.02)};
  const Mat3 R = exponential(Vec3(0, 1.2, 0)).toRotationMatrix();
  const Vec3 center = Vec3(0, 0, 0.5) - 0.55 * R.col(0) + Vec3(0, 0.4, 0);
  // The first tip is in the middle of the plate; the second enters its lower side by 1 mm.
  const Vec3 first(0, 0, 0.5), second = center - 0.55 * R.col(0) - 0.019 * R.col(2) + Vec3(0, 0.4, 0);
  const HeightField spikes = ground(5, 5, Vec2(-second.x(), 0.4), [&](double x, double y) {
    if (x == 0 && y == 0) return first.z();
    return std::abs(x - second.x()) < 1e-9 && std::abs(y - second.y()) < 1e-9 ? second.z() : 0.0;
  });
  const auto points = points_of(plate, {R, center}, spikes, Transform::identity(), 0);
  const auto is_near = [&](const Vec3& tip, double radius, double depth) {
    return std::any_of(points.begin(), points.end(), [&](const ContactPoint& point) {
      return (point.p_WA - tip).head<2>().norm() < radius && point.gap < -depth + 1e-9;
    });
  };
  EXPECT_TRUE(is_near(second, 0.001, 0.001));
  EXPECT_TRUE(is_near(first, 0.1, 0.01));
}

/// Needles that pierce a hill below its ridge and end in it, or leave it on its other side. Nothing of the ridge is in
/// them, and no end of them is under the side where they entered. They get off upwards, or by one of the two sides.
TEST(HeightField, ANeedleThroughAHillIsHeld) {
  const HeightField roof = ground(5, 5, Vec2(0.5, 0.5), [](double x, double) { return 1 - std::abs(x); });
  const Mat3 R = exponential(Vec3(0, 0.5 * std::numbers::pi, 0)).toRotationMatrix();
  for (const Shape& needle : {Shape(Ellipsoid{Vec3(0.02, 0.02, 0.4)}), Shape(Box{Vec3(0.02, 0.02, 0.4)}),
                              Shape(Cylinder{0.02, 0.4}), Shape(Capsule{0.02, 0.4})}) {
    for (const double x : {-0.45, -0.35, -0.25, -0.15, -0.05, 0.0, 0.1, 0.3}) {
      Transform X_WA = {R, Vec3(x, 0.1, 0.85)};
      const auto points = points_of(needle, X_WA, roof, Transform::identity(), 0);
      ASSERT_FALSE(points.empty()) << shape_name(needle) << " " << x;
      EXPECT_LT(nearest(points).gap, -0.01);
      for (const ContactPoint& point : points) EXPECT_GT(point.normal.z(), std::sqrt(0.5) - 1e-9);
      EXPECT_TRUE(gets_out(needle, X_WA, roof, Transform::identity()));
      EXPECT_GT(X_WA.p.z(), 0.85);
    }
  }
}

/// A knife across a pass, whose two sides rise beside it. The edge stands on the pass itself, where no normal leads off
/// the ground on both sides.
TEST(HeightField, ABladeAcrossAPassIsHeld) {
  const HeightField pass =
      ground(5, 5, Vec2(0.2, 0.2), [](double x, double y) { return 0.8 * std::abs(x) - std::abs(y); });
  std::vector<Vec3> corners;
  for (const double y : {-0.3, 0.3})
    corners.insert(corners.end(), {Vec3(0, y, 0), Vec3(0.05, y, 0.5), Vec3(-0.05, y, 0.5)});
  const ConvexMesh blade{std::make_shared<const Polyhedron>(convex_hull(corners))};
  for (const double depth : {1e-5, 1e-3, 0.02}) {
    Transform X_WA = {Mat3::Identity(), Vec3(0, 0, -depth)};
    const auto points = points_of(blade, X_WA, pass, Transform::identity(), 0);
    ASSERT_FALSE(points.empty()) << depth;
    EXPECT_LT(nearest(points).gap, 0);
    for (const ContactPoint& point : points) EXPECT_GT(point.gap, -depth - 1e-9);
    EXPECT_TRUE(gets_out(blade, X_WA, pass, Transform::identity()));
  }
}

/// A box that slides keeps its numbers from cell to cell.
TEST(HeightField, NumbersStayAsABoxSlides) {
  const HeightField b = ground(31, 31, Vec2(0.1, 0.1), [](double, double) { return 0.2; });
  const Box box{Vec3(0.25, 0.15, 0.1)};
  std::vector<int> numbers;
  for (int step = 0; step < 400; ++step) {
    const double way = 0.002 * step;
    const Mat3 R = exponential(Vec3(0, 0, 0.01 * step)).toRotationMatrix();
    const auto points = points_of(box, {R, Vec3(-0.4 + way, 0.3 - 0.7 * way, 0.3)}, b, Transform::identity(), 0.01);
    std::vector<int> now(points.size());
    std::ranges::transform(points, now.begin(), &ContactPoint::feature);
    if (step == 0) numbers = now;
    ASSERT_EQ(now, numbers) << step;
  }
  EXPECT_EQ(numbers.size(), 4u);
}

/// A box over a table that is smaller than the box rests on the table's four corners. One that juts out over the
/// table's edge rests on its own two corners and where its sides cross that edge.
TEST(HeightField, TablesHoldByTheirCornersAndEdges) {
  const HeightField table = ground(
      9, 9, Vec2(0.2, 0.2), [](double x, double y) { return std::max(std::abs(x), std::abs(y)) < 0.3 ? 1.0 : 0.0; });
  const auto over =
      points_of(Box{Vec3(0.5, 0.5, 0.1)}, {Mat3::Identity(), Vec3(0, 0, 1.1)}, table, Transform::identity(), 0.01);
  std::vector<Vec3> held;
  for (const ContactPoint& point : over) {
    EXPECT_NEAR(point.gap, 0, 1e-12);
    EXPECT_LT((point.normal - Vec3::UnitZ()).norm(), 1e-9);
    held.push_back(point.p_WB);
  }
  for (const double x : {-0.2, 0.2}) {
    for (const double y : {-0.2, 0.2}) {
      EXPECT_TRUE(
          std::any_of(held.begin(), held.end(), [&](const Vec3& p) { return (p - Vec3(x, y, 1)).norm() < 1e-9; }));
    }
  }
  const auto jutting = points_of(Box{Vec3(0.1, 0.05, 0.1)}, {Mat3::Identity(), Vec3(0.17, 0.01, 1.1)}, table,
                                 Transform::identity(), 0.01);
  double left = infinity, right = -infinity;
  for (const ContactPoint& point : jutting) {
    EXPECT_NEAR(point.gap, 0, 1e-12);
    left = std::min(left, point.p_WA.x());
    right = std::max(right, point.p_WA.x());
  }
  EXPECT_NEAR(left, 0.07, 1e-9);
  EXPECT_NEAR(right, 0.2, 1e-9);
}

TEST(HeightField, ABallInAHollowTouchesBothSides) {
  const HeightField hollow = ground(5, 5, Vec2(0.5, 0.5), [](double x, double) { return std::abs(x); });
  const double r = 0.2;
  const auto points =
      points_of(Sphere{r}, {Mat3::Identity(), Vec3(0, 0.1, r * std::sqrt(2.0))}, hollow, Transform::identity(), 0.01);
  ASSERT_EQ(points.size(), 2u);
  for (const ContactPoint& point : points) {
    EXPECT_NEAR(point.gap, 0, 1e-14);
    EXPECT_NEAR(std::abs(point.normal.x()), std::sqrt(0.5), 1e-14);
  }
}

/// Deep in a hill only the nearer flank counts, and what stands beside it is not pulled through it.
TEST(HeightField, AHillPushesOutByTheNearerFlank) {
  const HeightField hill = ground(5, 5, Vec2(0.5, 0.5), [](double x, double) { return 1 - std::abs(x); });
  const auto inside =
      points_of(Sphere{0.01}, {Mat3::Identity(), Vec3(0.1, 0.1, 0.7)}, hill, Transform::identity(), 0.001);
  ASSERT_EQ(inside.size(), 1u);
  EXPECT_GT(inside[0].normal.x(), 0);
  EXPECT_NEAR(inside[0].gap, -0.2 * std::sqrt(0.5) - 0.01, 1e-12);
  EXPECT_TRUE(
      points_of(Sphere{0.01}, {Mat3::Identity(), Vec3(0.6, 0.1, 0.8)}, hill, Transform::identity(), 0.001).empty());
}

TEST(HeightField, HoldsItsOwnNumbers) {
  const auto fault = [](int nx, int ny, const Vec2& spacing, std::vector<double> heights) -> std::string {
    try {
      HeightGrid(nx, ny, spacing, std::move(heights));
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_EQ(fault(2, 2, Vec2(1, 1), {0, 0, 0, 0}), "");
  EXPECT_EQ(fault(1, 2, Vec2(1, 1), {0, 0}), "a grid of heights needs at least 2 x 2 samples, but this has 1 x 2");
  EXPECT_EQ(fault(2, 2, Vec2(1, 1), {0, 0, 0}), "a grid of 2 x 2 samples has 3 heights");
  EXPECT_EQ(fault(2, 2, Vec2(0, 1), {0, 0, 0, 0}), "the spacing of a grid of heights must be two positive lengths");
  EXPECT_EQ(fault(2, 2, Vec2(1, 1), {0, 0, 0, infinity}), "a height is not finite");
  EXPECT_NE(fault(1 << 20, 1 << 20, Vec2(1, 1), {}), "");
  EXPECT_EQ(shape_name(HeightField{}), "heightfield");
  EXPECT_NE(shape_fault(HeightField{}), "");
  EXPECT_FALSE(can_collide(HeightField{}, HalfSpace{}));
  EXPECT_FALSE(can_collide(HeightField{}, HeightField{}));
}

/// Heights and normals by the definition of the triangles; bounds that hold all samples.
TEST(HeightField, TheSurfaceIsThatOfItsTriangles) {
  RandomShapes random(5);
  const HeightField b = ground(4, 6, Vec2(0.3, 0.7), [&](double, double) { return random.between(-1, 1); });
  const HeightGrid& grid = *b.grid;
  const Transform X_WB = random.pose(3);
  const Bounds box = bounds(b, X_WB, 0.1);
  for (int t = 0; t < 2 * (grid.nx() - 1) * (grid.ny() - 1); ++t) {
    const auto [s0, s1, s2] = grid.corners(t);
    const Vec3 p0 = grid.point(s0), p1 = grid.point(s1), p2 = grid.point(s2);
    EXPECT_LT((grid.normal(t) - (p1 - p0).cross(p2 - p0).normalized()).norm(), 1e-14);
    const Vec3 middle = (p0 + p1 + p2) / 3;
    EXPECT_NEAR(grid.height(middle.x(), middle.y()), middle.z(), 1e-14);
    for (const Vec3& p : {p0, p1, p2}) {
      EXPECT_TRUE(((X_WB * p).array() > box.lower.array()).all() && ((X_WB * p).array() < box.upper.array()).all());
      EXPECT_LE((p).norm(), bounding_radius(b) * (1 + 1e-15));
    }
  }
}

}  // namespace
}  // namespace carom::height_field_test
