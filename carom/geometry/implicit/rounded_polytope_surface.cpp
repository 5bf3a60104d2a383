#include "carom/geometry/implicit/rounded_polytope_surface.h"

#include <cmath>

#include "carom/geometry/surface_point.h"

namespace carom {
namespace {

/// The directions in which the nearest point of the polyhedron follows a point outside: P of the header. Two faces that
/// bend by less than 1e-9 count as one.
Mat3 followed(const Polyhedron& core, const Vec3& nearest) {
  constexpr double round_off = 1e-9;
  for (const Vec3& corner : core.vertices) {
    if ((corner - nearest).norm() <= round_off * core.radius) return Mat3::Zero();
  }
  const Polyhedron::Face* first = nullptr;
  for (const Polyhedron::Face& face : core.faces) {
    if (std::abs(face.normal.dot(nearest) - face.offset) > round_off * core.radius) continue;
    if (!first) {
      first = &face;
      continue;
    }
    const Vec3 edge = first->normal.cross(face.normal);
    if (edge.norm() > round_off) return edge.normalized() * edge.normalized().transpose();
  }
  if (!first) return Mat3::Zero();
  return Mat3::Identity() - first->normal * first->normal.transpose();
}

}  // namespace

SurfaceJet RoundedPolytopeSurface::jet(const Vec3& x) const {
  const SurfacePoint nearest = nearest_on(*core, x);
  if (nearest.distance <= 0) return {-radius / 2, Vec3::Zero(), Mat3::Zero()};
  const Vec3 away = x - nearest.point;
  return {(away.squaredNorm() / radius - radius) / 2, away / radius,
          (Mat3::Identity() - followed(*core, nearest.point)) / radius};
}

std::string RoundedPolytopeSurface::fault() const {
  if (!core) return "a rounded polytope needs a polyhedron";
  if (!(radius > 0) || !std::isfinite(radius)) {
    return "a rounded polytope's radius must be above 0; without rounding, use the planes of its faces";
  }
  return {};
}

}  // namespace carom
