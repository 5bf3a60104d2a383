#include <algorithm>
#include <array>
#include <numbers>

#include "carom/import/urdf_elements.h"

namespace carom {
namespace {

struct TypeName {
  const char* name;
  JointType type;
};
constexpr std::array types = {TypeName{"revolute", JointType::revolute},   TypeName{"continuous", JointType::revolute},
                              TypeName{"prismatic", JointType::prismatic}, TypeName{"fixed", JointType::fixed},
                              TypeName{"floating", JointType::free},       TypeName{"planar", JointType::planar},
                              TypeName{"ball", JointType::spherical},      TypeName{"spherical", JointType::spherical}};

/// Types of Drake's `<drake:joint>`. A planar one moves in x and y of its frame and turns about z. A universal one
/// turns about x, then y.
constexpr std::array drake_types = {TypeName{"planar", JointType::planar}, TypeName{"ball", JointType::spherical},
                                    TypeName{"universal", JointType::universal}, TypeName{"screw", JointType::screw}};

bool has_one_coordinate(const Joint& joint) {
  return joint.type == JointType::revolute || joint.type == JointType::prismatic;
}

/// The link's name in <parent> or <child>.
std::string read_side(XmlNode& node, const std::string& side, const UrdfJoint& joint, XmlFaults& faults) {
  XmlNode* found = only_child(node, side, faults);
  if (found) return faults.require(*found, "link").value_or("");
  faults.add(node, "joint " + quote(joint.joint.name) + " has no <" + side + ">; it needs one, with the link's name");
  return {};
}

void read_axis(XmlNode& node, UrdfJoint& joint, XmlFaults& faults) {
  Vec3 axis = Vec3::UnitX();  // where none is given, by the specification
  if (XmlNode* found = only_child(node, "axis", faults); found && faults.require(*found, "xyz")) {
    if (const auto xyz = faults.numbers(*found, "xyz", 3)) axis = *xyz;
    // The largest number first, so that axes near either end of what doubles hold keep their direction.
    const double largest = axis.cwiseAbs().maxCoeff();
    if (largest == 0) faults.add(*found, "xyz of <axis> is 0 0 0, which is no direction; give it a length");
    axis = largest == 0 ? Vec3::UnitX() : Vec3((axis / largest).normalized());
  }
  const Mat3 R = contact_frame(axis);
  joint.joint.X_PF.R *= R;
  joint.joint.X_BM.R = R;
}

void read_limits(XmlNode& node, UrdfJoint& joint, XmlFaults& faults) {
  const std::string about = "joint " + quote(joint.joint.name);
  XmlNode* limit = only_child(node, "limit", faults);
  joint.lacks_limits = !limit || (!limit->attribute("lower") && !limit->attribute("upper"));
  if (joint.lacks_limits) return;
  const auto bound = [&](const char* name) -> std::optional<double> {
    if (!limit->attribute(name)) return 0;  // where one is left out, by the specification
    return faults.number(*limit, name);
  };
  const auto lower = bound("lower"), upper = bound("upper");
  if (!lower || !upper) return;
  if (*lower > *upper) {
    faults.add(*limit, about + " has a lower limit above its upper one; exchange them");
    return;
  }
  joint.joint.lower = VectorX::Constant(1, *lower);
  joint.joint.upper = VectorX::Constant(1, *upper);
}

/// An effort below 0 says that there is no limit, as in SDFormat.
void read_effort(XmlNode& node, UrdfJoint& joint, XmlFaults& faults) {
  const auto limit = std::find_if(node.children.begin(), node.children.end(),
                                  [](const XmlNode& child) { return child.name == "limit"; });
  if (limit == node.children.end()) return;
  const bool given = std::any_of(limit->attributes.begin(), limit->attributes.end(),
                                 [](const XmlNode::Attribute& attribute) { return attribute.name == "effort"; });
  if (!given) return;
  limit->take();
  const auto effort = faults.number(*limit, "effort");
  if (effort && *effort >= 0) joint.joint.effort = VectorX::Constant(1, *effort);
}

void read_dynamics(XmlNode& node, UrdfJoint& joint, XmlFaults& faults) {
  XmlNode* dynamics = only_child(node, "dynamics", faults);
  if (!dynamics) return;
  const auto read = [&](const char* attribute, VectorX& into, int of_ball) {
    const auto value = faults.number(*dynamics, attribute);
    if (!value) return;
    if (*value < 0) {
      faults.add(*dynamics, std::string(attribute) + " of <dynamics> is negative; it takes energy, so it cannot be");
    } else if (has_one_coordinate(joint.joint)) {
      into = VectorX::Constant(1, *value);
    } else if (joint.joint.type == JointType::spherical && of_ball > 0) {
      into = VectorX::Constant(of_ball, *value);
    } else if (*value > 0) {
      faults.add(*dynamics, std::string(attribute) + " of <dynamics> is one number, but joint " +
                                quote(joint.joint.name) + " is " + joint_name(joint.joint.type) + "; remove it");
    }
  };
  read("damping", joint.joint.damping, 3);
  read("friction", joint.joint.friction, 0);
  // Converters from SDFormat write it.
  for (XmlNode::Attribute& spring : dynamics->attributes) {
    if (spring.name != "spring_stiffness" || faults.number(*dynamics, spring.name).value_or(0) == 0) continue;
    faults.add(*dynamics,
               "spring_stiffness of <dynamics> is no part of URDF; remove it, and give the joint its spring in "
               "a scene");
  }
}

void read_mimic(XmlNode& node, UrdfJoint& joint, XmlFaults& faults) {
  XmlNode* mimic = only_child(node, "mimic", faults);
  if (!mimic) return;
  const auto followed = faults.require(*mimic, "joint");
  const auto multiplier = faults.number(*mimic, "multiplier"), offset = faults.number(*mimic, "offset");
  if (!has_one_coordinate(joint.joint)) {
    faults.add(*mimic, "joint " + quote(joint.joint.name) +
                           " cannot mimic another: only revolute, continuous and prismatic joints can");
    return;
  }
  if (multiplier == 0.0) {
    faults.add(*mimic, "multiplier of <mimic> is 0, which ties the joint to nothing; make it a fixed joint");
    return;
  }
  joint.mimicked = followed.value_or("");
  joint.multiplier = multiplier.value_or(1);
  joint.offset = offset.value_or(0);
  joint.mimic_line = mimic->line;
}

/// The specification's entry of a type; null if it does not have one.
const TypeName* read_type(XmlNode& node, const UrdfJoint& joint, XmlFaults& faults) {
  const auto name = faults.require(node, "type");
  if (!name) return nullptr;
  if (node.name == "drake:joint") {
    const auto* own =
        std::find_if(drake_types.begin(), drake_types.end(), [&](const TypeName& t) { return *name == t.name; });
    if (own != drake_types.end()) return own;
    faults.add(node, "joint " + quote(joint.joint.name) + " has type " + quote(*name) +
                         ", which is none of <drake:joint>; a type is planar, ball, universal or screw");
    return nullptr;
  }
  const auto* found = std::find_if(types.begin(), types.end(), [&](const TypeName& t) { return *name == t.name; });
  if (found != types.end()) return found;
  faults.add(node, "joint " + quote(joint.joint.name) + " has type " + quote(*name) +
                       ", which is none; a type is revolute, continuous, prismatic, fixed, floating, planar or ball");
  return nullptr;
}

}  // namespace

namespace {

/// Damping of all coordinates by one number, or by one for each where the joint is planar; the lead of a screw.
void read_drake(XmlNode& node, UrdfJoint& joint, XmlFaults& faults) {
  Joint& made = joint.joint;
  if (made.type == JointType::screw) {
    read_axis(node, joint, faults);
    XmlNode* lead = only_child(node, "drake:screw_thread_pitch", faults);
    const auto turn = lead ? required_number(*lead, "value", faults) : std::nullopt;
    if (!lead) faults.add(node, "joint " + quote(made.name) + " is a screw and has no <drake:screw_thread_pitch>");
    if (turn == 0.0) faults.add(*lead, "<drake:screw_thread_pitch> is 0; a screw advances, metres per turn");
    made.pitch = turn.value_or(1) / (2 * std::numbers::pi);
  }
  XmlNode* dynamics = only_child(node, "dynamics", faults);
  if (!dynamics || !dynamics->attribute("damping")) return;
  const int n = velocity_size(made);
  const auto damping = faults.numbers(*dynamics, "damping", made.type == JointType::planar ? n : 1);
  if (!damping) return;
  made.damping = damping->size() == n ? *damping : VectorX(VectorX::Constant(n, (*damping)[0]));
  if (damping->minCoeff() < 0) {
    faults.add(*dynamics, "damping of <dynamics> is negative; it takes energy, so it cannot be");
  }
}

}  // namespace

UrdfJoint read_urdf_joint(XmlNode& node, XmlFaults& faults) {
  UrdfJoint joint;
  joint.line = node.line;
  joint.joint.name = faults.require(node, "name").value_or("");
  joint.parent = read_side(node, "parent", joint, faults);
  joint.child = read_side(node, "child", joint, faults);
  joint.joint.X_PF = read_origin(node, faults);
  const TypeName* type = read_type(node, joint, faults);
  if (!type) return joint;
  joint.type_known = true;
  joint.joint.type = type->type;
  if (node.name == "drake:joint") {
    read_drake(node, joint, faults);
    return joint;
  }
  // A fixed joint has no use for the rest: it stays unread and is listed. So are the axis of a floating joint and the
  // limits of a planar one.
  if (joint.joint.type == JointType::fixed) return joint;
  const bool has_axis = joint.joint.type != JointType::free && joint.joint.type != JointType::spherical;
  if (has_axis) read_axis(node, joint, faults);
  if (has_one_coordinate(joint.joint) && type->name != std::string("continuous")) read_limits(node, joint, faults);
  if (has_one_coordinate(joint.joint)) read_effort(node, joint, faults);
  read_dynamics(node, joint, faults);
  read_mimic(node, joint, faults);
  return joint;
}

}  // namespace carom
