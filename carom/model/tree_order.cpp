#include "carom/model/tree_order.h"

#include <algorithm>
#include <functional>
#include <queue>

namespace carom {
namespace {

/// Bodies whose whole ancestry ends in the world: of those whose parent is already placed, the one listed first is
/// next.
std::vector<int> sort_parents_first(const std::vector<Joint>& joints) {
  const int n = static_cast<int>(joints.size());
  std::vector<std::vector<int>> children(n);
  std::priority_queue<int, std::vector<int>, std::greater<int>> ready;
  for (int i = 0; i < n; ++i) {
    if (joints[i].parent < 0) {
      ready.push(i);
    } else {
      children[joints[i].parent].push_back(i);
    }
  }
  std::vector<int> order;
  order.reserve(n);
  while (!ready.empty()) {
    const int i = ready.top();
    ready.pop();
    order.push_back(i);
    for (const int child : children[i]) ready.push(child);
  }
  return order;
}

/// Climbs from every body that is not placed; a body met twice on one climb lies on a loop.
std::vector<std::vector<int>> find_loops(const std::vector<Joint>& joints, const std::vector<char>& placed) {
  const int n = static_cast<int>(joints.size());
  std::vector<std::vector<int>> loops;
  std::vector<int> seen(n, -1);  // the body whose climb came by first
  for (int start = 0; start < n; ++start) {
    if (placed[start]) continue;
    int i = start;
    while (seen[i] < 0) {
      seen[i] = start;
      i = joints[i].parent;
    }
    if (seen[i] != start) continue;  // joins an older climb, whose loop is known
    std::vector<int> loop;
    int first = i;
    for (int j = joints[i].parent; j != i; j = joints[j].parent) first = std::min(first, j);
    for (int j = first; loop.empty() || j != first; j = joints[j].parent) loop.push_back(j);
    loops.push_back(std::move(loop));
  }
  return loops;
}

}  // namespace

TreeOrder arrange(const std::vector<Joint>& joints) {
  const int n = static_cast<int>(joints.size());
  TreeOrder tree;
  tree.order = sort_parents_first(joints);
  tree.link.resize(n);
  std::vector<char> placed(n, false);
  for (const int i : tree.order) {
    placed[i] = true;
    const int parent = joints[i].parent;
    if (joints[i].type == JointType::fixed) {
      tree.link[i] = parent < 0 ? -1 : tree.link[parent];
    } else {
      tree.link[i] = i;
    }
  }
  tree.loops = find_loops(joints, placed);
  for (int i = 0; i < n; ++i) {
    if (placed[i]) continue;
    tree.link[i] = i;
    tree.order.push_back(i);
  }
  tree.index.resize(n);
  for (int k = 0; k < n; ++k) tree.index[tree.order[k]] = k;
  return tree;
}

bool is_parent_link(const std::vector<Joint>& joints, const TreeOrder& tree, int parent, int child) {
  if (child < 0 || joints[child].type == JointType::free) return false;
  const int body = joints[child].parent;
  return (body < 0 ? -1 : tree.link[body]) == parent;
}

}  // namespace carom
