#pragma once

#include "carom/model/model.h"

namespace carom {

/// Mechanisms of a stated size that every program can be given, so that times can be compared. Their numbers are round
/// and arbitrary; none is taken from a robot.

/// A chain that hangs from the world: so many links, each 0.2 m long and off balance, on revolute joints whose axes
/// point in turn along x, y, z and an oblique direction.
Model revolute_chain(int links);

/// 30 coordinates: a pelvis on a free joint, and 24 revolute joints, of which six for each leg (hip 3, knee 1, ankle
/// 2), five for each arm (shoulder 3, elbow 1, wrist 1), one for the waist and one for the neck.
Model humanoid();

}  // namespace carom
