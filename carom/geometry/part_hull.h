#pragma once

#include <vector>

#include "carom/geometry/cut_polygons.h"

namespace carom::cutting {

/// Convex hull of a part.
struct Hull {
  std::vector<Vec3> corners;
  std::vector<Plane> faces;  ///< normals outwards
  double volume = 0;         ///< 0, and no corners, if the points are flat
};

/// By Qhull. With volume_alone neither corners nor faces.
Hull hull_of(std::vector<Vec3> points, bool volume_alone = false);

/// Volume of the hull of those points that are extreme in a fixed set of directions, if there are many.
double rough_volume(const std::vector<Vec3>& points);

/// True if a face of either has the other in front of it. False for some that touch by edges alone.
bool parted(const Hull& a, const Hull& b, double tolerance);

}  // namespace carom::cutting
