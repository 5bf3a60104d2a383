#pragma once

#include <optional>
#include <vector>

#include "carom/import/urdf_elements.h"

namespace carom {

/// Arrangement of a robot's links on its joints.
struct UrdfTree {
  std::vector<int> order;     ///< links, parents before children and otherwise as in the file
  std::vector<int> inboard;   ///< by link, the joint whose child it is; −1: none
  std::vector<int> parent;    ///< by joint, the parent's link; −1: the world
  std::vector<int> child;     ///< by joint, the child's link
  std::vector<int> place_of;  ///< by link, where it stands in `order`
};

/// The tree of links and joints, the link "world" not among them. Faults: names that are missing or used twice, unknown
/// links, links with two parents, loops, and more than one root; then nothing is returned. O((n + m) log n).
std::optional<UrdfTree> urdf_tree(const std::vector<UrdfLink>& links, const std::vector<UrdfJoint>& joints,
                                  XmlFaults& faults);

}  // namespace carom
