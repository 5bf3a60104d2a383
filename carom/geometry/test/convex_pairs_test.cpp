// Pairs with cylinders, ellipsoids and meshes, and two boxes: held between bounds that do not know how the gap was
// found.

#include "carom/geometry/convex_pairs.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "carom/geometry/test/random_shapes.h"

namespace carom {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int kinds = 6;

struct Pair {
  Shape a, b;
  Transform X_WA, X_WB;
  std::vector<ContactPoint> points(double margin = infinity) const { return points_of(a, X_WA, b, X_WB, margin); }
  double separation(const Vec3& n) const { return separation_along(n, a, X_WA, b, X_WB); }
  std::string name() const { return shape_name(a) + " on " + shape_name(b); }
};

/// True of pairs that this file is for.
bool is_new(int a, int b) { return a > 2 || b > 2 || (a == 2 && b == 2); }

Pair random_pair(Random& random, int a, int b, double spread) {
  Pair pair;
  pair.a = random.shape(a);
  pair.b = random.shape(b);
  pair.X_WA = random.pose(spread);
  pair.X_WB = random.pose(spread);
  return pair;
}

/// A direction that separates the shapes more than `n` does, looked for near n and everywhere.
double best_of_directions(Random& random, const Pair& pair, const Vec3& n, int tries) {
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
  return best;
}

struct Errors {
  double refuted = 0;  ///< by how much some direction separates more than the gap
  double apart = 0;    ///< distance of the points less the gap, of shapes that are apart
  double outside = 0;  ///< of the points
  double along = 0;    ///< gap less the separation along the normal
};

Errors errors_of(Random& random, const Pair& pair, const std::vector<ContactPoint>& points, int tries) {
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

TEST(ConvexPairs, NoDirectionRefutesTheGapAndThePointsReachIt) {
  for (int a = 0; a < kinds; ++a) {
    for (int b = a; b < kinds; ++b) {
      if (!is_new(a, b)) continue;
      Random random(100 + kinds * a + b);
      Errors worst;
      std::string name;
      for (int trial = 0; trial < long_count(1500, 1000000); ++trial) {
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
        ASSERT_LT(errors.outside, 1e-9) << name << " trial " << trial << " gap " << nearest(points).gap;
        ASSERT_LT(errors.along, 1e-12) << name << " trial " << trial << " gap " << nearest(points).gap;
      }
      std::cout << name << ": refuted by " << worst.refuted << ", apart " << worst.apart << ", outside "
                << worst.outside << '\n';
    }
  }
}

}  // namespace
}  // namespace carom
