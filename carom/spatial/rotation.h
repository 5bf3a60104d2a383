#pragma once

#include "carom/spatial/types.h"

namespace carom {

/// Cross-product matrix: skew(a) b = a × b.
inline Mat3 skew(const Vec3& a) {
  Mat3 m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

/// Quaternion of the rotation vector r (radians), exact through r = 0.
Quaternion exponential(const Vec3& r);

/// Rotation vector of a unit quaternion (radians), |r| ≤ π; the inverse of exponential.
Vec3 logarithm(const Quaternion& q);

/// Unit vectors x, y that make x, y, z = normal a right-handed contact frame, R_WC = [x y z].
///
/// x is the world's x axis projected on the tangent plane, or the world's y axis if the normal lies within 45° of ±x.
/// So generators of a polyhedral friction cone on level ground start along x. `normal` has unit length.
Mat3 contact_frame(const Vec3& normal);
/// The same with x the projection of `reference`, which must not be along the normal.
Mat3 contact_frame(const Vec3& normal, const Vec3& reference);

}  // namespace carom
