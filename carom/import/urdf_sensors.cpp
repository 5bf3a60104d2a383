#include "carom/import/urdf_sensors.h"

#include <algorithm>
#include <charconv>

#include "carom/import/gazebo_sensor.h"
#include "carom/import/urdf_gazebo.h"
#include "carom/import/visual_shape.h"

namespace carom {
namespace {

/// Name of the link that a collider is on.
std::string link_of(const Collider& collider, const ImportedModel& model) {
  return collider.body < 0 ? "world" : model.links[static_cast<std::size_t>(collider.body)].name;
}

/// Numbers of the colliders that the condition holds for.
template <class Condition>
std::vector<int> colliders_where(const ImportedModel& model, Condition&& holds) {
  std::vector<int> found;
  for (std::size_t i = 0; i < model.colliders.size(); ++i) {
    if (holds(model.colliders[i])) found.push_back(static_cast<int>(i));
  }
  return found;
}

/// The colliders of that name: those on the link, else those of all others.
std::vector<int> called(const std::string& name, const std::string& link, const ImportedModel& model) {
  const std::vector<int> own =
      colliders_where(model, [&](const Collider& each) { return each.name == name && link_of(each, model) == link; });
  return own.empty() ? colliders_where(model, [&](const Collider& each) { return each.name == name; }) : own;
}

/// The colliders that Gazebo's name of a collision means, for a sensor on `link`. Gazebo takes links with fixed joints
/// together. It calls a collision LINK_collision_2, counted over all that is taken together, or by its own name in
/// place of the link's. A collision that came from another link has PARENT_fixed_joint_lump__ in front. The count then
/// says nothing of the link's own shapes, so all of them are meant.
std::vector<int> named_colliders(std::string name, const std::string& link, const ImportedModel& model) {
  if (std::vector<int> found = called(name, link, model); !found.empty()) return found;
  const std::string lump = "_fixed_joint_lump__", middle = "_collision";
  const std::size_t lumped = name.rfind(lump);
  if (lumped != std::string::npos) name.erase(0, lumped + lump.size());
  const std::size_t at = name.rfind(middle);
  if (std::vector<int> found = called(name.substr(0, at), link, model); !found.empty()) return found;
  if (at == std::string::npos) return {};
  std::vector<int> of_link =
      colliders_where(model, [&](const Collider& each) { return link_of(each, model) == name.substr(0, at); });
  const std::string rest = name.substr(at + middle.size());
  std::size_t number = 0;
  if (!rest.empty()) {
    const auto read = std::from_chars(rest.data() + 1, rest.data() + rest.size(), number);
    const bool whole = rest[0] == '_' && read.ec == std::errc() && read.ptr == rest.data() + rest.size();
    if (!whole) return {};
  }
  if (lumped != std::string::npos || number >= of_link.size()) return of_link;
  return {of_link[number]};
}

}  // namespace

std::vector<FileSensor> read_urdf_sensors(XmlNode& gazebo, std::vector<UrdfJoint>& joints, ImportedModel& model) {
  std::vector<FileSensor> sensors;
  for (XmlNode& node : gazebo.children) {
    if (node.name != "sensor") continue;
    SdfFile aside(model.file, XmlNode());
    const SdfPlace place{&aside, &node};
    const auto from = read_gazebo_sensor(place);
    const SdfPlace pose = peek(place, "pose");
    const std::string* other = pose.node ? pose.node->attribute("relative_to") : nullptr;
    if (from && other && !other->empty()) pose.fault("its pose is relative to \"" + *other + "\", which URDF has not");
    add_undrawn("sensor", aside.faults, model.unused);
    if (from || !aside.faults.empty()) gazebo.take();
    if (!from || !aside.faults.empty()) continue;
    const std::string* reference = gazebo.attribute("reference");
    FileSensor sensor;
    sensor.said = {model.file, node.line, "<sensor> \"" + from->name + "\""};
    sensor.name = from->name;
    sensor.kind = from->kind;
    sensor.X_LS = from->X;
    sensor.unused = from->unused;
    sensor.link = reference ? *reference : "";
    if (from->kind == SensorKind::force_torque) {
      if (const UrdfJoint* joint = find_joint(joints, sensor.link)) {
        sensor.joint = sensor.link;
        sensor.link = joint->child;
      }
      if (!from->in_own_axes) sensor.X_LS.R.setIdentity();
    }
    for (const std::string& collision : from->collisions) {
      const std::vector<int> meant = named_colliders(collision, sensor.link, model);
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
