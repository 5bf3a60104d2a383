#pragma once

#include <string>

#include "carom/geometry/implicit/surface_jet.h"

namespace carom {

/// f(x) = s/p̂ (Σ |xᵢ/eᵢ|^pᵢ − 1) about the origin, with s the least semi-axis and p̂ the greatest exponent. After Barr
/// 1981, with an exponent for each axis. Exponents are at least 2: below, f is not smooth, or not convex. With 2, 2, 2
/// it is an ellipsoid. If an exponent is above 2, the surface is flat at the ends of the other axes.
struct SuperquadricSurface {
  Vec3 semi_axes = Vec3::Zero();         ///< e, m
  Vec3 exponents = Vec3::Constant(2.0);  ///< p

  SurfaceJet jet(const Vec3& x) const;
  std::string fault() const;
};

}  // namespace carom
