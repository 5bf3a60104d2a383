#pragma once

#include <string>

#include "carom/geometry/implicit/surface_jet.h"

namespace carom {

/// f(x) = (|x|² − r²)/2r, about the origin.
struct SphereSurface {
  double radius = 0;  ///< r, m

  SurfaceJet jet(const Vec3& x) const;
  std::string fault() const;
};

}  // namespace carom
