#include "carom/geometry/core.h"

#include <cmath>

#include "carom/geometry/cone.h"
#include "carom/geometry/implicit/implicit_solid.h"
#include "carom/geometry/sign.h"
#include "carom/geometry/superquadric.h"

namespace carom {
namespace {

/// p = D² d/|D d| and its derivative (D² − p pᵀ)/|D d|.
Support ellipsoid_support(const Ellipsoid& ellipsoid, const Vec3& d) {
  const Vec3 squares = ellipsoid.semi_axes.cwiseAbs2();
  const double reach = ellipsoid.semi_axes.cwiseProduct(d).norm();
  const Vec3 p = squares.cwiseProduct(d) / reach;
  const Mat3 D2 = squares.asDiagonal();
  return {p, (D2 - p * p.transpose()) / reach};
}

/// A point of the rim: r t + h ẑ with t the direction across the axis.
Support cylinder_support(const Cylinder& cylinder, const Vec3& d) {
  const double across = std::hypot(d.x(), d.y());
  const Vec3 t = across > 0 ? Vec3(d.x() / across, d.y() / across, 0) : Vec3::UnitX();
  Support support = {cylinder.radius * t, Mat3::Zero()};
  support.point.z() = sign(d.z()) * cylinder.half_length;
  if (across > 0) {
    const Vec3 u(-t.y(), t.x(), 0);
    support.hessian = cylinder.radius / across * u * u.transpose();
  }
  return support;
}

int mesh_edges(const Polyhedron& solid, const Vec3& d, double angle, Vec3* edges, int most) {
  const int corner = solid.farthest(d);
  int count = 0;
  for (const int other : solid.neighbours[corner]) {
    const Vec3 edge = (solid.vertices[other] - solid.vertices[corner]).normalized();
    if (count < most && std::abs(edge.dot(d)) < angle) edges[count++] = edge;
  }
  return count;
}

}  // namespace

double core_radius(const Shape& shape) {
  if (const auto* sphere = std::get_if<Sphere>(&shape)) return sphere->radius;
  if (const auto* capsule = std::get_if<Capsule>(&shape)) return capsule->radius;
  if (const auto* rounded = std::get_if<RoundedPolytope>(&shape)) return rounded->radius;
  return 0;
}

Support core_support(const Shape& shape, const Vec3& direction) {
  if (const auto* ellipsoid = std::get_if<Ellipsoid>(&shape)) return ellipsoid_support(*ellipsoid, direction);
  if (const auto* cylinder = std::get_if<Cylinder>(&shape)) return cylinder_support(*cylinder, direction);
  if (std::holds_alternative<Sphere>(shape)) return {Vec3::Zero(), Mat3::Zero()};
  if (const auto* capsule = std::get_if<Capsule>(&shape)) {
    return {Vec3(0, 0, sign(direction.z()) * capsule->half_length), Mat3::Zero()};
  }
  if (const auto* cone = std::get_if<Cone>(&shape)) return cone_support(*cone, direction);
  if (const auto* solid = std::get_if<Superquadric>(&shape)) return superquadric_support(*solid, direction);
  if (const auto* implicit = std::get_if<ImplicitShape>(&shape)) return implicit_support(*implicit->solid, direction);
  if (const Polyhedron* solid = polyhedron_of(shape)) {
    return {solid->vertices[solid->farthest(direction)], Mat3::Zero()};
  }
  return {support_point(shape, direction), Mat3::Zero()};
}

int near_edges(const Shape& shape, const Vec3& direction, double angle, Vec3* edges, int most) {
  const Vec3& d = direction;
  int count = 0;
  const auto add = [&](const Vec3& edge) {
    if (count < most) edges[count++] = edge;
  };
  if (std::holds_alternative<Box>(shape)) {
    for (int i = 0; i < 3; ++i) {
      if (std::abs(d[i]) < angle) add(Vec3::Unit(i));
    }
  } else if (std::holds_alternative<Cylinder>(shape)) {
    if (std::abs(d.z()) < angle) add(Vec3::UnitZ());
    if (std::hypot(d.x(), d.y()) < angle) {
      add(Vec3::UnitX());
      add(Vec3::UnitY());
    }
  } else if (const auto* capsule = std::get_if<Capsule>(&shape)) {
    if (capsule->half_length > 0 && std::abs(d.z()) < angle) add(Vec3::UnitZ());
  } else if (std::holds_alternative<Cone>(shape)) {
    if (d.z() < 0 && std::hypot(d.x(), d.y()) < angle) {
      add(Vec3::UnitX());
      add(Vec3::UnitY());
    }
  } else if (const Polyhedron* solid = polyhedron_of(shape)) {
    return mesh_edges(*solid, d, angle, edges, most);
  }
  return count;
}

}  // namespace carom
