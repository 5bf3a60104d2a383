#include "carom/stepper/model_size.h"

#include <cmath>
#include <limits>

namespace carom {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();
constexpr double smallest_detail = 1e-3;  // of the extent

double gyration_of(const SpatialInertia& inertia) {
  return inertia.mass > 0 ? std::sqrt(inertia.central.trace() / (2 * inertia.mass)) : 0;
}

/// 0: a point at its own joint.
double size_without_shape(const Model& model, int body) {
  const SpatialInertia& inertia = model.bodies()[body].inertia;
  const double gyration = gyration_of(inertia);
  return gyration > 0 ? gyration : (model.joints()[body].X_BM.inverse() * inertia.center).norm();
}

double least_of(const Model& model) {
  double least = unbounded;
  const auto take = [&](double size) {
    if (size > 0) least = std::min(least, size);
  };
  for (const Collider& collider : model.colliders()) {
    if (!model.is_static(collider.body)) take(bounding_radius(collider.shape));
  }
  if (least < unbounded) return least;
  for (int body = 0; body < model.body_count(); ++body) take(size_without_shape(model, body));
  return least;
}

/// By body, how far what it holds lies from its origin, m.
std::vector<double> arms_of(const Model& model) {
  std::vector<double> arm(static_cast<std::size_t>(model.body_count()), 0.0);
  const auto take = [&](int body, double length) {
    if (body < 0 || model.is_static(body) || !std::isfinite(length)) return;
    arm[static_cast<std::size_t>(body)] = std::max(arm[static_cast<std::size_t>(body)], length);
  };
  for (int body = 0; body < model.body_count(); ++body) {
    const SpatialInertia& inertia = model.bodies()[body].inertia;
    take(body, inertia.center.norm() + gyration_of(inertia));
  }
  for (const Collider& collider : model.colliders()) {
    take(collider.body, collider.X_BS.p.norm() + bounding_radius(collider.shape));
  }
  for (const Constraint& constraint : model.constraints()) {
    take(constraint.body_a, constraint.X_AF.p.norm());
    take(constraint.body_b, constraint.X_BG.p.norm());
  }
  return arm;
}

/// Travel between limits.
double travel_of(const Joint& joint, const std::vector<char>& is_length) {
  double sum = 0;
  for (int k = 0; k < joint.lower.size(); ++k) {
    const double way = std::max(std::abs(joint.lower[k]), std::abs(joint.upper[k]));
    if (std::isfinite(way) && is_length[static_cast<std::size_t>(joint.v_index) + static_cast<std::size_t>(k)] != 0)
      sum += way;
  }
  return sum;
}

/// Parents come before their children.
double extent_of(const Model& model, const std::vector<char>& is_length) {
  const std::vector<double> arm = arms_of(model);
  std::vector<double> base(arm.size(), 0.0);
  double extent = 0;
  for (std::size_t body = 0; body < arm.size(); ++body) {
    const Joint& joint = model.joints()[body];
    base[body] = joint.X_BM.p.norm() + travel_of(joint, is_length);
    if (joint.parent >= 0) base[body] += base[static_cast<std::size_t>(joint.parent)] + joint.X_PF.p.norm();
    extent = std::max(extent, base[body] + arm[body]);
  }
  return extent;
}

double farthest_root(const Model& model) {
  double farthest = 0;
  for (const Joint& joint : model.joints()) {
    if (joint.parent < 0) farthest = std::max(farthest, joint.X_PF.p.norm());
  }
  for (const Constraint& constraint : model.constraints()) {
    if (constraint.body_a < 0) farthest = std::max(farthest, constraint.X_AF.p.norm());
    if (constraint.body_b < 0) farthest = std::max(farthest, constraint.X_BG.p.norm());
  }
  return farthest;
}

}  // namespace

ModelSize::ModelSize(const Model& model)
    : gravity_(model.gravity().norm()),
      root_(farthest_root(model)),
      is_length_(static_cast<std::size_t>(model.velocity_count()), 0) {
  for (const Joint& joint : model.joints()) {
    for (int k = 0; k < velocity_size(joint); ++k) {
      const bool angle = has_scalar_coordinates(joint.type) ? is_angle(joint, k) : k < 3;
      if (!angle) is_length_[static_cast<std::size_t>(joint.v_index) + static_cast<std::size_t>(k)] = 1;
    }
  }
  for (std::size_t i = 0; i < model.constraints().size(); ++i) {
    tendon_is_length_.push_back(std::ranges::all_of(model.constraint_terms(i),
                                                    [&](const RowTerm& term) { return is_length(term.coordinate); }));
  }
  const double least = least_of(model), extent = extent_of(model, is_length_);
  least_ = std::max(least < unbounded ? least : 0, smallest_detail * extent);
  if (!(least_ > 0)) least_ = root_ > 0 ? root_ : 1;
  extent_ = std::max(extent, least_);
}

double ModelSize::reach(const Model& model, const VectorX& q) const {
  double farthest = 0;
  for (const Joint& joint : model.joints()) {
    const int quaternion = position_size(joint) - velocity_size(joint);  // 1 where there is one; it comes first
    for (int i = quaternion > 0 ? 4 : 0; i < position_size(joint); ++i) {
      if (is_length(joint.v_index + i - quaternion)) farthest = std::max(farthest, std::abs(q[joint.q_index + i]));
    }
  }
  return root_ + extent_ + farthest;
}

double ModelSize::fastest(const VectorX& v) const {
  double fastest = 0;
  for (int k = 0; k < static_cast<int>(v.size()); ++k) fastest = std::max(fastest, std::abs(v[k]) * as_speed(k));
  return fastest;
}

double ModelSize::speed(double h) const { return gravity_ > 0 ? std::sqrt(gravity_ * least_) : 0.1 * least_ / h; }

bool ModelSize::is_length(const ConstraintRow& row) const {
  if (row.coordinate < 0) return row.direction != Vec3::Zero();
  bool all = true;
  row.for_each_term([&](int k, double) { all = all && is_length(k); });
  return all;
}

std::vector<double> ModelSize::of_state(const Model& model, double h) const {
  const auto positions = static_cast<std::size_t>(model.position_count());
  std::vector<double> sizes(positions + is_length_.size(), 1.0);
  for (const Joint& joint : model.joints()) {
    const int quaternion = position_size(joint) - velocity_size(joint);
    for (int i = quaternion > 0 ? 4 : 0; i < position_size(joint); ++i) {
      sizes[static_cast<std::size_t>(joint.q_index) + static_cast<std::size_t>(i)] =
          of_coordinate(joint.v_index + i - quaternion);
    }
  }
  for (std::size_t k = 0; k < is_length_.size(); ++k) sizes[positions + k] = speed(h) / as_speed(static_cast<int>(k));
  return sizes;
}

}  // namespace carom
