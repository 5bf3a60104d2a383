#pragma once

#include "carom/stepper/smooth_weights.h"

namespace carom {

/// The place where a step is linearised: matrices, forces and contacts are those of this configuration.
///
/// The step starts at (q, v). It is expressed at `q` below, which is reached from the start along `reach` in a time h,
/// and lies on the model's constraints. Velocities are carried there by transport_velocity.
struct Linearisation {
  VectorX q;        ///< q_start ⊞ h reach; reach = lead v_start for the linear steppers (paper ST: q + h v)
  VectorX start;    ///< v_start in the coordinates at q
  VectorX reach;    ///< in the coordinates at q
  double lead = 1;  ///< part of the step after which a motion along `reach` is there
  double end = 0;   ///< time at the step's end, s
  const SmoothWeights* weights = nullptr;  ///< of the step's end in means over the step; null: all 1 (first order)
  VectorX applied;  ///< force of drives, wrenches and the controller over the step, in the coordinates at q
};

}  // namespace carom
