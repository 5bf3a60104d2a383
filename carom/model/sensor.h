#pragma once

#include <string>
#include <utility>
#include <vector>

#include "carom/spatial/transform.h"

namespace carom {

/// The kind of a sensor says what it reads; a sensor acts on nothing. S is its frame.
enum class SensorKind {
  imu,           ///< specific force dv_S/dt − g and angular velocity of S, both in its axes
  force_torque,  ///< force and moment about S's origin that a joint or constraint passes on to the body of S, in its
                 ///< axes
  contact,  ///< contact forces on some colliders: their sum, the sum of normal forces, the centre of pressure; world
};

struct Sensor {
  std::string name;
  SensorKind kind = SensorKind::imu;
  int body = -1;        ///< that S is fixed to; of a force_torque sensor the joint's child, or a constraint's body a
  Transform X_BS;       ///< S on the body
  int constraint = -1;  ///< of a force_torque sensor in a constraint, its number; −1: in the body's joint
  std::vector<int> colliders;  ///< of a contact sensor
};

/// "imu", "force_torque", "contact": as scene files write it.
std::string sensor_kind_name(SensorKind kind);
/// All of these, by kind.
const std::vector<std::string>& sensor_kind_names();

/// Its numbers, one after another: name ("imu.acceleration.x") and unit of each.
std::vector<std::pair<std::string, std::string>> sensor_columns(const Sensor& sensor);

}  // namespace carom
