#pragma once

#include "carom/model/model.h"

namespace carom {

/// Mechanisms of a stated size that every program can be given, so that times can be compared. Their numbers are round
/// and arbitrary; none is taken from a robot.

/// A chain that hangs from the world: so many links, each 0.2 m long and off balance, on revolute joints. Their axes
/// point in turn along x, y, z and an oblique direction.
Model revolute_chain(int links);

/// 30 coordinates: a pelvis on a free joint, and 24 revolute joints. Each leg has six (hip 3, knee 1, ankle 2), each
/// arm five (shoulder 3, elbow 1, wrist 1), waist and neck one each.
Model humanoid();

}  // namespace carom
