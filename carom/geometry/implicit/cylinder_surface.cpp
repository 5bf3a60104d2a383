#include "carom/geometry/implicit/cylinder_surface.h"

#include <cmath>

namespace carom {

SurfaceJet CylinderSurface::jet(const Vec3& x) const {
  const Vec3 across(x.x(), x.y(), 0);
  SurfaceJet jet{(across.squaredNorm() / radius - radius) / 2, across / radius, Mat3::Zero()};
  jet.hessian(0, 0) = jet.hessian(1, 1) = 1 / radius;
  return jet;
}

std::string CylinderSurface::fault() const {
  if (!(radius > 0) || !std::isfinite(radius)) return "a cylinder's radius must be above 0";
  return {};
}

}  // namespace carom
