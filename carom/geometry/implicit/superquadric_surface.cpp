#include "carom/geometry/implicit/superquadric_surface.h"

#include <cmath>

namespace carom {

SurfaceJet SuperquadricSurface::jet(const Vec3& x) const {
  const double scale = semi_axes.minCoeff() / exponents.maxCoeff();
  SurfaceJet jet;
  jet.value = -scale;
  for (int i = 0; i < 3; ++i) {
    const double e = semi_axes[i], p = exponents[i], u = std::abs(x[i]) / e;
    const double bend = std::pow(u, p - 2);  // 1 for p = 2, at u = 0 as well
    jet.value += scale * bend * u * u;
    jet.gradient[i] = std::copysign(scale * p / e * bend * u, x[i]);
    jet.hessian(i, i) = scale * p * (p - 1) / (e * e) * bend;
  }
  return jet;
}

std::string SuperquadricSurface::fault() const {
  if (!(semi_axes.minCoeff() > 0) || !semi_axes.allFinite()) return "a superquadric's semi-axes must be above 0";
  if (!(exponents.minCoeff() >= 2) || !exponents.allFinite()) {
    return "a superquadric's exponents must be at least 2: below, its surface is not smooth";
  }
  return {};
}

}  // namespace carom
