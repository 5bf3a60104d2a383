#include "carom/import/urdf_ties.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "carom/import/urdf_gazebo.h"

namespace carom {
namespace {

class TieReader {
 public:
  TieReader(const std::vector<UrdfLink>& links, const UrdfTree& tree, ImportedModel& model, XmlFaults& faults)
      : model_(model), faults_(faults) {
    numbers_["world"] = -1;
    for (std::size_t i = 0; i < links.size(); ++i) numbers_.emplace(links[i].name, tree.place_of[i]);
  }

  /// Both frames have the axis as their z.
  void loop_joint(XmlNode& node) {
    node.take();
    const std::string type = faults_.require(node, "type").value_or("");
    if (type != "continuous" && type != "revolute") {
      faults_.add(node, "<loop_joint> is of type " + quote(type) + "; loops are closed by a continuous one here");
      return;
    }
    Constraint hinge = tie(node, ConstraintKind::hinge);
    const auto a = frame(node, "link1", hinge.body_a), b = frame(node, "link2", hinge.body_b);
    XmlNode* axis = only_child(node, "axis", faults_);
    const auto xyz = axis ? faults_.numbers(*axis, "xyz", 3) : VectorX(Vec3::UnitX());
    if (!a || !b || !xyz) return;
    if (xyz->norm() == 0) {
      faults_.add(*axis, "xyz of <axis> is 0 0 0, which is no direction; give it a length");
      return;
    }
    const Transform X{contact_frame(xyz->normalized()), Vec3::Zero()};
    hinge.X_AF = *a * X;
    hinge.X_BG = *b * X;
    model_.constraints.push_back(hinge);
  }

  void ball_constraint(XmlNode& node) {
    node.take();
    Constraint ball = tie(node, ConstraintKind::ball);
    if (ends(node, ball)) model_.constraints.push_back(ball);
  }

  void spring(XmlNode& node) {
    node.take();
    Constraint spring = tie(node, ConstraintKind::spring);
    bool whole = ends(node, spring);
    for (const auto& [part, value] :
         {std::pair{"_free_length", &spring.length}, std::pair{"_stiffness", &spring.stiffness},
          std::pair{"_damping", &spring.damping}}) {
      XmlNode* child = only_child(node, node.name + part, faults_);
      const auto number = child ? faults_.number(*child, "value") : std::nullopt;
      if (!child) faults_.add(node, "<" + node.name + "> needs <" + node.name + part + ">");
      if (number && *number < 0) faults_.add(*child, "<" + child->name + "> is negative; it cannot be");
      whole = whole && number && *number >= 0;
      if (number) *value = *number;
    }
    if (whole && (spring.stiffness > 0 || spring.damping > 0)) model_.constraints.push_back(spring);
  }

  /// The spring between points of two links in a `<force_element>`.
  void force_element(XmlNode& node) {
    XmlNode* part = only_child(node, "linear_spring_damper", faults_);
    if (!part) return;
    node.take();
    part->take();
    Constraint spring = tie(node, ConstraintKind::spring);
    const auto a = frame(*part, "link1", spring.body_a), b = frame(*part, "link2", spring.body_b);
    const auto length = required_number(*part, "rest_length", faults_);
    const auto stiffness = required_number(*part, "stiffness", faults_);
    const auto damping = required_number(*part, "damping", faults_);
    if (!a || !b || !length || !stiffness || !damping) return;
    if (std::min({*length, *stiffness, *damping}) < 0) {
      faults_.add(*part, "<linear_spring_damper> has a negative number; its length, stiffness and damping cannot be");
      return;
    }
    spring.X_AF = *a;
    spring.X_BG = *b;
    spring.length = *length;
    spring.stiffness = *stiffness;
    spring.damping = *damping;
    if (*stiffness > 0 || *damping > 0) model_.constraints.push_back(spring);
  }

 private:
  Constraint tie(XmlNode& node, ConstraintKind kind) const {
    Constraint constraint;
    const std::string* name = node.attribute("name");
    constraint.name = name && !name->empty() ? *name : "loop" + std::to_string(model_.constraints.size());
    constraint.kind = kind;
    return constraint;
  }

  bool find(XmlNode& node, const std::string& attribute, int& body) {
    const auto name = faults_.require(node, attribute);
    if (!name) return false;
    const auto found = numbers_.find(*name);
    if (found == numbers_.end()) {
      faults_.add(node,
                  "<" + node.name + "> names link " + quote(*name) + ", which is not in this file; check its name");
      return false;
    }
    body = found->second;
    return true;
  }

  /// Pose of a `<link1>` or `<link2>`, which has xyz and rpy of its own.
  std::optional<Transform> frame(XmlNode& node, const std::string& child, int& body) {
    XmlNode* side = only_child(node, child, faults_);
    if (!side) faults_.add(node, "<" + node.name + "> has no <" + child + ">; it needs one, with the link's name");
    if (!side || !find(*side, "link", body)) return {};
    XmlNode holder;
    holder.children.push_back(*side);
    holder.children.front().name = "origin";
    side->attribute("xyz");
    side->attribute("rpy");
    return read_origin(holder, faults_);
  }

  /// Both points of an element of Drake's.
  bool ends(XmlNode& node, Constraint& constraint) {
    const bool first = end(node, "A", "p_AP", constraint.body_a, constraint.X_AF.p);
    const bool second = end(node, "B", "p_BQ", constraint.body_b, constraint.X_BG.p);
    return first && second;
  }

  bool end(XmlNode& node, const std::string& side, const std::string& point, int& body, Vec3& p) {
    const std::string start = node.name + "_";
    XmlNode* link = only_child(node, start + "body_" + side, faults_);
    XmlNode* place = only_child(node, start + point, faults_);
    if (!link || !place) {
      faults_.add(node, "<" + node.name + "> needs <" + start + "body_" + side + "> and <" + start + point + ">");
      return false;
    }
    const auto value = faults_.numbers(*place, "value", 3);
    if (!value) return false;
    p = *value;
    return find(*link, "name", body);
  }

  std::map<std::string, int> numbers_;
  ImportedModel& model_;
  XmlFaults& faults_;
};

/// Elements of Drake's and others' that push links.
void refuse_forces(const XmlNode& root, XmlFaults& faults) {
  constexpr std::array forces = {"force_element", "drake:linear_bushing_rpy", "drake:prismatic_spring"};
  for (const XmlNode& child : root.children) {
    if (std::find(forces.begin(), forces.end(), child.name) == forces.end()) continue;
    const auto known = [](const XmlNode& part) {
      return part.name == "torsional_spring" || part.name == "linear_spring_damper";
    };
    const bool read = child.name == "force_element" && !child.children.empty() &&
                      std::all_of(child.children.begin(), child.children.end(), known);
    if (read) continue;
    faults.add(child, "<" + child.name +
                          "> is a force that Carom does not have, and the robot would move otherwise without it; "
                          "remove it if that is meant");
  }
}

double read_value(XmlNode& actuator, const std::string& name, double missing, XmlFaults& faults) {
  XmlNode* node = only_child(actuator, name, faults);
  return node ? faults.number(*node, "value").value_or(missing) : missing;
}

}  // namespace

void add_ties(XmlNode& root, const std::vector<UrdfLink>& links, const UrdfTree& tree, ImportedModel& model,
              XmlFaults& faults) {
  refuse_forces(root, faults);
  TieReader reader(links, tree, model, faults);
  for (XmlNode& child : root.children) {
    if (child.name == "loop_joint") reader.loop_joint(child);
    if (child.name == "drake:ball_constraint") reader.ball_constraint(child);
    if (child.name == "drake:linear_spring_damper") reader.spring(child);
    if (child.name == "force_element") reader.force_element(child);
  }
}

void read_rotors(XmlNode& root, std::vector<UrdfJoint>& joints, XmlFaults& faults) {
  for (XmlNode& transmission : root.children) {
    if (transmission.name != "transmission") continue;
    for (XmlNode& actuator : transmission.children) {
      const bool has_rotor = actuator.name == "actuator" &&
                             std::any_of(actuator.children.begin(), actuator.children.end(),
                                         [](const XmlNode& part) { return part.name == "drake:rotor_inertia"; });
      if (!has_rotor) continue;
      transmission.take();
      actuator.take();
      const double inertia = read_value(actuator, "drake:rotor_inertia", 0, faults);
      const double ratio = read_value(actuator, "drake:gear_ratio", 1, faults);
      XmlNode* named = only_child(transmission, "joint", faults);
      const auto name = named ? faults.require(*named, "name") : std::nullopt;
      UrdfJoint* joint = name ? find_joint(joints, *name) : nullptr;
      if (inertia < 0) {
        faults.add(actuator, "<drake:rotor_inertia> is negative; it cannot be");
      } else if (!joint) {
        faults.warn(actuator, "<drake:rotor_inertia> is of a joint that is not in this file");
      } else if (velocity_size(joint->joint) != 1) {
        faults.add(actuator, "<drake:rotor_inertia> is of joint " + quote(*name) +
                                 ", which has no single coordinate for a rotor; remove it");
      } else {
        joint->joint.reflected_inertia = VectorX::Constant(1, ratio * ratio * inertia);
      }
    }
  }
}

void read_joint_springs(XmlNode& root, std::vector<UrdfJoint>& joints, XmlFaults& faults) {
  for (XmlNode& element : root.children) {
    if (element.name != "force_element") continue;
    XmlNode* spring = only_child(element, "torsional_spring", faults);
    if (!spring) continue;
    element.take();
    element.attribute("name");
    spring->take();
    const auto stiffness = required_number(*spring, "stiffness", faults);
    const auto rest = spring->attribute("rest_angle") ? required_number(*spring, "rest_angle", faults) : 0.0;
    XmlNode* named = only_child(*spring, "joint", faults);
    if (!named) faults.add(*spring, "<torsional_spring> has no <joint>; it needs one, with the joint's name");
    const auto name = named ? faults.require(*named, "name") : std::nullopt;
    if (!stiffness || !rest || !name) continue;
    UrdfJoint* found = find_joint(joints, *name);
    if (*stiffness < 0) {
      faults.add(*spring, "the stiffness of <torsional_spring> is negative; it cannot be");
    } else if (!found) {
      faults.add(*named,
                 "<torsional_spring> names joint " + quote(*name) + ", which is not in this file; check its name");
    } else if (found->type_known && velocity_size(found->joint) != 1) {
      faults.add(*named, "<torsional_spring> is on joint " + quote(*name) +
                             ", which has no single coordinate for a spring; remove it");
    } else if (found->type_known && found->joint.stiffness.size() > 0 && found->joint.stiffness[0] > 0) {
      faults.add(*named, "joint " + quote(*name) + " has a spring already; keep one of them");
    } else if (found->type_known) {
      found->joint.stiffness = VectorX::Constant(1, *stiffness);
      found->joint.rest = VectorX::Constant(1, *rest);
    }
  }
}

}  // namespace carom
