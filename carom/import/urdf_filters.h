#pragma once

#include <utility>
#include <vector>

#include "carom/import/urdf_elements.h"
#include "carom/import/urdf_tree.h"

namespace carom {

/// Pairs of links that Drake's `<drake:collision_filter_group>` keeps from touching one another, lower number first.
/// Links are those of the tree, not yet merged.
std::vector<std::pair<int, int>> urdf_excluded_links(XmlNode& root, const std::vector<UrdfLink>& links,
                                                     const UrdfTree& tree, XmlFaults& faults);

}  // namespace carom
