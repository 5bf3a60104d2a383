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

/// The body's coordinates with the names of their joint before their own.
void add_coordinates(const Model& model, std::size_t body, const Coordinates& own, Coordinates& all) {
  for (const Coordinate& coordinate : own) {
    all.push_back({joint_name(model, body) + (coordinate.name.empty() ? "" : "." + coordinate.name), coordinate.unit});
  }
}

Coordinates all_coordinates(const Model& model, Coordinates (*of_joint)(const Joint&)) {
  Coordinates all;
  for (std::size_t body = 0; body < model.bodies().size(); ++body) {
    add_coordinates(model, body, of_joint(model.joints()[body]), all);
  }
  return all;
}

/// Generalized forces on the coordinates of v, which have the names of those of q where both are the same.
Coordinates forces(const Model& model) {
  Coordinates all;
  for (std::size_t body = 0; body < model.bodies().size(); ++body) {
    const Joint& joint = model.joints()[body];
    const bool scalar = has_scalar_coordinates(joint.type);
    add_coordinates(model, body, scalar ? position_coordinates(joint) : velocity_coordinates(joint), all);
  }
  for (Coordinate& force : all) {
    if (force.unit != "1") force.unit = force.unit.starts_with("rad") ? "N m" : "N";
  }
  return all;
}

Coordinates torques(const Model& model) {
  const Coordinates all = forces(model);
  Coordinates some;
  for (const int k : torque_coordinates(StepLoads(model))) some.push_back(all[static_cast<std::size_t>(k)]);
  return some;
}

Coordinates torques_by_source(const Model& model) {
  const Coordinates all = forces(model);
  const StepLoads loads(model);
  Coordinates some;
  for (const JointTorque& torque : loads.torques()) {
    const Coordinate& force = all[static_cast<std::size_t>(torque.coordinate)];
    some.push_back({force.name + "." + torque_source_name(torque.source), force.unit});
  }
  return some;
}

std::vector<std::string> each(const Coordinates& coordinates, std::string Coordinate::*part) {
  std::vector<std::string> parts;
  for (const Coordinate& coordinate : coordinates) parts.push_back(coordinate.*part);
  return parts;
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

std::vector<std::string> torque_names(const Model& model) { return each(torques(model), &Coordinate::name); }
std::vector<std::string> torque_units(const Model& model) { return each(torques(model), &Coordinate::unit); }
std::vector<std::string> torque_source_names(const Model& model) {
  return each(torques_by_source(model), &Coordinate::name);
}
std::vector<std::string> torque_source_units(const Model& model) {
  return each(torques_by_source(model), &Coordinate::unit);
}
std::vector<std::string> position_names(const Model& model) {
  return each(all_coordinates(model, position_coordinates), &Coordinate::name);
}
std::vector<std::string> position_units(const Model& model) {
  return each(all_coordinates(model, position_coordinates), &Coordinate::unit);
}
std::vector<std::string> velocity_names(const Model& model) {
  return each(all_coordinates(model, velocity_coordinates), &Coordinate::name);
}
std::vector<std::string> velocity_units(const Model& model) {
  return each(all_coordinates(model, velocity_coordinates), &Coordinate::unit);
}

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
