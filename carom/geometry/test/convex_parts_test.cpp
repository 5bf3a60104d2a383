#include "carom/geometry/convex_parts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "carom/error.h"
#include "carom/geometry/polyhedron.h"
#include "random_shapes.h"

namespace carom::convex_parts_test {
namespace {

struct Mesh {
  std::vector<Vec3> vertices;
  std::vector<std::uint32_t> triangles;

  void add(std::size_t a, std::size_t b, std::size_t c) {
    for (const std::size_t i : {a, b, c}) triangles.push_back(static_cast<std::uint32_t>(i));
  }
};

using Outline = std::vector<Eigen::Vector2d>;

/// Prism on an outline that is star-shaped about its centre, from z = 0 to the height.
Mesh prism(const Outline& outline, const Eigen::Vector2d& center, double height) {
  Mesh mesh;
  const std::size_t n = outline.size();
  for (const double z : {0.0, height}) {
    for (const Eigen::Vector2d& p : outline) mesh.vertices.emplace_back(p.x(), p.y(), z);
  }
  mesh.vertices.emplace_back(center.x(), center.y(), 0);
  mesh.vertices.emplace_back(center.x(), center.y(), height);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t j = (i + 1) % n;
    mesh.add(i, j, j + n);
    mesh.add(i, j + n, i + n);
    mesh.add(2 * n, j, i);
    mesh.add(2 * n + 1, i + n, j + n);
  }
  return mesh;
}

/// Turns a closed outline in (distance, z), anticlockwise, about the z axis.
Mesh revolved(const Outline& outline, int n) {
  Mesh mesh;
  const std::size_t m = outline.size();
  for (int i = 0; i < n; ++i) {
    const double a = 2 * std::numbers::pi * i / n;
    for (const Eigen::Vector2d& p : outline) mesh.vertices.emplace_back(p.x() * cos(a), p.x() * sin(a), p.y());
  }
  for (int i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < m; ++j) {
      const std::size_t here = i * m, next = (i + 1) % n * m, k = (j + 1) % m;
      mesh.add(here + j, next + j, next + k);
      mesh.add(here + j, next + k, here + k);
    }
  }
  return mesh;
}

/// Area times the distance of the centroid from the axis, summed: volume = n sin(2π/n) · this for a revolved outline.
double first_moment(const Outline& outline) {
  double sum = 0;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Eigen::Vector2d &a = outline[i], &b = outline[(i + 1) % outline.size()];
    sum += (a.x() * b.y() - b.x() * a.y()) * (a.x() + b.x()) / 6;
  }
  return sum;
}

Outline circle(double distance, double radius, int n) {
  Outline outline;
  for (int k = 0; k < n; ++k) {
    const double a = 2 * std::numbers::pi * k / n;
    outline.emplace_back(distance + radius * cos(a), radius * sin(a));
  }
  return outline;
}

Outline star() {
  Outline outline;
  for (int k = 0; k < 10; ++k) {
    const double r = k % 2 == 0 ? 1 : 0.5, a = std::numbers::pi * k / 5;
    outline.emplace_back(r * cos(a), r * sin(a));
  }
  return outline;
}

/// U of a floor and two walls: the cells of a grid of 3 × 2 that are full, with the faces between them left out.
Mesh u_shape() {
  const std::array<double, 4> x = {0, 0.3, 1.7, 2};
  const std::array<double, 3> y = {0, 0.3, 1.5};
  const auto full = [](int i, int j) { return i >= 0 && i < 3 && (j == 0 || (j == 1 && i != 1)); };
  Mesh mesh;
  const auto quad = [&](const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    const std::size_t n = mesh.vertices.size();
    mesh.vertices.insert(mesh.vertices.end(), {a, b, c, d});
    mesh.add(n, n + 1, n + 2);
    mesh.add(n, n + 2, n + 3);
  };
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 2; ++j) {
      if (!full(i, j)) continue;
      const std::array<Vec3, 4> low = {Vec3(x[i], y[j], 0), Vec3(x[i + 1], y[j], 0), Vec3(x[i + 1], y[j + 1], 0),
                                       Vec3(x[i], y[j + 1], 0)};
      const std::array<bool, 4> outside = {!full(i, j - 1), !full(i + 1, j), !full(i, j + 1), !full(i - 1, j)};
      const Vec3 up(0, 0, 0.8);
      quad(low[3], low[2], low[1], low[0]);
      quad(low[0] + up, low[1] + up, low[2] + up, low[3] + up);
      for (int k = 0; k < 4; ++k) {
        const Vec3 &a = low[k], &b = low[(k + 1) % 4];
        if (outside[k]) quad(a, b, b + up, a + up);
      }
    }
  }
  return mesh;
}

struct Case {
  std::string name;
  Mesh mesh;
  double volume;
  std::size_t most;
  ConvexParts found = {};
};

std::vector<Case> made_cases() {
  const Outline l = {{0, 0}, {2, 0}, {2, 0.4}, {0.4, 0.4}, {0.4, 2}, {0, 2}};
  const Outline ring = {{1, 0}, {1.2, 0}, {1.2, 0.3}, {1, 0.3}};
  const Outline cup = {{0.001, 0}, {0.5, 0}, {0.6, 1.2}, {0.55, 1.2}, {0.45, 0.06}, {0.001, 0.06}};
  const Outline tube = circle(1, 0.3, 8), square = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  const auto turned = [](const Outline& outline, int n) {
    return n * sin(2 * std::numbers::pi / n) * first_moment(outline);
  };
  Mesh tetrahedron{{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 2, 0), Vec3(0, 0, 3)}, {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2}};
  return {{"cube", prism(square, {0.5, 0.5}, 1), 1, 1},
          {"tetrahedron", tetrahedron, 1, 1},
          {"L", prism(l, {0.2, 0.2}, 0.6), 0.6 * 1.44, 2},
          {"U", u_shape(), 0.8 * 1.32, 3},
          {"star", prism(star(), {0, 0}, 0.4), 0.4 * 5 * 0.5 * sin(std::numbers::pi / 5), 6},
          {"ring", revolved(ring, 16), turned(ring, 16), 16},
          {"torus", revolved(tube, 16), turned(tube, 16), 18},
          {"cup", revolved(cup, 16), turned(cup, 16), 17}};
}

/// Indices of triangles; meshes with more take a second each, and are left out where several runs are compared.
constexpr std::size_t longest = 400;

/// Each with its parts, found once.
const std::vector<Case>& cases() {
  static const std::vector<Case> all = [] {
    std::vector<Case> made = made_cases();
    for (Case& c : made) c.found = convex_parts(c.mesh.vertices, c.mesh.triangles);
    return made;
  }();
  return all;
}

bool holds(const Polyhedron& hull, const Vec3& x, double margin) {
  return std::all_of(hull.faces.begin(), hull.faces.end(),
                     [&](const Polyhedron::Face& face) { return face.normal.dot(x) <= face.offset + margin; });
}

/// By the winding number, without the help of the code under test.
bool inside(const Mesh& mesh, const Vec3& x) {
  double angle = 0;
  for (std::size_t k = 0; k < mesh.triangles.size(); k += 3) {
    const Vec3 a = mesh.vertices[mesh.triangles[k]] - x, b = mesh.vertices[mesh.triangles[k + 1]] - x,
               c = mesh.vertices[mesh.triangles[k + 2]] - x;
    angle += 2 * std::atan2(a.dot(b.cross(c)), a.norm() * b.norm() * c.norm() + a.dot(b) * c.norm() +
                                                   b.dot(c) * a.norm() + c.dot(a) * b.norm());
  }
  return angle > 2 * std::numbers::pi;
}

std::vector<Polyhedron> hulls(const ConvexParts& found) {
  std::vector<Polyhedron> result;
  for (const std::vector<Vec3>& part : found.parts) result.push_back(convex_hull(part));
  return result;
}

std::pair<Vec3, Vec3> bounds(const std::vector<Vec3>& points) {
  Vec3 lower = points.front(), upper = lower;
  for (const Vec3& point : points) {
    lower = lower.cwiseMin(point);
    upper = upper.cwiseMax(point);
  }
  return {lower, upper};
}

TEST(ConvexParts, AreFewAndExceedTheSolidByTheErrorTheyTell) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const ConvexParts& found = c.found;
    EXPECT_NEAR(found.volume, c.volume, 1e-12 * c.volume);
    EXPECT_LE(found.error, 0.02);
    EXPECT_LE(found.parts.size(), c.most);
    double sum = 0;
    for (const Polyhedron& hull : hulls(found)) sum += hull.inertia(1).mass;
    EXPECT_NEAR(sum, (1 + found.error) * c.volume, 1e-9 * c.volume);
    const auto [lower, upper] = bounds(c.mesh.vertices);
    for (const std::vector<Vec3>& part : found.parts) {
      for (const Vec3& corner : part) {
        EXPECT_TRUE((corner.array() >= lower.array() - 1e-12).all() && (corner.array() <= upper.array() + 1e-12).all());
      }
    }
  }
}

TEST(ConvexParts, CoverTheSolidAndDoNotOverlap) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const ConvexParts& found = c.found;
    const std::vector<Polyhedron> parts = hulls(found);
    const auto [lower, upper] = bounds(c.mesh.vertices);
    RandomShapes random(3);
    constexpr int trials = 4000;
    int in_hulls = 0;
    for (int k = 0; k < trials; ++k) {
      const Vec3 share = random.in_cube(0.5) + Vec3::Constant(0.5);
      const Vec3 x = lower + share.cwiseProduct(upper - lower);
      const auto held = [&](double margin) {
        return std::count_if(parts.begin(), parts.end(), [&](const auto& part) { return holds(part, x, margin); });
      };
      EXPECT_LE(held(-1e-6), 1);
      in_hulls += held(0) > 0;
      if (inside(c.mesh, x)) {
        EXPECT_GE(held(1e-6), 1);
      }
    }
    const double box = (upper - lower).prod(), share = std::min(1.0, (1 + found.error) * c.volume / box);
    EXPECT_NEAR(in_hulls / static_cast<double>(trials), share, 4 * std::sqrt(share * (1 - share) / trials) + 1e-12);
  }
}

TEST(ConvexParts, FollowScaleAndRotation) {
  RandomShapes random(5);
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    if (c.mesh.triangles.size() > longest) continue;
    const ConvexParts& found = c.found;
    Mesh large = c.mesh, turned = c.mesh;
    const Mat3 R = random.rotation();
    for (Vec3& vertex : large.vertices) vertex *= 1024;
    for (Vec3& vertex : turned.vertices) vertex = R * vertex;
    const ConvexParts of_large = convex_parts(large.vertices, large.triangles);
    EXPECT_EQ(of_large.parts.size(), found.parts.size());
    EXPECT_NEAR(of_large.error, found.error, 1e-9);
    // A solid of revolution is cut here or there by round-off.
    const ConvexParts of_turned = convex_parts(turned.vertices, turned.triangles);
    EXPECT_NEAR(static_cast<double>(of_turned.parts.size()), static_cast<double>(found.parts.size()),
                found.parts.size() > 6 ? 3 : 0);
    EXPECT_NEAR(of_turned.error, found.error, found.parts.size() > 6 ? 0.01 : 1e-9);
  }
}

TEST(ConvexParts, DoNotDependOnOrderOrWinding) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    if (c.mesh.triangles.size() > longest) continue;
    const ConvexParts& found = c.found;
    std::vector<std::uint32_t> reversed(c.mesh.triangles.rbegin(), c.mesh.triangles.rend());
    EXPECT_NEAR(*enclosed_volume(c.mesh.vertices, reversed), -c.volume, 1e-12 * c.volume);
    const ConvexParts turned = convex_parts(c.mesh.vertices, reversed);
    EXPECT_NEAR(turned.volume, c.volume, 1e-12 * c.volume);
    EXPECT_LE(turned.error, 0.02);
    for (std::size_t k = 0; k < reversed.size(); k += 3) std::swap(reversed[k], reversed[k + 1]);
    const ConvexParts again = convex_parts(c.mesh.vertices, reversed);
    EXPECT_EQ(again.error, found.error);
    EXPECT_EQ(again.parts, found.parts);
  }
}

TEST(ConvexParts, StopAtTheMostAndTellTheError) {
  const Case& ring = cases()[5];
  const ConvexParts one = convex_parts(ring.mesh.vertices, ring.mesh.triangles, {.error = 0.02, .most = 1});
  ASSERT_EQ(one.parts.size(), 1u);
  // The hull is the ring with its hole filled.
  const double hole = 0.3 * 16 * 0.5 * sin(std::numbers::pi / 8);
  EXPECT_NEAR(one.error, hole / ring.volume, 1e-9);
  const ConvexParts exact = convex_parts(ring.mesh.vertices, ring.mesh.triangles, {.error = 1e-9, .most = 64});
  EXPECT_EQ(exact.parts.size(), 16u);
}

TEST(EnclosedVolume, IsNothingWhereAnEdgeHasOneSide) {
  const Mesh& cube = cases()[0].mesh;
  ASSERT_TRUE(enclosed_volume(cube.vertices, cube.triangles));
  // Without any one triangle, or with one turned.
  for (std::size_t t = 0; t < cube.triangles.size(); t += 3) {
    std::vector<std::uint32_t> others = cube.triangles, turned = cube.triangles;
    const auto gone = others.begin() + static_cast<std::ptrdiff_t>(t);
    others.erase(gone, gone + 3);
    EXPECT_FALSE(enclosed_volume(cube.vertices, others)) << t;
    std::swap(turned[t], turned[t + 1]);
    EXPECT_FALSE(enclosed_volume(cube.vertices, turned)) << t;
  }
  // The areas of a tube without its ends sum to zero, too.
  const std::vector<Vec3> prism = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
  const std::vector<std::uint32_t> walls = {0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4, 2, 0, 3, 2, 3, 5};
  EXPECT_FALSE(enclosed_volume(prism, walls));
  std::vector<std::uint32_t> closed = walls;
  closed.insert(closed.end(), {0, 2, 1, 3, 4, 5});
  EXPECT_NEAR(*enclosed_volume(prism, closed), 0.5, 1e-15);
}

/// Two tetrahedra with one edge in common, and −0 beside 0 in it. The edge has two sides from either.
TEST(EnclosedVolume, CountsSolidsThatMeetInAnEdge) {
  const std::vector<Vec3> corners = {{0, 0, 0},    {1, 0, 0},     {0, 1, 0},  {0, 0, 1},
                                     {-0.0, 0, 0}, {-1, -0.0, 0}, {0, -2, 0}, {0, -0.0, 1}};
  const std::vector<std::uint32_t> both = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2, 4, 6, 5, 4, 5, 7, 5, 6, 7, 4, 7, 6};
  EXPECT_NEAR(*enclosed_volume(corners, both), 1.0 / 6 + 2.0 / 6, 1e-15);
}

TEST(ConvexParts, RefuseAnOpenSurface) {
  Mesh mesh = cases()[0].mesh;
  mesh.triangles.resize(mesh.triangles.size() - 3);
  EXPECT_FALSE(enclosed_volume(mesh.vertices, mesh.triangles));
  EXPECT_THROW(convex_parts(mesh.vertices, mesh.triangles), Error);
  EXPECT_THROW(convex_parts({}, {}), Error);
  const std::vector<std::uint32_t> beyond = {0, 1, 99};
  EXPECT_THROW(convex_parts(mesh.vertices, beyond), Error);
  const Mesh cube = cases()[0].mesh;
  EXPECT_THROW(convex_parts(cube.vertices, cube.triangles, {.error = -1, .most = 4}), Error);
  EXPECT_THROW(convex_parts(cube.vertices, cube.triangles, {.error = 0.1, .most = 0}), Error);
}

}  // namespace
}  // namespace carom::convex_parts_test
