#pragma once

#include <cstdint>
#include <vector>

#include "carom/geometry/shape.h"

namespace carom {

/// Triangles of a shape's surface, anticlockwise seen from outside, with a normal at every point.
struct Surface {
  std::vector<Vec3> points;   ///< m, in the shape's frame
  std::vector<Vec3> normals;  ///< unit, outwards
  std::vector<std::uint32_t> triangles;
};

/// The surface for drawing: flat faces where the shape has them, 32 strips about z where it is round. The strips lie
/// inside the shape with their corners on it. Cones, superquadrics and rounded polytopes give the hull of 1000 points,
/// inequalities the hull that they carry, a height field its upper side. A half-space gives an empty surface.
Surface surface_of(const Shape& shape);

/// Hull of the points farthest along 1000 directions.
Polyhedron support_hull(const Shape& shape);

}  // namespace carom
