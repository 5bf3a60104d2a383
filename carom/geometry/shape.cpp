#include "carom/geometry/shape.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <sstream>

#include "carom/error.h"
#include "carom/geometry/cone.h"
#include "carom/geometry/implicit/implicit_solid.h"
#include "carom/geometry/rounded_polytope.h"
#include "carom/geometry/sign.h"
#include "carom/geometry/superquadric.h"

namespace carom {
namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

/// Why `length` cannot be the shape's `name`, empty if it can.
std::string length_fault(const char* name, double length, bool zero_allowed) {
  if (std::isfinite(length) && (length > 0 || (zero_allowed && length == 0))) return {};
  std::ostringstream fault;
  fault << "has " << name << ' ' << length << " m; it must be finite and "
        << (zero_allowed ? "not negative" : "positive");
  return fault.str();
}

/// Diagonal inertia about the shape's origin, which is its centre of mass.
SpatialInertia centred(double mass, const Vec3& moments) { return {mass, Vec3::Zero(), moments.asDiagonal()}; }

SpatialInertia sphere_inertia(const Sphere& sphere, double density) {
  const double r = sphere.radius;
  const double mass = density * 4 / 3 * std::numbers::pi * r * r * r;
  return centred(mass, Vec3::Constant(0.4 * mass * r * r));
}

SpatialInertia box_inertia(const Box& box, double density) {
  const Vec3 squares = box.half_extents.cwiseAbs2();
  const double mass = density * 8 * box.half_extents.prod();
  return centred(mass, mass / 3 * (Vec3::Constant(squares.sum()) - squares));
}

SpatialInertia capsule_inertia(const Capsule& capsule, double density) {
  const double r = capsule.radius, h = capsule.half_length;
  const double cylinder = density * std::numbers::pi * r * r * 2 * h;
  const double caps = density * 4 / 3 * std::numbers::pi * r * r * r;
  // A half ball's centre of mass lies 3r/8 above its base. Its central moment across the axis is 83/320 m r²; moved out
  // by h + 3r/8 that is m (2r²/5 + 3rh/4 + h²).
  const double across = cylinder * (r * r / 4 + h * h / 3) + caps * (0.4 * r * r + 0.75 * r * h + h * h);
  const double along = cylinder * r * r / 2 + caps * 0.4 * r * r;
  return centred(cylinder + caps, Vec3(across, across, along));
}

SpatialInertia cylinder_inertia(const Cylinder& cylinder, double density) {
  const double r = cylinder.radius, h = cylinder.half_length;
  const double mass = density * std::numbers::pi * r * r * 2 * h;
  const double across = mass * (r * r / 4 + h * h / 3);
  return centred(mass, Vec3(across, across, mass * r * r / 2));
}

SpatialInertia ellipsoid_inertia(const Ellipsoid& ellipsoid, double density) {
  const Vec3 squares = ellipsoid.semi_axes.cwiseAbs2();
  const double mass = density * 4 / 3 * std::numbers::pi * ellipsoid.semi_axes.prod();
  return centred(mass, mass / 5 * (Vec3::Constant(squares.sum()) - squares));
}

std::string lengths_fault(const char* what, const Vec3& lengths) {
  constexpr std::array axes = {" x", " y", " z"};
  for (int i = 0; i < 3; ++i) {
    std::string fault = length_fault((what + std::string(axes[i])).c_str(), lengths[i], false);
    if (!fault.empty()) return fault;
  }
  return {};
}

Vec3 farthest_of_cylinder(const Cylinder& cylinder, const Vec3& d) {
  const double across = std::hypot(d.x(), d.y());
  const double scale = across > 0 ? cylinder.radius / across : 0;
  return {scale * d.x(), scale * d.y(), sign(d.z()) * cylinder.half_length};
}

Vec3 farthest_of_ellipsoid(const Ellipsoid& ellipsoid, const Vec3& d) {
  const Vec3 stretched = ellipsoid.semi_axes.cwiseProduct(d);
  return ellipsoid.semi_axes.cwiseProduct(stretched / stretched.norm());
}

Vec3 farthest_sample(const HeightGrid& grid, const Vec3& d) {
  Vec3 best = grid.point(0);
  for (int s = 1; s < grid.sample_count(); ++s) {
    if (const Vec3 point = grid.point(s); d.dot(point) > d.dot(best)) best = point;
  }
  return best;
}

}  // namespace

std::string shape_name(const Shape& shape) {
  constexpr std::array names = {"sphere", "box",         "capsule", "half-space",   "cylinder", "ellipsoid",
                                "mesh",   "heightfield", "cone",    "superquadric", "rounded",  "implicit"};
  const auto* solid = std::get_if<ImplicitShape>(&shape);
  const bool by_parameters = solid && solid->solid && !solid->solid->body.surfaces.empty() &&
                             std::holds_alternative<ParametricSurface>(solid->solid->body.surfaces.front());
  if (by_parameters) return "parametric";
  return names[shape.index()];
}

std::string shape_fault(const Shape& shape) {
  return std::visit(
      Overloaded{[](const Sphere& s) { return length_fault("radius", s.radius, true); },
                 [](const Box& b) { return lengths_fault("half-extent", b.half_extents); },
                 [](const Capsule& c) {
                   const std::string fault = length_fault("radius", c.radius, true);
                   return fault.empty() ? length_fault("half-length", c.half_length, true) : fault;
                 },
                 [](const HalfSpace&) { return std::string(); },
                 [](const Cylinder& c) {
                   const std::string fault = length_fault("radius", c.radius, false);
                   return fault.empty() ? length_fault("half-length", c.half_length, false) : fault;
                 },
                 [](const Ellipsoid& e) { return lengths_fault("semi-axis", e.semi_axes); },
                 [](const ConvexMesh& m) { return m.polyhedron ? std::string() : std::string("has no polyhedron"); },
                 [](const HeightField& h) { return h.grid ? std::string() : std::string("has no grid"); },
                 [](const Cone& c) { return cone_fault(c); },
                 [](const Superquadric& q) {
                   const std::string fault = lengths_fault("semi-axis", q.semi_axes);
                   return fault.empty() ? exponents_fault(q) : fault;
                 },
                 [](const RoundedPolytope& r) {
                   return r.core ? length_fault("radius", r.radius, false) : std::string("has no polyhedron");
                 },
                 [](const ImplicitShape& i) { return i.solid ? std::string() : std::string("has no inequalities"); }},
      shape);
}

SpatialInertia shape_inertia(const Shape& shape, double density) {
  return std::visit(
      Overloaded{[&](const Sphere& s) { return sphere_inertia(s, density); },
                 [&](const Box& b) { return box_inertia(b, density); },
                 [&](const Capsule& c) { return capsule_inertia(c, density); },
                 [](const HalfSpace&) -> SpatialInertia {
                   throw Error(
                       "A half-space has no inertia: fix it to the world, or give its body a mass and an inertia.");
                 },
                 [&](const Cylinder& c) { return cylinder_inertia(c, density); },
                 [&](const Ellipsoid& e) { return ellipsoid_inertia(e, density); },
                 [&](const ConvexMesh& m) { return m.polyhedron->inertia(density); },
                 [](const HeightField&) -> SpatialInertia {
                   throw Error("A height field has no inertia: give its body a mass and an inertia.");
                 },
                 [&](const Cone& c) { return cone_inertia(c, density); },
                 [&](const Superquadric& q) { return superquadric_inertia(q, density); },
                 [&](const RoundedPolytope& r) { return rounded_inertia(*r.core, r.radius, density); },
                 [&](const ImplicitShape& i) { return implicit_inertia(*i.solid, density); }},
      shape);
}

Vec3 support_point(const Shape& shape, const Vec3& direction) {
  const Vec3& d = direction;
  return std::visit(
      Overloaded{
          [&](const Sphere& s) -> Vec3 { return s.radius * d.normalized(); },
          [&](const Box& b) -> Vec3 {
            return {sign(d.x()) * b.half_extents.x(), sign(d.y()) * b.half_extents.y(),
                    sign(d.z()) * b.half_extents.z()};
          },
          [&](const Capsule& c) -> Vec3 { return Vec3(0, 0, sign(d.z()) * c.half_length) + c.radius * d.normalized(); },
          [](const HalfSpace&) -> Vec3 { throw Error("A half-space has no farthest point."); },
          [&](const Cylinder& c) -> Vec3 { return farthest_of_cylinder(c, d); },
          [&](const Ellipsoid& e) -> Vec3 { return farthest_of_ellipsoid(e, d); },
          [&](const ConvexMesh& m) -> Vec3 { return m.polyhedron->vertices[m.polyhedron->farthest(d)]; },
          [&](const HeightField& h) -> Vec3 { return farthest_sample(*h.grid, d); },
          [&](const Cone& c) -> Vec3 { return cone_support(c, d).point; },
          [&](const Superquadric& q) -> Vec3 { return superquadric_support(q, d).point; },
          [&](const RoundedPolytope& r) -> Vec3 {
            return r.core->vertices[r.core->farthest(d)] + r.radius * d.normalized();
          },
          [&](const ImplicitShape& i) -> Vec3 { return implicit_support(*i.solid, d).point; }},
      shape);
}

double bounding_radius(const Shape& shape) {
  return std::visit(Overloaded{[](const Sphere& s) { return s.radius; },  //
                               [](const Box& b) { return b.half_extents.norm(); },
                               [](const Capsule& c) { return c.half_length + c.radius; },
                               [](const HalfSpace&) { return std::numeric_limits<double>::infinity(); },
                               [](const Cylinder& c) { return std::hypot(c.radius, c.half_length); },
                               [](const Ellipsoid& e) { return e.semi_axes.maxCoeff(); },
                               [](const ConvexMesh& m) { return m.polyhedron->radius; },
                               [](const HeightField& h) { return h.grid->radius(); },
                               [](const Cone& c) { return std::max(c.radius, c.height); },
                               [](const Superquadric& q) { return superquadric_radius(q); },
                               [](const RoundedPolytope& r) { return r.core->radius + r.radius; },
                               [](const ImplicitShape& i) { return i.solid->radius; }},
                    shape);
}

const Polyhedron* polyhedron_of(const Shape& shape) {
  if (const auto* mesh = std::get_if<ConvexMesh>(&shape)) return mesh->polyhedron.get();
  const auto* rounded = std::get_if<RoundedPolytope>(&shape);
  return rounded ? rounded->core.get() : nullptr;
}

}  // namespace carom
