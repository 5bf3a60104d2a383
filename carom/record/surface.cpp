#include "carom/record/surface.h"

#include <cmath>
#include <numbers>

#include "carom/geometry/implicit/implicit_solid.h"

namespace carom {
namespace {

constexpr int strips = 32, arcs = 8;  // about the axis; of a quarter circle

/// A point of the outline of a body of revolution about z, in the half-plane x ≥ 0.
struct OutlinePoint {
  double r, z;  // m
  double normal_r, normal_z;
};

/// Turns an outline, which runs upwards, about z. Two points in one place make an edge.
Surface revolved(const std::vector<OutlinePoint>& outline) {
  Surface surface;
  for (int i = 0; i <= strips; ++i) {
    const double angle = 2 * std::numbers::pi * i / strips, c = std::cos(angle), s = std::sin(angle);
    for (const OutlinePoint& p : outline) {
      surface.points.emplace_back(p.r * c, p.r * s, p.z);
      surface.normals.emplace_back(p.normal_r * c, p.normal_r * s, p.normal_z);
    }
  }
  const auto size = static_cast<std::uint32_t>(outline.size());
  for (std::uint32_t i = 0; i < strips; ++i) {
    for (std::uint32_t k = 0; k + 1 < size; ++k) {
      const OutlinePoint &low = outline[k], &high = outline[k + 1];
      const std::uint32_t a = i * size + k, b = a + size;
      if (low.r == high.r && low.z == high.z) continue;
      if (low.r > 0) surface.triangles.insert(surface.triangles.end(), {a, b, b + 1});
      if (high.r > 0) surface.triangles.insert(surface.triangles.end(), {a, b + 1, a + 1});
    }
  }
  return surface;
}

/// Half circles of the radius about (0, 0, ∓half_length), from pole to pole. The poles are exactly on the axis.
Surface capsule_surface(double radius, double half_length) {
  std::vector<OutlinePoint> outline;
  for (const int half : {-1, 1}) {
    for (int k = 0; k <= arcs; ++k) {
      const double angle = 0.5 * std::numbers::pi * (half < 0 ? k - arcs : k) / arcs;
      const bool pole = k == (half < 0 ? 0 : arcs);
      const double c = pole ? 0 : std::cos(angle), s = pole ? half : std::sin(angle);
      outline.push_back({radius * c, half * half_length + radius * s, c, s});
    }
  }
  return revolved(outline);
}

Surface cylinder_surface(double radius, double half_length) {
  const double r = radius, h = half_length;
  return revolved({{0, -h, 0, -1}, {r, -h, 0, -1}, {r, -h, 1, 0}, {r, h, 1, 0}, {r, h, 0, 1}, {0, h, 0, 1}});
}

/// One flat polygon, a fan about its first corner.
void add_face(Surface& surface, const std::vector<Vec3>& corners, const Vec3& normal) {
  const auto first = static_cast<std::uint32_t>(surface.points.size());
  for (const Vec3& corner : corners) {
    surface.points.push_back(corner);
    surface.normals.push_back(normal);
  }
  for (std::uint32_t k = 2; k < corners.size(); ++k) {
    surface.triangles.insert(surface.triangles.end(), {first, first + k - 1, first + k});
  }
}

Surface polyhedron_surface(const Polyhedron& polyhedron) {
  Surface surface;
  for (const Polyhedron::Face& face : polyhedron.faces) {
    std::vector<Vec3> corners;
    for (const int vertex : face.vertices) corners.push_back(polyhedron.vertices[static_cast<std::size_t>(vertex)]);
    add_face(surface, corners, face.normal);
  }
  return surface;
}

struct SurfaceMaker {
  Surface operator()(const Sphere& sphere) const { return capsule_surface(sphere.radius, 0); }
  Surface operator()(const Capsule& capsule) const { return capsule_surface(capsule.radius, capsule.half_length); }
  Surface operator()(const Cylinder& cylinder) const { return cylinder_surface(cylinder.radius, cylinder.half_length); }
  Surface operator()(const HalfSpace&) const { return {}; }
  Surface operator()(const Ellipsoid& ellipsoid) const {
    Surface surface = capsule_surface(1, 0);
    for (Vec3& point : surface.points) point = point.cwiseProduct(ellipsoid.semi_axes);
    // Normals go with the inverse.
    for (Vec3& normal : surface.normals) normal = normal.cwiseQuotient(ellipsoid.semi_axes).normalized();
    return surface;
  }
  Surface operator()(const Box& box) const {
    Surface surface;
    for (int axis = 0; axis < 3; ++axis) {
      for (const double side : {-1.0, 1.0}) {
        const Vec3 normal = side * Vec3::Unit(axis);
        const Vec3 u = Vec3::Unit((axis + 1) % 3), v = normal.cross(u);
        std::vector<Vec3> corners{normal - u - v, normal + u - v, normal + u + v, normal - u + v};
        for (Vec3& corner : corners) corner = corner.cwiseProduct(box.half_extents);
        add_face(surface, corners, normal);
      }
    }
    return surface;
  }
  Surface operator()(const ConvexMesh& mesh) const { return polyhedron_surface(*mesh.polyhedron); }
  Surface operator()(const ImplicitShape& implicit) const { return polyhedron_surface(*implicit.solid->hull); }
  Surface operator()(const HeightField& field) const {
    Surface surface;
    for (int triangle = 0; triangle < field.grid->triangle_count(); ++triangle) {
      std::vector<Vec3> corners;
      for (const int sample : field.grid->corners(triangle)) corners.push_back(field.grid->point(sample));
      add_face(surface, corners, field.grid->normal(triangle));
    }
    return surface;
  }
  template <class Round>  // cones, superquadrics, rounded polytopes
  Surface operator()(const Round& shape) const {
    return polyhedron_surface(support_hull(shape));
  }
};

}  // namespace

Surface surface_of(const Shape& shape) { return std::visit(SurfaceMaker{}, shape); }

Polyhedron support_hull(const Shape& shape) {
  constexpr int count = 1000;
  std::vector<Vec3> points;
  points.reserve(count);
  for (int k = 0; k < count; ++k) {
    const double z = 1 - (2 * k + 1.0) / count, across = std::sqrt(1 - z * z);
    const double turn = k * std::numbers::pi * (3 - std::sqrt(5.0));
    points.push_back(support_point(shape, Vec3(across * std::cos(turn), across * std::sin(turn), z)));
  }
  return convex_hull(points);
}

}  // namespace carom
