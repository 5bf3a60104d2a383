#include "carom/import/keep_apart.h"

#include <cstdint>
#include <map>

#include "carom/error.h"

namespace carom {

void keep_apart(const std::set<std::pair<int, int>>& pairs, std::vector<Collider>& colliders) {
  const std::vector<Collider> before = colliders;
  std::map<int, std::set<int>> partners;  // by collider, whom it is to miss
  for (const auto& [a, b] : pairs) {
    partners[a].insert(b);
    partners[b].insert(a);
  }
  std::uint32_t used = 0;
  for (const Collider& collider : before) used |= collider.groups;
  std::set<int> has_group;
  for (const auto& [i, missed] : partners) {
    if (has_group.contains(i)) continue;
    if (used == ~std::uint32_t{0}) throw Error("more than 32 groups of shapes are needed to exclude pairs of links");
    const std::uint32_t group = ~used & (used + 1);  // the lowest bit that is free
    used |= group;
    const Collider& first = before[i];
    for (const auto& [j, missed_by_j] : partners) {
      const bool same =
          missed_by_j == missed && before[j].groups == first.groups && before[j].collides_with == first.collides_with;
      if (!same) continue;
      colliders[j].groups = group;
      has_group.insert(j);
    }
    for (std::size_t j = 0; j < before.size(); ++j) {
      const bool met = (first.groups & before[j].collides_with) != 0 || (before[j].groups & first.collides_with) != 0;
      if (met && !missed.contains(static_cast<int>(j))) {
        colliders[j].collides_with |= group;
      } else {
        colliders[j].collides_with &= ~group;
      }
    }
  }
}

}  // namespace carom
