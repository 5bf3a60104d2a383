#include "carom/geometry/vertex_tree.h"

#include <algorithm>
#include <numeric>

#include "carom/numerics/symmetric_spectrum.h"

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
  Vec3 mean = Vec3::Zero();
  for (int i = begin; i < end; ++i) mean += points_[order_[i]] / (end - begin);
  Mat3 spread = Mat3::Zero();
  for (int i = begin; i < end; ++i) {
    const Vec3 arm = points_[order_[i]] - mean;
    spread += arm * arm.transpose();
  }
  const Mat3 axes = three_spectrum(spread).vectors;
  Vec3 lower = Vec3::Zero(), upper = lower;  // from the mean
  double farthest = 0;                       // from the origin: round-off is of this size
  for (int i = begin; i < end; ++i) {
    const Vec3 arm = axes.transpose() * (points_[order_[i]] - mean);
    lower = lower.cwiseMin(arm);
    upper = upper.cwiseMax(arm);
    farthest = std::max(farthest, points_[order_[i]].cwiseAbs().maxCoeff());
  }
  const Vec3 half = 0.5 * (upper - lower) + Vec3::Constant(1e-14 * farthest);
  const int number = static_cast<int>(nodes_.size());
  nodes_.push_back({axes, mean + axes * (0.5 * (lower + upper)), half, begin, end, 0});
  if (end - begin <= points_of_a_leaf) return number;
  Eigen::Index longest = 0;
  half.maxCoeff(&longest);
  const Vec3 axis = axes.col(longest);
  const int middle = begin + (end - begin) / 2;
  std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                   [&](int a, int b) { return axis.dot(points_[a]) < axis.dot(points_[b]); });
  build(begin, middle);
  nodes_[number].second = build(middle, end);
  return number;
}

double VertexTree::farthest_reach(const Vec3& direction, double reach) const {
  const auto bound = [&](const Node& node) {
    return direction.dot(node.center) + (node.axes.transpose() * direction).cwiseAbs().dot(node.half);
  };
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
