#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carom/import/sdf_source.h"
#include "carom/model/sensor.h"

namespace carom {

/// A `<sensor>` of SDFormat. URDF files have the same below `<gazebo>`.
struct GazeboSensor {
  std::string name;  ///< its type if it has none
  SensorKind kind = SensorKind::imu;
  Transform X;                          ///< its frame S, in what its pose is relative to
  bool in_own_axes = false;             ///< of a force_torque sensor: axes are those of S, else those of the child link
  std::vector<std::string> collisions;  ///< of a contact sensor
  std::vector<std::string> unused;      ///< ends of sentences on parts of it that are not used
};

/// Reads a sensor of type imu, force_torque or contact. Nothing of another type, which stays unread, and nothing of one
/// that can't be read: its fault goes to the file of the place.
std::optional<GazeboSensor> read_gazebo_sensor(const SdfPlace& place);

}  // namespace carom
