#include "carom/complementarity/factored/impulse_set.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace carom {

std::vector<PolygonCorner> polygon_of(int directions) {
  std::vector<PolygonCorner> corners(directions);
  for (int j = 0; j < directions; ++j) {
    const double angle = 2 * std::numbers::pi * j / directions, middle = angle + std::numbers::pi / directions;
    corners[j] = {std::cos(angle), std::sin(angle), std::cos(middle), std::sin(middle)};
  }
  return corners;
}

ImpulseSet::ImpulseSet(const Block& block, std::span<const PolygonCorner> polygon)
    : kind_(block.kind),
      size_(block.size()),
      normal_(block.normal_row() - block.row),
      polygon_(polygon),
      lower_(block.lower),
      upper_(block.upper),
      floor_(std::max(0.0, block.floor)) {
  if (!block.is_contact()) return;
  const double largest = block.friction.maxCoeff();
  mu_ = largest > 0 ? largest : block.torsion > 0 ? 1.0 : 0.0;
  const double axes[3] = {block.friction.x(), block.friction.y(), block.torsion};
  for (int axis = 0; axis < size_ - 1; ++axis) scale_[axis < 2 ? axis : 3] = mu_ > 0 ? axes[axis] / mu_ : 0;
}

double ImpulseSet::lift(const double* w, double* gradient) const {
  if (gradient != nullptr) std::fill_n(gradient, size_, 0.0);
  if (mu_ == 0) return 0;
  if (polygon_.empty()) {
    double square = 0;
    for (int i = 0; i < size_; ++i) square += i == normal_ ? 0 : w[i] * w[i];
    const double speed = std::sqrt(square);
    for (int i = 0; gradient != nullptr && speed > 0 && i < size_; ++i) {
      if (i != normal_) gradient[i] = mu_ * w[i] / speed;
    }
    return mu_ * speed;
  }
  double most = 0;
  for (const PolygonCorner& corner : polygon_) {
    const double speed = -(corner.x * w[0] + corner.y * w[1]);
    if (speed <= most) continue;
    most = speed;
    if (gradient != nullptr) gradient[0] = -mu_ * corner.x, gradient[1] = -mu_ * corner.y;
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
    nearest[normal_] = std::max(floor_, x[normal_]);
    if (derivative != nullptr && x[normal_] > floor_) derivative[normal_ * (max_size + 1)] = 1;
    return;
  }
  polygon_.empty() ? project_circle(x, nearest, derivative) : project_polygon(x, nearest, derivative);
  if (nearest[normal_] >= floor_) return;
  // The nearest point of the cone lies below the floor, so the nearest of both lies on it.
  if (derivative != nullptr) std::fill_n(derivative, max_size * size_, 0.0);
  polygon_.empty() ? project_floor(x, nearest, derivative) : project_floor_polygon(x, nearest, derivative);
}

/// The disc of radius μ floor.
void ImpulseSet::project_floor(const double* x, double* nearest, double* derivative) const {
  double square = 0;
  for (int i = 0; i < size_; ++i) square += i == normal_ || scale_[i] == 0 ? 0 : x[i] * x[i];
  const double length = std::sqrt(square), radius = mu_ * floor_;
  const bool within = length <= radius;
  const double turn = within ? 1 : radius / length;
  for (int i = 0; i < size_; ++i) nearest[i] = i == normal_ ? floor_ : scale_[i] == 0 ? 0 : turn * x[i];
  for (int i = 0; derivative != nullptr && i < size_; ++i) {
    for (int j = 0; j < size_; ++j) {
      if (i == normal_ || j == normal_ || scale_[i] == 0 || scale_[j] == 0) continue;
      const double radial = within ? 0 : turn * (x[i] / length) * (x[j] / length);
      derivative[i * max_size + j] = (i == j ? turn : 0) - radial;
    }
  }
}

/// The polygon whose corners are at μ floor.
void ImpulseSet::project_floor_polygon(const double* x, double* nearest, double* derivative) const {
  const std::size_t edge = edge_of(x);
  const PolygonCorner &first = polygon_[edge], &second = polygon_[edge + 1 < polygon_.size() ? edge + 1 : 0];
  const double c = first.mid_x, s = first.mid_y, radius = mu_ * floor_;
  const double h = radius * (c * first.x + s * first.y), e = radius * (c * second.y - s * second.x);
  const double r = c * x[0] + s * x[1], l = -s * x[0] + c * x[1];
  nearest[normal_] = floor_;
  if (r <= h) {
    nearest[0] = x[0], nearest[1] = x[1];
    if (derivative != nullptr) derivative[0] = derivative[max_size + 1] = 1;
    return;
  }
  const double along = std::clamp(l, -e, e);
  nearest[0] = h * c - along * s, nearest[1] = h * s + along * c;
  if (derivative == nullptr || std::abs(l) > e) return;
  derivative[0] = s * s, derivative[max_size + 1] = c * c;
  derivative[1] = derivative[max_size] = -s * c;
}

/// The edge whose middle x leans to most.
std::size_t ImpulseSet::edge_of(const double* x) const {
  std::size_t edge = 0;
  double most = -1e300;
  for (std::size_t j = 0; j < polygon_.size(); ++j) {
    const double along = polygon_[j].mid_x * x[0] + polygon_[j].mid_y * x[1];
    if (along > most) most = along, edge = j;
  }
  return edge;
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

/// The pyramid over a regular polygon is symmetric about the plane through each generator and each mid-face. So the
/// nearest point lies in the same sector of angles between generators as x: that of the mid-face to which x leans most.
void ImpulseSet::project_polygon(const double* x, double* nearest, double* derivative) const {
  const std::size_t edge = edge_of(x);
  const PolygonCorner& first = polygon_[edge];
  const PolygonCorner& second = polygon_[edge + 1 < polygon_.size() ? edge + 1 : 0];
  const double c = first.mid_x, s = first.mid_y;
  // In the frame of the face: r outwards, l along the edge. The face is r ≤ h p_n, |l| ≤ e p_n.
  const double h = mu_ * (c * first.x + s * first.y), e = mu_ * (c * second.y - s * second.x);
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
    const double ray[3] = {h * c / size, h * s / size, 1 / size}, side[3] = {-s, c, 0};
    std::copy_n(ray, 3, basis[rank++]);
    std::copy_n(side, 3, basis[rank++]);
  } else {
    const PolygonCorner& corner = l < 0 ? first : second;
    const double size = std::sqrt(1 + mu_ * mu_);
    const double ray[3] = {mu_ * corner.x / size, mu_ * corner.y / size, 1 / size};
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
