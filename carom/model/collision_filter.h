#pragma once

#include <utility>
#include <vector>

#include "carom/model/model.h"
#include "carom/model/tree_order.h"

namespace carom {

/// The table behind Model::may_collide, colliders × colliders, row by row and symmetric.
///
/// Numbers are those in `tree` and the lists given. The entry collide_with_parent[i] is true if the links on both sides
/// of the inboard joint of body i may collide. The list `excluded` holds pairs of bodies, −1 for the world.
std::vector<char> collision_table(const std::vector<Joint>& joints, const TreeOrder& tree,
                                  const std::vector<Collider>& colliders, const std::vector<char>& collide_with_parent,
                                  const std::vector<std::pair<int, int>>& excluded);

}  // namespace carom
