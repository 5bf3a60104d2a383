#pragma once

#include "carom/dynamics/delassus.h"

namespace carom {

/// J_i v of a row, m/s or rad/s, without its compliance. Needs forward_velocity of v.
double row_velocity(const ConstraintRow& row, const VectorX& v, const DynamicsWorkspace& workspace);

}  // namespace carom
