#pragma once

#include "carom/spatial/types.h"

namespace carom {

/// Symmetric 3 × 3 matrix by its six numbers: symmetric to the bit whatever is done to it, and two thirds of the work.
struct Sym3 {
  double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;

  /// From a matrix that is symmetric up to round-off.
  static Sym3 of(const Mat3& M) {
    return {M(0, 0), 0.5 * (M(0, 1) + M(1, 0)), 0.5 * (M(0, 2) + M(2, 0)), M(1, 1), 0.5 * (M(1, 2) + M(2, 1)), M(2, 2)};
  }
  Vec3 operator*(const Vec3& a) const {
    return {xx * a.x() + xy * a.y() + xz * a.z(), xy * a.x() + yy * a.y() + yz * a.z(),
            xz * a.x() + yz * a.y() + zz * a.z()};
  }
  Sym3& operator+=(const Sym3& M) {
    xx += M.xx, xy += M.xy, xz += M.xz, yy += M.yy, yz += M.yz, zz += M.zz;
    return *this;
  }
  /// The same tensor in other axes: R M Rᵀ.
  Sym3 in_axes(const Mat3& R) const {
    const Vec3 a = *this * R.row(0).transpose(), b = *this * R.row(1).transpose(), c = *this * R.row(2).transpose();
    return {R.row(0).dot(a), R.row(0).dot(b), R.row(0).dot(c), R.row(1).dot(b), R.row(1).dot(c), R.row(2).dot(c)};
  }
};

}  // namespace carom
