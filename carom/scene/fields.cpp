#include <algorithm>
#include <utility>

#include "carom/scene/foreign_words.h"
#include "carom/scene/values.h"

namespace carom {

using Kind = YamlNode::Kind;

Fields::Fields(const YamlNode& node, std::string what, std::vector<std::string> known, Diagnostics& diagnostics)
    : node_(node), what_(std::move(what)), diagnostics_(diagnostics) {
  if (!is_map()) {
    const std::string right = " must be a map with some of the keys " + listed(known) + ", but is ";
    diagnostics_.add(node.place, what_ + right + describe(node));
    return;
  }
  for (const YamlNode::Key& key : node.keys) {
    if (std::find(known.begin(), known.end(), key.text) != known.end()) continue;
    const Advice advice = advice_for(key.text, known);
    diagnostics_.add(key.place,
                     "unknown key " + in_quotes(key.text) + " in " + what_ +
                         (advice.key.empty() ? suggestion(key.text, known, "the keys are") : "; " + advice.sentence));
    meant_.push_back(advice.key.empty() ? nearest(key.text, known) : advice.key);
  }
}

const YamlNode* Fields::find(const std::string& key) const { return peek(node_, key); }

const YamlNode* Fields::require(const std::string& key, const std::string& right) {
  const YamlNode* found = find(key);
  const bool misspelt = std::find(meant_.begin(), meant_.end(), key) != meant_.end();
  if (!found && !misspelt && is_map()) {
    diagnostics_.add(node_.place, what_ + " lacks the key " + in_quotes(key) + ": " + right);
  }
  return found;
}

Place Fields::place(const std::string& key) const {
  for (const YamlNode::Key& own : node_.keys) {
    if (own.text == key) return own.place;
  }
  return node_.place;
}

void Fields::exclude(const std::string& key, const std::string& other, const std::string& right) {
  if (find(key) && find(other)) {
    diagnostics_.add(place(other), what_ + " has both " + in_quotes(key) + " and " + in_quotes(other) + "; " + right);
  }
}

Transform read_pose(const Fields& fields, Diagnostics& diagnostics) {
  Transform pose;
  if (const YamlNode* node = fields.find("position")) {
    pose.p = read_vector(*node, "position", quantity::length, Range::any, diagnostics).value_or(pose.p);
  }
  if (const YamlNode* node = fields.find("orientation")) {
    pose.R = read_orientation(*node, "orientation", diagnostics).value_or(Orientation()).R;
  }
  return pose;
}

const std::vector<YamlNode>& read_list(const YamlNode& node, const std::string& label, const std::string& of,
                                       Diagnostics& diagnostics) {
  static const std::vector<YamlNode> none;
  if (node.kind == Kind::list) return node.items;
  if (node.kind == Kind::null) {
    diagnostics.add(node.place, label + " has no value; write a list of " + of + ", or leave the key out");
  } else {
    diagnostics.add(node.place, label + " must be a list of " + of + ", but is " + describe(node));
  }
  return none;
}

const YamlNode* peek(const YamlNode& map, const std::string& key) {
  for (std::size_t i = 0; i < map.keys.size(); ++i) {
    if (map.keys[i].text == key) return &map.items[i];
  }
  return nullptr;
}

}  // namespace carom
