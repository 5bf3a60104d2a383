#pragma once

#include <vector>

#include "carom/spatial/types.h"

namespace carom {

/// Points in boxes within boxes, for the farthest along a direction. A box is left out if none of its corners reaches
/// what was found. Boxes lie along the principal axes of their points. Along a smooth surface they are flat, and few
/// reach beyond a plane that touches it. If boxes lay along x, y and z, a number like the root of the number of points
/// would. O(n log n) to build; a query near a supporting plane of the points costs O(log n) or little more.
class VertexTree {
 public:
  /// The points must outlive the tree.
  explicit VertexTree(const std::vector<Vec3>& points);

  /// max direction · x over all points. `reach` is that of one of them, the nearer to the answer the better.
  double farthest_reach(const Vec3& direction, double reach) const;

 private:
  struct Node {
    Mat3 axes;               ///< of the box, in columns
    Vec3 center, half;       ///< of the box; half along its axes
    int begin = 0, end = 0;  ///< its points, in order_
    int second = 0;          ///< number of the second child, whose first follows the node; 0: none, a leaf
  };
  int build(int begin, int end);

  const std::vector<Vec3>& points_;
  std::vector<int> order_;
  std::vector<Node> nodes_;
};

}  // namespace carom
