// Quadrature over flat faces: areas and moments of every face, nodes within it.

#include "carom/geometry/flat_face.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <string>

#include "carom/geometry/implicit/implicit_body.h"
#include "carom/geometry/rounded_polytope.h"

namespace carom::flat_face_test {
namespace {

/// Area, first and second moments of the nodes of the faces with a normal.
struct Moments {
  double area = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
};
Moments moments_of(const Shape& shape, double spacing, const Vec3& normal) {
  Moments sum;
  for (const FaceNode& node : face_nodes(shape, spacing)) {
    if (node.normal.dot(normal) < 1 - 1e-12) continue;
    EXPECT_GT(node.area, 0);
    sum.area += node.area;
    sum.first += node.area * node.point;
    sum.second += node.area * node.point * node.point.transpose();
  }
  return sum;
}

TEST(FlatFace, NodesOfABoxHaveTheMomentsOfItsFaces) {
  const Vec3 half(0.3, 0.2, 0.1);
  for (const double spacing : {1.0, 0.13, 0.05}) {
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      const Moments m = moments_of(Box{half}, spacing, -Vec3::Unit(i));
      const double area = 4 * half[j] * half[k];
      EXPECT_NEAR(m.area, area, 1e-15);
      EXPECT_NEAR(m.first[i], -half[i] * area, 1e-15);
      EXPECT_NEAR(m.first[j], 0, 1e-15);
      EXPECT_NEAR(m.second(j, j), area * half[j] * half[j] / 3, 1e-15);
      EXPECT_NEAR(m.second(j, k), 0, 1e-15);
    }
  }
}

TEST(FlatFace, NodesOfDiscsHaveTheMomentsOfDiscs) {
  const double r = 0.2, area = std::numbers::pi * r * r;
  for (const double spacing : {1.0, 0.07, 0.02}) {
    for (const Shape& shape : {Shape(Cylinder{r, 0.3}), Shape(Cone{r, 0.3, 0.01})}) {
      const Moments m = moments_of(shape, spacing, -Vec3::UnitZ());
      EXPECT_NEAR(m.area, area, 1e-14) << shape_name(shape);
      EXPECT_NEAR(m.first.head<2>().norm(), 0, 1e-15);
      EXPECT_NEAR(m.second(0, 0), area * r * r / 4, 1e-15);
      EXPECT_NEAR(m.second(1, 1), area * r * r / 4, 1e-15);
      EXPECT_NEAR(m.second(0, 1), 0, 1e-15);
    }
  }
}

TEST(FlatFace, NodesOfPolygonsHaveTheMomentsOfPolygons) {
  // The faces of a box by its eight corners, and of the same with rounded edges: those of its core, moved out.
  const Vec3 half(0.3, 0.2, 0.1);
  const auto core = box_polyhedron(Box{half});
  for (const Shape& shape : {Shape(ConvexMesh{core}), Shape(RoundedPolytope{core, 0.04})}) {
    const double out = std::holds_alternative<RoundedPolytope>(shape) ? 0.04 : 0;
    for (const double spacing : {1.0, 0.06}) {
      const Moments m = moments_of(shape, spacing, Vec3::UnitZ());
      EXPECT_NEAR(m.area, 0.24, 1e-14);
      EXPECT_NEAR(m.first.z(), 0.24 * (0.1 + out), 1e-14);
      EXPECT_NEAR(m.second(0, 0), 0.24 * 0.03, 1e-15);
      EXPECT_NEAR(m.second(0, 1), 0, 1e-15);
    }
  }
}

TEST(FlatFace, NodesLieOnTheSurfaceAndAreAsManyAsTheSpacingSays) {
  const auto core = box_polyhedron(Box{Vec3(0.3, 0.2, 0.1)});
  for (const Shape& shape :
       {Shape(Box{Vec3(0.3, 0.2, 0.1)}), Shape(ConvexMesh{core}), Shape(RoundedPolytope{core, 0.04}),
        Shape(Cylinder{0.2, 0.3}), Shape(Cone{0.2, 0.3, 0.01})}) {
    const ImplicitBody body = implicit_body(shape);
    double area = 0;
    const auto nodes = face_nodes(shape, 0.02);
    for (const FaceNode& node : nodes) {
      double greatest = -1;
      for (const ImplicitSurface& surface : body.surfaces) {
        greatest = std::max(greatest, evaluate(surface, node.point).value);
      }
      EXPECT_NEAR(greatest, 0, 1e-12) << shape_name(shape);
      area += node.area;
    }
    EXPECT_LE(area / static_cast<double>(nodes.size()), 0.02 * 0.02 * (1 + 1e-9)) << shape_name(shape);
  }
  for (const Shape& round : {Shape(Sphere{1}), Shape(HalfSpace{}), Shape(Ellipsoid{Vec3::Ones()})}) {
    EXPECT_TRUE(face_nodes(round, 0.1).empty());
  }
}

TEST(FlatFace, NodesEndAtTheirGreatestNumberHoweverSmallTheSpacing) {
  const auto core = box_polyhedron(Box{Vec3(0.3, 0.2, 0.1)});
  for (const Shape& shape :
       {Shape(Box{Vec3(0.3, 0.2, 0.1)}), Shape(Box{Vec3(1e3, 1e-9, 1e-9)}), Shape(ConvexMesh{core}),
        Shape(RoundedPolytope{core, 0.04}), Shape(Cylinder{0.2, 0.3}), Shape(Cone{0.2, 0.3, 0.01})}) {
    for (const double spacing : {1e-6, 1e-12, 1e-300}) {
      EXPECT_EQ(face_nodes(shape, spacing, 500).size(), 500U) << shape_name(shape) << ' ' << spacing;
    }
    const auto all = face_nodes(shape, 0.3), some = face_nodes(shape, 0.3, all.size());
    ASSERT_EQ(some.size(), all.size());
    EXPECT_EQ(some.back().point, all.back().point);
  }
}

}  // namespace
}  // namespace carom::flat_face_test
