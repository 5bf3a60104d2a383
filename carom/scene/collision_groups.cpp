#include "carom/scene/collision_groups.h"

namespace carom {
namespace {

/// The bits of a list of names.
std::uint32_t read_mask(const YamlNode& list, const std::string& label, const CollisionGroups& groups,
                        Diagnostics& diagnostics) {
  std::uint32_t mask = 0;
  for (const YamlNode& node : read_list(list, label, "names of groups", diagnostics)) {
    const auto name = read_text(node, "group", diagnostics);
    if (!name) continue;
    const auto found = groups.bit.find(*name);
    if (found != groups.bit.end()) {
      mask |= found->second;
    } else if (groups.complete) {
      diagnostics.add(node.place, "there is no group " + in_quotes(*name) +
                                      suggestion(*name, groups.names, "the groups listed under 'collisions' are"));
    }
  }
  return mask;
}

void add_name(const YamlNode& node, CollisionGroups& groups, Diagnostics& diagnostics) {
  const auto name = read_name(node, "group", diagnostics);
  if (!name) {
    groups.complete = false;
  } else if (*name == "default") {
    diagnostics.add(node.place, "'default' is the group of every shape that names none, and always there; remove it");
  } else if (groups.bit.contains(*name)) {
    diagnostics.add(node.place, "group " + in_quotes(*name) + " is listed twice; once is enough");
  } else if (std::ssize(groups.names) == CollisionGroups::most_names) {
    if (groups.complete) {
      diagnostics.add(node.place, "this group is one too many; there can be 31 beside 'default'");
    }
    groups.complete = false;
  } else {
    groups.bit[*name] = 1u << groups.names.size();
    groups.names.push_back(*name);
  }
}

}  // namespace

CollisionGroups read_collision_groups(const YamlNode& scene, Diagnostics& diagnostics) {
  CollisionGroups groups;
  const YamlNode* collisions = peek(scene, "collisions");
  const YamlNode* list = collisions ? peek(*collisions, "groups") : nullptr;
  if (!list) return groups;
  groups.complete = list->kind == YamlNode::Kind::list;
  for (const YamlNode& node : read_list(*list, "groups", "names", diagnostics)) add_name(node, groups, diagnostics);
  return groups;
}

GroupMasks read_group_masks(const Fields& fields, const CollisionGroups& groups, const GroupMasks& otherwise,
                            Diagnostics& diagnostics) {
  GroupMasks masks = otherwise;
  if (const YamlNode* list = fields.find("groups")) {
    masks.groups = read_mask(*list, "groups", groups, diagnostics);
    if (list->kind == YamlNode::Kind::list && list->items.empty()) {
      diagnostics.add(list->place,
                      "groups is empty, and what is in no group touches nothing; leave the key out, or write "
                      "collides_with: [] if that is meant");
    }
  }
  if (const YamlNode* list = fields.find("collides_with")) {
    masks.partners = read_mask(*list, "collides_with", groups, diagnostics);
  }
  return masks;
}

}  // namespace carom
