#include "carom/geometry/implicit/implicit_body.h"

#include <cmath>
#include <string>
#include <utility>

#include "carom/error.h"
#include "carom/geometry/implicit/implicit_solid.h"

namespace carom {
namespace {

ImplicitBody checked(ImplicitBody body) {
  check(body);
  return body;
}

Vec3 mean_of_corners(const Polyhedron& solid) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& corner : solid.vertices) sum += corner;
  return sum / static_cast<double>(solid.vertices.size());
}

void add_caps(double half_length, ImplicitBody& body) {
  body.surfaces.emplace_back(PlaneSurface{-Vec3::UnitZ(), half_length});
  body.surfaces.emplace_back(PlaneSurface{Vec3::UnitZ(), half_length});
}

/// A point or a segment has no surface with a gradient: a ball about it stands for it, m.
constexpr double radius_of_points = 1e-8;

struct Converted {
  ImplicitBody operator()(const Sphere& s) const { return {{SphereSurface{rounded(s.radius)}}}; }
  ImplicitBody operator()(const Capsule& c) const { return {{CapsuleSurface{rounded(c.radius), c.half_length}}}; }
  ImplicitBody operator()(const Ellipsoid& e) const { return {{EllipsoidSurface{e.semi_axes}}}; }
  ImplicitBody operator()(const HalfSpace& /*shape*/) const {
    return {{PlaneSurface{Vec3::UnitZ(), 0}}, -Vec3::UnitZ()};
  }
  ImplicitBody operator()(const Box& b) const {
    ImplicitBody body;
    for (int i = 0; i < 3; ++i) {
      for (const double sign : {-1.0, 1.0}) {
        body.surfaces.emplace_back(PlaneSurface{sign * Vec3::Unit(i), b.half_extents[i]});
      }
    }
    return body;
  }
  ImplicitBody operator()(const Cylinder& c) const {
    ImplicitBody body{{CylinderSurface{c.radius}}};
    add_caps(c.half_length, body);
    return body;
  }
  ImplicitBody operator()(const ConvexMesh& m) const {
    ImplicitBody body;
    for (const Polyhedron::Face& face : m.polyhedron->faces) {
      body.surfaces.emplace_back(PlaneSurface{face.normal, face.offset});
    }
    body.inside = mean_of_corners(*m.polyhedron);
    return body;
  }
  ImplicitBody operator()(const Cone& c) const { return blunt_cone(std::atan(c.tangent()), c.height, c.tip_radius); }
  ImplicitBody operator()(const Superquadric& q) const { return superquadric(q.semi_axes, q.exponents); }
  ImplicitBody operator()(const RoundedPolytope& r) const { return rounded_polytope(r.core, r.radius); }
  ImplicitBody operator()(const ImplicitShape& i) const { return i.solid->body; }
  static double rounded(double radius) { return radius > 0 ? radius : radius_of_points; }
  ImplicitBody operator()(const HeightField& /*shape*/) const {
    throw Error("a height field is not convex, so no intersection of convex inequalities; use convex pieces");
  }
};

}  // namespace

SurfaceJet evaluate(const ImplicitSurface& surface, const Vec3& x) {
  return std::visit([&x](const auto& s) { return s.jet(x); }, surface);
}

void check(const ImplicitBody& body) {
  if (body.surfaces.empty()) throw Error("an implicit body needs at least one inequality; without any it is all space");
  for (std::size_t i = 0; i < body.surfaces.size(); ++i) {
    const std::string fault = std::visit([](const auto& s) { return s.fault(); }, body.surfaces[i]);
    if (!fault.empty()) throw Error("implicit body, inequality " + std::to_string(i) + ": " + fault);
    if (!(evaluate(body.surfaces[i], body.inside).value < 0)) {
      throw Error("implicit body, inequality " + std::to_string(i) +
                  ": is not negative at the point `inside`; give a " +
                  "point within the body, and inequalities that have one in common");
    }
  }
}

ImplicitBody implicit_body(const Shape& shape) {
  const std::string fault = shape_fault(shape);
  if (!fault.empty()) throw Error(shape_name(shape) + ": " + fault);
  return checked(std::visit(Converted{}, shape));
}

ImplicitBody blunt_cone(double half_angle, double height, double tip_radius) {
  ImplicitBody body{{ConeSurface{half_angle, height, tip_radius}, PlaneSurface{-Vec3::UnitZ(), 0}}};
  body.inside = height / 2 * Vec3::UnitZ();
  return checked(std::move(body));
}

ImplicitBody superquadric(const Vec3& semi_axes, const Vec3& exponents) {
  return checked({{SuperquadricSurface{semi_axes, exponents}}});
}

ImplicitBody rounded_polytope(const std::shared_ptr<const Polyhedron>& core, double radius) {
  ImplicitBody body{{RoundedPolytopeSurface{core, radius}}};
  if (core) body.inside = mean_of_corners(*core);
  return checked(std::move(body));
}

}  // namespace carom
