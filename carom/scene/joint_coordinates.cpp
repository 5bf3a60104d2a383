#include "carom/scene/joint_coordinates.h"

#include <limits>
#include <sstream>

namespace carom {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Types whose coordinates are lengths and angles, so that limits and springs make sense.
bool has_scalar_coordinates(JointType type) {
  return type == JointType::revolute || type == JointType::prismatic || type == JointType::planar;
}

std::initializer_list<Quantity> position_quantities(JointType type) {
  static constexpr std::initializer_list<Quantity> angle{quantity::angle};
  static constexpr std::initializer_list<Quantity> length{quantity::length};
  static constexpr std::initializer_list<Quantity> planar{quantity::length, quantity::length, quantity::angle};
  return type == JointType::planar ? planar : type == JointType::prismatic ? length : angle;
}

std::initializer_list<Quantity> velocity_quantities(JointType type) {
  static constexpr std::initializer_list<Quantity> angular{quantity::angular_rate};
  static constexpr std::initializer_list<Quantity> linear{quantity::speed};
  static constexpr std::initializer_list<Quantity> planar{quantity::speed, quantity::speed, quantity::angular_rate};
  return type == JointType::planar ? planar : type == JointType::prismatic ? linear : angular;
}

/// A number for one coordinate, a list for several.
std::optional<VectorX> read_per_coordinate(const YamlNode& node, const std::string& label, int size,
                                           std::initializer_list<Quantity> quantities, Range range,
                                           Diagnostics& diagnostics) {
  if (size != 1) return read_numbers(node, label, size, quantities, range, diagnostics);
  const auto value = read_number(node, label, *quantities.begin(), range, diagnostics);
  if (!value) return {};
  return VectorX::Constant(1, *value);
}

/// The same, and a single number stands for all coordinates.
std::optional<VectorX> read_for_all(const YamlNode& node, const std::string& label, int size, Quantity quantity,
                                    Diagnostics& diagnostics) {
  if (node.kind == YamlNode::Kind::list && size > 1) {
    return read_numbers(node, label, size, {quantity}, Range::not_negative, diagnostics);
  }
  const auto value = read_number(node, label, quantity, Range::not_negative, diagnostics);
  if (!value) return {};
  return VectorX::Constant(size, *value);
}

void read_limits(const YamlNode& node, SceneJoint& joint, Diagnostics& diagnostics) {
  const JointType type = joint.joint.type;
  const int size = velocity_size(type);
  Fields fields(node, "limits", {"lower", "upper"}, diagnostics);
  VectorX lower = VectorX::Constant(size, -infinity), upper = VectorX::Constant(size, infinity);
  const auto read = [&](const char* key, VectorX& values) {
    const YamlNode* found = fields.find(key);
    if (!found) return true;
    const auto given = read_per_coordinate(*found, key, size, position_quantities(type), Range::limit, diagnostics);
    if (given) values = *given;
    return given.has_value();
  };
  // Both are read before either is judged, so that both are complained about.
  const bool lower_read = read("lower", lower), upper_read = read("upper", upper);
  if (!lower_read || !upper_read) return;
  if (fields.is_map() && node.items.empty()) diagnostics.add(node.place, "limits is empty; give lower, upper or both");
  for (int i = 0; i < size; ++i) {
    if (lower[i] <= upper[i] && lower[i] < infinity && upper[i] > -infinity) continue;
    std::ostringstream sentence;
    sentence << "the limits go from " << lower[i] << " up to " << upper[i] << "; lower must not exceed upper";
    diagnostics.add(node.place, sentence.str());
    return;
  }
  joint.joint.lower = lower;
  joint.joint.upper = upper;
}

void read_spring(const YamlNode& node, SceneJoint& joint, Diagnostics& diagnostics) {
  const JointType type = joint.joint.type;
  const int size = velocity_size(type);
  Fields fields(node, "spring", {"stiffness", "rest"}, diagnostics);
  if (const YamlNode* stiffness = fields.require("stiffness", "a number in N/m or N m/rad")) {
    const auto value = read_for_all(*stiffness, "stiffness", size, quantity::stiffness, diagnostics);
    joint.joint.stiffness = value.value_or(VectorX::Zero(size));
  }
  joint.joint.rest = VectorX::Zero(size);
  if (const YamlNode* rest = fields.find("rest")) {
    const auto value = read_per_coordinate(*rest, "rest", size, position_quantities(type), Range::any, diagnostics);
    joint.joint.rest = value.value_or(VectorX::Zero(size));
  }
}

void read_position(const YamlNode& node, SceneJoint& joint, Diagnostics& diagnostics) {
  const JointType type = joint.joint.type;
  if (type == JointType::spherical) {
    joint.orientation = read_orientation(node, "position", diagnostics).value_or(Orientation());
    return;
  }
  const auto read =
      read_per_coordinate(node, "position", velocity_size(type), position_quantities(type), Range::any, diagnostics);
  if (read) joint.position = *read;
}

void check_start_within_limits(Place place, const SceneJoint& joint, Diagnostics& diagnostics) {
  for (Eigen::Index i = 0; i < joint.joint.lower.size(); ++i) {
    const double q = joint.position[i], lower = joint.joint.lower[i], upper = joint.joint.upper[i];
    if (q >= lower && q <= upper) continue;
    std::ostringstream sentence;
    sentence << "joint " << in_quotes(joint.joint.name) << " starts at " << q << ", beyond its limits " << lower
             << " to " << upper << "; start within them or widen them";
    diagnostics.add(place, sentence.str());
  }
}

bool has_use_for(JointType type, const std::string& key) {
  if (key == "damping") return type != JointType::fixed;
  if (key == "limits" || key == "spring") return has_scalar_coordinates(type);
  return has_scalar_coordinates(type) || type == JointType::spherical;
}

std::string why_useless(JointType type, const std::string& key) {
  if (type == JointType::free && (key == "position" || key == "velocity")) {
    return "the start of a free joint is given on its body, with position, orientation, velocity and angular_velocity";
  }
  return "a " + joint_name(type) + " joint has no " + key + "; remove it";
}

}  // namespace

void read_coordinates(const Fields& fields, SceneJoint& joint, Diagnostics& diagnostics) {
  const JointType type = joint.joint.type;
  const int size = velocity_size(type);
  if (has_scalar_coordinates(type)) joint.position = VectorX::Zero(size);
  if (type != JointType::free) joint.velocity = VectorX::Zero(size);
  for (const char* key : coordinate_keys) {
    const YamlNode* node = fields.find(key);
    if (!node) continue;
    const std::string name = key;
    if (!has_use_for(type, name)) {
      diagnostics.add(fields.place(name), why_useless(type, name));
    } else if (name == "position") {
      read_position(*node, joint, diagnostics);
    } else if (name == "velocity") {
      const auto read = read_per_coordinate(*node, name, size, velocity_quantities(type), Range::any, diagnostics);
      if (read) joint.velocity = *read;
    } else if (name == "limits") {
      read_limits(*node, joint, diagnostics);
    } else if (name == "damping") {
      const auto read = read_for_all(*node, name, size, quantity::damping, diagnostics);
      if (read) joint.joint.damping = *read;
    } else {
      read_spring(*node, joint, diagnostics);
    }
  }
  check_start_within_limits(fields.place("position"), joint, diagnostics);
}

}  // namespace carom
