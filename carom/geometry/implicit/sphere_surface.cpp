#include "carom/geometry/implicit/sphere_surface.h"

#include <cmath>

namespace carom {

SurfaceJet SphereSurface::jet(const Vec3& x) const {
  return {(x.squaredNorm() / radius - radius) / 2, x / radius, Mat3::Identity() / radius};
}

std::string SphereSurface::fault() const {
  if (!(radius > 0) || !std::isfinite(radius))
    return "a sphere's radius must be above 0: a point has no smooth surface";
  return {};
}

}  // namespace carom
