#include "carom/scene/joints.h"

#include <numeric>
#include <set>
#include <sstream>
#include <utility>

#include "carom/scene/joint_coordinates.h"
#include "carom/scene/joint_twists.h"
#include "carom/scene/planes.h"

namespace carom {
namespace {

/// Types whose frames one direction, z, places well enough: turned about it they move the same way.
bool has_axis(JointType type) {
  return type == JointType::revolute || type == JointType::prismatic || type == JointType::screw ||
         type == JointType::cylindrical || type == JointType::planar;
}

std::string why_no_axis(JointType type) {
  if (type == JointType::slot) {
    return "the axis of a slot joint does not say which way its slot runs; give on_parent and on_child an orientation "
           "(x along the slot, z along the pin)";
  }
  if (type == JointType::universal) {
    return "a universal joint has two axes; give on_parent and on_child an orientation (x the axis fixed in the "
           "parent, "
           "y the one fixed in the child)";
  }
  if (type == JointType::twists) return "the axes of a twists joint are in its twists; remove 'axis'";
  return "a " + joint_name(type) + " joint has no axis; remove it";
}

/// Rotation of the x–y plane of both frames to the one named.
void read_plane_of(const YamlNode& node, const Fields& fields, Joint& joint, Diagnostics& diagnostics) {
  if (joint.type != JointType::planar) {
    diagnostics.add(fields.place("plane"), "a " + joint_name(joint.type) + " joint has no plane; remove it");
    return;
  }
  for (const char* side : {"on_parent", "on_child"}) {
    const YamlNode* frame = fields.find(side);
    if (frame == nullptr || peek(*frame, "orientation") == nullptr) continue;
    diagnostics.add(
        fields.place("plane"),
        std::string(side) + " has an orientation, which says the joint's plane already; remove one of them");
  }
  if (const auto R = read_plane(node, diagnostics)) joint.X_PF.R = joint.X_BM.R = *R;
}

void read_axis(const Fields& fields, Joint& joint, Diagnostics& diagnostics) {
  if (fields.find("axis") && !has_axis(joint.type)) {
    diagnostics.add(fields.place("axis"), why_no_axis(joint.type));
    return;
  }
  if (const YamlNode* plane = fields.find("plane")) {
    read_plane_of(*plane, fields, joint, diagnostics);
    return;
  }
  const auto R = read_common_axis(fields, {"on_parent", "on_child"}, "the joint's", diagnostics);
  if (R) joint.X_PF.R = joint.X_BM.R = *R;
}

std::optional<JointType> read_type(Fields& fields, Diagnostics& diagnostics) {
  std::vector<std::string> names;
  for (const JointType type : joint_types) names.push_back(joint_name(type));
  const YamlNode* node = fields.require("type", "one of " + listed(names));
  if (!node) return {};
  const auto choice = read_choice(*node, "joint type", names, diagnostics);
  if (!choice) return {};
  return joint_types[*choice];
}

/// Bodies on both sides; false if either is not known.
bool read_sides(Fields& fields, const SceneBodies& bodies, SceneJoint& joint, Diagnostics& diagnostics) {
  const YamlNode* parent_node = fields.require("parent", "the name of a body, or world");
  const YamlNode* child_node = fields.require("child", "the name of the body that hangs on the joint");
  std::optional<int> parent, child;
  if (parent_node) parent = read_body_reference(*parent_node, "parent", bodies, diagnostics);
  if (child_node) child = read_body_reference(*child_node, "child", bodies, diagnostics);
  if (child == -1) {
    diagnostics.add(child_node->place, "the world cannot hang on a joint; make it the parent");
    return false;
  }
  if (!parent || !child) return false;
  joint.joint.parent = *parent;
  joint.child = *child;
  if (parent == child) {
    diagnostics.add(child_node->place, "a joint cannot tie body " + in_quotes(bodies.bodies[*child].name) +
                                           " to itself; parent and child must differ");
    return false;
  }
  return true;
}

std::optional<SceneJoint> read_joint(const YamlNode& node, const SceneBodies& bodies, std::set<std::string>& names,
                                     Diagnostics& diagnostics) {
  std::vector<std::string> known{"name",  "type",  "parent", "child",     "axis",
                                 "plane", "pitch", "twists", "on_parent", "on_child"};
  known.insert(known.end(), std::begin(coordinate_keys), std::end(coordinate_keys));
  Fields fields(node, "a joint", known, diagnostics);
  SceneJoint joint;
  joint.place = node.place;
  if (const YamlNode* found = fields.require("name", "records refer to it")) {
    joint.joint.name = read_name(*found, "name", diagnostics).value_or("");
    if (!joint.joint.name.empty() && !names.insert(joint.joint.name).second) {
      diagnostics.add(found->place,
                      "there are two joints named " + in_quotes(joint.joint.name) + "; give each its own name");
    }
  }
  const auto type = read_type(fields, diagnostics);
  const bool sides = read_sides(fields, bodies, joint, diagnostics);
  joint.joint.X_PF = read_frame(fields, "on_parent", diagnostics);
  joint.joint.X_BM = read_frame(fields, "on_child", diagnostics);
  if (!type) return {};
  joint.joint.type = *type;
  fields.exclude("axis", "plane", "each says which way the plane lies");
  read_axis(fields, joint.joint, diagnostics);
  if (!read_twists(fields, joint.joint, diagnostics)) return {};
  read_coordinates(fields, joint, diagnostics);
  if (!sides) return {};
  return joint;
}

/// Sets of bodies that joints connect (union–find with path halving): a joint within one set closes a loop.
class ConnectedBodies {
 public:
  explicit ConnectedBodies(std::size_t count) : above_(count) { std::iota(above_.begin(), above_.end(), 0); }
  /// False if they are connected already.
  bool connect(int a, int b) {
    a = top(a);
    b = top(b);
    above_[a] = b;
    return a != b;
  }

 private:
  int top(int body) {
    while (above_[body] != body) body = above_[body] = above_[above_[body]];
    return body;
  }
  std::vector<int> above_;
};

/// "a → b → a": whom the child hangs on, up to itself.
std::string loop_path(const SceneJoints& joints, const SceneBodies& bodies, int child) {
  constexpr int most_shown = 12;
  std::string path = bodies.bodies[child].name;
  int body = child;
  for (int shown = 1; body != child || shown == 1; ++shown) {
    body = joints.joints[joints.of_body[body]].joint.parent;
    if (shown < most_shown || body == child) path += " → " + bodies.bodies[body].name;
    if (shown == most_shown && body != child) path += " → …";
  }
  return path;
}

void add_joint(SceneJoint joint, const SceneBodies& bodies, SceneJoints& joints, ConnectedBodies& connected,
               Diagnostics& diagnostics) {
  const std::string child = in_quotes(bodies.bodies[joint.child].name);
  int& of_child = joints.of_body[joint.child];
  if (of_child >= 0) {
    diagnostics.add(joint.place, "body " + child + " hangs on joint " + in_quotes(joints.joints[of_child].joint.name) +
                                     " already; a body is the child of one joint only");
    return;
  }
  const bool tree = joint.joint.parent < 0 || connected.connect(joint.child, joint.joint.parent);
  of_child = static_cast<int>(joints.joints.size());
  joints.joints.push_back(std::move(joint));
  if (tree) return;
  const SceneJoint& last = joints.joints.back();
  diagnostics.add(last.place,
                  "joint " + in_quotes(last.joint.name) +
                      " closes a loop, where each body hangs on the next: " + loop_path(joints, bodies, last.child) +
                      "; joints must form a tree: hang one of them on something else");
  of_child = -1;
  joints.joints.pop_back();
}

/// Fixed joints all the way up to the world. The tree has no loops here.
bool is_static(const SceneJoints& joints, int body) {
  while (body >= 0) {
    const int number = joints.of_body[body];
    if (number < 0 || joints.joints[number].joint.type != JointType::fixed) return false;
    body = joints.joints[number].joint.parent;
  }
  return true;
}

void check_body_on_joint(const SceneBody& body, const SceneJoint* joint, bool moves, bool joints_complete,
                         Diagnostics& diagnostics) {
  const std::string name = in_quotes(body.name);
  if (joint && joint->joint.type != JointType::free && body.motion_place) {
    diagnostics.add(*body.motion_place, "body " + name + " hangs on the " + joint_name(joint->joint.type) + " joint " +
                                            in_quotes(joint->joint.name) +
                                            ", which says where it starts; give the joint's position and velocity "
                                            "instead");
  }
  if (!moves || !joints_complete) return;
  if (!body.inertia && body.inertia_read) {
    diagnostics.add(body.place, "body " + name +
                                    " has no inertia; give one of 'density', 'mass' (with shapes) or "
                                    "'inertia'");
  }
  for (const SceneShape& shape : body.shapes) {
    if (!std::holds_alternative<HalfSpace>(shape.shape)) continue;
    diagnostics.add(shape.place, "body " + name +
                                     " moves, so it cannot carry a half-space; put it under 'world', or use "
                                     "a box");
  }
}

}  // namespace

std::vector<std::string> moved_starts(const SceneJoint& joint, const std::string& remedy) {
  std::vector<std::string> told;
  for (Eigen::Index k = 0; k < joint.asked.size(); ++k) {
    const double q = joint.position[k], asked = joint.asked[k];
    if (q == asked) continue;
    std::ostringstream text;
    text << "joint " << in_quotes(joint.joint.name) << " starts at its limit, " << q
         << (is_angle(joint.joint, static_cast<int>(k)) ? " rad: " : " m: ");
    if (asked == 0) {
      text << "its limits exclude zero";
    } else {
      text << "it would start at " << asked << ", beyond it";
    }
    told.push_back(text.str() + "; " + remedy);
  }
  return told;
}

SceneJoints read_joints(const YamlNode& scene, const SceneBodies& bodies, std::vector<SceneJoint> of_models,
                        Diagnostics& diagnostics) {
  SceneJoints joints;
  joints.of_body.assign(bodies.bodies.size(), -1);
  joints.complete = bodies.complete;  // a model file that could not be read may have had any joint
  std::set<std::string> names;
  ConnectedBodies connected(bodies.bodies.size());
  for (SceneJoint& joint : of_models) {
    if (!names.insert(joint.joint.name).second) {
      diagnostics.add(joint.place, "there are two joints named " + in_quotes(joint.joint.name) +
                                       "; give this model a name, which then stands before each of its own");
    }
    add_joint(std::move(joint), bodies, joints, connected, diagnostics);
  }
  if (const YamlNode* list = peek(scene, "joints")) {
    if (list->kind != YamlNode::Kind::list) joints.complete = false;
    for (const YamlNode& node : read_list(*list, "joints", "joints", diagnostics)) {
      if (auto joint = read_joint(node, bodies, names, diagnostics)) {
        for (std::string& told : moved_starts(*joint, "give its position")) joints.warnings.push_back(std::move(told));
        add_joint(std::move(*joint), bodies, joints, connected, diagnostics);
      } else {
        joints.complete = false;
      }
    }
  }
  for (std::size_t i = 0; i < bodies.bodies.size(); ++i) {
    const int number = joints.of_body[i];
    joints.is_static.push_back(is_static(joints, static_cast<int>(i)));
    check_body_on_joint(bodies.bodies[i], number < 0 ? nullptr : &joints.joints[number], !joints.is_static.back(),
                        joints.complete, diagnostics);
  }
  return joints;
}

}  // namespace carom
