#pragma once

#include <string>

#include "carom/geometry/implicit/surface_jet.h"

namespace carom {

/// The side of a cylinder about the z axis, f(x) = (x² + y² − r²)/2r. Two planes make it a solid with caps.
struct CylinderSurface {
  double radius = 0;  ///< r, m

  SurfaceJet jet(const Vec3& x) const;
  std::string fault() const;
};

}  // namespace carom
