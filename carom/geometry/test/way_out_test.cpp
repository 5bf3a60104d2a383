// The least of a support function over the sphere, by bodies whose distance to their surface is known.

#include "carom/geometry/way_out.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "carom/geometry/convex_distance.h"
#include "carom/geometry/test/random_shapes.h"

namespace carom::way_out_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Found {
  double least = infinity;
  bool done = false;
  int left = 0;
};

template <class ReachOf>
Found search(const Mat3& axes, double tolerance, double finest, int most, ReachOf&& reach) {
  Found found;
  found.done = search_ways_out(
      axes, tolerance, finest, most, reach,
      [&](const Reach& at) { found.least = std::min(found.least, at.n.dot(at.p)); }, [&](const Vec3&) { ++found.left; },
      [&] { return found.least; });
  return found;
}

/// The value of a game lies between what any mixture of rows assures and what any mixture of columns allows.
TEST(WayOut, TheBoundOfATriangleIsTheValueOfItsGame) {
  RandomShapes random(71);
  for (int trial = 0; trial < 400; ++trial) {
    std::array<Reach, 3> corners;
    const Vec3 n = random.direction(), p = random.in_cube(1);
    const double size = trial % 3 ? 1 : 0.1;
    for (Reach& at : corners) at = {(n + size * random.direction()).normalized(), p + size * random.in_cube(1)};
    if (trial % 7 == 0) corners[1].p = corners[0].p;
    const double value = least_reach(corners);
    double assured = -infinity, allowed = infinity;
    const int cuts = 60;
    for (int i = 0; i <= cuts; ++i) {
      for (int j = 0; i + j <= cuts; ++j) {
        const Vec3 w = Vec3(i, j, cuts - i - j) / cuts;
        Vec3 point = Vec3::Zero(), middle = Vec3::Zero();
        for (int k = 0; k < 3; ++k) {
          point += w[k] * corners[k].p;
          middle += w[k] * corners[k].n;
        }
        double worst = infinity, best = -infinity;
        for (const Reach& at : corners) {
          worst = std::min(worst, point.dot(at.n));
          best = std::max(best, middle.dot(at.p));
        }
        assured = std::max(assured, worst);
        allowed = std::min(allowed, best);
      }
    }
    EXPECT_GE(value, assured - 1e-14) << trial;
    EXPECT_LE(value, allowed + 1e-14) << trial;
    EXPECT_LT(allowed - assured, 0.2 * size) << trial;
  }
}

/// From within a polyhedron the nearest face is the way out.
TEST(WayOut, OfAPolyhedronIsItsNearestFace) {
  RandomShapes random(72);
  for (int trial = 0; trial < 200; ++trial) {
    const ConvexMesh mesh = random.mesh();
    Vec3 within = Vec3::Zero();
    for (const Vec3& vertex : mesh.polyhedron->vertices) within += random.between(0, 1) * vertex;
    within /= 4.0 * static_cast<double>(mesh.polyhedron->vertices.size());
    double depth = infinity;
    for (const Polyhedron::Face& face : mesh.polyhedron->faces) {
      depth = std::min(depth, face.offset - face.normal.dot(within));
    }
    if (depth < 0) continue;
    const Found found = search(random.rotation(), 1e-7, 2, 100000,
                               [&](const Vec3& n) -> Vec3 { return support_point(mesh, n) - within; });
    EXPECT_TRUE(found.done) << trial;
    EXPECT_GE(found.least, depth - 1e-14) << trial;
    EXPECT_LE(found.least, depth + 1e-7) << trial;
  }
}

TEST(WayOut, OfAnEllipsoidIsItsLeastAxis) {
  RandomShapes random(73);
  for (int trial = 0; trial < 100; ++trial) {
    const Ellipsoid body = random.ellipsoid();
    const Mat3 R = random.rotation();
    const Found found = search(Mat3::Identity(), 1e-7, 2, 100000,
                               [&](const Vec3& n) -> Vec3 { return R * support_point(body, R.transpose() * n); });
    EXPECT_TRUE(found.done) << trial;
    EXPECT_GE(found.least, body.semi_axes.minCoeff() - 1e-14) << trial;
    EXPECT_LE(found.least, body.semi_axes.minCoeff() + 1e-7) << trial;
  }
}

/// All directions of a ball are equal: the search says that it could not prove it, and what it leaves is small.
TEST(WayOut, OfABallEndsWithoutAProof) {
  const auto ball = [](const Vec3& n) -> Vec3 { return n; };
  EXPECT_FALSE(search(Mat3::Identity(), 1e-9, 2, 1000, ball).done);
  const Found coarse = search(Mat3::Identity(), 0.1, 0.05, 100000, ball);
  EXPECT_TRUE(coarse.done);
  EXPECT_GT(coarse.left, 4 * 3.14 / (0.05 * 0.05 / 2));  // areas of triangles with such sides are less
}

/// Deep overlaps beside directions spread evenly over the sphere, and climbs from the best of these without
/// derivatives.
TEST(ConvexDistance, OfDeepOverlapsHasNoBetterWayOut) {
  RandomShapes random(74);
  std::vector<Vec3> directions;
  for (int i = 0; i < 1500; ++i) {
    const double z = 1 - (2 * i + 1) / 1500.0, angle = 2.399963229728653 * i, r = std::sqrt(1 - z * z);
    directions.emplace_back(r * std::cos(angle), r * std::sin(angle), z);
  }
  for (int trial = 0; trial < (std::getenv("CAROM_LONG") ? 20000 : 150); ++trial) {
    const Shape a = random.shape(2 + trial % 7), b = random.shape(2 + trial / 7 % 7);
    const Transform X_WA = random.pose(0.1), X_WB = random.pose(0.1);
    const ConvexDistance found = convex_distance(a, X_WA, b, X_WB);
    const auto s = [&](const Vec3& n) { return separation_along(n, a, X_WA, b, X_WB); };
    std::vector<std::pair<double, Vec3>> best;
    best.reserve(directions.size());
    for (const Vec3& n : directions) best.emplace_back(s(n), n);
    std::partial_sort(best.begin(), best.begin() + 12, best.end(),
                      [](const auto& one, const auto& other) { return one.first > other.first; });
    for (int k = 0; k < 12; ++k) {
      auto [value, n] = best[k];
      for (double step = 0.05; step > 1e-8;) {
        const Vec3 next = (n + step * random.direction()).normalized();
        const double risen = s(next);
        step *= risen > value ? 1.6 : 0.9;
        if (risen <= value) continue;
        value = risen;
        n = next;
      }
      ASSERT_LE(value, found.gap + 1e-12) << shape_name(a) << " on " << shape_name(b) << " trial " << trial;
    }
  }
}

}  // namespace
}  // namespace carom::way_out_test
