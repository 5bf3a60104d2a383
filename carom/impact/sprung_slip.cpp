#include "carom/impact/sprung_slip.h"

#include <algorithm>

namespace carom {
namespace {

/// Springs that give back less would unwind faster than steps can follow. Its square is lost in what is stored.
constexpr double least_restitution = 0.02;

}  // namespace

SprungSlip::SprungSlip(const TangentialSpring& spring, double friction_x, double friction_y)
    : ratio_(spring.stiffness), square_(friction_x * friction_x, friction_y * friction_y) {
  const double e = std::clamp(spring.restitution, least_restitution, 1.0);
  loss_ = 1 / (e * e) - 1;
  for (int axis = 0; axis < 2; ++axis) {
    if (square_[axis] > 0) inverse_[axis] = 1 / square_[axis];
  }
}

Eigen::Vector2d SprungSlip::free_rate(const Eigen::Vector2d& g, const Eigen::Vector2d& v, double slope,
                                      double stiffening) const {
  Eigen::Vector2d rate = inverse_.cwiseProduct(v);
  const double power = g.dot(v), size = g.dot(square_.cwiseProduct(g));
  if (power > 0 && size > 0) rate += loss_ * power / size * g;
  return -ratio_ * slope * rate + stiffening * g;
}

void SprungSlip::begin(const Eigen::Vector2d& v, double s) {
  const Eigen::Vector2d wind = -ratio_ * inverse_.cwiseProduct(v);
  const double size = wind.norm();
  sliding = size > s;
  direction = size > 0 ? Eigen::Vector2d(wind / size) : Eigen::Vector2d::Zero();
}

}  // namespace carom
