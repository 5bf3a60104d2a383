// The gap against bounds that any signed distance must meet, over thousands of poses of every pair.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "carom/geometry/test/random_shapes.h"

namespace carom::signed_distance_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Pair {
  Shape a, b;
  Transform X_WA, X_WB;

  std::vector<ContactPoint> points(double margin = infinity) const { return points_of(a, X_WA, b, X_WB, margin); }
  double gap() const { return nearest(points()).gap; }
};

/// Pairs without half-space by number; `spread` small for overlap.
Pair random_pair(RandomShapes& random, int kind, double spread) {
  Pair pair;
  pair.a = kind % 2 ? Shape(random.capsule()) : Shape(random.sphere());
  pair.b = kind / 2 == 0 ? Shape(random.sphere()) : kind / 2 == 1 ? Shape(random.capsule()) : Shape(random.box());
  pair.X_WA = random.pose(spread);
  pair.X_WB = random.pose(spread);
  return pair;
}
constexpr int kinds = 6;

/// Poses where features line up: axes along the box's, origins on its faces, edges and centre, equal heights.
Pair aligned_pair(RandomShapes& random, int kind) {
  Pair pair = random_pair(random, kind, 1);
  const auto snap = [&] { return 0.25 * (random.below(5) - 2); };
  if (auto* box = std::get_if<Box>(&pair.b)) box->half_extents = Vec3(0.25, 0.5, 0.25);
  if (auto* c = std::get_if<Capsule>(&pair.a)) *c = {0.125 * random.below(3), 0.25 * random.below(4)};
  if (auto* c = std::get_if<Capsule>(&pair.b)) *c = {0.125 * random.below(3), 0.25 * random.below(4)};
  if (auto* s = std::get_if<Sphere>(&pair.a)) s->radius = 0.125 * random.below(3);
  Mat3 R;
  const int turn = random.below(3);
  R << Vec3::Unit(turn), Vec3::Unit((turn + 1) % 3), Vec3::Unit((turn + 2) % 3);
  pair.X_WA = {R, Vec3(snap(), snap(), snap())};
  pair.X_WB = Transform::identity();
  return pair;
}

/// The signed distance as the greatest separation over directions, climbed to from 26 of them: where shapes overlap
/// there are many local maxima.
double greatest_separation(RandomShapes& random, const Pair& pair) {
  const auto separation = [&](const Vec3& n) { return separation_along(n, pair.a, pair.X_WA, pair.b, pair.X_WB); };
  double greatest = -infinity;
  for (int start = 0; start < 27; ++start) {
    if (start == 13) continue;
    Vec3 best = Vec3(start % 3 - 1, start / 3 % 3 - 1, start / 9 - 1).normalized();
    double value = separation(best);
    for (double step = 0.3; step > 1e-6; step *= 0.8) {
      for (int i = 0; i < 24; ++i) {
        const Vec3 n = (best + step * random.direction()).normalized();
        const double s = separation(n);
        if (s <= value) continue;
        value = s;
        best = n;
      }
    }
    greatest = std::max(greatest, value);
  }
  return greatest;
}

void expect_sound(const Pair& pair, const std::vector<ContactPoint>& points, double normal_error = 1e-13) {
  ASSERT_FALSE(points.empty());
  const ContactPoint& least = nearest(points);
  int feature = -1;
  for (const ContactPoint& point : points) {
    ASSERT_TRUE(point.p_WA.allFinite() && point.p_WB.allFinite() && std::isfinite(point.gap));
    EXPECT_NEAR(point.normal.norm(), 1, 1e-14);
    EXPECT_NEAR((point.p_WA - point.p_WB).dot(point.normal), point.gap, 1e-13);
    EXPECT_LT(outside(pair.a, pair.X_WA, point.p_WA), 1e-13);
    EXPECT_LT(outside(pair.b, pair.X_WB, point.p_WB), 1e-13);
    EXPECT_GT(point.feature, feature);
    feature = point.feature;
  }
  // Reached along its own normal, so no less than what any overlap must be pushed out by, and no more than the
  // distance.
  EXPECT_NEAR(separation_along(least.normal, pair.a, pair.X_WA, pair.b, pair.X_WB), least.gap, normal_error);
  if (least.gap >= 0) {
    EXPECT_NEAR((least.p_WA - least.p_WB).norm(), least.gap, 1e-12);
  }
}

TEST(SignedDistance, MeetsItsBoundsInRandomPoses) {
  RandomShapes random(1);
  int overlapping = 0, deep = 0;
  for (int trial = 0; trial < 12000; ++trial) {
    const Pair pair = random_pair(random, trial % kinds, trial % 3 ? 0.15 : 0.8);
    const auto points = pair.points();
    expect_sound(pair, points);
    overlapping += nearest(points).gap < 0;
    deep += nearest(points).gap < -0.3;
    if (HasFailure()) FAIL() << "trial " << trial;
  }
  EXPECT_GT(overlapping, 4000);
  EXPECT_GT(deep, 500);
}

TEST(SignedDistance, MeetsItsBoundsWhereFeaturesLineUp) {
  RandomShapes random(2);
  for (int trial = 0; trial < 20000; ++trial) {
    const Pair pair = aligned_pair(random, trial % kinds);
    expect_sound(pair, pair.points());
    if (HasFailure()) FAIL() << "trial " << trial;
  }
}

TEST(SignedDistance, HardlyChangesWhenLinedUpFeaturesAreTilted) {
  RandomShapes random(12);
  const double angle = 1e-9;
  for (int trial = 0; trial < 20000; ++trial) {
    const Pair pair = aligned_pair(random, trial % kinds);
    Pair tilted = pair;
    tilted.X_WA.R = exponential(angle * random.direction()).toRotationMatrix() * pair.X_WA.R;
    const auto points = tilted.points();
    // A distance is stationary where it is least: known to round-off, it tells the normal to the root of that only.
    expect_sound(tilted, points, 1e-7);
    EXPECT_NEAR(nearest(points).gap, pair.gap(), angle * bounding_radius(pair.a) + 1e-14);
    if (HasFailure()) FAIL() << "trial " << trial;
  }
}

TEST(SignedDistance, NoDirectionSeparatesMore) {
  RandomShapes random(3);
  for (int trial = 0; trial < 450; ++trial) {
    const Pair pair = trial % 3 ? random_pair(random, trial % kinds, 0.2) : aligned_pair(random, trial % kinds);
    const double gap = pair.gap(), best = greatest_separation(random, pair);
    EXPECT_LE(best, gap + 1e-13) << "trial " << trial;
    EXPECT_NEAR(best, gap, 2e-4) << "trial " << trial;  // what the climb reaches
  }
}

TEST(SignedDistance, OfBallsIsTheLeastOverSamplesOfTheAxis) {
  // A capsule is a union of balls; outside, its gap is the least of theirs.
  RandomShapes random(4);
  for (int trial = 0; trial < 600; ++trial) {
    const Pair pair = random_pair(random, 1 + 2 * (trial % 3), 0.6);
    const Capsule capsule = std::get<Capsule>(pair.a);
    const double gap = pair.gap();
    if (gap < -0.9 * capsule.radius) continue;
    double least = infinity;
    const int samples = 400;
    for (int i = 0; i <= samples; ++i) {
      const double s = capsule.half_length * (2.0 * i / samples - 1);
      Pair ball = pair;
      ball.a = Sphere{capsule.radius};
      ball.X_WA.p = pair.X_WA * Vec3(0, 0, s);
      least = std::min(least, ball.gap());
    }
    EXPECT_GE(least, gap - 1e-13) << "trial " << trial;
    EXPECT_LE(least, gap + capsule.half_length / samples) << "trial " << trial;
  }
}

/// Moves A by the small rigid motion (angular w, linear v) about its origin.
Transform moved(const Transform& X, const Vec3& w, const Vec3& v, double h) {
  return {exponential(h * w).toRotationMatrix() * X.R, X.p + h * v};
}

TEST(SignedDistance, ChangesWithTheNormalVelocityOfItsPoints) {
  RandomShapes random(5);
  const double h = 2e-8;
  int smooth = 0;
  for (int trial = 0; trial < 12000; ++trial) {
    const Pair pair = random_pair(random, trial % kinds, trial % 2 ? 0.1 : 0.5);
    const ContactPoint at = nearest(pair.points());
    const Vec3 w = random.direction(), v = random.direction();
    Pair before = pair, after = pair;
    before.X_WA = moved(pair.X_WA, w, v, -h);
    after.X_WA = moved(pair.X_WA, w, v, h);
    const ContactPoint b = nearest(before.points()), a = nearest(after.points());
    // Kinks, where another feature takes over, show in the normal or in the place; there is no derivative.
    if ((a.normal - b.normal).norm() > 1e-2 || (a.p_WA - b.p_WA).norm() > 1e-2) continue;
    if (std::abs(a.gap - 2 * at.gap + b.gap) > 1e-6 * h) continue;
    ++smooth;
    const double rate = at.normal.dot(v + w.cross(at.p_WA - pair.X_WA.p));
    EXPECT_NEAR((a.gap - b.gap) / (2 * h), rate, 1e-6) << "trial " << trial;
  }
  EXPECT_GT(smooth, 6000);
}

TEST(SignedDistance, IsContinuousAlongEveryPath) {
  // Its change is bounded by that of the poses: |d gap| ≤ |v| + |w| radius.
  RandomShapes random(6);
  const int steps = 400;
  for (int path = 0; path < 60; ++path) {
    Pair pair = random_pair(random, path % kinds, 0.4);
    const Vec3 w = random.direction(), v = -2 * pair.X_WA.p + 2 * pair.X_WB.p;
    double last = pair.gap();
    for (int i = 0; i < steps; ++i) {
      pair.X_WA = moved(pair.X_WA, w, v, 1.0 / steps);
      const double gap = pair.gap();
      EXPECT_LE(std::abs(gap - last), (v.norm() + bounding_radius(pair.a)) / steps + 1e-13) << "path " << path;
      last = gap;
    }
  }
}

TEST(SignedDistance, DoesNotDependOnTheFrame) {
  RandomShapes random(7);
  for (int trial = 0; trial < 3000; ++trial) {
    const Pair pair = random_pair(random, trial % kinds, 0.3);
    const Transform X_VW = random.pose(1);
    Pair other = pair;
    other.X_WA = X_VW * pair.X_WA;
    other.X_WB = X_VW * pair.X_WB;
    const auto points = pair.points(), others = other.points();
    ASSERT_EQ(points.size(), others.size()) << "trial " << trial;
    for (std::size_t i = 0; i < points.size(); ++i) {
      EXPECT_EQ(points[i].feature, others[i].feature);
      EXPECT_NEAR(points[i].gap, others[i].gap, 1e-13);
      EXPECT_LT((X_VW * points[i].p_WA - others[i].p_WA).norm(), 1e-10);
      EXPECT_LT((X_VW * points[i].p_WB - others[i].p_WB).norm(), 1e-10);
      EXPECT_LT((X_VW.R * points[i].normal - others[i].normal).norm(), 1e-10);
    }
  }
}

TEST(SignedDistance, OfTheMirrorImageIsTheSame) {
  // The shapes are their own mirror images in their x axes, so reflecting the poses reflects the answer.
  RandomShapes random(8);
  const Vec3 flip(-1, 1, 1);
  const auto mirror = [&](const Transform& X) {
    Transform image = {flip.asDiagonal() * X.R * flip.asDiagonal(), flip.cwiseProduct(X.p)};
    return image;
  };
  for (int trial = 0; trial < 3000; ++trial) {
    const Pair pair = random_pair(random, trial % kinds, 0.3);
    Pair image = pair;
    image.X_WA = mirror(pair.X_WA);
    image.X_WB = mirror(pair.X_WB);
    const auto points = pair.points(), images = image.points();
    ASSERT_EQ(points.size(), images.size());
    const ContactPoint &p = nearest(points), &q = nearest(images);
    EXPECT_NEAR(p.gap, q.gap, 1e-14);
    EXPECT_LT((flip.cwiseProduct(p.normal) - q.normal).norm(), 1e-10);
    EXPECT_LT((flip.cwiseProduct(p.p_WA) - q.p_WA).norm(), 1e-10);
  }
}

TEST(SignedDistance, SwapsWithTheShapes) {
  RandomShapes random(9);
  for (int trial = 0; trial < 3000; ++trial) {
    const Pair pair = random_pair(random, trial % kinds, 0.3);
    const auto points = pair.points();
    auto swapped = points_of(pair.b, pair.X_WB, pair.a, pair.X_WA, infinity);
    ASSERT_EQ(points.size(), swapped.size());
    for (const ContactPoint& p : points) {
      double difference = infinity;
      for (const ContactPoint& q : swapped) {
        difference = std::min(difference, std::abs(p.gap - q.gap) + (p.normal + q.normal).norm() +
                                              (p.p_WA - q.p_WB).norm() + (p.p_WB - q.p_WA).norm());
      }
      EXPECT_LT(difference, 1e-12) << "trial " << trial;
    }
  }
}

TEST(SignedDistance, OfAPointCapsuleIsTheSpheres) {
  RandomShapes random(10);
  for (int trial = 0; trial < 2000; ++trial) {
    Pair pair = random_pair(random, 2 * (trial % 3), 0.3);
    const auto expected = pair.points();
    pair.a = Capsule{std::get<Sphere>(pair.a).radius, 0};
    const auto points = pair.points();
    ASSERT_EQ(points.size(), 1u) << "trial " << trial;
    EXPECT_NEAR(points[0].gap, expected[0].gap, 1e-14);
    EXPECT_LT((points[0].normal - expected[0].normal).norm(), 1e-9);
  }
}

TEST(SignedDistance, LeavesOutWhatIsBeyondTheMargin) {
  RandomShapes random(11);
  for (int trial = 0; trial < 3000; ++trial) {
    const Pair pair = random_pair(random, trial % kinds, 0.3);
    const double margin = random.between(0, 0.3);
    std::size_t within = 0;
    const auto near = pair.points(margin);
    for (const ContactPoint& p : pair.points()) within += p.gap <= margin;
    EXPECT_EQ(near.size(), within);
    for (const ContactPoint& p : near) EXPECT_LE(p.gap, margin);
  }
}

}  // namespace
}  // namespace carom::signed_distance_test
