#include "carom/scene/drives.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <map>
#include <numbers>
#include <set>

#include "carom/import/mesh_file.h"
#include "carom/scene/fingerprint.h"
#include "carom/scene/joint_coordinates.h"
#include "carom/scene/joint_patterns.h"
#include "carom/scene/joint_sums.h"
#include "carom/scene/motion_table.h"
#include "carom/scene/parameters.h"
#include "carom/scene/time_functions.h"

namespace carom {
namespace {

enum class DriveType { force, servo, motion, feedback };
const std::vector<std::string> type_names{"force", "servo", "motion", "feedback"};

std::vector<std::string> own_keys(DriveType type) {
  switch (type) {
    case DriveType::force:
      return {"name", "type", "joint", "joints", "sum", "force"};
    case DriveType::servo:
      return {"name", "type", "joint", "joints", "sum", "target", "stiffness", "damping", "limit"};
    case DriveType::feedback:
      return {"name", "type", "joint", "joints", "force", "limit"};
    case DriveType::motion:
      break;
  }
  return {"name", "type", "joint", "joints", "target"};
}

bool is_word(const YamlNode& node) {
  return node.kind == YamlNode::Kind::scalar && !node.text.empty() &&
         std::isalpha(static_cast<unsigned char>(node.text.front())) != 0;
}

/// The most that a drive gives: a number, or of each joint the effort that its model file says.
class DriveLimit {
 public:
  DriveLimit() = default;
  DriveLimit(const Fields& fields, const SceneJoints& joints, Diagnostics& diagnostics) {
    const YamlNode* found = fields.find("limit");
    if (found == nullptr) return;
    if (found->kind == YamlNode::Kind::scalar && found->text == "file") {
      of_file_ = found;
      joints_ = &joints;
    } else if (is_word(*found)) {
      diagnostics.add(found->place, "unknown limit " + in_quotes(found->text) +
                                        suggestion(found->text, {"file"},
                                                   "write a number, N or N m, or for the effort of the model file"));
    } else {
      number_ = read_number(*found, "limit", quantity::force, Range::positive, diagnostics).value_or(1);
    }
  }

  double of(const JointCoordinate& coordinate, const std::string& name, Diagnostics& diagnostics) const {
    if (of_file_ == nullptr) return number_;
    if (name.empty()) {
      diagnostics.add(of_file_->place, "a sum has no effort in a model file; write a number, N or N m");
      return infinity;
    }
    const int joint = joints_->of_body[static_cast<std::size_t>(coordinate.body)];
    const VectorX& efforts = joints_->joints[static_cast<std::size_t>(joint)].joint.effort;
    const double effort = efforts.size() > 0 ? efforts[coordinate.coordinate] : infinity;
    if (effort > 0 && effort < infinity) return effort;
    diagnostics.add(of_file_->place, "no file gives joint " + in_quotes(name) + " an effort" +
                                         (effort == 0 ? " above 0" : "") +
                                         "; write a number in place of file, N or N m");
    return infinity;
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  double number_ = infinity;
  const YamlNode* of_file_ = nullptr;
  const SceneJoints* joints_ = nullptr;
};

void read_servo(Fields& fields, const YamlNode& node, Drive& drive, Diagnostics& diagnostics) {
  if (const YamlNode* found = fields.find("stiffness")) {
    drive.stiffness =
        read_number(*found, "stiffness", quantity::stiffness, Range::not_negative, diagnostics).value_or(1);
  }
  if (const YamlNode* found = fields.find("damping")) {
    drive.damping = read_number(*found, "damping", quantity::damping, Range::not_negative, diagnostics).value_or(1);
  }
  if (drive.stiffness > 0 || drive.damping > 0) return;
  diagnostics.add(node.place, "servo " + in_quotes(drive.name) +
                                  " has neither stiffness nor damping above 0, so it does nothing; give one of them");
}

/// A coordinate that a drive acts on.
struct Driven {
  std::string joint;   ///< its name, of a second coordinate with its number
  std::string suffix;  ///< of the drive's name, where it acts on several
  JointCoordinate coordinate;
  double ratio = 1;
  std::vector<CoordinateShare> others = {};  ///< that it acts on as well, in a sum
};

/// The sum of the key `sum`.
std::vector<Driven> read_driven_sum(Fields& fields, const YamlNode& node, const SceneJoints& joints,
                                    Diagnostics& diagnostics) {
  for (const char* other : {"joint", "joints"}) fields.exclude("sum", other, "name joints, or a sum of them");
  const auto sum = read_joint_sum(node, joints, diagnostics);
  if (!sum) return {};
  const CoordinateShare& first = sum->shares.front();
  return {{"",
           "",
           {first.body, first.coordinate, sum->is_angle},
           first.ratio,
           {sum->shares.begin() + 1, sum->shares.end()}}};
}

/// Those of the key `joint`, or all of the joints that the patterns of `joints` match.
std::vector<Driven> read_driven(Fields& fields, const SceneJoints& joints, Diagnostics& diagnostics) {
  if (const YamlNode* sum = fields.find("sum")) return read_driven_sum(fields, *sum, joints, diagnostics);
  const YamlNode* patterns = fields.find("joints");
  fields.exclude("joint", "joints", "name one joint, or several by patterns");
  std::vector<Driven> all;
  if (patterns == nullptr) {
    const YamlNode* joint = fields.require("joint", "the name of a joint (or joints: a pattern, as in \"*_knee\")");
    if (joint == nullptr) return all;
    const auto coordinate = read_joint_coordinate(*joint, "joint", joints, diagnostics);
    if (coordinate) all.push_back({joint->text, "", *coordinate});
    return all;
  }
  const std::vector<std::size_t> chosen = read_joint_patterns(*patterns, joints, diagnostics);
  for (const std::size_t i : chosen) {
    const SceneJoint& joint = joints.joints[i];
    const int count = has_scalar_coordinates(joint.joint.type) ? velocity_size(joint.joint) : 0;
    for (int k = 0; k < count; ++k) {
      const std::string name = joint.joint.name + (k > 0 ? "." + std::to_string(k + 1) : "");
      all.push_back({name, "." + name, {joint.child, k, is_angle(joint.joint, k)}});
    }
  }
  if (all.empty() && !chosen.empty()) {
    diagnostics.add(patterns->place, "the joints that match have no angle or displacement to act on; name others");
  }
  return all;
}

/// Files that were read, by the name that the scene gives them.
struct ReadTable {
  MotionTable table;
  std::string fingerprint;
};
using MotionTables = std::map<std::string, ReadTable>;

/// The column of a file that has the joint's name, or that `column` names.
std::optional<TimeFunction> read_recorded(const YamlNode& node, const std::string& label, const std::string& joint,
                                          bool is_angle, MotionTables& tables, Diagnostics& diagnostics) {
  Fields fields(node, label, {"file", "column"}, diagnostics);
  const auto file = read_text(*fields.find("file"), "file", diagnostics);
  const YamlNode* given = fields.find("column");
  const auto column = given != nullptr ? read_text(*given, "column", diagnostics) : std::optional<std::string>(joint);
  if (!file || !column) return {};
  const std::string named = name_from_scene(*file, diagnostics, fields.place("file"));
  try {
    if (!tables.contains(named)) {
      const std::string path = resolve_path(*file, diagnostics.file(fields.place("file")), {});
      tables[named] = {read_motion_table(path), fingerprint(path)};
    }
  } catch (const Error& error) {
    diagnostics.add(fields.place("file"), in_quotes(*file) + ": " + error.what());
    return {};
  }
  const MotionTable& table = tables[named].table;
  const auto found = std::find(table.names.begin(), table.names.end(), *column);
  if (found == table.names.end()) {
    diagnostics.add(given != nullptr ? given->place : fields.place("file"),
                    "there is no column " + in_quotes(*column) + " in " + in_quotes(*file) +
                        nearest_names(*column, table.names) + (given != nullptr ? "" : "; name one with 'column'"));
    return {};
  }
  TimeFunction function;
  function.times = table.times;
  function.values = table.columns[static_cast<std::size_t>(found - table.names.begin())];
  constexpr double degree = std::numbers::pi / 180;
  for (double& value : function.values) value *= is_angle && table.degrees ? degree : 1;
  return function;
}

void add_feedback(const YamlNode& value, const Drive& drive, SceneDrives& drives, Diagnostics& diagnostics) {
  if (value.kind != YamlNode::Kind::scalar || value.text.find_first_not_of(" =") == std::string::npos) {
    diagnostics.add(
        value.place,
        "force must be a formula over joints, as in \"=-20*(hip - 0.2) - 3*hip.rate\", but is " + describe(value));
    return;
  }
  drives.feedback.push_back({drive.name, drive.body, drive.coordinate,
                             is_formula(value) ? value.text.substr(1) : value.text, drive.limit, value.place});
}

void read_drive(const YamlNode& node, const SceneJoints& joints, std::set<std::string>& names, MotionTables& tables,
                SceneDrives& drives, Diagnostics& diagnostics) {
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
  drive.name = read_unique_name(fields, "drives", names, diagnostics);
  const std::vector<Driven> all = read_driven(fields, joints, diagnostics);
  const bool force = type == DriveType::force || type == DriveType::feedback;
  drive.kind = force ? DriveKind::force : DriveKind::servo;
  const char* key = force ? "force" : "target";
  const char* right = type == DriveType::feedback ? "a formula over joints, as in \"=-20*(hip - 0.2) - 3*hip.rate\""
                      : force                     ? "a force or torque over time, N or N m"
                                                  : "where the joint is to be over time, rad or m";
  const YamlNode* value = fields.require(key, right);
  if (type == DriveType::servo) read_servo(fields, node, drive, diagnostics);
  const bool is_limited = type == DriveType::servo || type == DriveType::feedback;
  const DriveLimit limit = is_limited ? DriveLimit(fields, joints, diagnostics) : DriveLimit();
  constexpr Quantity of_any_joint{"rad or m", Quantity::Degrees::angle};
  if (value != nullptr && all.empty() && type != DriveType::feedback && value->kind != YamlNode::Kind::map) {
    static_cast<void>(read_time_function(*value, key, force ? quantity::force : of_any_joint, diagnostics));
  }
  for (const Driven& driven : all) {
    if (value == nullptr) return;
    Drive each = drive;
    each.name += driven.suffix;
    if (!driven.suffix.empty() && !names.insert(each.name).second) {
      diagnostics.add(node.place, "another of the drives is named " + in_quotes(each.name) +
                                      ", as this pattern would name its own; give one of them another name");
    }
    each.body = driven.coordinate.body;
    each.coordinate = driven.coordinate.coordinate;
    each.ratio = driven.ratio;
    each.others = driven.others;
    if (is_limited) each.limit = limit.of(driven.coordinate, driven.joint, diagnostics);
    if (type == DriveType::feedback) {
      add_feedback(*value, each, drives, diagnostics);
      continue;
    }
    const Quantity of_target = driven.coordinate.is_angle ? quantity::angle : quantity::length;
    const bool of_file = value->kind == YamlNode::Kind::map && peek(*value, "file") != nullptr;
    const auto function = of_file ? read_recorded(*value, key, driven.joint.empty() ? drive.name : driven.joint,
                                                  !force && driven.coordinate.is_angle, tables, diagnostics)
                                  : read_time_function(*value, key, force ? quantity::force : of_target, diagnostics);
    if (!function) return;
    each.value = *function;
    if (type != DriveType::motion) {
      drives.drives.push_back({node.place, std::move(each)});
      continue;
    }
    Constraint motion;
    motion.name = each.name;
    motion.kind = ConstraintKind::motion;
    motion.body_a = each.body;
    motion.coordinate_a = each.coordinate;
    motion.target = each.value;
    drives.motions.push_back({node.place, std::move(motion)});
  }
}

void read_wrench(const YamlNode& node, const SceneBodies& bodies, std::set<std::string>& names, SceneDrives& drives,
                 Diagnostics& diagnostics) {
  Fields fields(node, "a wrench", {"name", "body", "at", "force", "torque", "axes", "scale"}, diagnostics);
  AppliedWrench wrench;
  wrench.name = read_unique_name(fields, "wrenches", names, diagnostics);
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
  MotionTables tables;
  if (const YamlNode* list = peek(scene, "drives")) {
    for (const YamlNode& node : read_list(*list, "drives", "drives", diagnostics)) {
      read_drive(node, joints, names, tables, drives, diagnostics);
    }
  }
  for (const auto& [file, read] : tables) drives.fingerprints.emplace_back(file, read.fingerprint);
  if (const YamlNode* list = peek(scene, "wrenches")) {
    for (const YamlNode& node : read_list(*list, "wrenches", "wrenches", diagnostics)) {
      read_wrench(node, bodies, wrench_names, drives, diagnostics);
    }
  }
  return drives;
}

}  // namespace carom
