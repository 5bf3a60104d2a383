#pragma once

#include "carom/spatial/rotation.h"
#include "carom/spatial/types.h"

namespace carom {

/// X_AB: the pose of frame B in frame A; maps coordinates in B to coordinates in A, p_A = R p_B + p.
///
/// Spatial vectors are angular part first (Featherstone 2008, table 2.1 and chapter 2). A motion vector is
/// (angular velocity; velocity of the frame's origin), a force vector (moment about the frame's origin; force).
struct Transform {
  Mat3 R = Mat3::Identity();  ///< R_AB
  Vec3 p = Vec3::Zero();      ///< p_AB_A, m

  static Transform identity() { return {}; }

  Vec3 operator*(const Vec3& point_B) const { return R * point_B + p; }
  Transform operator*(const Transform& X_BC) const { return {R * X_BC.R, R * X_BC.p + p}; }
  Transform inverse() const { return {R.transpose(), -(R.transpose() * p)}; }

  /// Motion vector in B (about B's origin) to the same motion in A (about A's origin).
  Vec6 motion(const Vec6& V_B) const {
    Vec6 V_A;
    V_A.head<3>() = R * V_B.head<3>();
    V_A.tail<3>() = R * V_B.tail<3>() + p.cross(Vec3(V_A.head<3>()));
    return V_A;
  }
  /// Motion vector in A to B: the inverse of `motion`.
  Vec6 inverse_motion(const Vec6& V_A) const {
    Vec6 V_B;
    V_B.head<3>() = R.transpose() * V_A.head<3>();
    V_B.tail<3>() = R.transpose() * (V_A.tail<3>() - p.cross(Vec3(V_A.head<3>())));
    return V_B;
  }
  /// Force vector in B to A.
  Vec6 force(const Vec6& F_B) const {
    Vec6 F_A;
    F_A.tail<3>() = R * F_B.tail<3>();
    F_A.head<3>() = R * F_B.head<3>() + p.cross(Vec3(F_A.tail<3>()));
    return F_A;
  }
  /// Force vector in A to B: the inverse of `force`.
  Vec6 inverse_force(const Vec6& F_A) const {
    Vec6 F_B;
    F_B.head<3>() = R.transpose() * (F_A.head<3>() - p.cross(Vec3(F_A.tail<3>())));
    F_B.tail<3>() = R.transpose() * F_A.tail<3>();
    return F_B;
  }
};

/// V × m, rate of a motion vector m carried by a frame moving with V (Featherstone 2008, eq. 2.31).
inline Vec6 cross_motion(const Vec6& V, const Vec6& m) {
  const Vec3 w = V.head<3>(), v = V.tail<3>(), mw = m.head<3>(), mv = m.tail<3>();
  Vec6 r;
  r << w.cross(mw), w.cross(mv) + v.cross(mw);
  return r;
}

/// V ×* f, rate of a force vector f carried by a frame moving with V (Featherstone 2008, eq. 2.32).
inline Vec6 cross_force(const Vec6& V, const Vec6& f) {
  const Vec3 w = V.head<3>(), v = V.tail<3>(), n = f.head<3>(), l = f.tail<3>();
  Vec6 r;
  r << w.cross(n) + v.cross(l), w.cross(l);
  return r;
}

}  // namespace carom
