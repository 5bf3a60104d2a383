#include "carom/import/sdf_filters.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace carom {
namespace {

using Pairs = std::set<std::pair<int, int>>;

void exclude(const SdfTree& tree, int a, int b, Pairs& pairs) {
  if (a == b || a < 0 || b < 0) return;
  if (tree.links[a].collisions.empty() || tree.links[b].collisions.empty()) return;
  const bool fixed = tree.models[tree.links[a].model].is_static && tree.models[tree.links[b].model].is_static;
  if (!fixed) pairs.insert(std::minmax(a, b));
}

void exclude_within_models(const SdfTree& tree, Pairs& pairs) {
  std::vector<char> of_model, of_link;
  for (const SdfModel& model : tree.models) of_model.push_back(read_flag(model.place, "self_collide", false));
  for (const SdfLink& link : tree.links) {
    of_link.push_back(read_flag(link.place, "self_collide", of_model[link.model] != 0));
  }
  const int n = static_cast<int>(tree.links.size());
  for (int a = 0; a < n; ++a) {
    for (int b = a + 1; b < n; ++b) {
      const bool together = tree.models[tree.links[a].model].outermost == tree.models[tree.links[b].model].outermost;
      if (together && !of_link[a] && !of_link[b]) exclude(tree, a, b, pairs);
    }
  }
}

/// The collision filter groups of one model.
class Groups {
 public:
  Groups(const SdfTree& tree, int model) : tree_(tree), model_(model) {
    const SdfPlace place = tree.models[model].place;
    for (XmlNode* node : place.node->all("drake:collision_filter_group")) groups_.push_back({place.file, node});
    for (const SdfPlace& group : groups_) {
      const auto name = group.file->faults.require(*group.node, "name");
      if (!name) continue;
      for (XmlNode* member : group.node->all("drake:member")) add(*name, {group.file, member});
      if (const SdfPlace nested = peek(group, "drake:member_group"); nested.node) {
        nested.fault("groups within groups are not understood; name the members of <drake:member_group> one by one");
      }
    }
  }

  void exclude_pairs(Pairs& pairs) const {
    for (const SdfPlace& group : groups_) {
      const std::string* name = group.node->attribute("name");
      for (XmlNode* ignored : group.node->all("drake:ignored_collision_filter_group")) {
        const auto other = members_.find(ignored->text);
        if (other == members_.end()) {
          group.file->faults.add(*ignored, "there is no group \"" + ignored->text + "\" in this model");
          continue;
        }
        const auto own = name ? members_.find(*name) : members_.end();
        if (own == members_.end()) continue;
        for (const int a : own->second) {
          for (const int b : other->second) exclude(tree_, a, b, pairs);
        }
      }
    }
  }

 private:
  void add(const std::string& group, const SdfPlace& member) {
    members_[group];
    for (std::size_t i = 0; i < tree_.links.size(); ++i) {
      const SdfLink& link = tree_.links[i];
      const std::string* name = link.place.node->attribute("name");
      if (link.model != model_ || !name || *name != member.node->text) continue;
      members_[group].push_back(static_cast<int>(i));
      return;
    }
    member.fault("there is no link \"" + member.node->text + "\" in this model");
  }

  const SdfTree& tree_;
  int model_;
  std::vector<SdfPlace> groups_;
  std::map<std::string, std::vector<int>> members_;
};

}  // namespace

std::vector<std::pair<int, int>> excluded_links(const SdfTree& tree) {
  Pairs pairs;
  exclude_within_models(tree, pairs);
  for (const SdfJoint& joint : tree.joints) exclude(tree, joint.parent, joint.child, pairs);
  for (std::size_t i = 0; i < tree.models.size(); ++i) Groups(tree, static_cast<int>(i)).exclude_pairs(pairs);
  return {pairs.begin(), pairs.end()};
}

}  // namespace carom
