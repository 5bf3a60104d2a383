#pragma once

#include <vector>

#include "carom/model/material.h"

namespace carom {

/// Two sets of colliders that have coefficients of their own wherever one of the first meets one of the second.
struct ColliderPair {
  std::vector<int> a, b;  ///< collider numbers
  NamedPair together;
};

struct SplitMaterials {
  std::vector<Material> materials;  ///< those given, then the copies
  std::vector<MaterialPair> pairs;
  std::vector<int> of_collider;  ///< material number of each collider
};

/// Gives pairs of colliders coefficients of their own by materials alone, so that one table says for any two surfaces
/// what they do together. Colliders of one material that the same entries name share a copy of it. The copy has the
/// material's name, and does with every other material what the material did. If entries name the same two colliders,
/// the last holds. Entries take precedence over what materials do together. All numbers must exist; `of_collider` is
/// the material of each collider. There are at most as many copies as colliders named.
SplitMaterials split_materials(const std::vector<Material>& materials, const std::vector<MaterialPair>& pairs,
                               const std::vector<int>& of_collider, const std::vector<ColliderPair>& entries);

}  // namespace carom
