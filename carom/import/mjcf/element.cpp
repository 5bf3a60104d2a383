#include "carom/import/mjcf/element.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace carom::mjcf {
namespace {

constexpr const char* top_class = "main";

bool holds(const XmlNode& node, const std::string& key) {
  return std::any_of(node.attributes.begin(), node.attributes.end(),
                     [&](const XmlNode::Attribute& a) { return a.name == key; });
}

}  // namespace

Element::Element(XmlNode& own, std::vector<XmlNode*> defaults) : said_{&own} {
  said_.insert(said_.end(), defaults.begin(), defaults.end());
}

const std::string* Element::text(const std::string& key) {
  const std::string* nearest = nullptr;
  for (XmlNode* node : said_) {
    const std::string* value = node->attribute(key);
    if (!nearest) nearest = value;
  }
  return nearest;
}

int Element::level(const std::string& key) const {
  for (std::size_t i = 0; i < said_.size(); ++i) {
    if (holds(*said_[i], key)) return static_cast<int>(i);
  }
  return -1;
}

std::optional<VectorX> Element::numbers(XmlFaults& faults, const std::string& key, int least, int most) {
  const int nearest = level(key);
  if (nearest < 0) return {};
  text(key);  // all of that name count as read
  if (least == most) return faults.numbers(*said_[nearest], key, least);
  VectorX together;
  for (std::size_t i = said_.size(); i-- > 0;) {
    const auto values = faults.numbers(*said_[i], key, least, most);
    if (!values) continue;
    if (values->size() > together.size()) together.conservativeResize(values->size());
    together.head(values->size()) = *values;
  }
  if (together.size() == 0) return {};
  return together;
}

double Element::number(XmlFaults& faults, const std::string& key, double missing) {
  const auto values = numbers(faults, key, 1, 1);
  return values ? (*values)[0] : missing;
}

Vec3 Element::vector(XmlFaults& faults, const std::string& key, const Vec3& missing) {
  const auto values = numbers(faults, key, 3, 3);
  return values ? Vec3(*values) : missing;
}

int Element::integer(XmlFaults& faults, const std::string& key, int missing) {
  const double value = number(faults, key, missing);
  if (value == std::floor(value) && std::abs(value) < 0x1p31) return static_cast<int>(value);
  faults.add(node(), key + " of <" + node().name + "> must be a whole number of 32 bits");
  return missing;
}

std::string Element::choice(XmlFaults& faults, const std::string& key, std::initializer_list<const char*> words,
                            const std::string& missing) {
  const std::string* value = text(key);
  if (!value) return missing;
  std::string allowed;
  for (const char* word : words) {
    if (*value == word) return *value;
    allowed += (allowed.empty() ? "\"" : ", \"") + std::string(word) + "\"";
  }
  faults.add(node(), key + " of <" + node().name + "> is \"" + value->substr(0, 60) + "\"; it may be " + allowed);
  return missing;
}

bool Element::flag(XmlFaults& faults, const std::string& key, bool missing) {
  return choice(faults, key, {"true", "false"}, missing ? "true" : "false") == "true";
}

std::string Element::name() const {
  const std::string* value = node().attribute("name");
  return value ? *value : std::string();
}

void Defaults::read(XmlNode& root, const std::set<std::string>& apart, XmlFaults& faults) {
  classes_[top_class];
  for (XmlNode* node : root.all("default")) {
    // It may have another name, by which others refer to it.
    const std::string* name = node->attribute("class");
    if (name && apart.contains(*name)) {
      classes_[*name];
      read_class(*node, *name, faults);
      continue;
    }
    if (name && !name->empty()) top_names_.insert(*name);
    read_class(*node, top_class, faults);
  }
}

void Defaults::read_class(XmlNode& node, const std::string& name, XmlFaults& faults) {
  for (XmlNode& child : node.children) {
    if (child.name != "default") {
      classes_[name].elements.push_back(&child);
      continue;
    }
    child.take();
    const auto inner = faults.require(child, "class");
    if (!inner) continue;
    if (top_names_.contains(*inner) || !classes_.try_emplace(*inner, Class{name, {}}).second) {
      faults.add(child, "there are two default classes called \"" + *inner + "\"; each needs a name of its own");
      continue;
    }
    read_class(child, *inner, faults);
  }
}

bool Defaults::knows(const XmlNode& at, const std::string& name, XmlFaults& faults) const {
  if (classes_.contains(name) || top_names_.contains(name)) return true;
  faults.add(at, "<" + at.name + "> names the default class \"" + name + "\", which is not defined");
  return false;
}

Element Defaults::element(XmlNode& own, const std::string& childclass, std::initializer_list<const char*> tags,
                          XmlFaults& faults) const {
  own.take();
  const std::string* given = own.attribute("class");
  std::string name = given ? *given : childclass;
  if (name.empty() || top_names_.contains(name)) name = top_class;
  std::vector<XmlNode*> found;
  if (!given || knows(own, name, faults)) {
    while (!name.empty()) {
      const auto at = classes_.find(name);
      if (at == classes_.end()) break;
      // The later of two elements of one class wins where both speak.
      const std::vector<XmlNode*>& its = at->second.elements;
      for (std::size_t i = its.size(); i-- > 0;) {
        if (std::find(tags.begin(), tags.end(), its[i]->name) == tags.end()) continue;
        its[i]->take();
        found.push_back(its[i]);
      }
      name = at->second.parent;
    }
  }
  return Element(own, std::move(found));
}

void Defaults::know(std::initializer_list<const char*> tags, std::initializer_list<const char*> attributes) {
  for (auto& [name, its] : classes_) {
    for (XmlNode* element : its.elements) {
      if (std::find(tags.begin(), tags.end(), element->name) == tags.end()) continue;
      element->take();
      for (const char* attribute : attributes) element->attribute(attribute);
    }
  }
}

}  // namespace carom::mjcf
