#pragma once

#include <vector>

#include "carom/model/model.h"

namespace carom {

/// The velocity along which positions move in a step, (1 − θ) v + θ v⁺ with the weight θ of the end of each body's
/// coordinates, in the coordinates that both velocities are expressed in. Without weights it is v⁺. `mean` may be
/// `end`.
void mean_velocity(const Model& model, const std::vector<double>& end_weight, const VectorX& start, const VectorX& end,
                   VectorX& mean);

}  // namespace carom
