#pragma once

#include <utility>
#include <vector>

#include "carom/import/sdf_frames.h"

namespace carom {

/// Pairs of links with shapes that never touch, by their numbers in the tree, each pair once and ascending: links that
/// a joint ties together; links of one outermost model unless one of them collides with its like (`<self_collide>` of
/// the link, or else of its model); links that Drake's `<drake:collision_filter_group>` names. Static links are part of
/// the world and may be in pairs with those that move.
std::vector<std::pair<int, int>> excluded_links(const SdfTree& tree);

}  // namespace carom
