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

/// Radius of the largest ball that fits into the shape, or a little less. Another shape must travel as far to come out
/// on the far side.
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

/// Greatest turn in a step: towards half a turn the poses at its ends say little of the way between them.
constexpr double farthest_turn = 2;  // rad

/// The faster spin of the two, of shapes that are no balls, rad/s.
double turning(const Model& model, int a, int b, const DynamicsWorkspace& start) {
  double spin = 0;
  for (const int index : {a, b}) {
    const Collider& collider = model.colliders()[index];
    if (collider.body < 0 || std::holds_alternative<Sphere>(collider.shape)) continue;
    spin = std::max(spin, start.V[collider.body].head<3>().norm());
  }
  return spin;
}

/// The smaller inner radius of the two, m.
double thinner(const Model& model, int a, int b) {
  return std::min(inner_radius(model.colliders()[a].shape), inner_radius(model.colliders()[b].shape));
}

/// Middle of a collider's bounding box, world.
Vec3 middle(const Collider& collider, const DynamicsWorkspace& workspace) {
  const Transform X_WS = collider.body < 0 ? collider.X_BS : workspace.X_WB[collider.body] * collider.X_BS;
  const Bounds box = bounds(collider.shape, {}, 0);
  return X_WS * Vec3(0.5 * (box.lower + box.upper));
}

/// True if the middle of A or of B ends beyond the plane in which they touched. `touch`: kinematics of that instant.
bool passes(const Model& model, int a, int b, const Contact& contact, const DynamicsWorkspace& touch,
            const DynamicsWorkspace& end) {
  const Collider &A = model.colliders()[a], &B = model.colliders()[b];
  const Vec3 from_A = middle(A, touch), from_B = middle(B, touch), n = contact.R_WC.col(2);
  const double moved = n.dot(middle(A, end) - from_A - middle(B, end) + from_B);
  const double above_B = n.dot(from_A - contact.p_WB), above_A = n.dot(contact.p_WA - from_B);
  return (above_B > 0 && above_B + moved < 0) || (above_A > 0 && above_A + moved < 0);
}

}  // namespace

void find_crossings(const Model& model, const VectorX& q, const VectorX& v, double h, const DynamicsWorkspace& start,
                    const DynamicsWorkspace& end, ContactFinder& finder, DynamicsWorkspace& scratch, VectorX& q_scratch,
                    std::vector<Crossing>& crossings) {
  for (const auto& [a, b] : finder.pairs_on_the_way(model, start, end.X_WB, h)) {
    const double thickness = inner_radius(model.colliders()[a].shape) + inner_radius(model.colliders()[b].shape);
    const double travel = h * approach_bound(model, a, b, start);
    const bool turned = h * turning(model, a, b, start) > farthest_turn;
    if (!(travel > 0.5 * thickness) && !turned) continue;
    // A half-space is without end, a segment without thickness.
    const double least =
        std::isfinite(thickness) ? 0.01 * thickness : std::max(0.01 * thinner(model, a, b), 1e-4 * travel);
    // The last 1e-6 of the travel is overlap enough: advancement converges to the touching instant only in the limit.
    const double touching = 1e-6 * travel;
    const Contact first = finder.nearest(model, a, b, start.X_WB);
    if (first.gap <= touching) {
      const Vec3 relative =
          point_velocity(first.body_a, first.p_WA, start) - point_velocity(first.body_b, first.p_WB, start);
      const bool through = passes(model, a, b, first, start, end);
      if (through || h * first.R_WC.col(2).dot(relative) < -0.5 * thickness) crossings.push_back({first, 0, through});
      continue;
    }
    double fraction = first.gap / travel;
    while (fraction < 1) {
      integrate(model, q, v, fraction * h, q_scratch);
      forward_kinematics(model, q_scratch, scratch);
      const Contact contact = finder.nearest(model, a, b, scratch.X_WB);
      if (contact.gap <= touching) {
        crossings.push_back({contact, fraction, passes(model, a, b, contact, scratch, end), turned});
        break;
      }
      fraction += std::max(contact.gap, least) / travel;
    }
  }
}

}  // namespace carom
