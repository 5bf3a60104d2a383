#pragma once

#include <string>

#include "carom/geometry/implicit/surface_jet.h"

namespace carom {

/// f(x) = (d² − r²)/2r, d the distance from the segment of the z axis with |z| ≤ half_length. One inequality covers
/// side and ends. It has one continuous derivative. Its Hessian jumps where ends begin, |z| = half_length, and is there
/// the end's.
struct CapsuleSurface {
  double radius = 0;       ///< r, m
  double half_length = 0;  ///< m

  SurfaceJet jet(const Vec3& x) const;
  std::string fault() const;
};

}  // namespace carom
