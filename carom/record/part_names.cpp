#include "carom/record/part_names.h"

#include <map>

#include "carom/model/coordinate_names.h"
#include "carom/record/contact_names.h"
#include "carom/record/joint_loads.h"
#include "carom/record/world_motion.h"

namespace carom {
namespace {

using Coordinate = CoordinateName;
using Coordinates = std::vector<CoordinateName>;

std::vector<std::string> coordinate_names(const Model& model, Coordinates (*of_joint)(const Joint&)) {
  std::vector<std::string> names;
  for (std::size_t body = 0; body < model.bodies().size(); ++body) {
    for (const Coordinate& coordinate : of_joint(model.joints()[body])) {
      names.push_back(joint_name(model, body) + (coordinate.name.empty() ? "" : "." + coordinate.name));
    }
  }
  return names;
}

std::vector<std::string> coordinate_units(const Model& model, Coordinates (*of_joint)(const Joint&)) {
  std::vector<std::string> units;
  for (const Joint& joint : model.joints()) {
    for (const Coordinate& coordinate : of_joint(joint)) units.push_back(coordinate.unit);
  }
  return units;
}

/// Names of the coordinates of v: those of q where both are the same.
std::vector<Coordinate> force_coordinates(const Model& model) {
  std::vector<Coordinate> all;
  for (std::size_t body = 0; body < model.bodies().size(); ++body) {
    const Joint& joint = model.joints()[body];
    const bool scalar = has_scalar_coordinates(joint.type);
    const Coordinates names = scalar ? position_coordinates(joint) : velocity_coordinates(joint);
    for (const Coordinate& coordinate : names) {
      const std::string unit = coordinate.unit == "1" ? "1" : coordinate.unit.rfind("rad", 0) == 0 ? "N m" : "N";
      all.push_back({joint_name(model, body) + (coordinate.name.empty() ? "" : "." + coordinate.name), unit});
    }
  }
  return all;
}

}  // namespace

std::vector<std::string> jointed_names(const Model& model) {
  std::vector<std::string> names;
  for (const int body : jointed_bodies(model)) names.push_back(joint_name(model, static_cast<std::size_t>(body)));
  return names;
}

std::vector<std::string> constraint_names(const Model& model) {
  std::vector<std::string> names;
  for (const Constraint& constraint : model.constraints()) {
    const std::string number = std::to_string(names.size() + 1);
    names.push_back(constraint.name.empty() ? constraint_name(constraint.kind) + "." + number : constraint.name);
  }
  return names;
}

std::vector<std::string> torque_names(const Model& model) {
  const std::vector<Coordinate> all = force_coordinates(model);
  std::vector<std::string> names;
  for (const int k : torque_coordinates(StepLoads(model))) names.push_back(all[static_cast<std::size_t>(k)].name);
  return names;
}

std::vector<std::string> torque_source_names(const Model& model) {
  const std::vector<Coordinate> all = force_coordinates(model);
  std::vector<std::string> names;
  const StepLoads loads(model);
  for (const JointTorque& torque : loads.torques()) {
    names.push_back(all[static_cast<std::size_t>(torque.coordinate)].name + "." + torque_source_name(torque.source));
  }
  return names;
}

std::vector<std::string> torque_units(const Model& model) {
  const std::vector<Coordinate> all = force_coordinates(model);
  std::vector<std::string> units;
  for (const int k : torque_coordinates(StepLoads(model))) units.push_back(all[static_cast<std::size_t>(k)].unit);
  return units;
}

std::vector<std::string> torque_source_units(const Model& model) {
  const std::vector<Coordinate> all = force_coordinates(model);
  std::vector<std::string> units;
  const StepLoads loads(model);
  for (const JointTorque& torque : loads.torques()) {
    units.push_back(all[static_cast<std::size_t>(torque.coordinate)].unit);
  }
  return units;
}

std::vector<std::string> position_names(const Model& model) { return coordinate_names(model, position_coordinates); }
std::vector<std::string> velocity_names(const Model& model) { return coordinate_names(model, velocity_coordinates); }
std::vector<std::string> position_units(const Model& model) { return coordinate_units(model, position_coordinates); }
std::vector<std::string> velocity_units(const Model& model) { return coordinate_units(model, velocity_coordinates); }

std::vector<std::string> body_names(const Model& model) {
  std::vector<std::string> names;
  for (const Body& body : model.bodies()) names.push_back(body.name);
  return names;
}

std::vector<std::string> joint_names(const Model& model) {
  std::vector<std::string> names;
  for (std::size_t body = 0; body < model.bodies().size(); ++body) names.push_back(joint_name(model, body));
  return names;
}

std::vector<std::string> frame_names(const Model& model) {
  std::vector<std::string> names;
  for (const NamedFrame& frame : model.frames()) names.push_back(frame.name);
  return names;
}

std::vector<std::string> mechanism_names(const Model& model) {
  std::vector<std::string> names;
  for (const int root : tree_roots(model)) names.push_back(model.bodies()[static_cast<std::size_t>(root)].name);
  return names;
}

std::vector<std::string> collider_names(const Model& model) {
  std::map<int, int> unnamed, counted;  // by body
  for (const Collider& collider : model.colliders()) unnamed[collider.body] += collider.name.empty() ? 1 : 0;
  std::vector<std::string> names;
  for (const Collider& collider : model.colliders()) {
    if (!collider.name.empty()) {
      names.push_back(collider.name);
      continue;
    }
    const int number = ++counted[collider.body];
    names.push_back(body_name(model, collider.body) + (unnamed[collider.body] > 1 ? "." + std::to_string(number) : ""));
  }
  return names;
}

}  // namespace carom
