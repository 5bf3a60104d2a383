#pragma once

#include <memory>
#include <string>
#include <variant>

#include "carom/geometry/height_grid.h"
#include "carom/geometry/polyhedron.h"
#include "carom/spatial/inertia.h"
#include "carom/spatial/transform.h"

namespace carom {

// Shapes in their own frame S, convex but for the last. Lengths in metres.

/// Ball about the origin. Radius 0 is a point.
struct Sphere {
  double radius = 0;
};
/// Box about the origin with edges along the axes.
struct Box {
  Vec3 half_extents = Vec3::Zero();
};
/// All points within `radius` of the segment from (0, 0, −half_length) to (0, 0, half_length).
struct Capsule {
  double radius = 0;
  double half_length = 0;
};
/// All points with z ≤ 0: the outward normal is the frame's z axis. Only for things that do not move.
struct HalfSpace {};
/// All points within `radius` of the z axis with |z| ≤ half_length.
struct Cylinder {
  double radius = 0;
  double half_length = 0;
};
/// All points with Σ (xᵢ/semi_axesᵢ)² ≤ 1.
struct Ellipsoid {
  Vec3 semi_axes = Vec3::Zero();
};
/// A convex polyhedron, anywhere in its frame. Colliders share it; never null in a shape that has no fault.
struct ConvexMesh {
  std::shared_ptr<const Polyhedron> polyhedron;
};

/// Everything below a surface of triangles. Colliders share the grid; never null in a shape that has no fault.
struct HeightField {
  std::shared_ptr<const HeightGrid> grid;
};

/// A cone on the disc of the given radius in the plane z = 0. Its blunt tip is at z = height, where the radius of
/// curvature is tip_radius. It holds all points with 0 ≤ z ≤ height and x² + y² ≤ 2 tip_radius d + (d tan α)². Here
/// d = height − z is the depth below the tip. The angle α has tan²α = (radius² − 2 tip_radius height)/height². The side
/// is one sheet of a hyperboloid; α is the angle between axis and side far from the tip.
struct Cone {
  double radius = 0;
  double height = 0;
  double tip_radius = 0;   ///< from 1 % to 90 % of radius²/(2 height)
  double tangent() const;  ///< tan α
};
/// All points with Σ |xᵢ/semi_axesᵢ|^exponentsᵢ ≤ 1 (after Barr 1981, with an exponent for each axis).
struct Superquadric {
  Vec3 semi_axes = Vec3::Zero();
  Vec3 exponents = Vec3::Constant(2.0);  ///< from 2, an ellipsoid, to 10, nearly a box
};
/// All points within `radius` of a convex polyhedron, which colliders share.
struct RoundedPolytope {
  std::shared_ptr<const Polyhedron> core;
  double radius = 0;
};
struct ImplicitSolid;  // implicit/implicit_solid.h
/// A convex body by smooth inequalities of the user's own, which colliders share.
struct ImplicitShape {
  std::shared_ptr<const ImplicitSolid> solid;
};

using Shape = std::variant<Sphere, Box, Capsule, HalfSpace, Cylinder, Ellipsoid, ConvexMesh, HeightField, Cone,
                           Superquadric, RoundedPolytope, ImplicitShape>;

/// "sphere", "box", "capsule", "half-space", "cylinder", "ellipsoid", "mesh", "heightfield", "cone", "superquadric",
/// "rounded", "implicit": as scene files have them.
std::string shape_name(const Shape& shape);

/// Fault of the shape's numbers, as a sentence's end; empty if there is none.
std::string shape_fault(const Shape& shape);

/// Inertia of the solid shape of the given density (kg/m³) in its own frame. Neither a half-space nor a height field
/// has one, nor inequalities whose solid quadrature does not measure: throws Error.
SpatialInertia shape_inertia(const Shape& shape, double density);

/// The point of the shape farthest along `direction` (of any length but 0), in the shape's frame, m. The value of the
/// support function is that point's product with the direction. If there are many, one of them: for a box the vertex
/// towards + on axes that do not matter. A half-space has none: throws Error. O(1); a mesh O(vertices); of a height
/// field the farthest sample, O(samples).
Vec3 support_point(const Shape& shape, const Vec3& direction);

/// Radius of the smallest ball about the shape's origin that holds it; infinity for a half-space. m
double bounding_radius(const Shape& shape);

/// The polyhedron of a mesh or a rounded polytope; else null.
const Polyhedron* polyhedron_of(const Shape& shape);

}  // namespace carom
