// Closest points of implicit bodies against gaps found without them, and cases that their equations tell apart.

#include "carom/contact/closest_points.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "carom/geometry/contact_points.h"
#include "carom/geometry/test/random_shapes.h"

namespace carom::closest_points_test {
namespace {

double signed_distance(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB) {
  return nearest(points_of(a, X_WA, b, X_WB, std::numeric_limits<double>::infinity())).gap;
}

struct Posed {
  Shape a, b;
  Transform X_WA, X_WB;

  double gap() const { return signed_distance(a, X_WA, b, X_WB); }
  ClosestPoints find(ClosestPointFinder& finder) const {
    return finder.find(implicit_body(a), X_WA, implicit_body(b), X_WB);
  }
};
/// Kind 6 of B: the half-space under z = 0.
Posed random_pair(RandomShapes& random, int kind_a, int kind_b, double spread) {
  const Shape a = random.shape(kind_a), b = kind_b == 6 ? Shape(HalfSpace{}) : random.shape(kind_b);
  const Transform X_WA = random.pose(spread), X_WB = random.pose(spread);
  return {a, b, X_WA, X_WB};
}

/// Moves A until the gap is about the given one.
void set_gap(double gap, Posed& pair) {
  const auto points = points_of(pair.a, pair.X_WA, pair.b, pair.X_WB, std::numeric_limits<double>::infinity());
  const ContactPoint& least = nearest(points);
  pair.X_WA.p -= (least.gap - gap) * least.normal;
}

/// That the answer is one: the gap is that of the shapes, the points lie in them and d n apart.
void expect_agrees(const Posed& pair, const ClosestPoints& found, double expected) {
  ASSERT_EQ(found.status, NcpStatus::solved);
  EXPECT_NEAR(found.gap, expected, 1e-10);
  EXPECT_LT((found.p_WA - found.p_WB - found.gap * found.normal).norm(), 1e-11);
  EXPECT_NEAR(found.normal.norm(), 1, 1e-11);
  EXPECT_LT(outside(pair.a, pair.X_WA, found.p_WA), 1e-10);
  EXPECT_LT(outside(pair.b, pair.X_WB, found.p_WB), 1e-10);
}

TEST(ClosestPoints, AreThoseOfTheClosedFormsForEveryPairApart) {
  ClosestPointFinder finder;
  for (int a = 0; a < 6; ++a) {
    for (int b = 0; b < 7; ++b) {
      RandomShapes random(10 * a + b);
      for (int trial = 0; trial < 30; ++trial) {
        Posed pair = random_pair(random, a, b, 1.0);
        if (pair.gap() <= 0) set_gap(random.between(0.001, 0.5), pair);
        const double expected = pair.gap();
        ASSERT_GT(expected, 0);
        expect_agrees(pair, pair.find(finder), expected);
        if (HasFailure()) FAIL() << "kinds " << a << ", " << b << ", trial " << trial;
      }
    }
  }
}

TEST(ClosestPoints, GiveTheSignedGapOfShallowOverlaps) {
  // Only a bound is promised for two meshes (NeverClaimMoreThanTheSignedDistance).
  ClosestPointFinder finder;
  for (int a = 0; a < 6; ++a) {
    for (int b = 0; b < 7; ++b) {
      if (a == 5 && b == 5) continue;
      RandomShapes random(100 + 10 * a + b);
      const int trials = a == 5 || b == 5 ? 1 : 4;
      for (int trial = 0; trial < trials; ++trial) {
        Posed pair = random_pair(random, a, b, 1.0);
        if (pair.gap() <= 0) continue;
        set_gap(-random.between(1e-5, 0.01), pair);
        const double expected = pair.gap();
        ASSERT_LT(expected, 0);
        expect_agrees(pair, pair.find(finder), expected);
        if (HasFailure()) FAIL() << "kinds " << a << ", " << b << ", trial " << trial;
      }
    }
  }
}

TEST(ClosestPoints, FollowBodiesThroughTouching) {
  // From the unknowns of a pose a little further apart, as a step starts from the last one.
  RandomShapes random(3);
  ClosestPointFinder finder;
  for (int trial = 0; trial < 60; ++trial) {
    Posed pair = random_pair(random, trial % 6, trial / 6 % 6, 1.0);
    set_gap(0.002, pair);
    const ClosestPoints before = pair.find(finder);
    ASSERT_EQ(before.status, NcpStatus::solved) << trial;
    for (const double gap : {0.0, -0.002}) {
      Posed later = pair;
      later.X_WA.p += (gap - before.gap) * before.normal;
      const ClosestPoints found =
          finder.find_near(implicit_body(pair.a), later.X_WA, implicit_body(pair.b), later.X_WB, before.unknowns);
      expect_agrees(later, found, gap);  // A moved along its own normal
      if (HasFailure()) FAIL() << "trial " << trial << ", gap " << gap;
    }
  }
}

TEST(ClosestPoints, NeverClaimMoreThanTheSignedDistance) {
  // Any solution is a lower bound, however deep the overlap; of spheres and capsules the greatest is found as well.
  ClosestPointFinder finder;
  RandomShapes random(4);
  int deep = 0;
  for (int trial = 0; trial < 36; ++trial) {
    const int a = trial % 6, b = trial / 6 % 6;
    const Posed pair = random_pair(random, a, b, 0.1);
    const double expected = pair.gap();
    const ClosestPoints found = pair.find(finder);
    ASSERT_EQ(found.status, NcpStatus::solved) << trial;
    EXPECT_LE(found.gap, expected + 1e-10) << trial;
    const bool round = a < 2 && b < 2;
    if (round) {
      EXPECT_NEAR(found.gap, expected, 1e-10) << trial;
    }
    deep += expected < -0.1;
  }
  EXPECT_GT(deep, 15);
}

TEST(ClosestPoints, SatisfyThePaperOnTangentPlanes) {
  // Eq. (9) projected on the tangent plane of n̂₂: six equations for bodies of one inequality.
  RandomShapes random(5);
  ClosestPointFinder finder;
  for (int trial = 0; trial < 100; ++trial) {
    const ImplicitBody a = superquadric(random.ellipsoid().semi_axes, Vec3(2, 3, 4));
    const ImplicitBody b = trial % 2 ? implicit_body(random.ellipsoid())
                                     : rounded_polytope(random.mesh().polyhedron, 0.02 + 0.001 * trial);
    const Transform X_WA = random.pose(0.3), X_WB{random.rotation(), 1.5 * random.direction()};
    const ClosestPoints found = finder.find(a, X_WA, b, X_WB);
    ASSERT_EQ(found.status, NcpStatus::solved) << trial;
    const SurfaceJet f = evaluate(a.surfaces[0], X_WA.inverse() * found.p_WA);
    const SurfaceJet g = evaluate(b.surfaces[0], X_WB.inverse() * found.p_WB);
    const Vec3 n1 = X_WA.R * f.gradient.normalized(), n2 = X_WB.R * g.gradient.normalized();
    const Mat3 frame = contact_frame(n2);
    EXPECT_LT((frame.leftCols<2>().transpose() * (found.p_WA - found.p_WB)).norm(), 1e-11);
    EXPECT_LT((frame.leftCols<2>().transpose() * n1).norm(), 1e-10);
    EXPECT_LT(n1.dot(n2), 0);
    EXPECT_NEAR(f.value, 0, 1e-11);
    EXPECT_NEAR(g.value, 0, 1e-11);
    EXPECT_GT(found.gap, 0);
  }
}

}  // namespace
}  // namespace carom::closest_points_test
