#include "carom/geometry/part_hull.h"

#include <libqhull_r/qhull_ra.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/geometry/closed_surface.h"
#include "carom/geometry/qhull.h"

namespace carom::cutting {

Hull hull_of(std::vector<Vec3> points, bool volume_alone) {
  Hull hull;
  Qhull qhull;
  if (points.size() < 4 || !qhull.run(3, static_cast<int>(points.size()), points.front().data(), "qhull C-0")) {
    return hull;
  }
  qhT* qh = qhull.state();
  qh_getarea(qh, qh->facet_list);
  hull.volume = qh->totvol;
  if (volume_alone) return hull;
  vertexT* vertex = nullptr;
  FORALLvertices { hull.corners.push_back(points[qh_pointid(qh, vertex->point)]); }
  std::sort(hull.corners.begin(), hull.corners.end(), before);
  facetT* facet = nullptr;
  FORALLfacets { hull.faces.push_back({Eigen::Map<const Vec3>(facet->normal), -facet->offset}); }
  return hull;
}

double rough_volume(const std::vector<Vec3>& points) {
  constexpr int directions = 100;
  if (points.size() <= 3 * directions) return hull_of(points, true).volume;
  const Eigen::Map<const Eigen::Matrix3Xd> columns(points.front().data(), 3, static_cast<int>(points.size()));
  std::vector<int> extreme;
  Eigen::RowVectorXd reach(columns.cols());
  for (int k = 0; k < directions; ++k) {  // a spiral of equal steps in height (Vogel 1979, on the sphere)
    const double z = 1 - (2 * k + 1.0) / directions, r = std::sqrt(1 - z * z),
                 a = std::numbers::pi * (3 - std::sqrt(5)) * k;
    reach.noalias() = Eigen::RowVector3d(r * std::cos(a), r * std::sin(a), z) * columns;
    int best = 0;
    reach.maxCoeff(&best);
    extreme.push_back(best);
  }
  std::sort(extreme.begin(), extreme.end());
  extreme.erase(std::unique(extreme.begin(), extreme.end()), extreme.end());
  std::vector<Vec3> chosen;
  chosen.reserve(extreme.size());
  for (const int i : extreme) chosen.push_back(points[i]);
  return hull_of(std::move(chosen), true).volume;
}

bool parted(const Hull& a, const Hull& b, double tolerance) {
  const auto by_face = [tolerance](const Hull& p, const Hull& q) {
    return std::any_of(p.faces.begin(), p.faces.end(), [&](const Plane& face) {
      return std::all_of(q.corners.begin(), q.corners.end(), [&](const Vec3& x) { return face.gap(x) >= -tolerance; });
    });
  };
  return by_face(a, b) || by_face(b, a);
}

}  // namespace carom::cutting
