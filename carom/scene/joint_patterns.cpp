#include "carom/scene/joint_patterns.h"

#include <fnmatch.h>

#include <algorithm>

#include "carom/edit_distance.h"

namespace carom {

bool is_pattern(const std::string& name) { return name.find_first_of("*?") != std::string::npos; }

bool matches(const std::string& name, const std::string& pattern) {
  return ::fnmatch(pattern.c_str(), name.c_str(), FNM_NOESCAPE) == 0;
}

std::string nearest_names(const std::string& pattern, std::vector<std::string> names) {
  if (names.empty()) return "; there are none";
  std::stable_sort(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
    return edit_distance(pattern, a) < edit_distance(pattern, b);
  });
  names.resize(std::min<std::size_t>(names.size(), 3));
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + in_quotes(name);
  return (names.size() == 1 ? "; the nearest name is " : "; the nearest names are ") + list;
}

std::vector<std::size_t> read_joint_patterns(const YamlNode& node, const SceneJoints& joints,
                                             Diagnostics& diagnostics) {
  std::vector<std::string> names;
  for (const SceneJoint& joint : joints.joints) names.push_back(joint.joint.name);
  std::vector<char> chosen(names.size(), 0);
  const auto choose = [&](const YamlNode& item) {
    const auto pattern = read_text(item, "joints", diagnostics);
    if (!pattern) return;
    bool any = false;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!matches(names[i], *pattern)) continue;
      chosen[i] = 1;
      any = true;
    }
    if (any || !joints.complete) return;
    std::vector<std::string> named = names;
    std::erase(named, "");
    diagnostics.add(item.place, "no joint matches " + in_quotes(*pattern) + nearest_names(*pattern, std::move(named)));
  };
  if (node.kind == YamlNode::Kind::list) {
    for (const YamlNode& item : node.items) choose(item);
    if (node.items.empty()) diagnostics.add(node.place, "joints is an empty list; give a joint or a pattern");
  } else {
    choose(node);
  }
  std::vector<std::size_t> list;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (chosen[i] != 0) list.push_back(i);
  }
  return list;
}

}  // namespace carom
