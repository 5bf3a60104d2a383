#include "carom/geometry/implicit/parametric_solid.h"

#include <algorithm>

namespace carom {

ImplicitSolid parametric_solid(const ParametricFormulas& formulas) {
  const auto sheet = std::make_shared<const ParametricSheet>(formulas);
  ImplicitSolid solid;
  solid.body = {{ParametricSurface{sheet}}, sheet->center()};
  check(solid.body);
  solid.points = sheet->samples();
  solid.ends.assign(solid.points.size(), 0);
  double within = sheet->size();
  std::vector<Vec3> corners;
  for (std::size_t i = 0; i < solid.points.size(); ++i) {
    const ParametricSheet::Projection on = sheet->project(solid.points[i]);
    within = std::min(within, on.normal.dot(on.point - sheet->center()));
    solid.radius = std::max(solid.radius, solid.points[i].norm());
    if (i % 2 == 0) corners.push_back(solid.points[i]);
  }
  solid.inner_radius = 0.98 * within;
  for (int i = 0; i < 3; ++i) {
    solid.upper[i] = implicit_support(solid, Vec3::Unit(i)).point[i];
    solid.lower[i] = implicit_support(solid, -Vec3::Unit(i)).point[i];
  }
  const Vec3 slack = Vec3::Constant(0.005 * (solid.upper - solid.lower).maxCoeff());
  solid.lower -= slack;
  solid.upper += slack;
  solid.radius = solid.lower.cwiseAbs().cwiseMax(solid.upper.cwiseAbs()).norm();
  solid.hull = std::make_shared<const Polyhedron>(convex_hull(corners));
  return solid;
}

}  // namespace carom
