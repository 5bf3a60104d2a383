#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "carom/geometry/implicit/capsule_surface.h"
#include "carom/geometry/implicit/cone_surface.h"
#include "carom/geometry/implicit/cylinder_surface.h"
#include "carom/geometry/implicit/ellipsoid_surface.h"
#include "carom/geometry/implicit/formula_surface.h"
#include "carom/geometry/implicit/parametric_surface.h"
#include "carom/geometry/implicit/plane_surface.h"
#include "carom/geometry/implicit/rounded_polytope_surface.h"
#include "carom/geometry/implicit/sphere_surface.h"
#include "carom/geometry/implicit/superquadric_surface.h"
#include "carom/geometry/shape.h"

// Convex bodies as intersections of smooth inequalities, { x : fᵢ(x) ≤ 0 for all i }, in the body's own frame. Methods
// that are implicit in the geometry work with them. Source: Chakraborty, Berard, Akella and Trinkle 2007, section
// "Non-penetration constraint"; several inequalities as in appendix A of its reference 1. Every f is convex, so
// conditions of first order are enough for closest points, and has one continuous derivative or more.
namespace carom {

using ImplicitSurface =
    std::variant<PlaneSurface, SphereSurface, EllipsoidSurface, CylinderSurface, CapsuleSurface, ConeSurface,
                 SuperquadricSurface, RoundedPolytopeSurface, FormulaSurface, ParametricSurface>;

SurfaceJet evaluate(const ImplicitSurface& surface, const Vec3& x);

struct ImplicitBody {
  std::vector<ImplicitSurface> surfaces;
  Vec3 inside = Vec3::Zero();  ///< a point where every f < 0, from which closest points are looked for
};

/// Throws Error with a sentence if a surface has a fault, if there is none, or if `inside` is not inside.
void check(const ImplicitBody& body);

/// The shape, exactly. Boxes and meshes have the planes of their faces, a cylinder has caps, a cone its base. An
/// implicit shape has its own inequalities, everything else one inequality. A radius of 0 becomes 1e-8 m, as a point
/// has no gradient. Throws Error for a height field, which is not convex, and for what shape_fault finds.
ImplicitBody implicit_body(const Shape& shape);

/// A cone that stands on the plane z = 0, with its blunt tip at z = height: ConeSurface.
ImplicitBody blunt_cone(double half_angle, double height, double tip_radius);

ImplicitBody superquadric(const Vec3& semi_axes, const Vec3& exponents);

/// All points within `radius` of a convex polyhedron.
ImplicitBody rounded_polytope(const std::shared_ptr<const Polyhedron>& core, double radius);

}  // namespace carom
