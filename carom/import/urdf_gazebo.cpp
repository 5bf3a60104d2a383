#include "carom/import/urdf_gazebo.h"

#include <algorithm>
#include <cctype>

namespace carom {
namespace {

class GazeboReader {
 public:
  GazeboReader(XmlNode& gazebo, std::vector<UrdfLink>& links, std::vector<UrdfJoint>& joints, XmlFaults& faults)
      : gazebo_(gazebo), links_(links), joints_(joints), faults_(faults) {}

  bool read() {
    bool stands = false;
    for (XmlNode& node : gazebo_.children) {
      if (node.name == "joint" || node.name == "link") {
        faults_.add(node, "<" + node.name + "> of <gazebo> is a part of SDFormat, and the robot would move otherwise " +
                              "without it; remove it, and add what it stands for in a scene");
      } else if (node.name == "turnGravityOff" || node.name == "gravity") {
        read_gravity(node);
      } else if (node.name == "springStiffness") {
        read_spring(node);
      } else if (node.name == "kinematic" && !is_off(said(node))) {
        faults_.add(node, "<kinematic> of <gazebo> is " + said(node).substr(0, 60) +
                              ", which is not understood: a link moves by the laws of motion; prescribe its motion in "
                              "a scene, and remove it");
      } else if (node.name == "static" && !is_off(said(node))) {
        stands = read_static(node) || stands;
      }
    }
    return stands;
  }

 private:
  static std::string said(XmlNode& node) {
    const std::string* value = node.attribute("value");
    return value ? *value : node.text;
  }

  static bool is_off(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text == "false" || text.find_first_not_of("0.") == std::string::npos;
  }

  std::string take_reference(XmlNode& node) {
    gazebo_.take();
    node.take();
    const std::string* reference = gazebo_.attribute("reference");
    return reference ? *reference : "";
  }

  void read_gravity(XmlNode& node) {
    const std::string value = said(node);
    if (value.empty() || is_off(value) == (node.name == "turnGravityOff")) return;
    const std::string name = take_reference(node);
    UrdfLink* link = find_link(links_, name);
    if (link) {
      link->is_weightless = true;
    } else if (name != "world") {
      faults_.warn(node, "<" + node.name + "> is about link " + quote(name) + ", which is not in this file");
    }
  }

  void read_spring(XmlNode& node) {
    const auto stiffness = faults_.parse_numbers(node, "<springStiffness>", said(node), 1, 1);
    if (!stiffness || (*stiffness)[0] == 0) return;
    const std::string name = take_reference(node);
    XmlNode* reference = only_child(gazebo_, "springReference", faults_);
    const auto rest = reference ? faults_.parse_numbers(*reference, "<springReference>", said(*reference), 1, 1)
                                : VectorX(VectorX::Zero(1));
    UrdfJoint* joint = find_joint(joints_, name);
    if (!joint || !rest) {
      if (!joint) {
        faults_.warn(node, "<springStiffness> is about joint " + quote(name) + ", which is not in this file");
      }
      return;
    }
    const bool has_one = joint->joint.type == JointType::revolute || joint->joint.type == JointType::prismatic;
    if (!has_one || (*stiffness)[0] < 0) {
      faults_.add(node,
                  "<springStiffness> of joint " + quote(name) +
                      (has_one ? " is negative; it must not be"
                               : " has no place: only revolute, continuous and prismatic joints have one spring"));
      return;
    }
    joint->joint.stiffness = *stiffness;
    joint->joint.rest = *rest;
  }

  bool read_static(XmlNode& node) {
    const std::string name = take_reference(node);
    if (!name.empty()) {
      faults_.add(node, "<static> is about " + quote(name) +
                            " alone, which is not understood: a robot stands still as a whole; fix that link to the "
                            "world by a joint");
      return false;
    }
    faults_.warn(node, "<static> has the robot stand still: its root link is fixed to the world");
    return true;
  }

  XmlNode& gazebo_;
  std::vector<UrdfLink>& links_;
  std::vector<UrdfJoint>& joints_;
  XmlFaults& faults_;
};

template <class Part, class Name>
Part* find(std::vector<Part>& parts, const std::string& name, Name name_of) {
  const auto found = std::find_if(parts.begin(), parts.end(), [&](const Part& part) { return name_of(part) == name; });
  return found == parts.end() ? nullptr : &*found;
}

}  // namespace

UrdfLink* find_link(std::vector<UrdfLink>& links, const std::string& name) {
  return find(links, name, [](const UrdfLink& link) { return link.name; });
}

UrdfJoint* find_joint(std::vector<UrdfJoint>& joints, const std::string& name) {
  return find(joints, name, [](const UrdfJoint& joint) { return joint.joint.name; });
}

bool read_gazebo_motion(XmlNode& gazebo, std::vector<UrdfLink>& links, std::vector<UrdfJoint>& joints,
                        XmlFaults& faults) {
  return GazeboReader(gazebo, links, joints, faults).read();
}

}  // namespace carom
