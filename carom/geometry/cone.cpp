#include "carom/geometry/cone.h"

#include <cmath>
#include <numbers>
#include <sstream>

namespace carom {

double Cone::tangent() const { return std::sqrt(radius * radius - 2 * tip_radius * height) / height; }

std::string cone_fault(const Cone& cone) {
  std::ostringstream fault;
  if (!(cone.radius > 0 && std::isfinite(cone.radius))) {
    fault << "has radius " << cone.radius << " m; it must be finite and positive";
  } else if (!(cone.height > 0 && std::isfinite(cone.height))) {
    fault << "has height " << cone.height << " m; it must be finite and positive";
  } else {
    const double most = cone.radius * cone.radius / (2 * cone.height);
    if (cone.tip_radius >= 0.01 * most && cone.tip_radius <= 0.9 * most) return {};
    fault << "has tip_radius " << cone.tip_radius << " m; with this radius and height it must lie between "
          << 0.01 * most << " and " << 0.9 * most
          << " m: a sharp tip has no normal of its own, and a blunter one is no cone";
  }
  return fault.str();
}

SpatialInertia cone_inertia(const Cone& cone, double density) {
  const double H = cone.height, rho = cone.tip_radius, t = cone.tangent(), t2 = t * t, H2 = H * H, H3 = H2 * H;
  const double pi = density * std::numbers::pi;
  const double mass = pi * (rho * H2 + t2 * H3 / 3);
  const double first = pi * (2 * rho * H3 / 3 + t2 * H2 * H2 / 4);                                       // ∫ y dm
  const double along = pi * (rho * H2 * H2 / 2 + t2 * H3 * H2 / 5);                                      // ∫ y² dm
  const double across = pi / 4 * (4 * rho * rho * H3 / 3 + rho * t2 * H2 * H2 + t2 * t2 * H3 * H2 / 5);  // ∫ x² dm
  const double depth = first / mass;
  const double central = along - mass * depth * depth;
  return {mass, Vec3(0, 0, H - depth), Vec3(across + central, across + central, 2 * across).asDiagonal()};
}

Support cone_support(const Cone& cone, const Vec3& direction) {
  const Vec3& d = direction;
  const double across = std::hypot(d.x(), d.y()), t = cone.tangent(), tau = cone.tip_radius / t;
  if (across * t * std::hypot(cone.radius, tau) >= cone.radius * d.z()) {
    const Vec3 outwards = across > 0 ? Vec3(d.x() / across, d.y() / across, 0) : Vec3::UnitX();
    Support rim = {cone.radius * outwards, Mat3::Zero()};
    if (across > 0) {
      const Vec3 u(-outwards.y(), outwards.x(), 0);
      rim.hessian = cone.radius / across * u * u.transpose();
    }
    return rim;
  }
  const Vec3 Gd(-t * t * d.x(), -t * t * d.y(), d.z());
  const double root = std::sqrt(d.dot(Gd)), scale = tau / t;
  const Mat3 G = Vec3(-t * t, -t * t, 1).asDiagonal();
  Support side;
  side.point = Vec3(0, 0, cone.height + scale) - scale / root * Gd;
  side.hessian = scale / root * (Gd / root * (Gd / root).transpose() - G);
  return side;
}

}  // namespace carom
