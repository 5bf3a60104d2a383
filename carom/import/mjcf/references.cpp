#include "carom/import/mjcf/references.h"

#include <algorithm>

namespace carom::mjcf {
namespace {

std::string kind_of_element(const std::string& tag) {
  if (tag == "freejoint") return "joint";
  return tag == "body" || tag == "joint" || tag == "geom" || tag == "site" ? tag : "";
}

}  // namespace

std::string kind_of_reference(const std::string& attribute) {
  static const std::map<std::string, std::string> kinds = {
      {"body", "body"},           {"body1", "body"},    {"body2", "body"},     {"joint", "joint"},
      {"joint1", "joint"},        {"joint2", "joint"},  {"geom", "geom"},      {"geom1", "geom"},
      {"jointinparent", "joint"}, {"geom2", "geom"},    {"site", "site"},      {"site1", "site"},
      {"site2", "site"},          {"refsite", "site"},  {"cranksite", "site"}, {"slidersite", "site"},
      {"sidesite", "site"},       {"tendon", "tendon"}, {"tendon1", "tendon"}, {"tendon2", "tendon"}};
  const auto found = kinds.find(attribute);
  return found == kinds.end() ? "" : found->second;
}

void collect_names(const XmlNode& node, Names& names) {
  for (const XmlNode& child : node.children) {
    const std::string kind = kind_of_element(child.name);
    for (const XmlNode::Attribute& attribute : child.attributes) {
      if (attribute.name == "name" && !kind.empty()) names[kind].insert(attribute.value);
    }
    collect_names(child, names);
  }
}

bool refers_to(const XmlNode& node, const Names& names) {
  const bool itself = std::any_of(node.attributes.begin(), node.attributes.end(), [&](const auto& attribute) {
    const auto of_kind = names.find(kind_of_reference(attribute.name));
    return of_kind != names.end() && of_kind->second.contains(attribute.value);
  });
  return itself || std::any_of(node.children.begin(), node.children.end(),
                               [&](const XmlNode& child) { return refers_to(child, names); });
}

}  // namespace carom::mjcf
