#include "carom/complementarity/polyhedral/polyhedral_start.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace carom {

namespace {

using Part = StewartTrinkleLayout::Part;

/// Impulses below this, relative to the largest, are zero.
constexpr double zero_impulse = 1e-12;

/// Shares of a generator, and distances to the cone, that are round-off of zero.
constexpr double zero_share = 1e-9;

/// The generator that goes furthest along (x, y).
int furthest(const StewartTrinkleLayout& layout, const Part& part, double x, double y) {
  int best = 0;
  double length = 0;
  for (int j = 0; j < layout.directions(); ++j) {
    const Eigen::Vector2d d = layout.direction(part, j);
    const double along = d.x() * x + d.y() * y;
    if (j == 0 || along > length) {
      length = along;
      best = j;
    }
  }
  return best;
}

}  // namespace

void PolyhedralStart::clear(int size, double covering) {
  basic_.clear();
  basic_.reserve(size);
  covering_.assign(size, covering);
}

void PolyhedralStart::add(int z) {
  basic_.push_back(z);
  covering_[z] = 0;
}

LcpStart PolyhedralStart::sliding(const StewartTrinkleLayout& layout, const double* u) {
  clear(layout.size(), 1);
  for (const Part& part : layout.parts()) {
    if (part.beta >= 0) slide(layout, part, u);
    const bool within = part.constant < 0 && -part.constant < part.range;
    if (part.beta < 0 && part.cap >= 0 && within) add(static_cast<int>(&part - layout.parts().data()));
  }
  return {basic_, covering_};
}

void PolyhedralStart::slide(const StewartTrinkleLayout& layout, const Part& part, const double* u) {
  const double x = u[part.row], y = u[part.row + 1];
  if (x == 0 && y == 0) return;  // no direction to begin with: w basic, all rows lifted
  add(part.beta + furthest(layout, part, -x, -y));
  add(part.cap);
}

LcpStart PolyhedralStart::from_impulse(const StewartTrinkleLayout& layout, const double* u,
                                       std::span<const double> impulse) {
  clear(layout.size(), 0);
  double largest = 0;
  for (const double p : impulse) largest = std::max(largest, std::abs(p));
  for (std::size_t b = 0; b < layout.parts().size(); ++b) {
    const Part& part = layout.parts()[b];
    const double normal = impulse[part.normal_row], c = normal - part.constant;
    if (part.beta < 0 && part.cap >= 0) {
      bounded(part, static_cast<int>(b), c);
      continue;
    }
    if (c > zero_impulse * largest) add(static_cast<int>(b));
    if (part.beta < 0) continue;
    if (normal > zero_impulse * largest) {
      cone(layout, part, impulse.data());
    } else {
      slide(layout, part, u);
    }
  }
  return {basic_, covering_};
}

void PolyhedralStart::bounded(const Part& part, int c, double impulse) {
  if (impulse > zero_share * part.range) add(c);
  if (impulse >= (1 - zero_share) * part.range) add(part.cap);
}

void PolyhedralStart::cone(const StewartTrinkleLayout& layout, const Part& part, const double* impulse) {
  const int K = layout.directions();
  const double x = impulse[part.row], y = impulse[part.row + 1];
  const double limit = part.bound * impulse[part.normal_row];
  if (x == 0 && y == 0) return;
  int first = 0, second = -1;
  double first_share = 0, second_share = 0;
  if (part.stretch_x > 0 && part.stretch_y > 0) {
    // The sector of the regular polygon: x = Σ share_j d_j with the two d_j beside it.
    const Eigen::Vector2d s(x / part.stretch_x, y / part.stretch_y);
    const double turn = std::atan2(s.y(), s.x()) / (2 * std::numbers::pi);
    first = static_cast<int>(std::floor((turn < 0 ? turn + 1 : turn) * K)) % K;
    second = (first + 1) % K;
    const double* d = layout.unit_vectors();
    const double *a = d + 2 * static_cast<std::ptrdiff_t>(first), *b = d + 2 * static_cast<std::ptrdiff_t>(second);
    const double det = a[0] * b[1] - a[1] * b[0];
    first_share = (s.x() * b[1] - s.y() * b[0]) / det;
    second_share = (a[0] * s.y() - a[1] * s.x()) / det;
  } else {
    first = furthest(layout, part, x, y);
    const Eigen::Vector2d d = layout.direction(part, first);
    first_share = (x * d.x() + y * d.y()) / d.squaredNorm();
  }
  const bool at_first = first_share > zero_share * limit, at_second = second_share > zero_share * limit;
  if (at_first) add(part.beta + first);
  if (at_second) add(part.beta + second);
  if ((at_first || at_second) && first_share + second_share >= (1 - zero_share) * limit) add(part.cap);
}

}  // namespace carom
