#pragma once

#include <utility>
#include <vector>

#include "carom/geometry/shape.h"

namespace carom {

/// Axis-aligned box in the world, m. A half-space's is unbounded; a height field's holds the
/// ground beneath it to some depth.
struct Bounds {
  Vec3 lower, upper;
};

/// Smallest axis-aligned box that holds the shape, grown by `margin` (m) on every side; of an implicit shape that of
/// its box.
Bounds bounds(const Shape& shape, const Transform& X_WS, double margin);

/// Sweep and prune along one axis. Keeps its buffers: no allocation for as many boxes and pairs as it has seen before.
class BroadPhase {
 public:
  /// Pairs (i, j), i < j, of boxes that overlap, in lexicographic order, the same on every run. O(n log n + overlaps
  /// along the axis of largest spread). The reference is valid until the next call.
  const std::vector<std::pair<int, int>>& overlapping_pairs(const std::vector<Bounds>& boxes);

 private:
  std::vector<std::pair<double, int>> order_;  ///< start of each box along the axis, and its index
  std::vector<std::pair<int, int>> pairs_;
};

}  // namespace carom
