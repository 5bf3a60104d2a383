#include "carom/scene/drives.h"

#include <set>

#include "carom/scene/joint_coordinates.h"
#include "carom/scene/time_functions.h"

namespace carom {
namespace {

enum class DriveType { force, servo, motion };
const std::vector<std::string> type_names{"force", "servo", "motion"};

std::vector<std::string> own_keys(DriveType type) {
  switch (type) {
    case DriveType::force:
      return {"name", "type", "joint", "force"};
    case DriveType::servo:
      return {"name", "type", "joint", "target", "stiffness", "damping", "limit"};
    case DriveType::motion:
      break;
  }
  return {"name", "type", "joint", "target"};
}

std::string read_own_name(Fields& fields, const char* what, std::set<std::string>& names, Diagnostics& diagnostics) {
  const YamlNode* node = fields.require("name", "messages refer to it");
  if (!node) return "";
  std::string name = read_name(*node, "name", diagnostics).value_or("");
  if (!name.empty() && !names.insert(name).second) {
    diagnostics.add(node->place,
                    "there are two " + std::string(what) + " named " + in_quotes(name) + "; give each its own name");
  }
  return name;
}

void read_servo(Fields& fields, const YamlNode& node, Drive& drive, Diagnostics& diagnostics) {
  if (const YamlNode* found = fields.find("stiffness")) {
    drive.stiffness =
        read_number(*found, "stiffness", quantity::stiffness, Range::not_negative, diagnostics).value_or(1);
  }
  if (const YamlNode* found = fields.find("damping")) {
    drive.damping = read_number(*found, "damping", quantity::damping, Range::not_negative, diagnostics).value_or(1);
  }
  if (const YamlNode* found = fields.find("limit")) {
    drive.limit = read_number(*found, "limit", quantity::force, Range::positive, diagnostics).value_or(1);
  }
  if (drive.stiffness > 0 || drive.damping > 0) return;
  diagnostics.add(node.place, "servo " + in_quotes(drive.name) +
                                  " has neither stiffness nor damping above 0, so it does nothing; give one of them");
}

void read_drive(const YamlNode& node, const SceneJoints& joints, std::set<std::string>& names, SceneDrives& drives,
                Diagnostics& diagnostics) {
  const YamlNode* type_node = node.kind == YamlNode::Kind::map ? peek(node, "type") : nullptr;
  if (!type_node) {
    diagnostics.add(node.place, "a drive lacks the key 'type': one of " + listed(type_names));
    return;
  }
  const auto choice = read_choice(*type_node, "drive type", type_names, diagnostics);
  if (!choice) return;
  const auto type = static_cast<DriveType>(*choice);
  Fields fields(node, "a " + type_names[*choice] + " drive", own_keys(type), diagnostics);
  Drive drive;
  drive.name = read_own_name(fields, "drives", names, diagnostics);
  drive.kind = type == DriveType::force ? DriveKind::force : DriveKind::servo;
  const YamlNode* joint = fields.require("joint", "the name of a joint");
  const auto body =
      joint ? read_joint_coordinate(*joint, "joint", joints, drive.coordinate, diagnostics) : std::optional<int>();
  const char* key = type == DriveType::force ? "force" : "target";
  const YamlNode* value =
      fields.require(key, type == DriveType::force ? "a force or torque over time, N or N m"
                                                   : "where the joint is to be over time, rad or m");
  const Quantity measure = type == DriveType::force ? quantity::force : quantity::angle;
  const auto function = value ? read_time_function(*value, key, measure, diagnostics) : std::optional<TimeFunction>();
  if (type == DriveType::servo) read_servo(fields, node, drive, diagnostics);
  if (!body || !function) return;
  drive.body = *body;
  drive.value = *function;
  if (type != DriveType::motion) {
    drives.drives.push_back({node.place, std::move(drive)});
    return;
  }
  Constraint motion;
  motion.name = drive.name;
  motion.kind = ConstraintKind::motion;
  motion.body_a = drive.body;
  motion.coordinate_a = drive.coordinate;
  motion.target = drive.value;
  drives.motions.push_back({node.place, std::move(motion)});
}

void read_wrench(const YamlNode& node, const SceneBodies& bodies, std::set<std::string>& names, SceneDrives& drives,
                 Diagnostics& diagnostics) {
  Fields fields(node, "a wrench", {"name", "body", "at", "force", "torque", "axes", "scale"}, diagnostics);
  AppliedWrench wrench;
  wrench.name = read_own_name(fields, "wrenches", names, diagnostics);
  const YamlNode* body_node = fields.require("body", "the name of a body");
  constexpr int unknown = -2;
  const int body = body_node ? read_body_reference(*body_node, "body", bodies, diagnostics).value_or(unknown) : unknown;
  if (body == -1) diagnostics.add(body_node->place, "nothing moves the world; name a body");
  const auto vector = [&](const char* key, Quantity measure, Vec3& value) {
    const YamlNode* found = fields.find(key);
    if (found) value = read_vector(*found, key, measure, Range::any, diagnostics).value_or(Vec3::Zero());
    return found != nullptr;
  };
  vector("at", quantity::length, wrench.point);
  const bool force = vector("force", quantity::force, wrench.force);
  const bool torque = vector("torque", quantity::force, wrench.torque);
  if (fields.is_map() && !force && !torque) {
    diagnostics.add(node.place, "wrench " + in_quotes(wrench.name) + " has neither force nor torque; give one of them");
  }
  if (const YamlNode* axes = fields.find("axes")) {
    wrench.turns_with_body = read_choice(*axes, "axes", {"world", "body"}, diagnostics) == 1;
  }
  if (const YamlNode* scale = fields.find("scale")) {
    wrench.scale = read_time_function(*scale, "scale", quantity::ratio, diagnostics).value_or(TimeFunction());
  }
  if (body < 0) return;
  wrench.body = body;
  drives.wrenches.push_back({node.place, std::move(wrench)});
}

}  // namespace

SceneDrives read_drives(const YamlNode& scene, const SceneBodies& bodies, const SceneJoints& joints,
                        Diagnostics& diagnostics) {
  SceneDrives drives;
  std::set<std::string> names, wrench_names;
  if (const YamlNode* list = peek(scene, "drives")) {
    for (const YamlNode& node : read_list(*list, "drives", "drives", diagnostics)) {
      read_drive(node, joints, names, drives, diagnostics);
    }
  }
  if (const YamlNode* list = peek(scene, "wrenches")) {
    for (const YamlNode& node : read_list(*list, "wrenches", "wrenches", diagnostics)) {
      read_wrench(node, bodies, wrench_names, drives, diagnostics);
    }
  }
  return drives;
}

}  // namespace carom
