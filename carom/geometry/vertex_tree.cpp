#include "carom/geometry/vertex_tree.h"

#include <algorithm>
#include <numeric>

namespace carom {
namespace {

constexpr int points_of_a_leaf = 8;

}  // namespace

VertexTree::VertexTree(const std::vector<Vec3>& points) : points_(points), order_(points.size()) {
  std::iota(order_.begin(), order_.end(), 0);
  nodes_.reserve(points.size() / points_of_a_leaf * 4 + 1);
  if (!points.empty()) build(0, static_cast<int>(points.size()));
}

/// Halves at the median along the longest side.
int VertexTree::build(int begin, int end) {
  Vec3 lower = points_[order_[begin]], upper = lower;
  for (int i = begin + 1; i < end; ++i) {
    lower = lower.cwiseMin(points_[order_[i]]);
    upper = upper.cwiseMax(points_[order_[i]]);
  }
  const int number = static_cast<int>(nodes_.size());
  nodes_.push_back({0.5 * (lower + upper), 0.5 * (upper - lower), begin, end, 0});
  if (end - begin <= points_of_a_leaf) return number;
  Eigen::Index axis = 0;
  (upper - lower).maxCoeff(&axis);
  const int middle = begin + (end - begin) / 2;
  std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                   [&](int a, int b) { return points_[a][axis] < points_[b][axis]; });
  build(begin, middle);
  nodes_[number].second = build(middle, end);
  return number;
}

double VertexTree::farthest_reach(const Vec3& direction, double reach) const {
  const Vec3 size = direction.cwiseAbs();
  const auto bound = [&](const Node& node) { return direction.dot(node.center) + size.dot(node.half); };
  int waiting[64], count = 0;  // a halved range of int is shallower
  if (!nodes_.empty()) waiting[count++] = 0;
  while (count > 0) {
    const int number = waiting[--count];
    const Node& node = nodes_[number];
    if (!(bound(node) > reach)) continue;
    if (node.second == 0) {
      for (int i = node.begin; i < node.end; ++i) reach = std::max(reach, direction.dot(points_[order_[i]]));
      continue;
    }
    const int first = number + 1, second = node.second;
    const bool first_is_nearer = bound(nodes_[first]) > bound(nodes_[second]);
    waiting[count++] = first_is_nearer ? second : first;
    waiting[count++] = first_is_nearer ? first : second;
  }
  return reach;
}

}  // namespace carom
