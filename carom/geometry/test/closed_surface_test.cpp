// The pieces of convex_parts by themselves: a closed surface and what is inside, polygons cut by planes, hulls of
// parts.

#include "carom/geometry/closed_surface.h"

#include <gtest/gtest.h>

#include <cmath>

#include "carom/geometry/cut_polygons.h"
#include "carom/geometry/part_hull.h"

namespace carom::closed_surface_test {
namespace {

using namespace cutting;

struct Raw {
  std::vector<Vec3> vertices;
  std::vector<std::uint32_t> triangles;
};

/// A cube of edge 2 about the origin, outwards; each triangle with corners of its own.
Raw cube() {
  constexpr int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  Raw raw;
  for (const auto& face : faces) {
    for (const int i : {0, 1, 2, 0, 2, 3}) {
      const int corner = face[i];
      raw.triangles.push_back(static_cast<std::uint32_t>(raw.vertices.size()));
      raw.vertices.emplace_back((corner & 1) != 0 ? 1 : -1, (corner & 2) != 0 ? 1 : -1, (corner & 4) != 0 ? 1 : -1);
    }
  }
  return raw;
}

Soup soup_of(const Mesh& mesh) {
  Soup soup;
  soup.points = mesh.vertices;
  for (const Triangle& t : mesh.triangles) {
    soup.loops.insert(soup.loops.end(), t.begin(), t.end());
    soup.ends.push_back(static_cast<int>(soup.loops.size()));
  }
  return soup;
}

double area_of(const Soup& soup) {
  double sum = 0;
  int first = 0;
  for (const int last : soup.ends) {
    Vec3 area = Vec3::Zero();
    const Vec3& o = soup.points[soup.loops[first]];
    for (int k = first + 1; k + 1 < last; ++k) {
      area += (soup.points[soup.loops[k]] - o).cross(soup.points[soup.loops[k + 1]] - o);
    }
    sum += 0.5 * area.norm();
    first = last;
  }
  return sum;
}

TEST(ClosedSurface, ACubeIsWeldedAndClosed) {
  const Raw raw = cube();
  Mesh mesh = welded(raw.vertices, raw.triangles);
  EXPECT_EQ(mesh.vertices.size(), 8u);
  EXPECT_EQ(mesh.triangles.size(), 12u);
  EXPECT_EQ(edges_of(mesh).size(), 36u);
  EXPECT_DOUBLE_EQ(signed_volume(mesh), 8);
  for (const Triangle& t : mesh.triangles) EXPECT_DOUBLE_EQ(twice_area(mesh, t).norm(), 4);
  mesh.triangles.pop_back();
  EXPECT_TRUE(edges_of(mesh).empty());
}

TEST(ClosedSurface, WindsOnceRoundWhatIsInside) {
  const Raw raw = cube();
  const WindingNumber winding(welded(raw.vertices, raw.triangles));
  for (const Vec3& inside : {Vec3(0, 0, 0), Vec3(0.9, -0.9, 0.3), Vec3(-0.99, 0.2, 0.99)}) {
    EXPECT_NEAR(winding.at(inside), 1, 1e-9);
  }
  for (const Vec3& outside : {Vec3(1.1, 0, 0), Vec3(-2, 3, 1)}) EXPECT_NEAR(winding.at(outside), 0, 1e-9);
  EXPECT_NEAR(winding.at(Vec3(100, 70, -50)), 0, 1e-3) << "far away triangles count as one dipole";
}

TEST(CutPolygons, BothSidesHaveTheWholeArea) {
  const Raw raw = cube();
  const Soup soup = soup_of(welded(raw.vertices, raw.triangles));
  for (const Plane& plane : {Plane{Vec3(0, 0, 1), 0.25}, Plane{Vec3(1, 2, -3).normalized(), 0.1}}) {
    const auto sides = split(soup, plane, 1e-9);
    EXPECT_NEAR(area_of(sides[0]) + area_of(sides[1]), 24, 1e-12);
    for (const Vec3& x : sides[0].points) EXPECT_LE(plane.gap(x), 1e-9);
    for (const Vec3& x : sides[1].points) EXPECT_GE(plane.gap(x), -1e-9);
  }
  // The face in the plane z = 1 lies on the solid, which is below.
  const auto sides = split(soup, {Vec3(0, 0, 1), 1}, 1e-9);
  EXPECT_NEAR(area_of(sides[0]), 24, 1e-12);
  EXPECT_TRUE(sides[1].ends.empty());
}

TEST(CutPolygons, ACutIsClosedByItsFace) {
  const Raw raw = cube();
  const Plane plane{Vec3(0, 0, 1), 0.25};
  auto sides = split(soup_of(welded(raw.vertices, raw.triangles)), plane, 1e-9);
  for (Soup& side : sides) {
    const double before = area_of(side);
    close(side, plane, 1e-9);
    EXPECT_NEAR(area_of(side) - before, 4, 1e-12);
  }
}

TEST(PartHull, HasTheVolumeCornersAndFacesOfABox) {
  std::vector<Vec3> points = cube().vertices;
  points.emplace_back(0.2, 0.1, 0.3);
  const Hull hull = hull_of(points);
  EXPECT_NEAR(hull.volume, 8, 1e-12);
  EXPECT_EQ(hull.corners.size(), 8u);
  for (const Plane& face : hull.faces) EXPECT_NEAR(face.offset, 1, 1e-12);
  EXPECT_NEAR(rough_volume(points), 8, 1e-12);
  EXPECT_EQ(hull_of({Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(1, 1, 0)}).volume, 0) << "flat";
}

TEST(PartHull, ManyPointsHaveAboutTheirVolume) {
  std::vector<Vec3> points;
  for (int i = 0; i < 2000; ++i) {
    const double z = 1 - (2 * i + 1) / 2000.0, r = std::sqrt(1 - z * z);
    points.emplace_back(r * std::cos(2.4 * i), r * std::sin(2.4 * i), z);
  }
  const double whole = hull_of(points, true).volume, rough = rough_volume(points);
  EXPECT_LT(rough, whole);
  EXPECT_GT(rough, 0.85 * whole);
}

TEST(PartHull, ThoseThatAFacePartsAreTold) {
  const auto box = [](double x) {
    std::vector<Vec3> points = cube().vertices;
    for (Vec3& point : points) point.x() += x;
    return hull_of(points);
  };
  EXPECT_TRUE(parted(box(0), box(2), 1e-9));
  EXPECT_TRUE(parted(box(5), box(0), 1e-9));
  EXPECT_FALSE(parted(box(0), box(1.9), 1e-9));
}

}  // namespace
}  // namespace carom::closed_surface_test
