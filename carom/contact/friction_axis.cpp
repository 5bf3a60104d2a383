#include "carom/contact/friction_axis.h"

#include <algorithm>

namespace carom {

FrictionAxis friction_axis(const Model& model, int collider_a, int collider_b, const Vec3& normal,
                           const std::vector<Transform>& X_WB) {
  constexpr double least_sine = 0.01;
  const int first = std::min(collider_a, collider_b);
  for (const int number : {first, collider_a + collider_b - first}) {
    const Collider& collider = model.colliders()[number];
    if (!collider.friction_axis) continue;
    FrictionAxis found{collider.body, collider.X_BS.R * collider.friction_axis->normalized()};
    if (normal.cross(found.in_world(X_WB)).norm() > least_sine) return found;
    break;
  }
  return {-1, normal.x() * normal.x() > 0.5 ? Vec3::UnitY() : Vec3::UnitX()};
}

}  // namespace carom
