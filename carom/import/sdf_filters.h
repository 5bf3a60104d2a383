#pragma once

#include <utility>
#include <vector>

#include "carom/import/sdf_frames.h"

namespace carom {

/// Pairs of links with shapes that never touch, by their numbers in the tree, each pair once and ascending. Links that
/// a joint ties together never touch, nor do those that Drake's `<drake:collision_filter_group>` names. Links of one
/// outermost model may touch only if one of them has `<self_collide>` (its own, or else its model's). Static links are
/// part of the world and may be in pairs with those that move.
std::vector<std::pair<int, int>> excluded_links(const SdfTree& tree);

}  // namespace carom
