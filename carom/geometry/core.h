#pragma once

#include "carom/geometry/shape.h"
#include "carom/geometry/support.h"

// A shape as all points within a radius of its core. The core of a sphere is its centre, of a capsule its axis, of a
// rounded polytope the polyhedron. Every other shape is its own core. Distances of cores are found, and the radii
// subtracted, so that round shapes stay exactly round.
namespace carom {

double core_radius(const Shape& shape);

/// Support of the core along the unit vector `direction`, in the shape's frame.
Support core_support(const Shape& shape, const Vec3& direction);

/// Unit vectors along edges of the core through its point farthest along the unit vector `direction`. Only edges within
/// `angle` (rad) of being perpendicular to it count: there the support is no smooth function of the direction. For a
/// cap of a cylinder, two vectors that span it. At most `most` of them, in the shape's frame; returns how many.
int near_edges(const Shape& shape, const Vec3& direction, double angle, Vec3* edges, int most);

}  // namespace carom
