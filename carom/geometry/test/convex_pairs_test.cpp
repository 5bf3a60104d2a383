// Pairs with cylinders, ellipsoids and meshes, and two boxes: tested between bounds that do not know how the gap was
// found.

#include "carom/geometry/convex_pairs.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "carom/geometry/core.h"
#include "carom/geometry/test/random_shapes.h"

namespace carom::convex_pairs_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int kinds = 9;

struct Pair {
  Shape a, b;
  Transform X_WA, X_WB;
  std::vector<ContactPoint> points(double margin = infinity) const { return points_of(a, X_WA, b, X_WB, margin); }
  double separation(const Vec3& n) const { return separation_along(n, a, X_WA, b, X_WB); }
  std::string name() const { return shape_name(a) + " on " + shape_name(b); }
};

/// True of pairs that this file is for.
bool is_new(int a, int b) { return a > 2 || b > 2 || (a == 2 && b == 2); }

Pair random_pair(RandomShapes& random, int a, int b, double spread) {
  Pair pair;
  pair.a = random.shape(a);
  pair.b = random.shape(b);
  pair.X_WA = random.pose(spread);
  pair.X_WB = random.pose(spread);
  return pair;
}

/// A direction that separates the shapes more than `n` does, looked for near n and everywhere.
double best_of_directions(RandomShapes& random, const Pair& pair, const Vec3& n, int tries) {
  double best = -infinity;
  for (int i = 0; i < tries; ++i) {
    const Vec3 far = random.direction();
    const Vec3 near = (n + std::pow(10.0, -random.between(0.5, 8)) * far).normalized();
    best = std::max({best, pair.separation(far), pair.separation(near)});
  }
  for (int i = 0; i < 3; ++i) {
    for (const double way : {-1.0, 1.0}) {
      best = std::max({best, pair.separation(way * pair.X_WA.R.col(i)), pair.separation(way * pair.X_WB.R.col(i))});
    }
  }
  // The greatest separation of polyhedra is often along a face's normal.
  for (const bool of_a : {true, false}) {
    const Polyhedron* solid = polyhedron_of(of_a ? pair.a : pair.b);
    if (!solid) continue;
    const Mat3& R = (of_a ? pair.X_WA : pair.X_WB).R;
    for (const Polyhedron::Face& face : solid->faces) {
      best = std::max(best, pair.separation(R * (of_a ? -face.normal : face.normal)));
    }
  }
  return best;
}

struct Errors {
  double refuted = 0;  ///< by how much some direction separates more than the gap
  double apart = 0;    ///< distance of the points less the gap, of shapes that are apart
  double outside = 0;  ///< of the points
  double along = 0;    ///< gap less the separation along the normal
};

Errors errors_of(RandomShapes& random, const Pair& pair, const std::vector<ContactPoint>& points, int tries) {
  const ContactPoint& least = nearest(points);
  Errors errors;
  errors.refuted = best_of_directions(random, pair, least.normal, tries) - least.gap;
  errors.along = std::abs(pair.separation(least.normal) - least.gap);
  if (least.gap > 0) errors.apart = std::abs((least.p_WA - least.p_WB).norm() - least.gap);
  for (const ContactPoint& point : points) {
    const double beyond = std::max(outside(pair.a, pair.X_WA, point.p_WA), outside(pair.b, pair.X_WB, point.p_WB));
    // A corner whose gap was raised to the pair's may leave its surface by as much.
    const double lift = &point == &least ? 0 : 1e-4 * (bounding_radius(pair.a) + bounding_radius(pair.b));
    errors.outside = std::max(errors.outside, beyond - lift);
    if (!(std::abs(point.normal.norm() - 1) < 1e-14)) errors.outside = infinity;
    if (!(std::abs((point.p_WA - point.p_WB).dot(point.normal) - point.gap) < 1e-13)) errors.outside = infinity;
    if (!(point.gap >= least.gap)) errors.outside = infinity;
  }
  return errors;
}

int long_count(int usual, int all) { return std::getenv("CAROM_LONG") != nullptr ? all : usual; }

template <class F>
void for_each_new_pair(F&& test) {
  for (int a = 0; a < kinds; ++a) {
    for (int b = a; b < kinds; ++b) {
      if (is_new(a, b)) test(a, b);
    }
  }
}

/// Pairs of kinds, a test each: a million queries of one take minutes.
class EveryPair : public testing::TestWithParam<std::pair<int, int>> {};

std::vector<std::pair<int, int>> all_pairs() {
  std::vector<std::pair<int, int>> pairs;
  for (int a = 0; a < kinds; ++a) {
    for (int b = a; b < kinds; ++b) pairs.emplace_back(a, b);
  }
  return pairs;
}

TEST_P(EveryPair, HasNoDirectionThatRefutesTheGapAndItsPointsReachIt) {
  const auto [a, b] = GetParam();
  RandomShapes random(100 + kinds * a + b);
  Errors worst;
  std::string name;
  for (int trial = 0; trial < long_count(300, 1000000); ++trial) {
    const double spread = trial % 4 == 0 ? 0.1 : trial % 4 == 1 ? 0.25 : 0.6;
    const Pair pair = random_pair(random, a, b, spread);
    const auto points = pair.points();
    ASSERT_FALSE(points.empty());
    const Errors errors = errors_of(random, pair, points, 20);
    worst.refuted = std::max(worst.refuted, errors.refuted);
    worst.apart = std::max(worst.apart, errors.apart);
    worst.outside = std::max(worst.outside, errors.outside);
    worst.along = std::max(worst.along, errors.along);
    name = pair.name();
    ASSERT_LT(errors.refuted, 1e-9) << name << " trial " << trial << " gap " << nearest(points).gap;
    ASSERT_LT(errors.apart, 1e-9) << name << " trial " << trial << " gap " << nearest(points).gap;
    // Normals whose separations are equal to round-off are equally good. The distance grows with the square of the
    // points' way along the surfaces, so their place is known to the root of round-off.
    const double size = bounding_radius(pair.a) + bounding_radius(pair.b) + (pair.X_WA.p - pair.X_WB.p).norm();
    const double place = std::sqrt(2 * std::max(0.0, nearest(points).gap) * 4e-15 * size);
    ASSERT_LT(errors.outside, 1e-9 + place) << name << " trial " << trial << " gap " << nearest(points).gap;
    // Points that are δ apart tell their direction to round-off over δ, and s falls off with it at a kink.
    // A corner stands for the exact pair where their normals differ by less than 1e-9.
    const double corner = nearest(points).feature == 0 ? 0 : 2e-9;
    const double apart = std::abs(nearest(points).gap + core_radius(pair.a) + core_radius(pair.b));
    ASSERT_LT(errors.along, 1e-14 * (1 + 1 / apart) + corner)
        << name << " trial " << trial << " gap " << nearest(points).gap;
  }
  std::cout << name << ": refuted by " << worst.refuted << ", apart " << worst.apart << ", outside " << worst.outside
            << std::endl;
}

std::string kinds_of(const testing::TestParamInfo<std::pair<int, int>>& info) {
  return shape_name(info.param.first) + "_" + shape_name(info.param.second);
}

INSTANTIATE_TEST_SUITE_P(ConvexPairs, EveryPair, testing::ValuesIn(all_pairs()), kinds_of);

/// Poses where features line up: axes along one another, origins on a grid, sizes that are multiples of an eighth.
Pair aligned_pair(RandomShapes& random, int a, int b) {
  const auto regular = [&](int kind) -> Shape {
    const double r = 0.125 * (1 + random.below(3)), h = 0.125 * (1 + random.below(4));
    switch (kind) {
      case 0:
        return Sphere{r};
      case 1:
        return Capsule{r, h};
      case 2:
        return Box{Vec3(r, h, 0.25)};
      case 3:
        return Cylinder{r, h};
      case 4:
        return Ellipsoid{Vec3(r, r, h)};
      case 6:
        return Cone{r, h, 0.2 * r * r / h};
      case 7:
        return Superquadric{Vec3(r, r, h), Vec3::Constant(2 + random.below(3))};
      default: {
        std::vector<Vec3> corners;
        corners.reserve(9);
        for (int i = 0; i < 8; ++i) corners.push_back(Vec3(i & 1 ? r : -r, i & 2 ? h : -h, i & 4 ? 0.25 : -0.25));
        corners.push_back(Vec3(0, 0, 0.25 + 0.125 * random.below(2)));
        const auto solid = std::make_shared<const Polyhedron>(convex_hull(corners));
        if (kind == 8) return RoundedPolytope{solid, 0.0625};
        return ConvexMesh{solid};
      }
    }
  };
  Pair pair;
  pair.a = regular(a);
  pair.b = regular(b);
  Mat3 R;
  const int turn = random.below(3);
  R << Vec3::Unit(turn), Vec3::Unit((turn + 1) % 3), Vec3::Unit((turn + 2) % 3);
  const auto snap = [&] { return 0.125 * (random.below(9) - 4); };
  pair.X_WA = {R, Vec3(snap(), snap(), snap())};
  return pair;
}

TEST(ConvexPairs, MeetTheirBoundsWhereFeaturesLineUp) {
  for_each_new_pair([](int a, int b) {
    RandomShapes random(200 + kinds * a + b);
    for (int trial = 0; trial < long_count(60, 100000); ++trial) {
      const Pair pair = aligned_pair(random, a, b);
      const auto points = pair.points();
      ASSERT_FALSE(points.empty()) << pair.name() << " trial " << trial;
      const Errors errors = errors_of(random, pair, points, 10);
      ASSERT_LT(errors.refuted, 1e-12) << pair.name() << " trial " << trial << " gap " << nearest(points).gap;
      ASSERT_LT(errors.apart, 1e-12) << pair.name() << " trial " << trial << " gap " << nearest(points).gap;
      ASSERT_LT(errors.outside, 1e-9) << pair.name() << " trial " << trial << " gap " << nearest(points).gap;
      ASSERT_LT(errors.along, 1e-12) << pair.name() << " trial " << trial << " gap " << nearest(points).gap;
    }
  });
}

TEST(ConvexPairs, HardlyChangeWhenLinedUpFeaturesAreTilted) {
  const double angle = 1e-9;
  for_each_new_pair([&](int a, int b) {
    RandomShapes random(300 + kinds * a + b);
    for (int trial = 0; trial < long_count(40, 400); ++trial) {
      const Pair pair = aligned_pair(random, a, b);
      Pair tilted = pair;
      tilted.X_WA.R = exponential(angle * random.direction()).toRotationMatrix() * pair.X_WA.R;
      const ContactPoint before = nearest(pair.points()), after = nearest(tilted.points());
      ASSERT_NEAR(before.gap, after.gap, angle * bounding_radius(pair.a) + 1e-13) << pair.name() << " trial " << trial;
    }
  });
}

TEST(ConvexPairs, DoNotDependOnTheFrameOrTheOrder) {
  for_each_new_pair([](int a, int b) {
    RandomShapes random(400 + kinds * a + b);
    for (int trial = 0; trial < long_count(40, 400); ++trial) {
      const Pair pair = random_pair(random, a, b, 0.4);
      const Transform X_VW = random.pose(1);
      Pair other = pair;
      other.X_WA = X_VW * pair.X_WA;
      other.X_WB = X_VW * pair.X_WB;
      const auto points = pair.points(), others = other.points();
      ASSERT_EQ(points.size(), others.size()) << pair.name() << " trial " << trial;
      for (std::size_t i = 0; i < points.size(); ++i) {
        EXPECT_EQ(points[i].feature, others[i].feature) << pair.name() << " trial " << trial;
        EXPECT_NEAR(points[i].gap, others[i].gap, 1e-13);
        EXPECT_LT((X_VW.R * points[i].normal - others[i].normal).norm(), 1e-7);
      }
      const ContactPoint swapped = nearest(points_of(pair.b, pair.X_WB, pair.a, pair.X_WA, infinity));
      EXPECT_NEAR(swapped.gap, nearest(points).gap, 1e-13) << pair.name() << " trial " << trial;
      EXPECT_LT((swapped.normal + nearest(points).normal).norm(), 1e-7) << pair.name() << " trial " << trial;
    }
  });
}

/// Moves A by the small rigid motion (angular w, linear v) about its origin.
Transform moved(const Transform& X, const Vec3& w, const Vec3& v, double h) {
  return {exponential(h * w).toRotationMatrix() * X.R, X.p + h * v};
}

TEST(ConvexPairs, ChangeWithTheNormalVelocityOfTheirPoints) {
  const double h = 1e-7;
  for_each_new_pair([&](int a, int b) {
    RandomShapes random(500 + kinds * a + b);
    int smooth = 0;
    for (int trial = 0; trial < long_count(40, 400); ++trial) {
      const Pair pair = random_pair(random, a, b, trial % 2 ? 0.15 : 0.6);
      const Vec3 w = random.direction(), v = random.direction();
      Pair before = pair, after = pair;
      before.X_WA = moved(pair.X_WA, w, v, -h);
      after.X_WA = moved(pair.X_WA, w, v, h);
      const ContactPoint at = nearest(pair.points()), p = nearest(before.points()), q = nearest(after.points());
      // Kinks, where another feature takes over, show in the normal or in the place; there is no derivative.
      if ((q.normal - p.normal).norm() > 1e-4 || (q.p_WA - p.p_WA).norm() > 1e-3) continue;
      if (std::abs(q.gap - 2 * at.gap + p.gap) > 1e-5 * h) continue;
      ++smooth;
      const double rate = at.normal.dot(v + w.cross(at.p_WA - pair.X_WA.p));
      EXPECT_NEAR((q.gap - p.gap) / (2 * h), rate, 1e-5) << pair.name() << " trial " << trial;
    }
    EXPECT_GT(smooth, 25);
  });
}

TEST(ConvexPairs, AreContinuousAlongEveryPath) {
  const int steps = 60;
  for_each_new_pair([&](int a, int b) {
    RandomShapes random(600 + kinds * a + b);
    for (int path = 0; path < 2; ++path) {
      Pair pair = random_pair(random, a, b, 0.4);
      const Vec3 w = random.direction(), v = -2 * pair.X_WA.p + 2 * pair.X_WB.p;
      double last = nearest(pair.points()).gap;
      for (int i = 0; i < steps; ++i) {
        pair.X_WA = moved(pair.X_WA, w, v, 1.0 / steps);
        const double gap = nearest(pair.points()).gap;
        EXPECT_LE(std::abs(gap - last), (v.norm() + bounding_radius(pair.a)) / steps + 1e-12)
            << pair.name() << " path " << path;
        last = gap;
      }
    }
  });
}

TEST(ConvexPairs, LeaveOutWhatIsBeyondTheMargin) {
  for_each_new_pair([](int a, int b) {
    RandomShapes random(700 + kinds * a + b);
    for (int trial = 0; trial < long_count(30, 300); ++trial) {
      const Pair pair = random_pair(random, a, b, 0.4);
      const double margin = random.between(0, 0.3);
      std::size_t within = 0;
      for (const ContactPoint& p : pair.points()) within += p.gap <= margin;
      EXPECT_EQ(pair.points(margin).size(), within) << pair.name() << " trial " << trial;
    }
  });
}

TEST(ConvexPairs, AMeshOfABoxsCornersIsTheBox) {
  RandomShapes random(800);
  for (int trial = 0; trial < 1000; ++trial) {
    Pair pair = random_pair(random, trial % 5, 2, 0.4);
    std::vector<Vec3> corners;
    for (int i = 0; i < 8; ++i) {
      const Vec3 h = std::get<Box>(pair.b).half_extents;
      corners.push_back(Vec3(i & 1 ? h.x() : -h.x(), i & 2 ? h.y() : -h.y(), i & 4 ? h.z() : -h.z()));
    }
    const ContactPoint of_box = nearest(pair.points());
    pair.b = ConvexMesh{std::make_shared<const Polyhedron>(convex_hull(corners))};
    const ContactPoint of_mesh = nearest(pair.points());
    EXPECT_NEAR(of_mesh.gap, of_box.gap, 1e-13) << pair.name() << " trial " << trial;
  }
}

TEST(ConvexPairs, AnEllipsoidWithEqualAxesIsTheBall) {
  RandomShapes random(900);
  for (int trial = 0; trial < 1000; ++trial) {
    Pair pair = random_pair(random, 0, 1 + trial % 5, 0.4);
    const ContactPoint of_ball = nearest(pair.points());
    pair.a = Ellipsoid{Vec3::Constant(std::get<Sphere>(pair.a).radius)};
    const ContactPoint of_ellipsoid = nearest(pair.points());
    EXPECT_NEAR(of_ellipsoid.gap, of_ball.gap, 1e-12) << pair.name() << " trial " << trial;
  }
}

}  // namespace
}  // namespace carom::convex_pairs_test
