#include "carom/contact/closest_points.h"

#include <limits>
#include <variant>
#include <vector>

namespace carom {
namespace {

using System = ClosestPointSystem;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Normals to start from, from B towards A, the likeliest first.
std::vector<Vec3> directions(const ImplicitBody& a, const Transform& X_WA, const ImplicitBody& b,
                             const Transform& X_WB) {
  std::vector<Vec3> normals;
  const Vec3 between = X_WA * a.inside - X_WB * b.inside;
  normals.push_back(between.norm() > 0 ? between : Vec3::UnitZ());
  constexpr std::size_t few = 8;  // faces of a mesh are too many to try one by one
  const auto add_planes = [&](const ImplicitBody& body, const Mat3& R, double sign) {
    if (body.surfaces.size() > few) return;
    for (const ImplicitSurface& surface : body.surfaces) {
      if (const auto* plane = std::get_if<PlaneSurface>(&surface)) normals.emplace_back(sign * (R * plane->normal));
    }
  };
  add_planes(a, X_WA.R, -1);
  add_planes(b, X_WB.R, 1);
  for (int i = 0; i < 27; ++i) {
    if (i != 13) normals.emplace_back(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
  }
  return normals;
}

}  // namespace

ClosestPoints ClosestPointFinder::find_near(const ImplicitBody& a, const Transform& X_WA, const ImplicitBody& b,
                                            const Transform& X_WB, const VectorX& start) {
  const ClosestPointSystem system(a, b);
  const int n = system.size();
  VectorX lower = VectorX::Constant(n, -infinity), upper = VectorX::Constant(n, infinity);
  std::vector<double> sizes(n, 1.0);
  lower.tail(n - System::multipliers_a).setZero();
  for (int i = 0; i < 3; ++i) sizes[System::point_a + i] = sizes[System::point_b + i] = options_.length;
  sizes[System::gap] = options_.length;
  const MixedNcp problem{
      .lower = lower,
      .upper = upper,
      .function =
          [&](const MixedNcp::Input& z, Eigen::Ref<VectorX> F) {
            system.residual(X_WA, X_WB, z, F);
            return true;
          },
      .dense_jacobian =
          [&](const MixedNcp::Input& z, Eigen::Ref<MatrixX> J) {
            system.jacobian(X_WA, X_WB, z, J);
            return true;
          },
      .sparse_jacobian = {},
      .sizes = sizes,
  };
  MixedNcpOptions options;
  options.tolerance = options_.tolerance;
  options.max_iterations = options_.max_iterations;
  options.further_starts = 0;
  ClosestPoints result;
  result.unknowns = start;
  const MixedNcpResult solved = solver_.solve(problem, options, result.unknowns);
  result.status = solved.status;
  result.residual = solved.residual;
  result.gap = result.unknowns[System::gap];
  result.normal = result.unknowns.segment<3>(System::normal);
  result.p_WA = result.unknowns.segment<3>(System::point_a);
  result.p_WB = result.unknowns.segment<3>(System::point_b);
  result.solutions = solved.status == NcpStatus::solved;
  return result;
}

ClosestPoints ClosestPointFinder::find(const ImplicitBody& a, const Transform& X_WA, const ImplicitBody& b,
                                       const Transform& X_WB) {
  const ClosestPointSystem system(a, b);
  VectorX start(system.size());
  ClosestPoints best;
  int solutions = 0;
  for (const Vec3& normal : directions(a, X_WA, b, X_WB)) {
    system.start(X_WA, X_WB, normal, start);
    ClosestPoints found = find_near(a, X_WA, b, X_WB, start);
    const bool solved = found.status == NcpStatus::solved;
    solutions += solved;
    if (best.unknowns.size() == 0 || (solved && (best.status != NcpStatus::solved || found.gap > best.gap)))
      best = found;
    if (solved && found.gap > 0) break;
  }
  best.solutions = solutions;
  return best;
}

}  // namespace carom
