#pragma once

#include "carom/dynamics/delassus.h"
#include "carom/dynamics/workspace.h"

namespace carom {

/// The largest velocity that a row's own is a difference of, m/s or rad/s: of its coordinates, v, or of its points as
/// they move with either body, which forward_velocity left in the workspace. Round-off of the row's velocity is of
/// this size, however small the difference.
double carried_speed(const ConstraintRow& row, const VectorX& v, const DynamicsWorkspace& workspace);

}  // namespace carom
