#pragma once

#include <string>
#include <variant>

#include "carom/spatial/inertia.h"
#include "carom/spatial/transform.h"

namespace carom {

// Convex shapes in their own frame S. Lengths in metres.

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

using Shape = std::variant<Sphere, Box, Capsule, HalfSpace>;

/// "sphere", "box", "capsule", "half-space": the names that scene files use.
std::string shape_name(const Shape& shape);

/// What is wrong with the shape's numbers, as a sentence's end; empty if nothing.
std::string shape_fault(const Shape& shape);

/// Inertia of the solid shape of the given density (kg/m³) in its own frame. A half-space has none: throws Error.
SpatialInertia shape_inertia(const Shape& shape, double density);

/// Radius of the smallest ball about the shape's origin that holds it; infinity for a half-space. m
double bounding_radius(const Shape& shape);

}  // namespace carom
