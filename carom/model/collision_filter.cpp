#include "carom/model/collision_filter.h"

#include <algorithm>

namespace carom {

std::vector<char> collision_table(const std::vector<Joint>& joints, const TreeOrder& tree,
                                  const std::vector<Collider>& colliders, const std::vector<char>& collide_with_parent,
                                  const std::vector<std::pair<int, int>>& excluded) {
  std::vector<std::pair<int, int>> apart;
  apart.reserve(excluded.size());
  for (const auto& [a, b] : excluded) apart.push_back(std::minmax(a, b));
  std::sort(apart.begin(), apart.end());

  const auto link = [&](int body) { return body < 0 ? -1 : tree.link[body]; };
  const auto kept_apart_by_joint = [&](int parent, int child) {
    return is_parent_link(joints, tree, parent, child) && !collide_with_parent[child];
  };
  const auto may_collide = [&](int body_a, int body_b) {
    const int a = link(body_a), b = link(body_b);
    if (a == b || kept_apart_by_joint(a, b) || kept_apart_by_joint(b, a)) return false;
    const std::pair<int, int> bodies = std::minmax(body_a, body_b);
    return !std::binary_search(apart.begin(), apart.end(), bodies);
  };

  const auto groups_meet = [](const Collider& a, const Collider& b) {
    const bool either = (a.groups & b.collides_with) != 0 || (b.groups & a.collides_with) != 0;
    return either && (a.named_groups & b.named_partners) != 0 && (b.named_groups & a.named_partners) != 0;
  };

  const std::size_t count = colliders.size();
  std::vector<char> table(count * count, false);
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = a + 1; b < count; ++b) {
      const bool collides =
          groups_meet(colliders[a], colliders[b]) && may_collide(colliders[a].body, colliders[b].body);
      table[a * count + b] = table[b * count + a] = collides;
    }
  }
  return table;
}

}  // namespace carom
