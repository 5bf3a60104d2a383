#pragma once

#include <vector>

#include "carom/import/file_sensors.h"
#include "carom/import/sdf_frames.h"

namespace carom {

/// The `<sensor>`s of links and joints whose readings Carom has: imu, force_torque and contact. `colliders` are those
/// of the model, named LINK::COLLISION. Notes say what is not used of them, and which can't be placed.
/// Warnings name collisions that there are not.
std::vector<FileSensor> read_sdf_sensors(const SdfTree& tree, const std::vector<Collider>& colliders,
                                         std::vector<ImportNote>& notes, std::vector<ImportNote>& warnings);

}  // namespace carom
