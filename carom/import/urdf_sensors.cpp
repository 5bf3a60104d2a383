#include "carom/import/urdf_sensors.h"

#include <algorithm>
#include <charconv>

#include "carom/import/gazebo_sensor.h"
#include "carom/import/visual_shape.h"

namespace carom {
namespace {

/// Colliders of the link that is so named.
std::vector<int> colliders_of(const std::string& link, const ImportedModel& model) {
  std::vector<int> found;
  for (std::size_t i = 0; i < model.colliders.size(); ++i) {
    const int body = model.colliders[i].body;
    if (body >= 0 && model.links[static_cast<std::size_t>(body)].name == link) found.push_back(static_cast<int>(i));
  }
  return found;
}

/// The colliders that Gazebo's name of a collision means. Gazebo takes URDF's links with fixed joints together, and
/// calls what it moved PARENT_fixed_joint_lump__LINK_collision_2, or by the name of the collision in place of the link.
std::vector<int> named_colliders(std::string name, const ImportedModel& model) {
  const auto called = [&](const std::string& collision) {
    std::vector<int> found;
    for (std::size_t i = 0; i < model.colliders.size() && found.empty(); ++i) {
      if (model.colliders[i].name == collision) found.push_back(static_cast<int>(i));
    }
    return found;
  };
  const std::string lump = "_fixed_joint_lump__", middle = "_collision";
  if (std::vector<int> found = called(name); !found.empty()) return found;
  if (const std::size_t at = name.rfind(lump); at != std::string::npos) name.erase(0, at + lump.size());
  const std::size_t at = name.rfind(middle);
  if (std::vector<int> found = called(name.substr(0, at)); !found.empty()) return found;
  if (at == std::string::npos) return {};
  const std::vector<int> of_link = colliders_of(name.substr(0, at), model);
  const std::string rest = name.substr(at + middle.size());
  if (rest.empty()) return of_link.empty() ? of_link : std::vector<int>{of_link.front()};
  std::size_t number = 0;
  const auto read = std::from_chars(rest.data() + 1, rest.data() + rest.size(), number);
  const bool whole = rest[0] == '_' && read.ec == std::errc() && read.ptr == rest.data() + rest.size();
  if (!whole) return {};
  // Gazebo counts shapes of the merged link, so the number may be beyond those of this one.
  return number < of_link.size() ? std::vector<int>{of_link[number]} : of_link;
}

}  // namespace

std::vector<FileSensor> read_urdf_sensors(XmlNode& gazebo, const std::vector<UrdfJoint>& joints, ImportedModel& model) {
  std::vector<FileSensor> sensors;
  std::vector<ImportNote>& notes = model.unused;
  for (XmlNode& node : gazebo.children) {
    if (node.name != "sensor") continue;
    SdfFile aside(model.file, XmlNode());
    const auto from = read_gazebo_sensor({&aside, &node}, notes);
    add_undrawn("sensor", aside.faults, notes);
    if (!from || !aside.faults.empty()) continue;
    gazebo.take();
    const std::string* reference = gazebo.attribute("reference");
    FileSensor sensor;
    sensor.said = {model.file, node.line, "<sensor> \"" + from->name + "\""};
    sensor.name = from->name;
    sensor.kind = from->kind;
    sensor.X_LS = from->X;
    sensor.link = reference ? *reference : "";
    if (from->kind == SensorKind::force_torque) {
      const auto joint = std::find_if(joints.begin(), joints.end(),
                                      [&](const UrdfJoint& each) { return each.joint.name == sensor.link; });
      if (joint != joints.end()) {
        sensor.joint = sensor.link;
        sensor.link = joint->child;
      }
      if (!from->in_own_axes) sensor.X_LS.R.setIdentity();
    }
    for (const std::string& collision : from->collisions) {
      const std::vector<int> meant = named_colliders(collision, model);
      if (meant.empty()) warn_of_collision(sensor.said, collision, model.warnings);
      sensor.colliders.insert(sensor.colliders.end(), meant.begin(), meant.end());
    }
    std::sort(sensor.colliders.begin(), sensor.colliders.end());
    sensor.colliders.erase(std::unique(sensor.colliders.begin(), sensor.colliders.end()), sensor.colliders.end());
    sensors.push_back(std::move(sensor));
  }
  return sensors;
}

}  // namespace carom
