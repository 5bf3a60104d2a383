#include "carom/geometry/polyhedron.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "carom/error.h"
#include "carom/geometry/shape.h"
#include "carom/geometry/vertex_tree.h"
#include "random_shapes.h"

namespace carom::polyhedron_test {
namespace {

std::vector<Vec3> box_corners(const Vec3& half, const Transform& X) {
  std::vector<Vec3> corners;
  corners.reserve(8);
  for (int i = 0; i < 8; ++i) {
    corners.push_back(X *
                      Vec3(i & 1 ? half.x() : -half.x(), i & 2 ? half.y() : -half.y(), i & 4 ? half.z() : -half.z()));
  }
  return corners;
}

TEST(ConvexHull, OfABoxHasSixWholeFacesAndTheBoxsInertia) {
  RandomShapes random(1);
  for (int trial = 0; trial < 100; ++trial) {
    const Box box = random.box();
    const Transform X = random.pose(2);
    std::vector<Vec3> points = box_corners(box.half_extents, X);
    for (int k = 0; k < 20; ++k) points.push_back(X * random.in_cube(1).cwiseProduct(box.half_extents));
    const Polyhedron solid = convex_hull(points);
    ASSERT_EQ(solid.vertices.size(), 8u);
    ASSERT_EQ(solid.faces.size(), 6u);
    for (const Polyhedron::Face& face : solid.faces) {
      EXPECT_EQ(face.vertices.size(), 4u);
      for (std::size_t k = 0; k < 4; ++k) {
        const Vec3& a = solid.vertices[face.vertices[k]];
        const Vec3& b = solid.vertices[face.vertices[(k + 1) % 4]];
        const Vec3& c = solid.vertices[face.vertices[(k + 2) % 4]];
        EXPECT_GT(face.normal.dot((b - a).cross(c - b)), 0);
        EXPECT_NEAR(face.normal.dot(a), face.offset, 1e-14 * (1 + X.p.norm()));
      }
    }
    const SpatialInertia expected = shape_inertia(box, 700).in(X), found = solid.inertia(700);
    EXPECT_NEAR(found.mass, expected.mass, 1e-12 * expected.mass);
    EXPECT_LT((found.center - expected.center).norm(), 1e-13 * (1 + X.p.norm()));
    EXPECT_LT((found.central - expected.central).norm(), 1e-12 * expected.central.norm());
    EXPECT_NEAR(solid.inner_radius, box.half_extents.minCoeff(), 1e-13);
  }
}

TEST(ConvexHull, OfAMeshIsThatOfItsDistinctVertices) {
  RandomShapes random(7);
  std::vector<Vec3> distinct, mesh;
  for (int k = 0; k < 500; ++k) distinct.push_back(random.in_cube(1));
  for (int k = 0; k < 30000; ++k) mesh.push_back(distinct[k < 500 ? k : random.below(500)]);
  const Polyhedron of_mesh = convex_hull(mesh), of_distinct = convex_hull(distinct);
  EXPECT_EQ(of_mesh.faces.size(), of_distinct.faces.size());
  EXPECT_EQ(of_mesh.flats.size(), of_distinct.flats.size());
  const auto sorted = [](std::vector<Vec3> points) {
    std::sort(points.begin(), points.end(), [](const Vec3& a, const Vec3& b) {
      return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3);
    });
    return points;
  };
  EXPECT_EQ(sorted(of_mesh.vertices), sorted(of_distinct.vertices));
  EXPECT_NEAR(of_mesh.inertia(1).mass, of_distinct.inertia(1).mass, 1e-12);
}

TEST(ConvexHull, HoldsEveryPointAndUsesPointsOnly) {
  RandomShapes random(2);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<Vec3> points;
    for (int k = 4 + random.below(200); k > 0; --k) points.push_back(random.in_cube(1));
    const Polyhedron solid = convex_hull(points);
    for (const Polyhedron::Face& face : solid.faces) {
      for (const Vec3& point : points) EXPECT_LT(face.normal.dot(point), face.offset + 1e-14);
    }
    for (const Vec3& vertex : solid.vertices) {
      EXPECT_TRUE(std::any_of(points.begin(), points.end(), [&](const Vec3& p) { return p == vertex; }));
    }
    const Vec3 d = random.direction();
    for (const Vec3& point : points) EXPECT_GE(d.dot(solid.vertices[solid.farthest(d)]), d.dot(point));
    // Euler's formula, each edge being of two faces.
    std::size_t sides = 0;
    for (const Polyhedron::Face& face : solid.faces) sides += face.vertices.size();
    EXPECT_EQ(solid.vertices.size() + solid.faces.size() - sides / 2, 2u);
  }
}

TEST(ConvexHull, PlanesOfALargeBallHoldEveryVertex) {
  // 80 000 triangles: with every vertex looked at for every face this alone would take a minute.
  RandomShapes random(3);
  std::vector<Vec3> points;
  for (int k = 0; k < 40000; ++k) points.push_back(random.direction());
  const Polyhedron solid = convex_hull(points);
  ASSERT_GT(solid.faces.size(), 79000u);
  for (const std::vector<Polyhedron::Face>* faces : {&solid.faces, &solid.flats}) {
    for (int trial = 0; trial < 100; ++trial) {
      const Polyhedron::Face& face = (*faces)[random.below(static_cast<int>(faces->size()))];
      double reach = -1;
      for (const Vec3& vertex : solid.vertices) reach = std::max(reach, face.normal.dot(vertex));
      EXPECT_EQ(face.offset, reach);
    }
  }
}

TEST(VertexTree, FindsHowFarPointsReachWhereverTheSearchStarts) {
  RandomShapes random(4);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<Vec3> points;
    for (int k = 1 + random.below(300); k > 0; --k) points.push_back(random.in_cube(1));
    if (trial % 3 == 0) points.insert(points.end(), 20, points.front());
    const VertexTree tree(points);
    const Vec3 d = random.direction();
    double reach = -10;
    for (const Vec3& point : points) reach = std::max(reach, d.dot(point));
    EXPECT_EQ(tree.farthest_reach(d, d.dot(points.back())), reach);
    EXPECT_EQ(tree.farthest_reach(d, reach), reach);
  }
}

TEST(ConvexHull, OfATessellatedBallApproachesTheBall) {
  std::vector<Vec3> points;
  const int n = 2000;
  for (int k = 0; k < n; ++k) {
    const double z = 1 - (2 * k + 1.0) / n, turn = k * std::numbers::pi * (3 - std::sqrt(5.0));
    points.push_back(Vec3(std::sqrt(1 - z * z) * std::cos(turn), std::sqrt(1 - z * z) * std::sin(turn), z));
  }
  const SpatialInertia hull = convex_hull(points).inertia(1), ball = shape_inertia(Sphere{1}, 1);
  EXPECT_NEAR(hull.mass, ball.mass, 5e-3 * ball.mass);
  EXPECT_LT((hull.central - ball.central).norm(), 1e-2 * ball.central.norm());
}

TEST(ConvexHull, FacesThatSinglePrecisionPartsAreOneFlat) {
  RandomShapes random(3);
  for (int trial = 0; trial < 100; ++trial) {
    const Box box = random.box();
    std::vector<Vec3> points = box_corners(box.half_extents, random.pose(1));
    for (Vec3& point : points) point += random.in_cube(1e-8);
    const Polyhedron solid = convex_hull(points);
    EXPECT_GT(solid.faces.size(), 6u);
    EXPECT_EQ(solid.flats.size(), 6u);
    EXPECT_EQ(solid.vertices.size(), 8u);
  }
}

TEST(ConvexHull, RefusesWhatSpansNoSolid) {
  const std::vector<Vec3> flat = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0.3, 0.2, 0}};
  EXPECT_THROW(convex_hull(flat), Error);
  EXPECT_THROW(convex_hull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}), Error);
  EXPECT_THROW(convex_hull(std::vector<Vec3>(10, Vec3(1, 2, 3))), Error);
  EXPECT_THROW(convex_hull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, NAN}}), Error);
  EXPECT_THROW(convex_hull({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}}), Error);
}

}  // namespace
}  // namespace carom::polyhedron_test
