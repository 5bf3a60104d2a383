#pragma once

#include "carom/spatial/transform.h"

namespace carom {

/// A 6 × 6 inertia told in another frame: I_P = X* I_B X*ᵀ, with X* the force transform of X_PB (Featherstone 2008, eq.
/// 2.66). For composite and articulated inertias alike: the last block need not be a mass times the identity. I_B is
/// symmetric up to round-off, the result is symmetric to the bit.
inline Mat6 shift_inertia(const Transform& X_PB, const Mat6& I_B) {
  const Mat3& R = X_PB.R;
  const Mat3 p = skew(X_PB.p);
  const Mat3 angular = R * I_B.topLeftCorner<3, 3>() * R.transpose();
  const Mat3 coupling = R * I_B.topRightCorner<3, 3>() * R.transpose();
  const Mat3 linear = R * I_B.bottomRightCorner<3, 3>() * R.transpose();
  const Mat3 coupling_P = coupling + p * linear;
  const Mat3 angular_P = angular + p * coupling.transpose() - coupling_P * p;
  Mat6 I_P;
  I_P.topLeftCorner<3, 3>() = 0.5 * (angular_P + angular_P.transpose());
  I_P.topRightCorner<3, 3>() = coupling_P;
  I_P.bottomLeftCorner<3, 3>() = coupling_P.transpose();
  I_P.bottomRightCorner<3, 3>() = 0.5 * (linear + linear.transpose());
  return I_P;
}

}  // namespace carom
