// The grid of a height field by itself: its numbering, its surface, and where it bends.

#include "carom/geometry/height_grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "carom/error.h"
#include "carom/geometry/test/random_shapes.h"

namespace carom::height_grid_test {
namespace {

HeightGrid random_grid(RandomShapes& random, int nx, int ny) {
  std::vector<double> heights(static_cast<std::size_t>(nx) * ny);
  for (double& height : heights) height = random.between(-0.2, 0.2);
  const double dx = random.between(0.1, 0.5), dy = random.between(0.1, 0.5);
  return {nx, ny, Vec2(dx, dy), heights};
}

TEST(HeightGrid, TrianglesLieFlatOverTheirCornersAndCoverTheRectangle) {
  RandomShapes random(11);
  const HeightGrid grid = random_grid(random, 6, 4);
  double area = 0;
  for (int t = 0; t < 2 * 5 * 3; ++t) {
    const auto [a, b, c] = grid.corners(t);
    const Vec3 A = grid.point(a), B = grid.point(b), C = grid.point(c);
    const Vec3 across = (B - A).cross(C - A);
    EXPECT_GT(across.z(), 0);  // anticlockwise from above
    EXPECT_LT((grid.normal(t) - across.normalized()).norm(), 1e-14);
    area += 0.5 * across.z();
    for (int k = 0; k < 20; ++k) {
      double p = random.between(0, 1), q = random.between(0, 1);
      if (p + q > 1) p = 1 - p, q = 1 - q;
      const Vec3 point = A + p * (B - A) + q * (C - A);
      EXPECT_NEAR(grid.height(point.x(), point.y()), point.z(), 1e-13);
      EXPECT_TRUE(grid.is_over(point.x(), point.y()));
    }
  }
  EXPECT_NEAR(area, 4 * grid.half_size().x() * grid.half_size().y(), 1e-13);
}

TEST(HeightGrid, BesideTheRectangleTheHeightIsThatOfTheRim) {
  RandomShapes random(12);
  const HeightGrid grid = random_grid(random, 5, 7);
  const Vec2 half = grid.half_size();
  EXPECT_FALSE(grid.is_over(half.x() + 0.01, 0));
  EXPECT_FALSE(grid.is_over(0, -half.y() - 0.01));
  for (int k = 0; k < 100; ++k) {
    const double y = random.between(-half.y(), half.y());
    EXPECT_NEAR(grid.height(half.x() + random.between(0, 3), y), grid.height(half.x(), y), 1e-13);
  }
}

TEST(HeightGrid, KnowsItsSizes) {
  RandomShapes random(13);
  const HeightGrid grid = random_grid(random, 4, 5);
  double radius = 0;
  for (int s = 0; s < grid.sample_count(); ++s) {
    radius = std::max(radius, grid.point(s).norm());
    EXPECT_EQ(grid.point(s).z(), grid.heights()[s]);
  }
  EXPECT_NEAR(grid.radius(), radius, 1e-14);
  EXPECT_EQ(grid.lowest(), *std::min_element(grid.heights().begin(), grid.heights().end()));
  EXPECT_EQ(grid.highest(), *std::max_element(grid.heights().begin(), grid.heights().end()));
}

TEST(HeightGrid, RidgesAreWhereItBendsDownwardsOrEnds) {
  RandomShapes random(14);
  const HeightGrid grid = random_grid(random, 6, 6);
  for (int j = 1; j + 1 < 6; ++j) {
    for (int i = 1; i + 1 < 6; ++i) {
      for (int kind = 0; kind < 3; ++kind) {
        if (kind == 2 && (i + 2 > 5 || j + 2 > 5)) continue;
        const int edge = 3 * (i + 6 * j) + kind;
        const auto [from, to] = grid.ends(edge);
        // Just beside the middle of the edge, the mean of the ground on both sides against that on it.
        const Vec3 middle = 0.5 * (grid.point(from) + grid.point(to)), along = grid.point(to) - grid.point(from);
        const Vec2 aside = 1e-3 * Vec2(-along.y(), along.x());
        const double mean = 0.5 * (grid.height(middle.x() + aside.x(), middle.y() + aside.y()) +
                                   grid.height(middle.x() - aside.x(), middle.y() - aside.y()));
        EXPECT_EQ(grid.is_ridge(edge), mean < middle.z()) << edge;
      }
    }
  }
  EXPECT_TRUE(grid.is_ridge(0));  // the rim
}

TEST(HeightGrid, FlatGroundEndsInItsRimAlone) {
  const HeightGrid grid(5, 4, Vec2(0.1, 0.2), std::vector<double>(20, 0.3));
  for (int j = 1; j + 1 < 4; ++j) {
    for (int i = 1; i + 1 < 5; ++i) {
      EXPECT_FALSE(grid.is_peak(i + 5 * j));
      EXPECT_FALSE(grid.is_ridge(3 * (i + 5 * j) + 2) && i < 3 && j < 2);
    }
  }
  for (const int corner : {0, 4, 15, 19}) EXPECT_TRUE(grid.is_peak(corner)) << corner;
}

TEST(HeightGrid, TheGroundOnBothSidesLiesAlongItsSlopes) {
  RandomShapes random(15);
  const HeightGrid grid = random_grid(random, 6, 6);
  for (int j = 1; j < 4; ++j) {
    for (int i = 1; i < 4; ++i) {
      for (int kind = 0; kind < 3; ++kind) {
        const int edge = 3 * (i + 6 * j) + kind;
        const auto [from, to] = grid.ends(edge);
        const Vec3 middle = 0.5 * (grid.point(from) + grid.point(to));
        for (const Vec3& slope : grid.slopes(edge)) {
          EXPECT_NEAR(slope.norm(), 1, 1e-13);
          const Vec3 point = middle + 1e-3 * slope;
          EXPECT_NEAR(grid.height(point.x(), point.y()), point.z(), 1e-13);
        }
      }
      std::array<Vec3, 7> found;
      const int sample = i + 6 * j, count = grid.slopes(sample, found);
      EXPECT_EQ(count, 7);  // six edges, and straight down
      for (int k = 0; k < count; ++k) {
        const Vec3 point = grid.point(sample) + 1e-3 * found[k];
        EXPECT_LE(point.z() - grid.height(point.x(), point.y()), 1e-13);
      }
    }
  }
}

TEST(HeightGrid, RefusesWhatIsNoGrid) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(HeightGrid(1, 3, Vec2(1, 1), std::vector<double>(3)), Error);
  EXPECT_THROW(HeightGrid(3, 3, Vec2(1, 1), std::vector<double>(8)), Error);
  EXPECT_THROW(HeightGrid(3, 3, Vec2(0, 1), std::vector<double>(9)), Error);
  EXPECT_THROW(HeightGrid(3, 3, Vec2(1, nan), std::vector<double>(9)), Error);
  EXPECT_THROW(HeightGrid(2, 2, Vec2(1, 1), {0, 0, nan, 0}), Error);
}

/// Steps, slopes and plains: triangles that share an edge and a plane, and what hangs together by them, searched
/// through without the numbers.
TEST(HeightGrid, FlatsAreWhatHangsTogetherInOnePlane) {
  RandomShapes random(17);
  for (int trial = 0; trial < 40; ++trial) {
    const int nx = 3 + random.below(6), ny = 3 + random.below(6);
    std::vector<double> heights;
    const double slope = trial % 2 ? 0.25 : 0;
    for (int s = 0; s < nx * ny; ++s) heights.push_back(slope * (s % nx) + 0.5 * (random.below(4) == 0));
    const HeightGrid grid(nx, ny, Vec2(0.5, 0.5), heights);
    const int count = 2 * (nx - 1) * (ny - 1);
    ASSERT_EQ(grid.triangle_count(), count);
    const auto joined = [&](int t, int u) {
      const auto a = grid.corners(t), b = grid.corners(u);
      const auto shared =
          std::count_if(a.begin(), a.end(), [&](int s) { return std::count(b.begin(), b.end(), s) > 0; });
      return shared == 2 && (grid.normal(t) - grid.normal(u)).norm() < 1e-12;
    };
    std::vector<int> lowest(count, -1);
    for (int t = 0; t < count; ++t) {
      if (lowest[t] >= 0) continue;
      std::vector<int> open = {t};
      lowest[t] = t;
      while (!open.empty()) {
        const int now = open.back();
        open.pop_back();
        for (int u = 0; u < count; ++u) {
          if (lowest[u] >= 0 || !joined(now, u)) continue;
          lowest[u] = t;
          open.push_back(u);
        }
      }
    }
    for (int t = 0; t < count; ++t) EXPECT_EQ(grid.flat(t), lowest[t]) << trial << " " << t;
  }
}

}  // namespace
}  // namespace carom::height_grid_test
