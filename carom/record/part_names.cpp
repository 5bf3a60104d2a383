#include "carom/record/part_names.h"

#include <map>

#include "carom/model/coordinate_names.h"
#include "carom/record/contact_names.h"
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

}  // namespace

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
