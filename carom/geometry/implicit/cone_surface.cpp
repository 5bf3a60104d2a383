#include "carom/geometry/implicit/cone_surface.h"

#include <cmath>
#include <numbers>

namespace carom {

SurfaceJet ConeSurface::jet(const Vec3& x) const {
  const double c = std::cos(half_angle), s = std::sin(half_angle), tau = tip_radius * c / s;
  const Vec3 across(x.x(), x.y(), 0);
  const double root = std::sqrt(across.squaredNorm() + tau * tau);
  const Vec3 slope = across / root;
  SurfaceJet jet{c * (root - tau) + s * (x.z() - height), c * slope + s * Vec3::UnitZ(), Mat3::Zero()};
  jet.hessian.topLeftCorner<2, 2>() = c / root * (Mat2::Identity() - slope.head<2>() * slope.head<2>().transpose());
  return jet;
}

std::string ConeSurface::fault() const {
  if (!(half_angle > 0 && half_angle < std::numbers::pi / 2)) return "a cone's half angle must lie between 0 and π/2";
  if (!std::isfinite(height)) return "a cone's height must be a number";
  if (!(tip_radius > 0) || !std::isfinite(tip_radius)) {
    return "a cone's tip radius must be above 0: a sharp tip has no normals that conditions of Lagrange's kind find";
  }
  return {};
}

}  // namespace carom
