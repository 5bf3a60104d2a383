#include "carom/import/sdf_sensors.h"

#include "carom/import/gazebo_sensor.h"
#include "carom/import/visual_shape.h"

namespace carom {
namespace {

class SensorReader {
 public:
  SensorReader(const SdfTree& tree, const std::vector<Collider>& colliders, std::vector<ImportNote>& notes,
               std::vector<ImportNote>& warnings)
      : tree_(tree), colliders_(colliders), notes_(notes), warnings_(warnings) {}

  std::vector<FileSensor> read() {
    for (const SdfLink& link : tree_.links) {
      for (XmlNode& node : link.place.node->children) {
        if (node.name == "sensor") read_on_link(link, *link.place.file, node);
      }
    }
    for (const SdfJoint& joint : tree_.joints) {
      for (XmlNode& node : joint.place.node->children) {
        if (node.name == "sensor" && joint.child >= 0) read_in_joint(joint, *joint.place.file, node);
      }
    }
    return std::move(sensors_);
  }

 private:
  /// Faults go aside, so that none refuses the file.
  std::optional<GazeboSensor> read_one(const SdfPlace& aside) {
    auto sensor = read_gazebo_sensor(aside);
    add_undrawn("sensor", aside.file->faults, notes_);
    return sensor;
  }

  FileSensor made(const GazeboSensor& from, const SdfFile& file, const XmlNode& node, const SdfLink& link) const {
    FileSensor sensor;
    sensor.said = {file.path, node.line, "<sensor> \"" + from.name + "\""};
    // As links and joints it has the names of the models around it in front.
    sensor.name = scope_of(link.name) + from.name;
    sensor.kind = from.kind;
    sensor.link = link.name;
    sensor.unused = from.unused;
    return sensor;
  }

  void read_on_link(const SdfLink& link, const SdfFile& file, XmlNode& node) {
    SdfFile aside(file.path, XmlNode());
    const SdfPlace place{&aside, &node};
    const auto from = read_one(place);
    if (!from) return;
    const auto X_LE = frame_of_pose(tree_, link, place);
    add_undrawn("sensor", aside.faults, notes_);
    if (!X_LE) return;
    FileSensor sensor = made(*from, file, node, link);
    sensor.X_LS = *X_LE * from->X;
    for (const std::string& collision : from->collisions) {
      const std::size_t before = sensor.colliders.size();
      for (std::size_t i = 0; i < colliders_.size(); ++i) {
        if (colliders_[i].name == link.name + "::" + collision) sensor.colliders.push_back(static_cast<int>(i));
      }
      if (sensor.colliders.size() == before) warn_of_collision(sensor.said, collision, warnings_);
    }
    sensors_.push_back(std::move(sensor));
  }

  void read_in_joint(const SdfJoint& joint, const SdfFile& file, XmlNode& node) {
    SdfFile aside(file.path, XmlNode());
    const auto from = read_one({&aside, &node});
    if (!from) return;
    if (from->kind != SensorKind::force_torque) {
      notes_.push_back({file.path, node.line, "<sensor> \"" + from->name + "\": a sensor of its type is on a link"});
      return;
    }
    const SdfPlace pose = peek({&aside, &node}, "pose");
    if (const std::string* other = pose.node ? pose.node->attribute("relative_to") : nullptr;
        other && !other->empty() && scope_of(joint.name) + *other != joint.name) {
      pose.fault("its pose is relative to \"" + *other + "\", but only its joint is understood");
    }
    add_undrawn("sensor", aside.faults, notes_);
    if (!aside.faults.empty()) return;
    const SdfLink& child = tree_.links[static_cast<std::size_t>(joint.child)];
    FileSensor sensor = made(*from, file, node, child);
    sensor.joint = joint.name;
    sensor.X_LS = child.X_WB.inverse() * joint.X_WJ * from->X;
    if (!from->in_own_axes) sensor.X_LS.R.setIdentity();
    sensors_.push_back(std::move(sensor));
  }

  const SdfTree& tree_;
  const std::vector<Collider>& colliders_;
  std::vector<ImportNote>& notes_;
  std::vector<ImportNote>& warnings_;
  std::vector<FileSensor> sensors_;
};

}  // namespace

std::vector<FileSensor> read_sdf_sensors(const SdfTree& tree, const std::vector<Collider>& colliders,
                                         std::vector<ImportNote>& notes, std::vector<ImportNote>& warnings) {
  return SensorReader(tree, colliders, notes, warnings).read();
}

}  // namespace carom
