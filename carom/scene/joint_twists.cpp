#include "carom/scene/joint_twists.h"

#include "carom/model/coordinates_fault.h"

namespace carom {
namespace {

constexpr Quantity per_radian{"m/rad"};
constexpr Quantity per_coordinate{"m/rad or m/m"};

/// One entry of `twists`; a part that is not given is zero.
bool read_twist(const YamlNode& node, Vec6& twist, Diagnostics& diagnostics) {
  Fields fields(node, "a twist", {"angular", "linear"}, diagnostics);
  twist.setZero();
  bool read = fields.is_map();
  const auto part = [&](const char* key, Quantity quantity, int first) {
    const YamlNode* found = fields.find(key);
    if (!found) return;
    const auto vector = read_vector(*found, key, quantity, Range::any, diagnostics);
    if (vector) twist.segment<3>(first) = *vector;
    read = read && vector.has_value();
  };
  part("angular", quantity::ratio, 0);
  part("linear", per_coordinate, 3);
  return read;
}

bool read_twist_list(const YamlNode& node, Joint& joint, Diagnostics& diagnostics) {
  bool all_read = node.kind == YamlNode::Kind::list;
  for (const YamlNode& entry : read_list(node, "twists", "twists", diagnostics)) {
    Vec6 twist;
    all_read = read_twist(entry, twist, diagnostics) && all_read;
    joint.twists.conservativeResize(Eigen::NoChange, joint.twists.cols() + 1);
    joint.twists.rightCols<1>() = twist;
  }
  return all_read;
}

}  // namespace

bool read_twists(Fields& fields, Joint& joint, Diagnostics& diagnostics) {
  const bool is_screw = joint.type == JointType::screw, has_twists = joint.type == JointType::twists;
  for (const auto& [key, belongs] : {std::pair("pitch", is_screw), std::pair("twists", has_twists)}) {
    if (belongs || !fields.find(key)) continue;
    diagnostics.add(fields.place(key), "a " + joint_name(joint.type) + " joint has no " + key + "; remove it");
  }
  if (!is_screw && !has_twists) return true;
  const char* key = is_screw ? "pitch" : "twists";
  const char* right = is_screw ? "m that the joint advances along z per radian (the lead of a thread, divided by 2 pi)"
                               : "a list of one to six maps with angular and linear, one for each coordinate";
  const YamlNode* node = fields.require(key, right);
  if (!node) return false;
  if (is_screw) {
    const auto pitch = read_number(*node, key, per_radian, Range::any, diagnostics);
    if (!pitch) return false;
    joint.pitch = *pitch;
  } else if (!read_twist_list(*node, joint, diagnostics)) {
    return false;
  }
  const std::string fault = coordinates_fault(joint);
  if (!fault.empty()) diagnostics.add(node->place, "joint " + in_quotes(joint.name) + " " + fault);
  return fault.empty();
}

}  // namespace carom
