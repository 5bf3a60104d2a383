#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "carom/import/mjcf/reader.h"

namespace carom::mjcf {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

using Ends = std::optional<std::pair<FileSite, FileSite>>;

/// The two sites of a tendon that is a straight line; nothing if it is another.
Ends straight_ends(XmlNode& tendon, Reader& reader) {
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

/// A constraint between the two ends.
Constraint between(const std::pair<FileSite, FileSite>& ends, ConstraintKind kind, const std::string& name,
                   const Reader& reader) {
  Constraint constraint;
  constraint.name = name;
  constraint.kind = kind;
  constraint.body_a = reader.bodies[ends.first.body].link;
  constraint.body_b = reader.bodies[ends.second.body].link;
  constraint.X_AF = ends.first.X_BF;
  constraint.X_BG = ends.second.X_BF;
  return constraint;
}

/// Distance of the ends in the layout of the file, m.
double distance_at_layout(const std::pair<FileSite, FileSite>& ends, const Reader& reader) {
  const auto place = [&](const FileSite& site) { return Vec3(reader.bodies[site.body].X_WB * site.X_BF.p); };
  return (place(ends.first) - place(ends.second)).norm();
}

/// True if a joint between the site's body and the world has a springref other than its ref. MuJoCo measures a tendon's
/// length with the joints at their springref.
bool is_slack_elsewhere(const FileSite& site, const Reader& reader) {
  for (int link = reader.bodies[site.body].link; link >= 0;) {
    for (const FileJoint& joint : reader.joints) {
      if (joint.link == link && joint.kind == FileJoint::Kind::scalar && joint.springref != joint.ref) return true;
    }
    const std::optional<Joint>& inboard = reader.model.links[static_cast<std::size_t>(link)].joint;
    link = inboard ? inboard->parent : -1;
  }
  return false;
}

/// A straight tendon's spring and damper. Between two springlengths it is slack: then one spring pulls beyond the
/// longer, one pushes below the shorter, and the damper acts everywhere.
void add_spring_between(Element& element, const std::string& name, const std::pair<FileSite, FileSite>& ends,
                        double stiffness, double damping, Reader& reader) {
  Constraint spring = between(ends, ConstraintKind::spring, name, reader);
  const auto given = element.numbers(reader.faults, "springlength", 1, 2);
  const bool by_itself = !given || (*given)[0] == -1;
  if (by_itself && stiffness > 0 &&
      (is_slack_elsewhere(ends.first, reader) || is_slack_elsewhere(ends.second, reader))) {
    reader.faults.add(
        element.node(),
        "<spatial> has no springlength, and joints between its ends have a springref that is not their ref, "
        "where its length counts; give it a springlength");
    return;
  }
  const double shorter = by_itself ? distance_at_layout(ends, reader) : (*given)[0];
  const double longer = !by_itself && given->size() == 2 ? (*given)[1] : shorter;
  if (stiffness < 0 || damping < 0) {
    reader.faults.add(element.node(), "stiffness and damping of <spatial> cannot be negative");
    return;
  }
  if (shorter < 0 || longer < shorter) {
    reader.faults.add(element.node(),
                      "springlength must be one length, or two of which the first is no longer than the second");
    return;
  }
  spring.length = shorter;
  if (longer == shorter || stiffness == 0) {
    spring.stiffness = stiffness;
    spring.damping = damping;
    reader.model.constraints.push_back(spring);
    return;
  }
  const auto add = [&](const std::string& suffix, SpringSide side, double length, double k, double d) {
    if (k == 0 && d == 0) return;
    Constraint part = spring;
    part.name += suffix;
    part.side = side;
    part.length = length;
    part.stiffness = k;
    part.damping = d;
    reader.model.constraints.push_back(part);
  };
  add("", SpringSide::pull, longer, stiffness, 0);
  add(" push", SpringSide::push, shorter, shorter > 0 ? stiffness : 0, 0);
  add(" damper", SpringSide::both, 0, 0, damping);
}

/// The joints of a fixed tendon; nothing if one of them is none that has a coordinate.
std::optional<FixedTendon> read_fixed(XmlNode& tendon, Reader& reader) {
  std::map<int, double> sum;
  bool sound = true;
  if (tendon.children.empty()) reader.faults.add(tendon, "<fixed> has no <joint>; its length is the sum of some");
  for (XmlNode& child : tendon.children) {
    child.take();
    Element part(child);
    const int joint = reader.joint_of(part, "joint");
    if (!part.has("coef")) reader.faults.add(child, "<joint> of <fixed> has no coef; it needs one");
    const double coefficient = part.number(reader.faults, "coef", 0);
    sound = sound && joint >= 0 && reader.joints[joint].kind == FileJoint::Kind::scalar;
    if (sound) sum[joint] += coefficient;
  }
  if (!sound || sum.empty()) return {};
  FixedTendon read;
  for (const auto& [number, coefficient] : sum) {
    if (coefficient == 0) continue;
    const FileJoint& joint = reader.joints[number];
    read.shares.push_back({joint.link, joint.coordinate, coefficient});
    read.slack += coefficient * joint.springref;
    read.joint_limit = std::min(read.joint_limit, joint.drive_limit / std::abs(coefficient));
  }
  if (read.shares.size() > 1 && read.joint_limit < infinity) read.joint_limit = 0;
  return read;
}

/// A drive of the tendon's length.
Drive drive_of(const FixedTendon& tendon, const std::string& name) {
  const CoordinateShare& first = tendon.shares.front();
  Drive drive;
  drive.name = name;
  drive.kind = DriveKind::servo;
  drive.body = first.body;
  drive.coordinate = first.coordinate;
  drive.ratio = first.ratio;
  drive.others.assign(tendon.shares.begin() + 1, tendon.shares.end());
  return drive;
}

/// A fixed tendon's spring k (L − L₀) and damper as a servo on its length.
void add_spring(Element& element, const std::string& name, double stiffness, double damping, Reader& reader) {
  const auto tendon = reader.fixed_tendons.find(name);
  // Others were told when their joints were read, or have no length.
  if (tendon == reader.fixed_tendons.end() || tendon->second.shares.empty()) return;
  const auto given = element.numbers(reader.faults, "springlength", 1, 2);
  if (given && given->size() == 2 && (*given)[0] != (*given)[1]) {
    reader.faults.add(element.node(),
                      "springlength has two values, between which its spring is slack; those of <fixed> have one here");
    return;
  }
  const double rest = given && (*given)[0] != -1 ? (*given)[0] : tendon->second.slack;  // −1: by itself
  Drive spring = drive_of(tendon->second, name);
  spring.stiffness = stiffness;
  spring.damping = damping;
  spring.value = TimeFunction::constant(stiffness > 0 ? rest : 0);
  reader.model.drives.push_back(spring);
}

/// The range of a fixed tendon's length.
void add_range(XmlNode& node, const std::string& name, const VectorX& range, Reader& reader) {
  const auto tendon = reader.fixed_tendons.find(name);
  if (tendon == reader.fixed_tendons.end()) return;  // told when its joints were read
  if (!(range[0] < range[1])) {
    reader.faults.add(node, "the range of <fixed> must have its lower end first");
    return;
  }
  Constraint limit;
  const auto same_name = [&](const Constraint& other) { return other.name == name; };
  limit.name = std::ranges::any_of(reader.model.constraints, same_name) ? name + " range" : name;
  limit.kind = ConstraintKind::tendon;
  limit.lower = range[0];
  limit.upper = range[1];
  limit.shares = tendon->second.shares;
  if (!limit.shares.empty()) reader.model.constraints.push_back(limit);
}

/// False if the tendon has no limit.
bool read_limit(Element& element, const std::string& name, const Ends& ends, Reader& reader) {
  XmlNode& node = element.node();
  const auto range = element.numbers(reader.faults, "range", 2, 2);
  if (!is_limited(element, "limited", "range", reader.compiler, reader.faults) || !reader.global.limits) {
    return false;
  }
  if (node.name == "fixed") {
    if (range) add_range(node, name, *range, reader);
    if (!element.has("range")) reader.faults.add(node, "<fixed> is limited and has no range; give it one");
    return true;
  }
  if (!ends || !range || (*range)[0] > 0 || !((*range)[1] > 0)) {
    reader.faults.add(node, "a limited <spatial> tendon is a rope here: two sites, and a range from 0 to its length");
    return true;
  }
  Constraint rope = between(*ends, ConstraintKind::rope, name, reader);
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
  if (acts) reader.faults.add(node, "<" + node.name + "> has frictionloss; here joints alone have it");
  if (element.number(reader.faults, "armature", 0) != 0) {
    acts = true;
    reader.faults.add(node, "<" + node.name + "> has armature; here joints alone have it");
  }
  const bool springs = stiffness != 0 || damping != 0;
  const Ends ends = node.name == "spatial" ? straight_ends(node, reader) : Ends();
  if (springs && ends) add_spring_between(element, name, *ends, stiffness, damping, reader);
  if (springs && node.name == "fixed") add_spring(element, name, stiffness, damping, reader);
  if (springs && node.name == "spatial" && !ends) {
    reader.faults.add(
        node,
        "<spatial> has stiffness or damping, which only one that is a straight line between two sites has "
        "here");
  }
  acts = acts || springs;
  const auto fixed = reader.fixed_tendons.find(name);
  const std::string rope = springs && ends ? name + " limit" : name;
  const bool idle = !read_limit(element, rope, ends, reader) && !acts;
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
