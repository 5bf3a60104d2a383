#include "carom/impact/sprung_slip.h"

namespace carom {

SprungSlip::SprungSlip(const TangentialSpring& spring, double friction_x, double friction_y)
    : ratio_(spring.stiffness),
      loss_(spring.unwinding_loss()),
      square_(friction_x * friction_x, friction_y * friction_y) {
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
