#include "carom/model/sensor.h"

namespace carom {

const std::vector<std::string>& sensor_kind_names() {
  static const std::vector<std::string> names{"imu", "force_torque", "contact"};
  return names;
}

std::string sensor_kind_name(SensorKind kind) { return sensor_kind_names()[static_cast<std::size_t>(kind)]; }

std::vector<std::pair<std::string, std::string>> sensor_columns(const Sensor& sensor) {
  std::vector<std::pair<std::string, std::string>> columns;
  const auto vector = [&](const std::string& quantity, const std::string& unit) {
    for (const char* axis : {".x", ".y", ".z"}) columns.emplace_back(sensor.name + "." + quantity + axis, unit);
  };
  switch (sensor.kind) {
    case SensorKind::imu:
      vector("acceleration", "m/s^2");
      vector("angular_velocity", "rad/s");
      break;
    case SensorKind::force_torque:
      vector("force", "N");
      vector("torque", "N m");
      break;
    case SensorKind::contact:
      vector("force", "N");
      columns.emplace_back(sensor.name + ".normal_force", "N");
      vector("centre_of_pressure", "m");
      break;
  }
  return columns;
}

}  // namespace carom
