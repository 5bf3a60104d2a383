#pragma once

#include <vector>

#include "carom/import/file_sensors.h"
#include "carom/import/urdf_elements.h"

namespace carom {

/// The `<sensor>`s of a `<gazebo>` about a link or a joint: imu, force_torque and contact. The model has a link for
/// each of the file's, not yet merged. A contact sensor may name a collision as Gazebo does, LINK_collision and
/// LINK_collision_1, with the link that it is welded to in front. The model's `unused` says what is left out, and its
/// warnings name collisions that there are not.
std::vector<FileSensor> read_urdf_sensors(XmlNode& gazebo, std::vector<UrdfJoint>& joints, ImportedModel& model);

}  // namespace carom
