#include "carom/geometry/implicit/capsule_surface.h"

#include <algorithm>
#include <cmath>

namespace carom {

SurfaceJet CapsuleSurface::jet(const Vec3& x) const {
  const Vec3 v(x.x(), x.y(), x.z() - std::clamp(x.z(), -half_length, half_length));
  SurfaceJet jet{(v.squaredNorm() / radius - radius) / 2, v / radius, Mat3::Identity() / radius};
  if (std::abs(x.z()) < half_length) jet.hessian(2, 2) = 0;
  return jet;
}

std::string CapsuleSurface::fault() const {
  if (!(radius > 0) || !std::isfinite(radius))
    return "a capsule's radius must be above 0: a segment has no smooth surface";
  if (!(half_length >= 0) || !std::isfinite(half_length)) return "a capsule's half length must not be below 0";
  return {};
}

}  // namespace carom
