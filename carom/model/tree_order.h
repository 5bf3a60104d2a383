#pragma once

#include <vector>

#include "carom/model/joint.h"

namespace carom {

/// Arrangement of bodies by joints, told by their parents alone. Bodies are named by the position of their inboard
/// joint in the list given, the world by −1.
struct TreeOrder {
  /// All bodies: a parent before its children, and otherwise as they were listed. Bodies in or under a loop come last.
  std::vector<int> order;
  std::vector<int> index;  ///< the inverse: where a body stands in `order`
  /// The link of each body: the topmost body that it is tied to by fixed joints alone, −1 if that is the world.
  std::vector<int> link;
  /// Each loop once, as the bodies on it, from the one listed first upwards through its parents. Empty for a forest.
  std::vector<std::vector<int>> loops;
};

/// joint.parent must be −1 or a position in the list. O(n log n).
TreeOrder arrange(const std::vector<Joint>& joints);

/// True if the inboard joint of link `child` ties it to link `parent` (−1 for the world): every joint but a free one.
bool is_parent_link(const std::vector<Joint>& joints, const TreeOrder& tree, int parent, int child);

}  // namespace carom
