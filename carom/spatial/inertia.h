#pragma once

#include <string>

#include "carom/spatial/rotation.h"
#include "carom/spatial/transform.h"
#include "carom/spatial/types.h"

namespace carom {

/// Inertia of a rigid body in a body-fixed frame B.
struct SpatialInertia {
  double mass = 0;              ///< kg
  Vec3 center = Vec3::Zero();   ///< centre of mass c, p_Bc_B, m
  Mat3 central = Mat3::Zero();  ///< rotational inertia about c, B's axes, kg m²

  /// The 6 × 6 matrix about B's origin (Featherstone 2008, eq. 2.63).
  Mat6 matrix() const;
  /// Momentum (angular about B's origin; linear) of the motion V. 6-vectors in B.
  Vec6 operator*(const Vec6& V) const {
    const Vec3 w = V.head<3>(), v = V.tail<3>();
    const Vec3 linear = mass * (v + w.cross(center));
    Vec6 h;
    h << central * w + center.cross(linear), linear;
    return h;
  }
  /// Inertia of two bodies welded together, both in the same frame.
  SpatialInertia operator+(const SpatialInertia& other) const;
  /// The same inertia seen in frame A, with X_AB the pose of this inertia's frame in A.
  SpatialInertia in(const Transform& X_AB) const;
};

/// Reason why no rigid body can have this inertia, to end a sentence that starts with the body's name. The reasons: a
/// number not finite, mass not positive, not symmetric, a principal moment negative, or one above the sum of the
/// others. Empty if there is none; a point's inertia is valid.
std::string inertia_fault(const SpatialInertia& inertia);

}  // namespace carom
