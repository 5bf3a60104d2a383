#include "carom/geometry/broad_phase.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/geometry/implicit/implicit_solid.h"

namespace carom {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Room for so many pairs per box is made at once, so that boxes on the move seldom ask for more.
constexpr std::size_t expected_pairs = 16;

/// The axis along which the centres of the boxes lie farthest apart; boxes without an end on an axis do not count
/// there.
int widest_axis(const std::vector<Bounds>& boxes) {
  Vec3 least = Vec3::Constant(infinity), greatest = Vec3::Constant(-infinity);
  for (const Bounds& box : boxes) {
    for (int i = 0; i < 3; ++i) {
      const double center = 0.5 * box.lower[i] + 0.5 * box.upper[i];
      if (!std::isfinite(center)) continue;
      least[i] = std::min(least[i], center);
      greatest[i] = std::max(greatest[i], center);
    }
  }
  int axis = 0;
  for (int i = 1; i < 3; ++i) {
    if (greatest[i] - least[i] > greatest[axis] - least[axis]) axis = i;
  }
  return axis;
}

bool overlap(const Bounds& a, const Bounds& b) {
  return (a.lower.array() <= b.upper.array()).all() && (b.lower.array() <= a.upper.array()).all();
}

/// Bounds of the box that holds the solid.
Bounds solid_bounds(const ImplicitSolid& solid, const Transform& X_WS, double margin) {
  const Vec3 center = X_WS * Vec3(0.5 * (solid.lower + solid.upper));
  const Vec3 reach = X_WS.R.cwiseAbs() * (0.5 * (solid.upper - solid.lower)) + Vec3::Constant(margin);
  return {center - reach, center + reach};
}

/// Bounds of the ground down to as deep as it is wide: what has sunk so far is lost.
Bounds ground_bounds(const HeightGrid& grid, const Transform& X_WS, double margin) {
  const double depth = 2 * grid.radius();
  const Vec3 middle(0, 0, 0.5 * (grid.highest() + grid.lowest() - depth));
  const Vec3 half(grid.half_size().x(), grid.half_size().y(), 0.5 * (grid.highest() - grid.lowest() + depth));
  const Vec3 reach = X_WS.R.cwiseAbs() * half + Vec3::Constant(margin);
  const Vec3 center = X_WS * middle;
  return {center - reach, center + reach};
}

}  // namespace

Bounds bounds(const Shape& shape, const Transform& X_WS, double margin) {
  if (std::holds_alternative<HalfSpace>(shape)) return {Vec3::Constant(-infinity), Vec3::Constant(infinity)};
  if (const auto* ground = std::get_if<HeightField>(&shape)) return ground_bounds(*ground->grid, X_WS, margin);
  if (const auto* implicit = std::get_if<ImplicitShape>(&shape)) {
    return solid_bounds(*implicit->solid, X_WS, margin);
  }
  Bounds box;
  for (int i = 0; i < 3; ++i) {
    const Vec3 axis = X_WS.R.row(i).transpose();
    box.lower[i] = X_WS.p[i] + axis.dot(support_point(shape, -axis)) - margin;
    box.upper[i] = X_WS.p[i] + axis.dot(support_point(shape, axis)) + margin;
  }
  return box;
}

const std::vector<std::pair<int, int>>& BroadPhase::overlapping_pairs(const std::vector<Bounds>& boxes) {
  const int axis = widest_axis(boxes);
  order_.resize(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    // A box that is not a number overlaps nothing, but an order of such numbers would be none.
    const double start = boxes[i].lower[axis];
    order_[i] = {std::isnan(start) ? infinity : start, static_cast<int>(i)};
  }
  std::sort(order_.begin(), order_.end());

  pairs_.clear();
  const std::size_t n = boxes.size();
  pairs_.reserve(std::min(n * n / 2, expected_pairs * n));
  for (std::size_t k = 0; k < order_.size(); ++k) {
    const int i = order_[k].second;
    for (std::size_t l = k + 1; l < order_.size() && order_[l].first <= boxes[i].upper[axis]; ++l) {
      const int j = order_[l].second;
      if (overlap(boxes[i], boxes[j])) pairs_.push_back(std::minmax(i, j));
    }
  }
  std::sort(pairs_.begin(), pairs_.end());
  return pairs_;
}

}  // namespace carom
