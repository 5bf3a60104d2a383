#include "carom/stepper/carried_speed.h"

#include <algorithm>
#include <cmath>

#include "carom/dynamics/recursions.h"

namespace carom {

double carried_speed(const ConstraintRow& row, const VectorX& v, const DynamicsWorkspace& workspace) {
  if (row.coordinate >= 0) {
    double most = 0;
    row.for_each_term([&](int k, double coefficient) { most = std::max(most, std::abs(coefficient * v[k])); });
    return most;
  }
  const auto of = [&](int body, const Vec3& point) {
    if (body < 0) return 0.0;
    const double turning = workspace.V[body].head<3>().norm() * row.moment.norm();
    return std::max(point_velocity(body, point, workspace).norm() * row.direction.norm(), turning);
  };
  return std::max(of(row.body_a, row.point_a), of(row.body_b, row.point_b));
}

}  // namespace carom
