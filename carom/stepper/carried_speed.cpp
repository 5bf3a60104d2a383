#include "carom/stepper/carried_speed.h"

#include <algorithm>
#include <cmath>

#include "carom/dynamics/recursions.h"

namespace carom {

double carried_speed(const ConstraintRow& row, const VectorX& v, const DynamicsWorkspace& workspace) {
  if (row.coordinate >= 0) {
    const double other = row.other_coordinate < 0 ? 0 : row.other_coefficient * v[row.other_coordinate];
    return std::max(std::abs(row.coefficient * v[row.coordinate]), std::abs(other));
  }
  const auto of = [&](int body, const Vec3& point) {
    if (body < 0) return 0.0;
    const double turning = workspace.V[body].head<3>().norm() * row.moment.norm();
    return std::max(point_velocity(body, point, workspace).norm() * row.direction.norm(), turning);
  };
  return std::max(of(row.body_a, row.point_a), of(row.body_b, row.point_b));
}

}  // namespace carom
