#include "carom/geometry/convex_pairs.h"

#include <algorithm>

#include "carom/geometry/box_separation.h"
#include "carom/geometry/core.h"
#include "carom/geometry/face_contact.h"
#include "carom/geometry/surface_point.h"

namespace carom {
namespace {

/// True if a corner says all that the exact pair does: as near, and along the same normal, to 1e-9 rad.
bool reaches(const ContactPoint& corner, const ConvexDistance& pair, double size) {
  return corner.gap <= pair.gap + 1e-12 * size && (corner.normal - pair.normal).norm() < 1e-9;
}

/// The corners of the faces, and the exact pair in front of them unless a corner is as near.
void append_with_corners(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB,
                         const ConvexDistance& pair, double margin, std::vector<ContactPoint>& points) {
  const std::size_t first = points.size();
  const double size = bounding_radius(a) + bounding_radius(b);
  points.push_back({pair.p_WA, pair.p_WB, pair.normal, pair.gap, 0});
  face_contact(a, X_WA, b, X_WB, pair, margin, points);
  const auto corners = points.begin() + static_cast<std::ptrdiff_t>(first) + 1;
  const bool reached =
      std::any_of(corners, points.end(), [&](const ContactPoint& point) { return reaches(point, pair, size); });
  if (reached) points.erase(points.begin() + static_cast<std::ptrdiff_t>(first));
}

/// True if the separation of the boxes along their axes is their distance, and the points are appended.
bool boxes_settled(const Box& a, const Transform& X_WA, const Box& b, const Transform& X_WB, double margin,
                   std::vector<ContactPoint>& points) {
  const BoxSeparation found = box_separation(a, X_WA, b, X_WB);
  if (found.pair.gap > margin) return true;
  if (found.by_edges) {
    if (found.pair.gap > 0 && !found.touches) return false;
    append_with_corners(a, X_WA, b, X_WB, found.pair, margin, points);
    return true;
  }
  const std::size_t first = points.size();
  face_contact(a, X_WA, b, X_WB, found.pair, margin, points);
  const double size = a.half_extents.norm() + b.half_extents.norm();
  if (std::any_of(points.begin() + static_cast<std::ptrdiff_t>(first), points.end(),
                  [&](const ContactPoint& point) { return reaches(point, found.pair, size); })) {
    return true;
  }
  points.resize(first);  // they are nearest where no face is over the other, or the larger face is not the exact one
  return false;
}

}  // namespace

void sphere_surface(const Sphere& a, const Transform& X_WA, const Shape& b, const Transform& X_WB, double margin,
                    std::vector<ContactPoint>& points) {
  const Vec3 center = X_WB.R.transpose() * (X_WA.p - X_WB.p);
  SurfacePoint nearest;
  if (const auto* cylinder = std::get_if<Cylinder>(&b)) {
    nearest = nearest_on(*cylinder, center);
  } else if (const auto* ellipsoid = std::get_if<Ellipsoid>(&b)) {
    nearest = nearest_on(*ellipsoid, center);
  } else {
    nearest = nearest_on(*polyhedron_of(b), center);
    const double rounding = core_radius(b);
    nearest.point += rounding * nearest.normal;
    nearest.distance -= rounding;
  }
  const double gap = nearest.distance - a.radius;
  if (!(gap <= margin)) return;
  const Vec3 normal = X_WB.R * nearest.normal;
  points.push_back({X_WA.p - a.radius * normal, X_WB * nearest.point, normal, gap, 0});
}

void convex_pair(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB, double margin,
                 std::vector<ContactPoint>& points) {
  const auto* box_a = std::get_if<Box>(&a);
  const auto* box_b = std::get_if<Box>(&b);
  if (box_a && box_b && boxes_settled(*box_a, X_WA, *box_b, X_WB, margin, points)) return;
  const ConvexDistance pair = convex_distance(a, X_WA, b, X_WB);
  if (!(pair.gap <= margin)) return;
  append_with_corners(a, X_WA, b, X_WB, pair, margin, points);
}

}  // namespace carom
