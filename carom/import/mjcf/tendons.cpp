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
  bool acts = false;
  acts = (element.number(reader.faults, "stiffness", 0) != 0 && reader.global.springs) || acts;
  acts = (element.number(reader.faults, "damping", 0) != 0 && reader.global.dampers) || acts;
  acts = (element.number(reader.faults, "frictionloss", 0) != 0 && reader.global.dry_friction) || acts;
  acts = element.number(reader.faults, "armature", 0) != 0 || acts;
  if (acts) {
    reader.faults.add(node, "<" + node.name +
                                "> has stiffness, damping, frictionloss or armature, which tendons here do not "
                                "have; give them to joints");
  }
  if (!read_limit(element, reader) && !acts) {
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
