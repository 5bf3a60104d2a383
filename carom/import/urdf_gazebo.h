#pragma once

#include <string>
#include <vector>

#include "carom/import/urdf_elements.h"

namespace carom {

/// Link of that name; null if there is none.
UrdfLink* find_link(std::vector<UrdfLink>& links, const std::string& name);
/// Joint of that name; null if there is none.
UrdfJoint* find_joint(std::vector<UrdfJoint>& joints, const std::string& name);

/// Reads what a `<gazebo>` says of the motion: links without gravity, springs of joints with one coordinate, a robot
/// that stands still. True if it stands. A fault for what makes it move otherwise and has no counterpart here.
bool read_gazebo_motion(XmlNode& gazebo, std::vector<UrdfLink>& links, std::vector<UrdfJoint>& joints,
                        XmlFaults& faults);

}  // namespace carom
