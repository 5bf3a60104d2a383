#include "carom/model/model_faults.h"

namespace carom {
namespace {

/// The fault of one sensor, as the end of a sentence; empty if it has none.
std::string fault_of(const Sensor& sensor, const std::vector<Body>& bodies, const std::vector<Joint>& joints,
                     const std::vector<Constraint>& constraints, std::size_t colliders) {
  const auto exists = [](int number, std::size_t count) { return number >= 0 && number < static_cast<int>(count); };
  if (sensor.name.empty()) return " has no name; its numbers are called after it.";
  if (!is_rigid_motion(sensor.X_BS)) return " has a frame that is not a rotation and a finite point.";
  if (sensor.kind == SensorKind::contact) {
    if (sensor.colliders.empty()) return " has no colliders; name one at least.";
    for (const int number : sensor.colliders) {
      if (!exists(number, colliders))
        return " is of collider number " + std::to_string(number) + ", which there is not.";
    }
    return "";
  }
  if (sensor.kind == SensorKind::force_torque && sensor.constraint >= 0) {
    if (!exists(sensor.constraint, constraints.size())) return " is in a constraint that there is not.";
    const Constraint& constraint = constraints[static_cast<std::size_t>(sensor.constraint)];
    if (is_of_coordinates(constraint.kind)) {
      return " is in a " + constraint_name(constraint.kind) + ", which passes on no force between two bodies.";
    }
    return sensor.body == constraint.body_a ? "" : " is not on body a of its constraint.";
  }
  if (!exists(sensor.body, bodies.size())) return " is on no body; give it one that there is.";
  const bool moves_freely = joints[static_cast<std::size_t>(sensor.body)].type == JointType::free;
  if (sensor.kind == SensorKind::force_torque && moves_freely) {
    return " is in the joint of " + body_label(bodies, sensor.body) +
           ", which moves freely: nothing passes a force on.";
  }
  return "";
}

}  // namespace

void check_sensors(const std::vector<Body>& bodies, const std::vector<Joint>& joints,
                   const std::vector<Constraint>& constraints, std::size_t colliders,
                   const std::vector<Sensor>& sensors, std::vector<std::string>& faults) {
  for (const Sensor& sensor : sensors) {
    const std::string fault = fault_of(sensor, bodies, joints, constraints, colliders);
    if (!fault.empty()) faults.push_back("Sensor \"" + sensor.name + "\"" + fault);
  }
}

}  // namespace carom
