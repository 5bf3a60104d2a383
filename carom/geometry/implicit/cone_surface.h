#pragma once

#include <string>

#include "carom/geometry/implicit/surface_jet.h"

namespace carom {

/// The side of a cone about the z axis, whose blunt tip is at z = height and looks along +z,
///
///     f(x) = cos α √(x² + y² + τ²) + sin α z − (τ cos α + height sin α),    τ = tip_radius cot α,
///
/// α the angle between axis and side: one sheet of a hyperboloid, whose radius of curvature at the tip is tip_radius.
/// The tip must be blunt. At a sharp one the normals of touching planes fill a round cone, which no finite number of
/// gradients spans. So closest points there satisfy no conditions of Lagrange's kind. Far from the tip the side is that
/// of the sharp cone whose tip is τ cot α higher.
struct ConeSurface {
  double half_angle = 0;  ///< α, rad, between 0 and π/2
  double height = 0;      ///< z of the tip, m
  double tip_radius = 0;  ///< m, > 0

  SurfaceJet jet(const Vec3& x) const;
  std::string fault() const;
};

}  // namespace carom
