#include "carom/geometry/implicit/ellipsoid_surface.h"

namespace carom {

SurfaceJet EllipsoidSurface::jet(const Vec3& x) const {
  const double s = semi_axes.minCoeff();
  const Vec3 w = s * semi_axes.cwiseAbs2().cwiseInverse();
  return {(w.dot(x.cwiseAbs2()) - s) / 2, w.cwiseProduct(x), w.asDiagonal()};
}

std::string EllipsoidSurface::fault() const {
  if (!(semi_axes.minCoeff() > 0) || !semi_axes.allFinite()) return "an ellipsoid's semi-axes must be above 0";
  return {};
}

}  // namespace carom
