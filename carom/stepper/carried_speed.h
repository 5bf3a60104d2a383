#pragma once

#include "carom/dynamics/delassus.h"
#include "carom/dynamics/workspace.h"

namespace carom {

/// The largest of the velocities whose difference is the row's velocity, m/s or rad/s. They are those of its
/// coordinates, v, or of its points as they move with either body, which forward_velocity left in the workspace.
/// Round-off of the row's velocity is of this size, however small the difference.
double carried_speed(const ConstraintRow& row, const VectorX& v, const DynamicsWorkspace& workspace);

}  // namespace carom
