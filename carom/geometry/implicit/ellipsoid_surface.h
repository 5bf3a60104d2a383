#pragma once

#include <string>

#include "carom/geometry/implicit/surface_jet.h"

namespace carom {

/// f(x) = s/2 (Σ (xᵢ/eᵢ)² − 1) with s the least semi-axis, about the origin: the paper's example 2 but for the factor.
struct EllipsoidSurface {
  Vec3 semi_axes = Vec3::Zero();  ///< e, m

  SurfaceJet jet(const Vec3& x) const;
  std::string fault() const;
};

}  // namespace carom
