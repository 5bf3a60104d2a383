#pragma once

#include <string>
#include <vector>

#include "carom/model/model.h"
#include "carom/model/state.h"

namespace carom {

/// Distance of a state from a model's constraints, and the worst of them.
struct ConstraintViolation {
  double position = 0;          ///< |g| of the worst, m or rad
  double velocity = 0;          ///< |J v − rate| of the worst, m/s or rad/s
  double position_by_size = 0;  ///< the largest |g| over what places can tell apart (ModelSize::told)
  double velocity_by_size = 0;  ///< the largest |J v − rate| over the largest speed about, angles at the extent
  int worst_by_position = -1;   ///< index in Model::constraints(), −1: none is violated
  int worst_by_velocity = -1;
};

/// State vectors must have the model's sizes and quaternions unit length. O(n).
ConstraintViolation constraint_violation(const Model& model, const State& state);

/// Assembles the mechanism: moves position, then velocity, onto the constraints by the shortest way in the kinetic
/// metric (ConstraintProjection). Ropes that are too long are drawn in. Throws Error if more than 1e-8 of what places
/// can tell apart is left of a violation. The parts then do not fit together, at least not from here. The error names
/// the worst constraint and what is left of its violation. Throws too if a joint then is beyond its limits, or if no
/// velocity keeps to the motions prescribed. Returns what was violated before.
ConstraintViolation assemble_constraints(const Model& model, State& state);

}  // namespace carom
