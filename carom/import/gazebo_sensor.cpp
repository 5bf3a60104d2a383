#include "carom/import/gazebo_sensor.h"

#include <algorithm>

namespace carom {
namespace {

/// Types of SDFormat that read what a sensor of Carom reads.
std::optional<SensorKind> kind_of(const std::string& type) {
  const std::vector<std::string>& names = sensor_kind_names();
  const auto found = std::find(names.begin(), names.end(), type);
  if (found == names.end()) return {};
  return static_cast<SensorKind>(found - names.begin());
}

std::string text_of(const SdfPlace& place, const std::string& child) {
  const SdfPlace node = peek(place, child);
  return node.node ? node.node->text : "";
}

}  // namespace

std::optional<GazeboSensor> read_gazebo_sensor(const SdfPlace& place) {
  XmlNode& node = *place.node;
  const std::string *type = node.attribute("type"), *name = node.attribute("name");
  const auto kind = type ? kind_of(*type) : std::nullopt;
  if (!kind) return {};
  GazeboSensor sensor;
  sensor.name = name && !name->empty() ? *name : *type;
  sensor.kind = *kind;
  sensor.X = read_pose(place);
  if (*kind == SensorKind::contact) {
    const SdfPlace contact = peek(place, "contact");
    if (contact.node) {
      for (XmlNode* collision : contact.node->all("collision")) sensor.collisions.push_back(collision->text);
    }
    if (sensor.collisions.empty()) place.fault("sensor \"" + sensor.name + "\" names no <collision> in its <contact>");
  }
  if (*kind == SensorKind::force_torque) {
    const SdfPlace load = peek(place, "force_torque");
    const std::string frame = load.node ? text_of(load, "frame") : "";
    const std::string direction = load.node ? text_of(load, "measure_direction") : "";
    if (frame == "parent") {
      place.fault("sensor \"" + sensor.name + "\" has the axes of the parent; Carom's have those of the child");
    } else if (!frame.empty() && frame != "child" && frame != "sensor") {
      place.fault("<frame> of sensor \"" + sensor.name + "\" must be child, parent or sensor, but is \"" + frame +
                  "\"");
    }
    sensor.in_own_axes = frame == "sensor";
    if (direction.empty() || direction == "child_to_parent") {
      sensor.unused.push_back(
          "its <measure_direction> is child_to_parent; it reads the opposite, the force on the child");
    } else if (direction != "parent_to_child") {
      place.fault("<measure_direction> of sensor \"" + sensor.name +
                  "\" must be child_to_parent or parent_to_child, but is \"" + direction + "\"");
    }
  }
  const bool has_more = std::any_of(node.children.begin(), node.children.end(), [](const XmlNode& child) {
    return child.name != "pose" && child.name != "contact" && child.name != "force_torque";
  });
  if (has_more) sensor.unused.push_back("its rate, noise, topic and plugins; it reads without error in every step");
  node.ignore();
  if (!place.file->faults.empty()) return {};
  return sensor;
}

}  // namespace carom
