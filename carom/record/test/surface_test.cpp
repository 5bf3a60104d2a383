#include "carom/record/surface.h"

#include <gtest/gtest.h>

#include <numbers>

namespace carom::surface_test {
namespace {

constexpr double pi = std::numbers::pi;

/// Volume within the triangles, by Gauss's theorem; checks that normals and corners agree on the outside.
double volume(const Surface& surface) {
  double sum = 0;
  for (std::size_t t = 0; t < surface.triangles.size(); t += 3) {
    Mat3 corners;
    Vec3 outwards = Vec3::Zero();
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t i = surface.triangles[t + static_cast<std::size_t>(k)];
      corners.col(k) = surface.points.at(i);
      outwards += surface.normals.at(i);
      EXPECT_NEAR(surface.normals.at(i).norm(), 1, 1e-12);
    }
    const Vec3 across = (corners.col(1) - corners.col(0)).cross(corners.col(2) - corners.col(0));
    EXPECT_GT(across.dot(outwards), 0);
    sum += corners.determinant() / 6;
  }
  return sum;
}

TEST(Surface, FlatShapesHaveTheirVolume) {
  EXPECT_NEAR(volume(surface_of(Box{Vec3(0.1, 0.2, 0.3)})), 8 * 0.1 * 0.2 * 0.3, 1e-15);
  const auto wedge = std::make_shared<const Polyhedron>(
      convex_hull({Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1), Vec3(1, 0, 1)}));
  EXPECT_NEAR(volume(surface_of(ConvexMesh{wedge})), 1.0 / 3, 1e-14) << "a pyramid on the unit square";
}

/// 32 strips and 8 arcs a quarter: a polygon of 32 sides has 0.6 % less area than its circle.
TEST(Surface, RoundShapesHaveTheirVolumeButForTheStrips) {
  const double r = 0.3, h = 0.5, sphere = 4 * pi / 3 * r * r * r, cylinder = 2 * pi * r * r * h;
  const double polygon = 32 * std::sin(2 * pi / 32) / (2 * pi);
  EXPECT_NEAR(volume(surface_of(Cylinder{r, h})), polygon * cylinder, 1e-12);
  for (const auto& [shape, exact] : {std::pair<Shape, double>{Sphere{r}, sphere},
                                     {Capsule{r, h}, sphere + cylinder},
                                     {Ellipsoid{Vec3(r, 2 * r, 3 * r)}, 6 * sphere},
                                     {Superquadric{Vec3(r, r, r), Vec3::Constant(2)}, sphere}}) {
    const double drawn = volume(surface_of(shape));
    EXPECT_LT(drawn, exact) << shape_name(shape) << ": the corners lie on the shape";
    EXPECT_GT(drawn, 0.97 * exact) << shape_name(shape);
  }
}

TEST(Surface, CornersLieOnTheShape) {
  const double r = 0.3;
  const Surface sphere = surface_of(Sphere{r});
  for (std::size_t i = 0; i < sphere.points.size(); ++i) {
    EXPECT_NEAR((sphere.points[i] - r * sphere.normals[i]).norm(), 0, 1e-15);
  }
  const Vec3 axes(0.1, 0.2, 0.3);
  const Surface ellipsoid = surface_of(Ellipsoid{axes});
  for (std::size_t i = 0; i < ellipsoid.points.size(); ++i) {
    EXPECT_NEAR(ellipsoid.points[i].cwiseQuotient(axes).norm(), 1, 1e-14);
    // The point farthest along its own normal.
    EXPECT_NEAR((support_point(Ellipsoid{axes}, ellipsoid.normals[i]) - ellipsoid.points[i]).norm(), 0, 1e-12);
  }
}

TEST(Surface, OfGroundTheUpperSideAndOfAHalfSpaceNone) {
  const auto grid = std::make_shared<const HeightGrid>(3, 2, Vec2(0.5, 0.25), std::vector<double>{0, 0, 0, 0, 0.2, 0});
  const Surface hill = surface_of(HeightField{grid});
  ASSERT_EQ(hill.triangles.size(), 3u * 4);
  double area = 0;  // seen from above
  for (std::size_t t = 0; t < hill.triangles.size(); t += 3) {
    const Vec3 a = hill.points[hill.triangles[t]], b = hill.points[hill.triangles[t + 1]],
               c = hill.points[hill.triangles[t + 2]];
    area += 0.5 * (b - a).cross(c - a).z();
    EXPECT_GT((b - a).cross(c - a).dot(hill.normals[hill.triangles[t]]), 0);
  }
  EXPECT_NEAR(area, 1.0 * 0.25, 1e-15);
  EXPECT_TRUE(surface_of(HalfSpace{}).triangles.empty());
}

}  // namespace
}  // namespace carom::surface_test
