#include "carom/geometry/half_space_pairs.h"

#include <cmath>
#include <numbers>

#include "carom/geometry/cone.h"
#include "carom/geometry/core.h"

namespace carom {
namespace {

constexpr int rim_points = 8;  // of a cap, fixed in the cylinder

void ball_half_space(const Vec3& center, double radius, const Transform& X_WB, double margin, int feature,
                     std::vector<ContactPoint>& points) {
  const Vec3 normal = X_WB.R.col(2);
  const double height = normal.dot(center - X_WB.p);
  if (!(height - radius <= margin)) return;
  points.push_back({center - radius * normal, center - height * normal, normal, height - radius, feature});
}

}  // namespace

void sphere_half_space(const Sphere& a, const Transform& X_WA, const Transform& X_WB, double margin,
                       std::vector<ContactPoint>& points) {
  ball_half_space(X_WA.p, a.radius, X_WB, margin, 0, points);
}

void capsule_half_space(const Capsule& a, const Transform& X_WA, const Transform& X_WB, double margin,
                        std::vector<ContactPoint>& points) {
  const Vec3 arm = a.half_length * X_WA.R.col(2);
  ball_half_space(X_WA.p - arm, a.radius, X_WB, margin, 0, points);
  // Without a length both ends are one ball, which must not count twice.
  if (a.half_length > 0) ball_half_space(X_WA.p + arm, a.radius, X_WB, margin, 1, points);
}

void box_half_space(const Box& a, const Transform& X_WA, const Transform& X_WB, double margin,
                    std::vector<ContactPoint>& points) {
  const Vec3& h = a.half_extents;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 vertex(corner & 1 ? h.x() : -h.x(), corner & 2 ? h.y() : -h.y(), corner & 4 ? h.z() : -h.z());
    ball_half_space(X_WA * vertex, 0, X_WB, margin, corner, points);
  }
}

void cylinder_half_space(const Cylinder& a, const Transform& X_WA, const Transform& X_WB, double margin,
                         std::vector<ContactPoint>& points) {
  const Vec3 down = -(X_WA.R.transpose() * X_WB.R.col(2));
  const double across = std::hypot(down.x(), down.y());
  // Upright to round-off no point of the rim is lowest, and the fixed ones hold it.
  const bool tilted = across > 1e-14;
  for (int cap = 0; cap < 2; ++cap) {
    const double z = cap == 0 ? -a.half_length : a.half_length;
    if (!tilted) continue;
    const Vec3 lowest(a.radius * down.x() / across, a.radius * down.y() / across, z);
    ball_half_space(X_WA * lowest, 0, X_WB, margin, cap, points);
  }
  for (int i = 0; i < 2 * rim_points; ++i) {
    const double angle = 2 * std::numbers::pi * (i % rim_points) / rim_points;
    const Vec3 rim(a.radius * std::cos(angle), a.radius * std::sin(angle),
                   i < rim_points ? -a.half_length : a.half_length);
    // The lowest point stands for a fixed one in its place.
    const bool taken = tilted && (rim.x() * down.x() + rim.y() * down.y()) > (1 - 1e-6) * across * a.radius;
    if (!taken) ball_half_space(X_WA * rim, 0, X_WB, margin, 2 + i, points);
  }
}

void smooth_half_space(const Shape& a, const Transform& X_WA, const Transform& X_WB, double margin,
                       std::vector<ContactPoint>& points) {
  const Vec3 lowest = support_point(a, -(X_WA.R.transpose() * X_WB.R.col(2)));
  ball_half_space(X_WA * lowest, 0, X_WB, margin, 0, points);
}

void cone_half_space(const Cone& a, const Transform& X_WA, const Transform& X_WB, double margin,
                     std::vector<ContactPoint>& points) {
  const Vec3 down = -(X_WA.R.transpose() * X_WB.R.col(2));
  const double across = std::hypot(down.x(), down.y());
  const bool tilted = across > 1e-14;
  if (tilted) ball_half_space(X_WA * (a.radius / across * Vec3(down.x(), down.y(), 0)), 0, X_WB, margin, 0, points);
  const Vec3 lowest = cone_support(a, down).point;
  if (lowest.z() > 0) ball_half_space(X_WA * lowest, 0, X_WB, margin, 1, points);
  for (int i = 0; i < rim_points; ++i) {
    const double angle = 2 * std::numbers::pi * i / rim_points;
    const Vec3 rim(a.radius * std::cos(angle), a.radius * std::sin(angle), 0);
    const bool taken = tilted && rim.dot(down) > (1 - 1e-6) * across * a.radius;
    if (!taken) ball_half_space(X_WA * rim, 0, X_WB, margin, 2 + i, points);
  }
}

void polyhedron_half_space(const Polyhedron& a, double radius, const Transform& X_WA, const Transform& X_WB,
                           double margin, std::vector<ContactPoint>& points) {
  for (std::size_t i = 0; i < a.vertices.size(); ++i) {
    ball_half_space(X_WA * a.vertices[i], radius, X_WB, margin, static_cast<int>(i), points);
  }
}

void shape_half_space(const Shape& a, const Transform& X_WA, const Transform& X_WB, double margin,
                      std::vector<ContactPoint>& points) {
  if (const auto* sphere = std::get_if<Sphere>(&a)) return sphere_half_space(*sphere, X_WA, X_WB, margin, points);
  if (const auto* capsule = std::get_if<Capsule>(&a)) return capsule_half_space(*capsule, X_WA, X_WB, margin, points);
  if (const auto* box = std::get_if<Box>(&a)) return box_half_space(*box, X_WA, X_WB, margin, points);
  if (const auto* cylinder = std::get_if<Cylinder>(&a)) {
    return cylinder_half_space(*cylinder, X_WA, X_WB, margin, points);
  }
  if (const auto* cone = std::get_if<Cone>(&a)) return cone_half_space(*cone, X_WA, X_WB, margin, points);
  if (const Polyhedron* solid = polyhedron_of(a)) {
    return polyhedron_half_space(*solid, core_radius(a), X_WA, X_WB, margin, points);
  }
  smooth_half_space(a, X_WA, X_WB, margin, points);
}

}  // namespace carom
