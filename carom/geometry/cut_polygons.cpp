#include "carom/geometry/cut_polygons.h"

#include <algorithm>
#include <cmath>

namespace carom::cutting {

std::array<Soup, 2> split(const Soup& soup, const Plane& plane, double tolerance) {
  std::vector<double> gaps;
  gaps.reserve(soup.points.size());
  for (const Vec3& point : soup.points) {
    const double gap = plane.gap(point);
    gaps.push_back(std::abs(gap) <= tolerance ? 0 : gap);
  }
  std::array<Soup, 2> sides;
  std::array<std::vector<int>, 2> numbers;
  for (std::vector<int>& number : numbers) number.assign(soup.points.size(), -1);
  const auto add = [&](int side, int i) {
    int& number = numbers[side][i];
    if (number < 0) {
      number = static_cast<int>(sides[side].points.size());
      sides[side].points.push_back(soup.points[i]);
    }
    sides[side].loops.push_back(number);
  };
  int first = 0;
  for (const int last : soup.ends) {
    bool below = false, above = false;
    for (int k = first; k < last; ++k) {
      below |= gaps[soup.loops[k]] < 0;
      above |= gaps[soup.loops[k]] > 0;
    }
    if (!below && !above) {
      Vec3 area = Vec3::Zero();
      const Vec3& o = soup.points[soup.loops[first]];
      for (int k = first + 1; k + 1 < last; ++k) {
        area += (soup.points[soup.loops[k]] - o).cross(soup.points[soup.loops[k + 1]] - o);
      }
      above = area.dot(plane.normal) < 0;
      below = !above;
    }
    for (int k = first; k < last; ++k) {
      const int i = soup.loops[k], j = soup.loops[k + 1 < last ? k + 1 : first];
      if (below && (!above || gaps[i] <= 0)) add(0, i);
      if (above && (!below || gaps[i] >= 0)) add(1, i);
      if ((gaps[i] < 0 && gaps[j] > 0) || (gaps[i] > 0 && gaps[j] < 0)) {
        // From below upwards, so that both polygons at an edge find the same point.
        const int from = gaps[i] < 0 ? i : j, to = gaps[i] < 0 ? j : i;
        const double share = gaps[from] / (gaps[from] - gaps[to]);
        const Vec3 point = soup.points[from] + share * (soup.points[to] - soup.points[from]);
        for (Soup& side : sides) {
          side.loops.push_back(static_cast<int>(side.points.size()));
          side.points.push_back(point);
        }
      }
    }
    for (Soup& side : sides) {
      if (static_cast<int>(side.loops.size()) > (side.ends.empty() ? 0 : side.ends.back())) {
        side.ends.push_back(static_cast<int>(side.loops.size()));
      }
    }
    first = last;
  }
  return sides;
}

void close(Soup& cell, const Plane& plane, double tolerance) {
  std::vector<int> rim;
  Vec3 center = Vec3::Zero();
  for (std::size_t i = 0; i < cell.points.size(); ++i) {
    if (std::abs(plane.gap(cell.points[i])) > tolerance) continue;
    rim.push_back(static_cast<int>(i));
    center += cell.points[i];
  }
  if (rim.size() < 3) return;
  center /= static_cast<double>(rim.size());
  const Vec3 u = plane.normal.unitOrthogonal(), v = plane.normal.cross(u);
  const auto angle = [&](int i) {
    const Vec3 arm = cell.points[i] - center;
    return std::atan2(arm.dot(v), arm.dot(u));
  };
  std::sort(rim.begin(), rim.end(), [&](int i, int j) { return angle(i) < angle(j); });
  const auto same = [&](int i, int j) { return (cell.points[i] - cell.points[j]).norm() <= tolerance; };
  rim.erase(std::unique(rim.begin(), rim.end(), same), rim.end());
  cell.loops.insert(cell.loops.end(), rim.begin(), rim.end());
  cell.ends.push_back(static_cast<int>(cell.loops.size()));
}

}  // namespace carom::cutting
