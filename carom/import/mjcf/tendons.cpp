#include <algorithm>

#include "carom/import/mjcf/reader.h"

namespace carom::mjcf {
namespace {

/// The two sites of a tendon that is a straight line; nothing if it is another.
std::optional<std::pair<FileSite, FileSite>> straight_ends(XmlNode& tendon, Reader& reader) {
  if (tendon.children.size() != 2) return {};
  std::vector<FileSite> ends;
  for (XmlNode& child : tendon.children) {
    child.take();
    const std::string* name = child.name == "site" ? child.attribute("site") : nullptr;
    if (!name) return {};
    const auto found = reader.site_named.find(*name);
    if (found == reader.site_named.end()) {
      reader.faults.add(child, "<site> names the site \"" + *name + "\", which the file does not have");
      return {};
    }
    ends.push_back(found->second);
  }
  return std::pair(ends[0], ends[1]);
}

/// The joints of a fixed tendon; nothing if one of them is none that has a coordinate.
std::optional<FixedTendon> read_fixed(XmlNode& tendon, Reader& reader) {
  FixedTendon read;
  bool sound = !tendon.children.empty();
  for (XmlNode& child : tendon.children) {
    child.take();
    Element part(child);
    const int joint = reader.joint_of(part, "joint");
    const double coefficient = part.number(reader.faults, "coef", 0);
    sound = sound && joint >= 0 && reader.joints[joint].kind == FileJoint::Kind::scalar;
    if (sound) read.parts.push_back({joint, coefficient});
  }
  if (!sound) return {};
  return read;
}

/// A fixed tendon's spring k (L − L₀) and damper as a servo on the joint that its length hangs on. False if the length
/// hangs on several joints.
bool add_spring(Element& element, const std::string& name, double stiffness, double damping, Reader& reader) {
  const auto tendon = reader.fixed_tendons.find(name);
  const auto length = tendon == reader.fixed_tendons.end() ? std::nullopt : tied_length(tendon->second, reader);
  if (!length) return false;
  const auto given = element.numbers(reader.faults, "springlength", 1, 2);
  if (given && given->size() == 2 && (*given)[0] != (*given)[1]) {
    reader.faults.add(element.node(),
                      "springlength has two values, between which its spring is slack; springs here have one");
    return true;
  }
  if (length->factor == 0) {
    reader.note(element.node(), "spring of <fixed> \"" + element.name() + "\": what ties its joints keeps its length");
    return true;
  }
  const double rest = given && (*given)[0] != -1 ? (*given)[0] : length->slack;  // −1: by itself
  const FileJoint& joint = reader.joints[length->joint];
  Drive spring;
  spring.name = name;
  spring.kind = DriveKind::servo;
  spring.body = joint.link;
  spring.coordinate = joint.coordinate;
  spring.stiffness = stiffness * length->factor * length->factor;
  spring.damping = damping * length->factor * length->factor;
  spring.value = TimeFunction::constant(stiffness > 0 ? (rest - length->offset) / length->factor : 0);
  reader.model.drives.push_back(spring);
  return true;
}

/// False if the tendon has no limit.
bool read_limit(Element& element, Reader& reader) {
  XmlNode& node = element.node();
  const auto range = element.numbers(reader.faults, "range", 2, 2);
  if (!is_limited(element, "limited", "range", reader.compiler, reader.faults) || !reader.global.limits) {
    return false;
  }
  if (node.name == "fixed") {
    reader.note(
        node, "limit of <fixed> \"" + element.name() +
                  "\": it bounds a sum of joint coordinates, which Carom has no constraint for; the joints move freely "
                  "beyond it");
    return true;
  }
  const auto ends = straight_ends(node, reader);
  if (!ends || !range || (*range)[0] > 0 || !((*range)[1] > 0)) {
    reader.faults.add(node, "a limited <spatial> tendon is a rope here: two sites, and a range from 0 to its length");
    return true;
  }
  Constraint rope;
  rope.name = element.name().empty() ? "rope" + std::to_string(reader.model.constraints.size()) : element.name();
  rope.kind = ConstraintKind::rope;
  rope.body_a = reader.bodies[ends->first.body].link;
  rope.body_b = reader.bodies[ends->second.body].link;
  rope.X_AF = ends->first.X_BF;
  rope.X_BG = ends->second.X_BF;
  rope.length = (*range)[1];
  reader.model.constraints.push_back(rope);
  return true;
}

void read_tendon(XmlNode& node, Reader& reader) {
  if (node.name != "fixed" && node.name != "spatial") {
    node.take();
    reader.faults.add(node,
                      "<" + node.name + "> in <tendon> is no tendon that Carom knows; there are fixed and spatial");
    return;
  }
  Element element = reader.defaults.element(node, "", {"tendon"}, reader.faults);
  const std::string name = element.name().empty() ? "tendon" + std::to_string(node.line) : element.name();
  if (node.name == "fixed") {
    if (auto fixed = read_fixed(node, reader)) {
      const auto range = element.numbers(reader.faults, "actuatorfrcrange", 2, 2);
      if (range && is_limited(element, "actuatorfrclimited", "actuatorfrcrange", reader.compiler, reader.faults)) {
        fixed->drive_limit = (*range)[0] == -(*range)[1] ? std::max(0.0, (*range)[1]) : 0;
      }
      fixed->node = &node;
      reader.fixed_tendons[name] = std::move(*fixed);
    }
  }
  double stiffness = element.number(reader.faults, "stiffness", 0),
         damping = element.number(reader.faults, "damping", 0);
  if (!reader.global.springs) stiffness = 0;
  if (!reader.global.dampers) damping = 0;
  bool acts = element.number(reader.faults, "frictionloss", 0) != 0 && reader.global.dry_friction;
  acts = element.number(reader.faults, "armature", 0) != 0 || acts;
  const bool springs = stiffness != 0 || damping != 0;
  if (acts || (springs && !add_spring(element, name, stiffness, damping, reader))) {
    acts = true;
    reader.faults.add(node,
                      "<" + node.name +
                          "> has stiffness, damping, frictionloss or armature, which only a <fixed> tendon on one "
                          "joint, or on joints that equalities tie, can have here (stiffness and damping); give "
                          "them to joints");
  }
  acts = acts || springs;
  const auto fixed = reader.fixed_tendons.find(name);
  const bool idle = !read_limit(element, reader) && !acts;
  if (idle && fixed != reader.fixed_tendons.end()) {
    fixed->second.is_idle = true;  // unless an actuator pulls it
  } else if (idle) {
    reader.note(node, "<" + node.name + ">: by itself a tendon without spring and limit moves nothing");
  }
  node.ignore();
}

}  // namespace

void read_tendons(XmlNode& root, Reader& reader) {
  for (XmlNode* section : root.all("tendon")) {
    for (XmlNode& node : section->children) read_tendon(node, reader);
  }
}

}  // namespace carom::mjcf
