#pragma once

#include <string>
#include <vector>

#include "carom/scene/scene.h"
#include "carom/validation/planar_impact_file.h"
#include "carom/validation/sphere_curve_file.h"

namespace carom {

/// A scene's sphere above its wall, as PlanarStrike strikes it: a body on a planar joint in the xz plane, z off the
/// wall.
struct SphereScene {
  /// Throws Error unless the scene has one such sphere that approaches the wall.
  explicit SphereScene(Scene given);

  /// The impact at a place of a sweep: with the speed, or the normal speed, that the scene's sphere starts with.
  PlanarImpact impact(SphereSweep sweep, double x) const;
  /// One of sphere_quantities(sweep), from the velocities before and after.
  double value(SphereSweep sweep, const std::string& quantity, const Vec3& before, const Vec3& after) const;
  /// Velocity after an impact by Routh's method with Coulomb's friction. The directions of a sphere do not couple, K =
  /// diag(7/2, 1)/m, so every rule of restitution gives the same. The normal impulse is (1 + e) m v_n. The impulse
  /// along the wall stops the slip or is μ times the normal one.
  Vec3 routh(const Vec3& before) const;

  Scene scene;
  double radius = 0;       ///< m
  double speed = 0;        ///< m/s
  double approach = 0;     ///< normal speed, m/s
  double friction = 0;     ///< of the contact
  double restitution = 0;  ///< of the contact at this approach
};

}  // namespace carom
