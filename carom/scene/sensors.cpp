#include "carom/scene/sensors.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "carom/scene/surfaces.h"
#include "carom/scene/values.h"

namespace carom {
namespace {

std::vector<std::string> own_keys(SensorKind kind) {
  switch (kind) {
    case SensorKind::imu:
      return {"name", "type", "body", "frame", "position", "orientation"};
    case SensorKind::force_torque:
      return {"name", "type", "joint", "constraint", "position", "orientation"};
    case SensorKind::contact:
      break;
  }
  return {"name", "type", "bodies", "shapes"};
}

class SensorReader {
 public:
  SensorReader(const SceneParts& parts, Diagnostics& diagnostics)
      : parts_(parts), surfaces_(parts.world_shapes, parts.bodies), diagnostics_(diagnostics) {
    for (const SceneBody& body : parts.bodies.bodies) taken_[body.name] = "body";
    for (const SceneJoint& joint : parts.joints.joints) taken_[joint.joint.name] = "joint";
    for (const SceneConstraint& constraint : parts.constraints) taken_[constraint.constraint.name] = "constraint";
    for (const NamedFrame& frame : parts.frames) taken_[frame.name] = "frame";
  }

  /// Called after the scene's own sensors, before those of models.
  void end_of_own() { own_ = names_; }

  /// A sensor of a model file; nothing if the scene has one of its name.
  void keep(ModelSensor from, std::vector<Sensor>& sensors) {
    Sensor& sensor = from.sensor;
    if (own_.contains(sensor.name)) return;
    while (taken_.contains(sensor.name) || names_.contains(sensor.name)) sensor.name += "_sensor";
    names_.insert(sensor.name);
    std::set<int> numbers;
    for (const auto& [body, place] : from.shapes) numbers.insert(surfaces_.number(body, place));
    sensor.colliders.assign(numbers.begin(), numbers.end());
    sensors.push_back(std::move(sensor));
  }

  void read(const YamlNode& node, std::vector<Sensor>& sensors) {
    const YamlNode* type = node.kind == YamlNode::Kind::map ? peek(node, "type") : nullptr;
    if (!type) {
      diagnostics_.add(node.place, "a sensor lacks the key 'type': one of " + listed(sensor_kind_names()));
      return;
    }
    const auto choice = read_choice(*type, "sensor type", sensor_kind_names(), diagnostics_);
    if (!choice) return;
    Sensor sensor;
    sensor.kind = static_cast<SensorKind>(*choice);
    Fields fields(node, "a sensor of type " + sensor_kind_names()[*choice], own_keys(sensor.kind), diagnostics_);
    sensor.name = read_unique_name(fields, "sensors", names_, diagnostics_);
    if (const auto other = taken_.find(sensor.name); other != taken_.end() && !sensor.name.empty()) {
      diagnostics_.add(fields.place("name"), "a " + other->second + " is named " + in_quotes(sensor.name) +
                                                 " as well, and columns of a record are called after both; give the "
                                                 "sensor a name of its own");
    }
    const bool found = sensor.kind == SensorKind::imu            ? read_body(fields, sensor)
                       : sensor.kind == SensorKind::force_torque ? read_load(fields, sensor)
                                                                 : read_surfaces(fields, sensor);
    if (found) sensors.push_back(std::move(sensor));
  }

 private:
  /// The body or the named frame that an imu is fixed to, and its place there.
  bool read_body(Fields& fields, Sensor& sensor) {
    fields.exclude("body", "frame", "a sensor is on one of them");
    if (const YamlNode* node = fields.find("frame")) {
      const auto name = read_text(*node, "frame", diagnostics_);
      if (!name) return false;
      const auto frame = std::find_if(parts_.frames.begin(), parts_.frames.end(),
                                      [&](const NamedFrame& each) { return each.name == *name; });
      if (frame == parts_.frames.end()) {
        std::vector<std::string> names;
        for (const NamedFrame& each : parts_.frames) names.push_back(each.name);
        diagnostics_.add(node->place, "there is no frame " + in_quotes(*name) +
                                          suggestion(*name, names, "the frames that model files name are"));
        return false;
      }
      sensor.body = frame->body;
      sensor.X_BS = frame->X_BF * read_pose(fields, diagnostics_);
    } else {
      const YamlNode* body = fields.require("body", "the name of a body (or frame: one that a model file names)");
      const auto number =
          body != nullptr ? read_body_reference(*body, "body", parts_.bodies, diagnostics_) : std::nullopt;
      if (!number) return false;
      sensor.body = *number;
      sensor.X_BS = read_pose(fields, diagnostics_);
    }
    if (sensor.body >= 0) return true;
    diagnostics_.add(fields.place("type"), "this sensor is on the world, which does not move; put it on a body");
    return false;
  }

  /// The joint or constraint that a force_torque sensor is in. Its frame is that of the joint on the child, or that of
  /// the constraint on body a. The sensor may give another place on that body.
  bool read_load(Fields& fields, Sensor& sensor) {
    fields.exclude("joint", "constraint", "a sensor is in one of them");
    Transform own;
    if (const YamlNode* node = fields.find("constraint")) {
      const auto name = read_text(*node, "constraint", diagnostics_);
      const auto found = name ? std::find_if(parts_.constraints.begin(), parts_.constraints.end(),
                                             [&](const auto& each) { return each.constraint.name == *name; })
                              : parts_.constraints.end();
      if (found == parts_.constraints.end()) {
        std::vector<std::string> names;
        for (const SceneConstraint& each : parts_.constraints) names.push_back(each.constraint.name);
        if (name) {
          diagnostics_.add(node->place, "there is no constraint " + in_quotes(*name) +
                                            suggestion(*name, names, "the constraints are"));
        }
        return false;
      }
      if (is_of_coordinates(found->constraint.kind)) {
        diagnostics_.add(node->place, in_quotes(*name) +
                                          " ties coordinates and passes on no force between two bodies; name a joint, "
                                          "a loop or a rope");
        return false;
      }
      sensor.constraint = static_cast<int>(found - parts_.constraints.begin());
      sensor.body = found->constraint.body_a;
      own = found->constraint.X_AF;
    } else {
      const YamlNode* joint = fields.require("joint", "the name of a joint (or constraint: the name of one)");
      const auto name = joint != nullptr ? read_text(*joint, "joint", diagnostics_) : std::nullopt;
      if (!name) return false;
      const auto found = std::find_if(parts_.joints.joints.begin(), parts_.joints.joints.end(),
                                      [&](const SceneJoint& each) { return each.joint.name == *name; });
      if (found == parts_.joints.joints.end()) {
        std::vector<std::string> names;
        for (const SceneJoint& each : parts_.joints.joints) names.push_back(each.joint.name);
        if (parts_.joints.complete) {
          diagnostics_.add(joint->place,
                           "there is no joint " + in_quotes(*name) + suggestion(*name, names, "the joints are"));
        }
        return false;
      }
      if (found->joint.type == JointType::free) {
        diagnostics_.add(joint->place, in_quotes(*name) + " is free: no force passes through it; name another joint");
        return false;
      }
      sensor.body = found->child;
      own = found->joint.X_BM;
    }
    const bool placed = fields.find("position") != nullptr || fields.find("orientation") != nullptr;
    sensor.X_BS = placed ? read_pose(fields, diagnostics_) : own;
    return true;
  }

  bool read_surfaces(Fields& fields, Sensor& sensor) {
    fields.exclude("bodies", "shapes", "name one kind");
    const YamlNode* shapes = fields.find("shapes");
    const YamlNode* node =
        shapes != nullptr ? shapes : fields.require("bodies", "a body, or a list (or shapes: names as in foot/pad)");
    if (node == nullptr) return false;
    std::set<int> numbers;
    const auto add = [&](const YamlNode& name) {
      const std::vector<int> meant = surfaces_.read(name, shapes != nullptr, diagnostics_);
      numbers.insert(meant.begin(), meant.end());
    };
    if (node->kind == YamlNode::Kind::list) {
      for (const YamlNode& name : node->items) add(name);
    } else {
      add(*node);
    }
    sensor.colliders.assign(numbers.begin(), numbers.end());
    return !numbers.empty();
  }

  const SceneParts& parts_;
  Surfaces surfaces_;
  Diagnostics& diagnostics_;
  std::set<std::string> names_;
  std::set<std::string> own_;                 ///< names of the scene's sensors
  std::map<std::string, std::string> taken_;  ///< names, and what has them
};

}  // namespace

std::vector<Sensor> read_sensors(const YamlNode& scene, const SceneParts& parts, std::vector<ModelSensor> of_models,
                                 Diagnostics& diagnostics) {
  std::vector<Sensor> sensors;
  SensorReader reader(parts, diagnostics);
  if (const YamlNode* list = peek(scene, "sensors")) {
    for (const YamlNode& node : read_list(*list, "sensors", "sensors", diagnostics)) reader.read(node, sensors);
  }
  reader.end_of_own();
  for (ModelSensor& from : of_models) reader.keep(std::move(from), sensors);
  return sensors;
}

}  // namespace carom
