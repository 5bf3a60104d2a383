#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "carom/spatial/types.h"

namespace carom {

/// Restitution that depends on the place on a shape. A change is added to the coefficient of the two materials at a
/// point, by its coordinate along a direction of the shape's frame. The change is linear between the given places,
/// constant beyond the first and the last. The sum is kept between 0 and 1.
struct RestitutionChange {
  Vec3 along = Vec3::UnitX();                     ///< a unit vector of the shape's frame
  std::vector<std::pair<double, double>> points;  ///< (coordinate in m, change), coordinates rise; at least one

  /// True if it changes anything anywhere.
  bool acts() const {
    return std::any_of(points.begin(), points.end(), [](const auto& entry) { return entry.second != 0; });
  }
  /// At a point of the shape's frame, m.
  double at(const Vec3& point) const {
    const double x = along.dot(point);
    const auto above = std::find_if(points.begin(), points.end(), [&](const auto& entry) { return entry.first > x; });
    if (above == points.begin()) return points.front().second;
    if (above == points.end()) return points.back().second;
    const auto below = above - 1;
    return below->second + (above->second - below->second) * (x - below->first) / (above->first - below->first);
  }
};

}  // namespace carom
