#include "carom/scene/joint_coordinates.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "carom/counted.h"
#include "carom/spatial/rotation.h"

namespace carom {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The quantity of each coordinate, by whether it is an angle or a length; one entry if all are alike.
std::vector<Quantity> per_coordinate(const Joint& joint, Quantity of_angle, Quantity of_length) {
  if (!has_scalar_coordinates(joint.type)) return {of_angle};  // the angular velocity of a spherical joint
  std::vector<Quantity> quantities;
  int angles = 0;
  for (int k = 0; k < velocity_size(joint); ++k) {
    angles += is_angle(joint, k) ? 1 : 0;
    quantities.push_back(is_angle(joint, k) ? of_angle : of_length);
  }
  const bool alike = angles == 0 || angles == velocity_size(joint);
  if (alike) quantities.resize(1);
  return quantities;
}

std::vector<Quantity> position_quantities(const Joint& joint) {
  return per_coordinate(joint, quantity::angle, quantity::length);
}

std::vector<Quantity> velocity_quantities(const Joint& joint) {
  return per_coordinate(joint, quantity::angular_rate, quantity::speed);
}

/// A number for one coordinate, a list for several.
std::optional<VectorX> read_per_coordinate(const YamlNode& node, const std::string& label, int size,
                                           const std::vector<Quantity>& quantities, Range range,
                                           Diagnostics& diagnostics) {
  if (size != 1) return read_numbers(node, label, size, quantities, range, diagnostics);
  const auto value = read_number(node, label, quantities[0], range, diagnostics);
  if (!value) return {};
  return VectorX::Constant(1, *value);
}

/// The same, and a single number stands for all coordinates; `any` is the quantity of that one.
std::optional<VectorX> read_for_all(const YamlNode& node, const std::string& label, int size,
                                    const std::vector<Quantity>& quantities, Quantity any, Diagnostics& diagnostics) {
  if (node.kind == YamlNode::Kind::list && size > 1) {
    return read_numbers(node, label, size, quantities, Range::not_negative, diagnostics);
  }
  const Quantity quantity = quantities.size() == 1 ? quantities[0] : any;
  const auto value = read_number(node, label, quantity, Range::not_negative, diagnostics);
  if (!value) return {};
  return VectorX::Constant(size, *value);
}

void read_reflected_inertia(const YamlNode& node, Joint& joint, Diagnostics& diagnostics) {
  const auto quantities = per_coordinate(joint, quantity::moment, quantity::mass);
  const auto value = read_for_all(node, "reflected_inertia", velocity_size(joint), quantities,
                                  quantity::reflected_inertia, diagnostics);
  if (value) joint.reflected_inertia = *value;
}

void read_limits(const YamlNode& node, SceneJoint& joint, Diagnostics& diagnostics) {
  const int size = velocity_size(joint.joint);
  const std::vector<Quantity> quantities = position_quantities(joint.joint);
  Fields fields(node, "limits", {"lower", "upper", "restitution"}, diagnostics);
  VectorX lower = VectorX::Constant(size, -infinity), upper = VectorX::Constant(size, infinity);
  const auto read = [&](const char* key, VectorX& values) {
    const YamlNode* found = fields.find(key);
    if (!found) return true;
    const auto given = read_per_coordinate(*found, key, size, quantities, Range::limit, diagnostics);
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
  if (const YamlNode* restitution = fields.find("restitution")) {
    const auto value = read_number(*restitution, "restitution", quantity::ratio, Range::fraction, diagnostics);
    // Coordinates without limits have nothing to strike against.
    joint.joint.limit_restitution = VectorX::Zero(size);
    for (int i = 0; i < size; ++i) {
      if (std::isfinite(lower[i]) || std::isfinite(upper[i])) joint.joint.limit_restitution[i] = value.value_or(0);
    }
  }
}

void read_ratchet(const YamlNode& node, Joint& joint, Diagnostics& diagnostics) {
  const std::vector<std::string> ways{"none", "forward", "backward"};
  const auto size = static_cast<std::size_t>(velocity_size(joint));
  if (size > 1 && (node.kind != YamlNode::Kind::list || node.items.size() != size)) {
    diagnostics.add(node.place, "ratchet must be a list of " + std::to_string(size) + " of " + listed(ways) +
                                    ", one per coordinate");
    return;
  }
  joint.ratchet.assign(size, Ratchet::none);
  for (std::size_t i = 0; i < size; ++i) {
    const auto way = read_choice(size > 1 ? node.items[i] : node, "ratchet", ways, diagnostics);
    if (way) joint.ratchet[i] = static_cast<Ratchet>(*way);
  }
}

/// Joint::rest, the place at which a spring is slack: numbers, the orientation of a rotation, or the frame of a free
/// joint.
std::optional<VectorX> read_rest(const YamlNode& node, const Joint& joint, Diagnostics& diagnostics) {
  const int size = velocity_size(joint);
  if (has_scalar_coordinates(joint.type)) {
    return read_per_coordinate(node, "rest", size, position_quantities(joint), Range::any, diagnostics);
  }
  VectorX rest = VectorX::Zero(size);
  if (joint.type == JointType::spherical) {
    rest = logarithm(read_orientation(node, "rest", diagnostics).value_or(Orientation()).q);
  } else {
    const Fields frame(node, "rest", {"position", "orientation"}, diagnostics);
    const Transform X_FM = read_pose(frame, diagnostics);
    rest << logarithm(Quaternion(X_FM.R)), X_FM.p;
  }
  return rest;
}

void read_spring(const YamlNode& node, SceneJoint& joint, Diagnostics& diagnostics) {
  const int size = velocity_size(joint.joint);
  Fields fields(node, "spring", {"stiffness", "rest"}, diagnostics);
  if (const YamlNode* stiffness = fields.require("stiffness", "a number in N/m or N m/rad")) {
    const auto value =
        read_for_all(*stiffness, "stiffness", size, {quantity::stiffness}, quantity::stiffness, diagnostics);
    joint.joint.stiffness = value.value_or(VectorX::Zero(size));
  }
  if (joint.joint.rest.size() != size) joint.joint.rest = VectorX::Zero(size);
  if (const YamlNode* rest = fields.find("rest")) {
    joint.joint.rest = read_rest(*rest, joint.joint, diagnostics).value_or(VectorX::Zero(size));
  }
}

void read_position(const YamlNode& node, SceneJoint& joint, Diagnostics& diagnostics) {
  if (joint.joint.type == JointType::spherical) {
    joint.orientation = read_orientation(node, "position", diagnostics).value_or(Orientation());
    return;
  }
  const auto read = read_per_coordinate(node, "position", velocity_size(joint.joint), position_quantities(joint.joint),
                                        Range::any, diagnostics);
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

/// A joint whose start is not said starts at zero, or at the limit nearest to it.
void start_within_limits(SceneJoint& joint) {
  const VectorX within = joint.position.cwiseMax(joint.joint.lower).cwiseMin(joint.joint.upper);
  if (within == joint.position) return;
  joint.asked = joint.position;
  joint.position = within;
}

/// Number of coordinates of a joint that are angles or displacements.
int scalar_count(const Joint& joint) { return has_scalar_coordinates(joint.type) ? velocity_size(joint) : 0; }

bool has_use_for(JointType type, const std::string& key) {
  if (key == "damping" || key == "friction" || key == "spring") return type != JointType::fixed;
  const bool turns = type == JointType::spherical;
  if (key == "position" || key == "velocity" || key == "reflected_inertia")
    return has_scalar_coordinates(type) || turns;
  return has_scalar_coordinates(type);
}

std::string why_useless(JointType type, const std::string& key) {
  if (type == JointType::free && (key == "position" || key == "velocity")) {
    return "the start of a free joint is given on its body, with position, orientation, velocity and angular_velocity";
  }
  return "a " + joint_name(type) + " joint has no " + key + "; remove it";
}

}  // namespace

std::optional<JointCoordinate> read_joint_coordinate(const YamlNode& node, const std::string& key,
                                                     const SceneJoints& joints, Diagnostics& diagnostics) {
  const auto text = read_text(node, key, diagnostics);
  if (!text) return {};
  std::vector<std::string> names;
  names.reserve(joints.joints.size());
  for (const SceneJoint& joint : joints.joints) names.push_back(joint.joint.name);
  std::string name = *text;
  int coordinate = 0;
  const std::size_t dot = name.rfind('.');
  const bool whole = std::find(names.begin(), names.end(), name) != names.end();
  if (!whole && dot != std::string::npos && dot + 2 == name.size() && name[dot + 1] >= '1' && name[dot + 1] <= '9') {
    coordinate = name[dot + 1] - '1';
    name.resize(dot);
  }
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    if (joints.complete) {
      diagnostics.add(node.place, "there is no joint " + in_quotes(*text) + suggestion(*text, names, "the joints are"));
    }
    return {};
  }
  const SceneJoint& joint = joints.joints[static_cast<std::size_t>(found - names.begin())];
  const int count = scalar_count(joint.joint);
  if (coordinate < count) return JointCoordinate{joint.child, coordinate, is_angle(joint.joint, coordinate)};
  const std::string has =
      count == 0 ? "no angle or displacement" : counted(count, "angle or displacement", "angles and displacements");
  diagnostics.add(node.place, "joint " + in_quotes(name) + " is " + joint_name(joint.joint.type) + " and has " + has +
                                  " to act on" +
                                  (count == 0 ? "" : ", so there is no number " + std::to_string(coordinate + 1)));
  return {};
}

void read_coordinates(const Fields& fields, SceneJoint& joint, Diagnostics& diagnostics) {
  const int size = velocity_size(joint.joint);
  if (has_scalar_coordinates(joint.joint.type)) joint.position = VectorX::Zero(size);
  if (joint.joint.type != JointType::free) joint.velocity = VectorX::Zero(size);
  replace_coordinates(fields, joint, diagnostics);
}

void replace_coordinates(const Fields& fields, SceneJoint& joint, Diagnostics& diagnostics) {
  const JointType type = joint.joint.type;
  const int size = velocity_size(joint.joint);
  for (const char* key : coordinate_keys) {
    const YamlNode* node = fields.find(key);
    if (!node) continue;
    const std::string name = key;
    if (!has_use_for(type, name)) {
      diagnostics.add(fields.place(name), why_useless(type, name));
    } else if (name == "position") {
      read_position(*node, joint, diagnostics);
    } else if (name == "velocity") {
      const auto read =
          read_per_coordinate(*node, name, size, velocity_quantities(joint.joint), Range::any, diagnostics);
      if (read) joint.velocity = *read;
    } else if (name == "limits") {
      read_limits(*node, joint, diagnostics);
    } else if (name == "damping") {
      const auto read = read_for_all(*node, name, size, {quantity::damping}, quantity::damping, diagnostics);
      if (read) joint.joint.damping = *read;
    } else if (name == "ratchet") {
      read_ratchet(*node, joint.joint, diagnostics);
    } else if (name == "friction") {
      const auto read = read_for_all(*node, name, size, {quantity::force}, quantity::force, diagnostics);
      if (read) joint.joint.friction = *read;
    } else if (name == "spring") {
      read_spring(*node, joint, diagnostics);
    } else {
      read_reflected_inertia(*node, joint.joint, diagnostics);
    }
  }
  if (fields.find("position")) {
    check_start_within_limits(fields.place("position"), joint, diagnostics);
  } else if (joint.joint.lower.size() > 0) {
    start_within_limits(joint);
  }
}

}  // namespace carom
