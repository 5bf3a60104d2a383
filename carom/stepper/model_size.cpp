#include "carom/stepper/model_size.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom {
namespace {

/// 0: a point at its own joint.
double size_without_shape(const Model& model, int body) {
  const SpatialInertia& inertia = model.bodies()[body].inertia;
  const double gyration = inertia.mass > 0 ? std::sqrt(inertia.central.trace() / (2 * inertia.mass)) : 0;
  return gyration > 0 ? gyration : (model.joints()[body].X_BM.inverse() * inertia.center).norm();
}

double longest_arm_of(const Model& model) {
  double arm = 0;
  for (const Constraint& constraint : model.constraints()) {
    arm = std::max({arm, constraint.X_AF.p.norm(), constraint.X_BG.p.norm()});
  }
  for (const Joint& joint : model.joints()) arm = std::max(arm, joint.X_PF.p.norm());
  for (const Collider& collider : model.colliders()) {
    const double radius = bounding_radius(collider.shape);
    arm = std::max(arm, collider.X_BS.p.norm() + (std::isfinite(radius) ? radius : 0));
  }
  return arm;
}

double least_of(const Model& model, double longest_arm) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double least = infinity;
  const auto take = [&](double size) {
    if (size > 0) least = std::min(least, size);
  };
  for (const Collider& collider : model.colliders()) {
    if (!model.is_static(collider.body)) take(bounding_radius(collider.shape));
  }
  if (least < infinity) return least;
  for (int body = 0; body < model.body_count(); ++body) take(size_without_shape(model, body));
  if (least < infinity) return least;
  return longest_arm > 0 ? longest_arm : 1;
}

}  // namespace

ModelSize::ModelSize(const Model& model)
    : longest_arm_(longest_arm_of(model)),
      gravity_(model.gravity().norm()),
      is_length_(static_cast<std::size_t>(model.velocity_count()), 0) {
  least_ = least_of(model, longest_arm_);
  for (const Joint& joint : model.joints()) {
    for (int k = 0; k < velocity_size(joint); ++k) {
      const bool angle = has_scalar_coordinates(joint.type) ? is_angle(joint, k) : k < 3;
      if (!angle) is_length_[static_cast<std::size_t>(joint.v_index + k)] = 1;
    }
  }
}

double ModelSize::reach(const Model& model, const VectorX& q) const {
  double farthest = 0;
  for (const Joint& joint : model.joints()) {
    const int quaternion = position_size(joint) - velocity_size(joint);
    for (int i = quaternion > 0 ? 4 : 0; i < position_size(joint); ++i) {
      const int coordinate = joint.v_index + i - quaternion;
      if (is_length_[static_cast<std::size_t>(coordinate)] != 0)
        farthest = std::max(farthest, std::abs(q[joint.q_index + i]));
    }
  }
  return longest_arm_ + farthest;
}

double ModelSize::speed(double h) const { return gravity_ > 0 ? std::sqrt(gravity_ * least_) : least_ / h; }

std::vector<double> ModelSize::of_state(const Model& model, double h) const {
  const auto positions = static_cast<std::size_t>(model.position_count());
  std::vector<double> sizes(positions + is_length_.size(), 1.0);
  for (const Joint& joint : model.joints()) {
    const int quaternion =
        position_size(joint) - velocity_size(joint);  // 1 where there is one, and no scalar comes first
    for (int i = quaternion > 0 ? 4 : 0; i < position_size(joint); ++i) {
      sizes[static_cast<std::size_t>(joint.q_index + i)] = of_coordinate(joint.v_index + i - quaternion);
    }
  }
  for (std::size_t k = 0; k < is_length_.size(); ++k) {
    sizes[positions + k] = of_coordinate(static_cast<int>(k)) * speed(h) / least_;
  }
  return sizes;
}

bool ModelSize::is_length(const ConstraintRow& row) const {
  if (row.coordinate >= 0) return is_length_[static_cast<std::size_t>(row.coordinate)] != 0;
  return row.direction != Vec3::Zero();
}

double ModelSize::of(const ConstraintRow& row) const { return is_length(row) ? least_ : 1; }

double ModelSize::of_coordinate(int coordinate) const {
  return is_length_[static_cast<std::size_t>(coordinate)] != 0 ? least_ : 1;
}

bool ModelSize::is_length(const ContactId& id) const {
  return !id.is_limit() || is_length_[static_cast<std::size_t>(id.b)] != 0;
}

}  // namespace carom
