#pragma once

#include <array>
#include <vector>

#include "carom/spatial/types.h"

namespace carom::cutting {

/// The points x with normal · x = offset; normal of unit length.
struct Plane {
  Vec3 normal = Vec3::Zero();
  double offset = 0;
  double gap(const Vec3& point) const { return normal.dot(point) - offset; }
};

/// Convex polygons. That with number k has the corners points[loops[i]], ends[k − 1] ≤ i < ends[k].
struct Soup {
  std::vector<Vec3> points;
  std::vector<int> loops, ends;
};

/// The polygons below and above the plane. One that lies in it goes to the side behind it, which is the solid's. One
/// that only touches it goes to the side on which it is.
std::array<Soup, 2> split(const Soup& soup, const Plane& plane, double tolerance);

/// Adds the face that the cut has opened to a cell.
void close(Soup& cell, const Plane& plane, double tolerance);

}  // namespace carom::cutting
