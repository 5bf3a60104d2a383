#include "carom/model/collider_pairs.h"

#include <algorithm>
#include <map>
#include <utility>

namespace carom {
namespace {

/// An entry that names a collider, and whether among its first or its second ones.
using Mention = std::pair<std::size_t, int>;

std::vector<std::vector<Mention>> mentions_of(std::size_t colliders, const std::vector<ColliderPair>& entries) {
  std::vector<std::vector<Mention>> mentions(colliders);
  for (std::size_t entry = 0; entry < entries.size(); ++entry) {
    for (const int collider : entries[entry].a) mentions[static_cast<std::size_t>(collider)].emplace_back(entry, 0);
    for (const int collider : entries[entry].b) mentions[static_cast<std::size_t>(collider)].emplace_back(entry, 1);
  }
  for (std::vector<Mention>& list : mentions) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return mentions;
}

}  // namespace

SplitMaterials split_materials(const std::vector<Material>& materials, const std::vector<MaterialPair>& pairs,
                               const std::vector<int>& of_collider, const std::vector<ColliderPair>& entries) {
  SplitMaterials split{materials, {}, of_collider};
  const std::vector<std::vector<Mention>> mentions = mentions_of(of_collider.size(), entries);
  std::vector<std::vector<int>> kin(materials.size());  // each material with its copies
  for (std::size_t i = 0; i < materials.size(); ++i) kin[i] = {static_cast<int>(i)};
  std::map<std::pair<int, std::vector<Mention>>, int> copies;
  std::map<Mention, std::vector<int>> named;  // materials of the colliders that an entry names
  for (std::size_t i = 0; i < of_collider.size(); ++i) {
    if (mentions[i].empty()) continue;
    const auto next = static_cast<int>(split.materials.size());
    const auto [copy, fresh] = copies.emplace(std::pair(of_collider[i], mentions[i]), next);
    split.of_collider[i] = copy->second;
    if (!fresh) continue;
    split.materials.push_back(materials[static_cast<std::size_t>(of_collider[i])]);
    kin[static_cast<std::size_t>(of_collider[i])].push_back(next);
    for (const Mention& mention : mentions[i]) named[mention].push_back(next);
  }
  std::map<std::pair<int, int>, NamedPair> own;
  for (std::size_t entry = 0; entry < entries.size(); ++entry) {
    for (const int a : named[{entry, 0}]) {
      for (const int b : named[{entry, 1}]) own[std::minmax(a, b)] = entries[entry].together;
    }
  }
  for (const MaterialPair& pair : pairs) {
    const bool with_itself = pair.a == pair.b;
    for (const int a : kin[static_cast<std::size_t>(pair.a)]) {
      for (const int b : kin[static_cast<std::size_t>(pair.b)]) {
        if (with_itself && b < a) continue;
        if (!own.contains(std::minmax(a, b))) split.pairs.push_back({a, b, pair.together});
      }
    }
  }
  for (const auto& [both, together] : own) split.pairs.push_back({both.first, both.second, together});
  return split;
}

}  // namespace carom
