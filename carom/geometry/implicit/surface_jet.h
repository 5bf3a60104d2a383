#pragma once

#include "carom/spatial/types.h"

namespace carom {

/// An inequality f(x) ≤ 0 at a point: its value, gradient and Hessian. Every surface of this folder is scaled so that f
/// is a length and ‖∇f‖ about 1 where f = 0. So near the surface f is about the distance from it.
struct SurfaceJet {
  double value = 0;              ///< f, m; < 0 inside
  Vec3 gradient = Vec3::Zero();  ///< ∇f, no unit
  Mat3 hessian = Mat3::Zero();   ///< ∇²f, 1/m
};

}  // namespace carom
