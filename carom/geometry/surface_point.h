#pragma once

#include "carom/geometry/shape.h"

// The nearest point of a shape's surface to a point p, in the shape's frame, and the signed distance. Both are exact to
// round-off on either side of the surface. The distance is normal · (p − point), normal outwards. If p is as near to
// several points, a fixed choice takes one of them (on a cylinder's axis, on the middle plane of an ellipsoid). Caps go
// before the side, + before −, x before y before z.
namespace carom {

struct SurfacePoint {
  Vec3 point;
  Vec3 normal;      ///< unit, outwards
  double distance;  ///< > 0 outside, m
};

SurfacePoint nearest_on(const Cylinder& cylinder, const Vec3& p);

/// By the root of Σ (eᵢ pᵢ/(t + eᵢ²))² = 1 with t > −min e² (Lagrange's condition x = e² p/(t + e²); Eberly, *Distance
/// from a Point to an Ellipse, an Ellipsoid, or a Hyperellipsoid*, 2013): Newton on the inverse root of the sum, which
/// is nearly straight, kept in a bracket.
SurfacePoint nearest_on(const Ellipsoid& ellipsoid, const Vec3& p);

/// O(corners of all faces).
SurfacePoint nearest_on(const Polyhedron& solid, const Vec3& p);

}  // namespace carom
