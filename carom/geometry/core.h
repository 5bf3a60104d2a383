#pragma once

#include "carom/geometry/shape.h"
#include "carom/geometry/support.h"

// A shape as all points within a radius of its core: a sphere's is its centre, a capsule's its axis, a rounded
// polytope's the polyhedron, and every other shape is its own core. Distances of cores are found, and the radii taken
// off: what is round stays exactly round.
namespace carom {

double core_radius(const Shape& shape);

/// Support of the core along the unit vector `direction`, in the shape's frame.
Support core_support(const Shape& shape, const Vec3& direction);

/// Unit vectors along edges of the core through its point farthest along the unit vector `direction`, of those that are
/// within `angle` (rad) of being perpendicular to it: where the support is no smooth function of the direction. For a
/// cap of a cylinder two that span it. At most `most` of them, in the shape's frame; returns how many.
int near_edges(const Shape& shape, const Vec3& direction, double angle, Vec3* edges, int most);

}  // namespace carom
