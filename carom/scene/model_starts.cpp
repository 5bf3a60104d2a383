#include "carom/scene/model_starts.h"

#include <map>
#include <sstream>

#include "carom/scene/joint_patterns.h"
#include "carom/scene/model_joints.h"

namespace carom {
namespace {

using Entry = ModelEntry;

std::map<std::string, NamedCoordinates> joint_names(const ImportedModel& model) {
  std::map<std::string, NamedCoordinates> names;
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const auto& joint = model.links[i].joint;
    if (!joint || joint->type == JointType::fixed) continue;
    const int size = velocity_size(*joint), link = static_cast<int>(i);
    names[joint->name] = {link, 0, size};
    std::istringstream parts(joint->name);
    std::vector<std::string> each;
    for (std::string part; std::getline(parts, part, '+');) each.push_back(part);
    if (size < 2 || static_cast<int>(each.size()) != size) continue;
    for (int k = 0; k < size; ++k) names[each[k]] = {link, k, 1};
  }
  return names;
}

/// A number for one coordinate, a list of as many as the joint has, or a map of what else is to be changed.
void start_joint(const YamlNode& value, const std::string& name, const NamedCoordinates& named, Entry& entry,
                 Diagnostics& diagnostics) {
  const Joint& joint = *entry.model.links[named.link].joint;
  if (value.kind == YamlNode::Kind::map && joint.type != JointType::free) {
    change_joint(value, name, named, entry, diagnostics);
    return;
  }
  if (!has_scalar_coordinates(joint.type)) {
    diagnostics.add(value.place, "joint " + in_quotes(name) + " is " + joint_name(joint.type) +
                                     "; numbers here are angles and displacements" +
                                     (joint.type == JointType::spherical ? ", so give a map with its position" : ""));
    return;
  }
  auto q = entry.positions[named.link].segment(named.first, named.count);
  if (named.count == 1) {
    const auto quantity = is_angle(joint, named.first) ? quantity::angle : quantity::length;
    if (const auto number = read_number(value, name, quantity, Range::any, diagnostics)) q[0] = *number;
  } else if (const auto all = read_numbers(value, name, named.count, {quantity::angle}, Range::any, diagnostics)) {
    q = *all;
  }
  VectorX& asked = entry.asked[named.link];
  for (int k = 0; k < named.count; ++k) {
    const int c = named.first + k;
    if (asked.size() > 0) asked[c] = q[k];
    const bool low = joint.lower.size() > c && q[k] < joint.lower[c];
    const bool high = joint.upper.size() > c && q[k] > joint.upper[c];
    if (!low && !high) continue;
    std::ostringstream text;
    text << "joint " << in_quotes(name) << " would start at " << q[k] << ", beyond its limit "
         << (low ? joint.lower : joint.upper)[c] << (is_angle(joint, c) ? " rad" : " m");
    diagnostics.add(value.place, text.str());
  }
}

/// Starts every joint of one coordinate that a pattern matches.
void start_matching(const YamlNode::Key& pattern, const YamlNode& value,
                    const std::map<std::string, NamedCoordinates>& names, Entry& entry, Diagnostics& diagnostics) {
  bool any = false;
  std::vector<std::string> known;
  for (const auto& [name, named] : names) {
    if (named.count != 1 || !has_scalar_coordinates(entry.model.links[named.link].joint->type)) continue;
    known.push_back(name);
    if (!matches(name, pattern.text)) continue;
    any = true;
    start_joint(value, name, named, entry, diagnostics);
  }
  if (any) return;
  diagnostics.add(pattern.place, "no joint of one coordinate matches " + in_quotes(pattern.text) +
                                     nearest_names(pattern.text, std::move(known)));
}

}  // namespace

void start_as_in_file(Entry& entry) {
  for (const ImportedModel::Link& link : entry.model.links) {
    const Joint joint = link.joint.value_or(Joint());
    VectorX q = link.position, v = link.velocity;
    if (q.size() == 0) {
      q = VectorX::Zero(position_size(joint));
      if (joint.type == JointType::spherical || joint.type == JointType::free) q[0] = 1;
    }
    if (v.size() == 0) v = VectorX::Zero(velocity_size(joint));
    entry.positions.push_back(std::move(q));
    entry.velocities.push_back(std::move(v));
    entry.asked.push_back(link.asked);
  }
}

void start_at_keyframe(const YamlNode& node, Entry& entry, Diagnostics& diagnostics) {
  const auto name = read_text(node, "keyframe", diagnostics);
  if (!name) return;
  std::vector<std::string> known;
  for (const ImportedModel::Keyframe& frame : entry.model.keyframes) {
    known.push_back(frame.name);
    if (frame.name != *name) continue;
    for (std::size_t i = 0; i < entry.model.links.size(); ++i) {
      if (i < frame.position.size() && frame.position[i].size() > 0) {
        entry.positions[i] = frame.position[i];
        entry.asked[i] = frame.asked[i];
      }
      if (i < frame.velocity.size() && frame.velocity[i].size() > 0) entry.velocities[i] = frame.velocity[i];
      ImportedModel::Link& link = entry.model.links[i];
      if (link.joint || i >= frame.position.size() || frame.position[i].size() != 7) continue;
      const VectorX& q = frame.position[i];
      link.X_WB = {Quaternion(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix(), Vec3(q[4], q[5], q[6])};
    }
    return;
  }
  diagnostics.add(node.place, "there is no keyframe " + in_quotes(*name) + " in " + in_quotes(entry.model.file) +
                                  (known.empty() ? "; it has none" : suggestion(*name, known, "it has")));
}

void start_joints(const YamlNode& node, Entry& entry, Diagnostics& diagnostics) {
  if (node.kind != YamlNode::Kind::map) {
    diagnostics.add(node.place,
                    "joints must be a map from names of joints to where they start, or to what they have, but is " +
                        describe(node));
    return;
  }
  const std::map<std::string, NamedCoordinates> names = joint_names(entry.model);
  std::vector<std::string> known;
  known.reserve(names.size());
  for (const auto& [name, named] : names) known.push_back(name);
  // Patterns first: a joint's own name says more.
  for (std::size_t k = 0; k < node.keys.size(); ++k) {
    if (is_pattern(node.keys[k].text)) start_matching(node.keys[k], node.items[k], names, entry, diagnostics);
  }
  for (std::size_t k = 0; k < node.keys.size(); ++k) {
    if (is_pattern(node.keys[k].text)) continue;
    const auto found = names.find(node.keys[k].text);
    if (found == names.end()) {
      diagnostics.add(node.keys[k].place, "there is no joint " + in_quotes(node.keys[k].text) +
                                              suggestion(node.keys[k].text, known, "the joints of the file are"));
    } else {
      start_joint(node.items[k], node.keys[k].text, found->second, entry, diagnostics);
    }
  }
}

}  // namespace carom
