#include "carom/dynamics/row_velocity.h"

#include "carom/dynamics/recursions.h"

namespace carom {

double row_velocity(const ConstraintRow& row, const VectorX& v, const DynamicsWorkspace& workspace) {
  if (row.coordinate >= 0) return row.sum(v);
  const auto spin = [&](int body) -> Vec3 { return body < 0 ? Vec3::Zero() : workspace.nodes[body].V.angular; };
  return row.direction.dot(point_velocity(row.body_a, row.point_a, workspace) -
                           point_velocity(row.body_b, row.point_b, workspace)) +
         row.moment.dot(spin(row.body_a) - spin(row.body_b));
}

}  // namespace carom
