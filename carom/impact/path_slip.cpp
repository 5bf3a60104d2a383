#include "carom/impact/path_slip.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "carom/impact/slip_path.h"

namespace carom {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;

constexpr int most_newton_steps = 8;
constexpr double small_bend = 0.25;  // of the path's distance from rest
constexpr double least_rate = 0.2;   // of normal impulse, smaller over larger of both ends

/// ∂m/∂Δ = ∫ τ (I − ŵ ŵᵀ) / ‖w + τ Δ‖ dτ by four Gauss points. It is good to some percent for the turns that are
/// allowed; an error only costs a step of Newton's method.
Matrix2d mean_rate(const Vector2d& w, const Vector2d& change) {
  constexpr double points[] = {0.06943184420297371, 0.33000947820757187, 0.66999052179242813, 0.93056815579702629};
  constexpr double weights[] = {0.17392742256872693, 0.32607257743127307, 0.32607257743127307, 0.17392742256872693};
  Matrix2d rate = Matrix2d::Zero();
  for (int i = 0; i < 4; ++i) {
    const Vector2d at = w + points[i] * change;
    const double length = at.norm();
    if (length == 0) continue;
    const Vector2d across(-at[1] / length, at[0] / length);
    rate += weights[i] * points[i] / length * (across * across.transpose());
  }
  return rate;
}

/// The mean direction of the straight path from `w` to `end`, as the weight goes from `before` to `after`. Beyond the
/// plain mean, both direction and weight are taken as linear along the path.
Vector2d weighted_mean(const Vector2d& w, const Vector2d& end, double before, double after) {
  Vector2d mean = slip_path::mean_direction(w, end - w);
  const double first = w.norm(), last = end.norm();
  if (!(first > 0) || !(last > 0) || !(before + after > 0)) return mean;
  return mean + (after - before) / (6 * (before + after)) * (end / last - w / first);
}

}  // namespace

void PathSlip::reserve(int blocks, int rows) {
  const auto n = static_cast<std::size_t>(blocks);
  sliding_.reserve(n);
  for (auto* buffer : {&start_, &first_, &slip_, &straight_, &error_}) buffer->reserve(n);
  normal_.reserve(n);
  mean_rate_.reserve(n);
  step_.reserve(2 * n);
  for (auto* buffer : {&rate_, &velocity_rate_}) {
    if (buffer->size() < static_cast<std::size_t>(rows)) buffer->resize(rows);
  }
  factors_.reserve(2 * blocks);
}

Vector2d PathSlip::slip(const LabelledSystem& system, int block, const double* u) const {
  const Block& b = system.blocks()[block];
  return b.friction.cwiseProduct(Vector2d(u[b.row], u[b.row + 1])) / b.friction.maxCoeff();
}

Vector2d PathSlip::change(const LabelledSystem& system, std::size_t i) const {
  return alpha_ * (slip(system, sliding_[i], system.velocity().data()) - start_[i]);
}

double PathSlip::normal(const LabelledSystem& system, std::size_t i) const {
  return system.impulse()[system.blocks()[sliding_[i]].normal_row()];
}

/// End of the straight path slip_[i]. A path that lands at rest arrives along its own line: the small slip left at the
/// closest point has no meaningful direction.
Vector2d PathSlip::end_of(std::size_t i) const {
  const Vector2d end = start_[i] + slip_[i];
  return end.norm() < rest_ && slip_[i].norm() > 0 ? Vector2d(-1e-3 * rest_ * slip_[i].normalized()) : end;
}

void PathSlip::begin(const LabelledSystem& system, std::span<const int> sliding, double alpha, double rest,
                     double accuracy) {
  alpha_ = alpha;
  rest_ = rest;
  accuracy_ = accuracy;
  sliding_.assign(sliding.begin(), sliding.end());
  const std::size_t n = sliding.size();
  for (auto* buffer : {&start_, &first_, &slip_, &straight_, &error_}) buffer->resize(n);
  normal_.resize(n);
  mean_rate_.resize(n);
  step_.resize(2 * n);
  for (std::size_t i = 0; i < n; ++i) {
    start_[i] = slip(system, sliding_[i], system.u().data());
    first_[i] = change(system, i);
    normal_[i] = normal(system, i);
  }
}

void PathSlip::set_slips(LabelledSystem& system, const std::vector<Vector2d>& slips) {
  for (std::size_t i = 0; i < sliding_.size(); ++i) {
    BlockLabel label = system.labels()[sliding_[i]];
    label.slip = slips[i];
    system.relabel(sliding_[i], label);
  }
}

/// error_: m − s of the last solve. Returns the largest.
double PathSlip::mismatch(const LabelledSystem& system) {
  double worst = 0;
  for (std::size_t i = 0; i < sliding_.size(); ++i) {
    error_[i] = slip_path::mean_direction(start_[i], change(system, i)) - system.labels()[sliding_[i]].slip;
    worst = std::max(worst, error_[i].norm());
  }
  return worst;
}

bool PathSlip::newton_step(LabelledSystem& system, SlipRule& rule) {
  const int n = 2 * static_cast<int>(sliding_.size());
  const auto rows = system.u().size();
  Eigen::Map<Eigen::VectorXd> impulse_rate(rate_.data(), rows), velocity_rate(velocity_rate_.data(), rows);
  for (std::size_t i = 0; i < sliding_.size(); ++i) mean_rate_[i] = alpha_ * mean_rate(start_[i], change(system, i));
  double* jacobian = factors_.prepare(n);  // of s − m
  for (int j = 0; j < n; ++j) {
    system.turn(sliding_[j / 2], Vector2d::Unit(j % 2), impulse_rate, velocity_rate);
    for (std::size_t i = 0; i < sliding_.size(); ++i) {
      const Vector2d rate = mean_rate_[i] * slip(system, sliding_[i], velocity_rate.data());
      for (int axis = 0; axis < 2; ++axis) {
        const int row = 2 * static_cast<int>(i) + axis;
        jacobian[j * n + row] = (row == j ? 1 : 0) - rate[axis];
      }
    }
  }
  if (factors_.factor(1e-12) < n) return false;
  for (int i = 0; i < n; ++i) step_[i] = error_[i / 2][i % 2];
  factors_.solve(step_.data());
  for (std::size_t i = 0; i < sliding_.size(); ++i) {
    slip_[i] = system.labels()[sliding_[i]].slip + Vector2d(step_[2 * i], step_[2 * i + 1]);
    if (!slip_[i].allFinite()) return false;
    if (slip_[i].norm() > 1) slip_[i].normalize();  // a mean of unit vectors
  }
  set_slips(system, slip_);
  rule.solve(system);
  return true;
}

void PathSlip::straighten(LabelledSystem& system, SlipRule& rule) {
  for (int substitution = 0; substitution < 2 && mismatch(system) > accuracy_; ++substitution) {
    for (std::size_t i = 0; i < sliding_.size(); ++i) slip_[i] = system.labels()[sliding_[i]].slip + error_[i];
    set_slips(system, slip_);
    rule.solve(system);
  }
  for (int step = 0; step < most_newton_steps && mismatch(system) > accuracy_; ++step) {
    if (!newton_step(system, rule)) break;
  }
  for (std::size_t i = 0; i < sliding_.size(); ++i) straight_[i] = system.labels()[sliding_[i]].slip;
}

/// As a function of the part σ of the interval, slip is w + σ Δ plus a cubic bend. The path begins along the first
/// slope Δ₀ and ends along the last, Δ₁. Halfway it is (Δ₀ − Δ₁) / 8 off the straight path, and two straight halves
/// through that point stand for it. The rate of the normal impulse weighs the mean, and changes from its first value to
/// its last.
bool PathSlip::refine(LabelledSystem& system, SlipRule& rule) {
  bool small = true;
  for (std::size_t i = 0; i < sliding_.size(); ++i) {
    slip_[i] = change(system, i);  // for now
    BlockLabel label = system.labels()[sliding_[i]];
    label.slip = end_of(i).normalized();
    system.relabel(sliding_[i], label);
  }
  rule.solve(system);
  for (std::size_t i = 0; i < sliding_.size(); ++i) {
    const Vector2d bend = (first_[i] - change(system, i)) / 8;
    const Vector2d middle = start_[i] + slip_[i] / 2 + bend, end = end_of(i);
    const double nearest = std::clamp(slip_path::closest(start_[i], slip_[i]), 0.0, 1.0);
    double before = normal_[i], after = normal(system, i);
    const bool regular = bend.norm() <= small_bend * std::max(rest_, (start_[i] + nearest * slip_[i]).norm()) &&
                         before > 0 && std::min(before, after) >= least_rate * std::max(before, after);
    if (!regular) before = after = 1;
    small = small && regular;
    const double half = (before + after) / 2;
    const Vector2d whole = weighted_mean(start_[i], end, before, after);
    const Vector2d halves = ((before + half) * weighted_mean(start_[i], middle, before, half) +
                             (half + after) * weighted_mean(middle, end, half, after)) /
                            (before + 2 * half + after);
    slip_[i] = halves + (halves - whole) / 3;
    if (!slip_[i].allFinite()) {  // of impulses that overflow
      slip_[i] = straight_[i];
      small = false;
    }
    if (slip_[i].norm() > 1) slip_[i].normalize();
  }
  set_slips(system, slip_);
  rule.solve(system);
  return small;
}

void PathSlip::restore(LabelledSystem& system, SlipRule& rule) {
  set_slips(system, straight_);
  rule.solve(system);
}

}  // namespace carom
