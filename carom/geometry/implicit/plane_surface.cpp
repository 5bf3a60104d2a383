#include "carom/geometry/implicit/plane_surface.h"

#include <cmath>

namespace carom {

SurfaceJet PlaneSurface::jet(const Vec3& x) const { return {normal.dot(x) - offset, normal, Mat3::Zero()}; }

std::string PlaneSurface::fault() const {
  if (!(std::abs(normal.norm() - 1) <= 1e-12)) return "a plane's normal must have length 1";
  if (!std::isfinite(offset)) return "a plane's offset must be a number";
  return {};
}

}  // namespace carom
