#include "carom/record/collider_loads.h"

#include <cmath>
#include <limits>

namespace carom {

void ColliderLoads::clear(Eigen::Index colliders) {
  impulse.setZero(3 * colliders);
  angular_impulse.setZero(3 * colliders);
  normal_impulse.setZero(colliders);
  centre_of_pressure.setConstant(3 * colliders, std::numeric_limits<double>::quiet_NaN());
}

void ColliderLoads::add(Eigen::Index collider, const Vec3& p, double normal, const Vec3& point) {
  impulse.segment<3>(3 * collider) += p;
  angular_impulse.segment<3>(3 * collider) += point.cross(p);
  if (normal == 0) return;
  double& total = normal_impulse[collider];
  auto centre = centre_of_pressure.segment<3>(3 * collider);
  if (total == 0) centre = point;
  total += normal;
  centre += (normal / total) * (point - centre);
}

void ColliderLoads::add(const StepReport& report) {
  const auto is_collider = [&](int number) { return number >= 0 && number < normal_impulse.size(); };
  for (const ContactReport& contact : report.contacts) {
    if (!is_collider(contact.id.a) || !is_collider(contact.id.b) || contact.impulse.isZero(0)) continue;
    const Vec3 on_a = contact.R_WC * contact.impulse;
    const double normal = std::abs(contact.impulse.z());
    add(contact.id.a, on_a, normal, contact.position);
    add(contact.id.b, -on_a, normal, contact.position);
  }
}

VectorX ColliderLoads::mean_force(double seconds) const {
  if (!(seconds > 0)) return VectorX::Zero(impulse.size());
  return impulse / seconds;
}

VectorX ColliderLoads::mean_moment(double seconds) const {
  VectorX moment = VectorX::Zero(impulse.size());
  if (!(seconds > 0)) return moment;
  for (Eigen::Index i = 0; i < normal_impulse.size(); ++i) {
    Vec3 about = angular_impulse.segment<3>(3 * i);
    if (normal_impulse[i] > 0) {
      about -= Vec3(centre_of_pressure.segment<3>(3 * i)).cross(Vec3(impulse.segment<3>(3 * i)));
    }
    moment.segment<3>(3 * i) = about / seconds;
  }
  return moment;
}

}  // namespace carom
