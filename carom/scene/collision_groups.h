#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "carom/scene/values.h"

namespace carom {

/// Named groups of colliders, a bit each: the list `groups` under the key `collisions`. Bit 0 is `default`, the group
/// of every shape that names none.
struct CollisionGroups {
  static constexpr int most_names = 32;  ///< `default` included
  std::vector<std::string> names{"default"};
  std::map<std::string, std::uint32_t> bit{{"default", 1u}};
  bool complete = true;  ///< false if a name could not be read: unknown names are then left alone
};

CollisionGroups read_collision_groups(const YamlNode& scene, Diagnostics& diagnostics);

/// Groups that a shape belongs to and may touch, as Collider::named_groups and named_partners. Two shapes are tested
/// for contact if each may touch a group of the other.
struct GroupMasks {
  std::uint32_t groups = 1, partners = 0xffffffff;
};

/// The keys `groups` and `collides_with` of a map, lists of names; where a key is missing, that part of `otherwise`.
GroupMasks read_group_masks(const Fields& fields, const CollisionGroups& groups, const GroupMasks& otherwise,
                            Diagnostics& diagnostics);

}  // namespace carom
