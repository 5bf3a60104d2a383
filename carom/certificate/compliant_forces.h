#pragma once

namespace carom {

/// Declared numbers of forces that are functions of overlap and velocity (CompliantLaw), beside the materials' data.
struct CompliantForces {
  double transition_speed = 0;   ///< of friction's rise with slip, > 0, m/s; in joints m/s or rad/s
  double limit_stiffness = 0;    ///< of joint limits and taut ropes, N m/rad or N/m
  double limit_dissipation = 0;  ///< of these, s/rad or s/m
};

}  // namespace carom
