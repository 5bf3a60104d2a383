#include "carom/contact/crossing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "carom/dynamics/recursions.h"
#include "carom/geometry/core.h"
#include "carom/geometry/implicit/implicit_solid.h"

namespace carom {
namespace {

/// Radius of the largest ball that fits into the shape, or a little less: what another shape must travel to come out on
/// the far side.
double inner_radius(const Shape& shape) {
  if (const auto* sphere = std::get_if<Sphere>(&shape)) return sphere->radius;
  if (const auto* box = std::get_if<Box>(&shape)) return box->half_extents.minCoeff();
  if (const auto* capsule = std::get_if<Capsule>(&shape)) return capsule->radius;
  if (const auto* cylinder = std::get_if<Cylinder>(&shape)) return std::min(cylinder->radius, cylinder->half_length);
  if (const auto* ellipsoid = std::get_if<Ellipsoid>(&shape)) return ellipsoid->semi_axes.minCoeff();
  if (const Polyhedron* solid = polyhedron_of(shape)) return solid->inner_radius + core_radius(shape);
  // Solids that hold the sharp cone on the same base, and the ellipsoid on the same axes.
  if (const auto* cone = std::get_if<Cone>(&shape)) {
    return cone->radius * cone->height / (cone->radius + std::hypot(cone->radius, cone->height));
  }
  if (const auto* solid = std::get_if<Superquadric>(&shape)) return solid->semi_axes.minCoeff();
  if (const auto* implicit = std::get_if<ImplicitShape>(&shape)) return implicit->solid->inner_radius;
  return std::numeric_limits<double>::infinity();  // a half-space has no far side
}

/// Bound on the speed at which surface points of two colliders approach one another, m/s.
double approach_bound(const Model& model, int a, int b, const DynamicsWorkspace& start) {
  Vec3 relative = Vec3::Zero();
  double turning = 0;
  const auto add = [&](int index, double sign) {
    const Collider& collider = model.colliders()[index];
    if (collider.body < 0) return;
    const Vec3 origin = start.X_WB[collider.body] * collider.X_BS.p;
    relative += sign * point_velocity(collider.body, origin, start);
    turning += start.V[collider.body].head<3>().norm() * bounding_radius(collider.shape);
  };
  add(a, 1);
  add(b, -1);
  return relative.norm() + turning;
}

/// How far the pair's nearest points go into one another in a time, at the velocities in the workspace, m.
double way_in(const Contact& contact, double time, const DynamicsWorkspace& workspace) {
  const Vec3 relative =
      point_velocity(contact.body_a, contact.p_WA, workspace) - point_velocity(contact.body_b, contact.p_WB, workspace);
  return -time * contact.R_WC.col(2).dot(relative);
}

}  // namespace

void find_crossings(const Model& model, const VectorX& q, const VectorX& v, double h, const DynamicsWorkspace& start,
                    const DynamicsWorkspace& end, ContactFinder& finder, DynamicsWorkspace& scratch, VectorX& q_scratch,
                    std::vector<Crossing>& crossings) {
  VectorX v_scratch;  // of a rare case
  for (const auto& [a, b] : finder.pairs_on_the_way(model, start.X_WB, end.X_WB)) {
    const double thickness = inner_radius(model.colliders()[a].shape) + inner_radius(model.colliders()[b].shape);
    const double travel = h * approach_bound(model, a, b, start);
    if (!(travel > 0.5 * thickness)) continue;
    // The last 1e-6 of the travel is overlap enough: advancement converges to the touching instant only in the limit.
    const double touching = 1e-6 * travel;
    const Contact first = finder.nearest(model, a, b, start.X_WB);
    if (first.gap <= touching) {
      if (way_in(first, h, start) > 0.5 * thickness) crossings.push_back({first, 0, true});
      continue;
    }
    double fraction = first.gap / travel;
    while (fraction < 1) {
      integrate(model, q, v, fraction * h, q_scratch);
      forward_kinematics(model, q_scratch, scratch);
      const Contact contact = finder.nearest(model, a, b, scratch.X_WB);
      if (contact.gap <= touching) {
        transport_velocity(model, q, q_scratch, v, v_scratch);
        forward_velocity(model, q_scratch, v_scratch, scratch);
        const bool through = way_in(contact, (1 - fraction) * h, scratch) > 0.5 * thickness;
        crossings.push_back({contact, fraction, through});
        break;
      }
      fraction += std::max(contact.gap, 0.01 * thickness) / travel;
    }
  }
}

}  // namespace carom
