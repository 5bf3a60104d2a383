#pragma once

#include <set>
#include <utility>
#include <vector>

#include "carom/model/model.h"

namespace carom {

/// Gives colliders groups by which the pairs named, numbers in the list with the lower first, do not touch. Every other
/// pair touches as before, and so do colliders that are added later with all groups as partners. Colliders of the same
/// groups, partners and pairs share a group. Throws Error if more than 32 groups are needed. O(n²) for n colliders.
void keep_apart(const std::set<std::pair<int, int>>& pairs, std::vector<Collider>& colliders);

}  // namespace carom
