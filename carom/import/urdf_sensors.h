#pragma once

#include <vector>

#include "carom/import/file_sensors.h"
#include "carom/import/urdf_elements.h"

namespace carom {

/// The `<sensor>`s of a `<gazebo>` about a link or a joint: imu, force_torque and contact. The model has a link for
/// each of the file's, not yet merged. A contact sensor may name a collision as Gazebo does, LINK_collision and
/// LINK_collision_1, with the link that it is welded to in front. Notes say what is not used.
std::vector<FileSensor> read_urdf_sensors(XmlNode& gazebo, const std::vector<UrdfJoint>& joints,
                                          const ImportedModel& model, std::vector<ImportNote>& notes);

}  // namespace carom
