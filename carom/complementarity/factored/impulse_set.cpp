#include "carom/complementarity/factored/impulse_set.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace carom {

ImpulseSet::ImpulseSet(const Block& block, int directions)
    : kind_(block.kind),
      size_(block.size()),
      normal_(block.normal_row() - block.row),
      directions_(directions),
      lower_(block.lower),
      upper_(block.upper) {
  if (!block.is_contact()) return;
  const double largest = block.friction.maxCoeff();
  mu_ = largest > 0 ? largest : block.torsion > 0 ? 1.0 : 0.0;
  const double axes[3] = {block.friction.x(), block.friction.y(), block.torsion};
  for (int axis = 0; axis < size_ - 1; ++axis) scale_[axis < 2 ? axis : 3] = mu_ > 0 ? axes[axis] / mu_ : 0;
}

double ImpulseSet::lift(const double* w, double* gradient) const {
  if (gradient != nullptr) std::fill_n(gradient, size_, 0.0);
  if (mu_ == 0) return 0;
  if (directions_ == 0) {
    double square = 0;
    for (int i = 0; i < size_; ++i) square += i == normal_ ? 0 : w[i] * w[i];
    const double speed = std::sqrt(square);
    for (int i = 0; gradient != nullptr && speed > 0 && i < size_; ++i) {
      if (i != normal_) gradient[i] = mu_ * w[i] / speed;
    }
    return mu_ * speed;
  }
  double most = 0;
  for (int j = 0; j < directions_; ++j) {
    const double angle = 2 * std::numbers::pi * j / directions_, c = std::cos(angle), s = std::sin(angle);
    const double speed = -(c * w[0] + s * w[1]);
    if (speed <= most) continue;
    most = speed;
    if (gradient != nullptr) gradient[0] = -mu_ * c, gradient[1] = -mu_ * s;
  }
  return mu_ * most;
}

void ImpulseSet::project(const double* x, double* nearest, double* derivative) const {
  if (derivative != nullptr) std::fill_n(derivative, max_size * size_, 0.0);
  switch (kind_) {
    case BlockKind::bilateral:
      nearest[0] = x[0];
      if (derivative != nullptr) derivative[0] = 1;
      return;
    case BlockKind::bounded:
      nearest[0] = std::clamp(x[0], lower_, upper_);
      if (derivative != nullptr) derivative[0] = x[0] > lower_ && x[0] < upper_ ? 1 : 0;
      return;
    case BlockKind::unilateral:
    case BlockKind::cone:
    case BlockKind::ellipsoid:
      break;
  }
  if (mu_ == 0) {
    std::fill_n(nearest, size_, 0.0);
    nearest[normal_] = std::max(0.0, x[normal_]);
    if (derivative != nullptr && x[normal_] > 0) derivative[normal_ * (max_size + 1)] = 1;
    return;
  }
  directions_ == 0 ? project_circle(x, nearest, derivative) : project_polygon(x, nearest, derivative);
}

void ImpulseSet::project_circle(const double* x, double* nearest, double* derivative) const {
  double t[max_size] = {}, square = 0;
  for (int i = 0; i < size_; ++i) {
    t[i] = i == normal_ || scale_[i] == 0 ? 0 : x[i];
    square += t[i] * t[i];
  }
  const double length = std::sqrt(square), n = x[normal_];
  if (length <= mu_ * n) {
    std::copy_n(t, size_, nearest);
    nearest[normal_] = n;
    for (int i = 0; derivative != nullptr && i < size_; ++i) {
      if (i == normal_ || scale_[i] > 0) derivative[i * (max_size + 1)] = 1;
    }
    return;
  }
  std::fill_n(nearest, size_, 0.0);
  if (mu_ * length <= -n) return;
  // On the ray (μ t, 1) / √(1 + μ²), t the direction of x.
  const double normal = (mu_ * length + n) / (1 + mu_ * mu_);
  for (int i = 0; i < size_; ++i) t[i] /= length;
  for (int i = 0; i < size_; ++i) nearest[i] = mu_ * normal * t[i];
  nearest[normal_] = normal;
  if (derivative == nullptr) return;
  // ray rayᵀ / (1 + μ²) + (length of the nearest friction / length) (1 − t tᵀ)
  const double turn = mu_ * normal / length, share = 1 / (1 + mu_ * mu_);
  for (int i = 0; i < size_; ++i) {
    if (i == normal_ || scale_[i] == 0) continue;
    for (int j = 0; j < size_; ++j) {
      if (j == normal_ || scale_[j] == 0) continue;
      derivative[i * max_size + j] = (mu_ * mu_ * share - turn) * t[i] * t[j] + (i == j ? turn : 0);
    }
    derivative[i * max_size + normal_] = derivative[normal_ * max_size + i] = mu_ * share * t[i];
  }
  derivative[normal_ * (max_size + 1)] = share;
}

/// The pyramid over a regular polygon is symmetric about the plane through each generator and each mid-face, so the
/// nearest point lies in the sector of angles between generators that x lies in.
void ImpulseSet::project_polygon(const double* x, double* nearest, double* derivative) const {
  const double sector = 2 * std::numbers::pi / directions_;
  double angle = std::atan2(x[1], x[0]);
  if (angle < 0) angle += 2 * std::numbers::pi;
  const double first = std::floor(angle / sector) * sector;
  const double c = std::cos(first + sector / 2), s = std::sin(first + sector / 2);
  // In the frame of the face: r outwards, l along the edge. The face is r ≤ h p_n, |l| ≤ e p_n.
  const double h = mu_ * std::cos(sector / 2), e = mu_ * std::sin(sector / 2);
  const double r = c * x[0] + s * x[1], l = -s * x[0] + c * x[1], n = x[2];
  std::fill_n(nearest, 3, 0.0);
  if (r <= h * n) {
    std::copy_n(x, 3, nearest);
    for (int i = 0; derivative != nullptr && i < 3; ++i) derivative[i * (max_size + 1)] = 1;
    return;
  }
  const double on_face = (h * r + n) / (1 + h * h);
  double basis[2][3];  // orthonormal, of the face or the generator
  int rank = 0;
  if (on_face > 0 && std::abs(l) <= e * on_face) {
    const double size = std::sqrt(1 + h * h);
    const double ray[3] = {h * c / size, h * s / size, 1 / size}, edge[3] = {-s, c, 0};
    std::copy_n(ray, 3, basis[rank++]);
    std::copy_n(edge, 3, basis[rank++]);
  } else {
    const double side = l < 0 ? first : first + sector, size = std::sqrt(1 + mu_ * mu_);
    const double ray[3] = {mu_ * std::cos(side) / size, mu_ * std::sin(side) / size, 1 / size};
    if (ray[0] * x[0] + ray[1] * x[1] + ray[2] * n <= 0) return;
    std::copy_n(ray, 3, basis[rank++]);
  }
  for (int k = 0; k < rank; ++k) {
    const double along = basis[k][0] * x[0] + basis[k][1] * x[1] + basis[k][2] * x[2];
    for (int i = 0; i < 3; ++i) nearest[i] += along * basis[k][i];
    for (int i = 0; derivative != nullptr && i < 3; ++i) {
      for (int j = 0; j < 3; ++j) derivative[i * max_size + j] += basis[k][i] * basis[k][j];
    }
  }
}

}  // namespace carom
