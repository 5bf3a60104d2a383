#pragma once

#include <Eigen/Core>

#include "carom/impact/elastic_layer.h"
#include "carom/impact/stribeck.h"

namespace carom {

/// Normal force (N) of an elastic layer with Hunt and Crossley's damping: max(0, F(z) (1 − (3/2) c u_n)). The
/// compression z (m) changes at −u_n. The force never pulls. Hunt and Crossley 1975; paper PLUS, eq. 4.2.
inline double damped_force(const ElasticLayer& layer, double dissipation, double z, double u_n) {
  const double damping = 1 - 1.5 * dissipation * u_n;
  return damping > 0 ? layer.force(z) * damping : 0.0;
}

/// Two surfaces whose contact is compliant.
struct CompliantSurfaces {
  ElasticLayer layer;
  double dissipation = 0;                                     ///< c ≥ 0, s/m
  Eigen::Vector2d friction = Eigen::Vector2d::Zero();         ///< μ of what slides, along x and y of the contact
  Eigen::Vector2d static_friction = Eigen::Vector2d::Zero();  ///< μ that slip at the transition speed has, ≥ friction
  double viscous_friction = 0;                                ///< ≥ 0, s/m
  double transition_speed = 0.01;                             ///< > 0, m/s
};

/// Friction along the axes of two surfaces that slip at this speed (m/s): the Stribeck curves of the axes.
inline Eigen::Vector2d friction_at(const CompliantSurfaces& surfaces, double slip) {
  Eigen::Vector2d axes;
  for (int axis = 0; axis < 2; ++axis) {
    axes[axis] = Stribeck{surfaces.static_friction[axis], surfaces.friction[axis], surfaces.viscous_friction,
                          surfaces.transition_speed}
                     .at(slip);
  }
  return axes;
}

/// Force on A (contact frame, N) at the compression z (m, ≤ 0: none) and the velocity u of A relative to B (m/s):
///
///     f_n = max(0, F(z) (1 − (3/2) c u_n))
///     f_t = −f_n M s,   s = M u_t / ‖M u_t‖,   M = diag(μ_x(‖u_t‖), μ_y(‖u_t‖))
///
/// where μ_x and μ_y are the Stribeck curves of the axes. The power f·u + dE/dt, with E the energy stored in the layer,
/// is never positive.
inline Eigen::Vector3d compliant_force(const CompliantSurfaces& surfaces, double z, const Eigen::Vector3d& u) {
  Eigen::Vector3d force = Eigen::Vector3d::Zero();
  force[2] = damped_force(surfaces.layer, surfaces.dissipation, z, u[2]);
  const double slip = u.head<2>().norm();
  if (!(force[2] > 0 && slip > 0)) return force;
  const Eigen::Vector2d axes = friction_at(surfaces, slip);
  const Eigen::Vector2d scaled = axes.cwiseProduct(u.head<2>());
  const double length = scaled.norm();
  if (length > 0) force.head<2>() = -force[2] / length * axes.cwiseProduct(scaled);
  return force;
}

}  // namespace carom
