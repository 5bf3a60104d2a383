#include "carom/impact/impending_slip.h"

#include <cmath>
#include <cstddef>
#include <numbers>

namespace carom {
namespace {

using Eigen::Vector2d;

constexpr double accuracy = 1e-13;   // rad, at which Newton's method ends
constexpr double acceptable = 1e-9;  // rad, where round-off may keep it from getting there
constexpr int newton_steps = 20, halvings = 6, substitutions = 60;

bool slips(const Block& block, const BlockLabel& label) {
  return block.kind == BlockKind::cone && label.tangent == TangentState::slipping && block.friction.maxCoeff() > 0 &&
         (label.normal == NormalState::active || label.normal == NormalState::given);
}

/// M d of a block after the last solve.
Vector2d scaled_slip(const LabelledSystem& system, int block) {
  const Block& b = system.blocks()[block];
  return b.friction.cwiseProduct(Vector2d(system.velocity().segment<2>(b.row)));
}

double cross(const Vector2d& a, const Vector2d& b) { return a[0] * b[1] - a[1] * b[0]; }

}  // namespace

void ImpendingSlip::reserve(int blocks, int rows) {
  const auto n = static_cast<std::size_t>(blocks);
  slipping_.reserve(n);
  for (auto* buffer : {&angle_, &trial_, &error_, &step_}) buffer->reserve(n);
  for (auto* buffer : {&rate_, &velocity_rate_}) {
    if (buffer->size() < static_cast<std::size_t>(rows)) buffer->resize(rows);
  }
  factors_.reserve(blocks);
  dropped_ = 0;
}

/// error_: of each slipping block, the angle from s to M d, 0 where it does not slip. Returns the largest.
double ImpendingSlip::mismatch(const LabelledSystem& system) {
  double worst = 0;
  for (std::size_t i = 0; i < slipping_.size(); ++i) {
    const Vector2d d = scaled_slip(system, slipping_[i]);
    const Vector2d& s = system.labels()[slipping_[i]].slip;
    const bool moves = d.norm() > rest_ * system.blocks()[slipping_[i]].friction.maxCoeff();
    error_[i] = moves ? std::atan2(cross(s, d), s.dot(d)) : 0;
    worst = std::max(worst, std::abs(error_[i]));
  }
  return worst;
}

void ImpendingSlip::set_angles(LabelledSystem& system, const std::vector<double>& angles) {
  for (std::size_t i = 0; i < slipping_.size(); ++i) {
    BlockLabel label = system.labels()[slipping_[i]];
    label.slip = {std::cos(angles[i]), std::sin(angles[i])};
    system.relabel(slipping_[i], label);
  }
}

/// Steps are halved until the worst angle shrinks.
bool ImpendingSlip::newton(LabelledSystem& system, LabelledSolution& solution) {
  const int n = static_cast<int>(slipping_.size());
  const auto rows = system.u().size();
  Eigen::Map<Eigen::VectorXd> impulse_rate(rate_.data(), rows), velocity_rate(velocity_rate_.data(), rows);
  double worst = mismatch(system);
  for (int iteration = 0; iteration < newton_steps && worst > accuracy; ++iteration) {
    double* jacobian = factors_.prepare(n);
    for (int j = 0; j < n; ++j) {
      const Vector2d& s = system.labels()[slipping_[j]].slip;
      system.turn(slipping_[j], {-s[1], s[0]}, impulse_rate, velocity_rate);
      for (int i = 0; i < n; ++i) {
        const Block& b = system.blocks()[slipping_[i]];
        const Vector2d d = scaled_slip(system, slipping_[i]);
        const bool moves = d.norm() > rest_ * b.friction.maxCoeff();
        const Vector2d rate = b.friction.cwiseProduct(Vector2d(velocity_rate.segment<2>(b.row)));
        jacobian[j * n + i] = (i == j ? 1 : 0) - (moves ? cross(d, rate) / d.squaredNorm() : 0);
      }
    }
    if (factors_.factor(1e-12) < n) return worst <= acceptable;
    for (int i = 0; i < n; ++i) step_[i] = error_[i];
    factors_.solve(step_.data());
    const double before = worst;
    double part = 1;
    for (int halving = 0; halving <= halvings; ++halving, part /= 2) {
      for (int i = 0; i < n; ++i) trial_[i] = angle_[i] + part * step_[i];
      set_angles(system, trial_);
      solution = SlipRule::solve(system);
      worst = mismatch(system);
      if (worst < before) break;
    }
    if (!(worst < before)) {
      set_angles(system, angle_);
      solution = SlipRule::solve(system);
      return mismatch(system) <= acceptable;
    }
    angle_ = trial_;
  }
  return worst <= acceptable;
}

/// s moves half of the way towards M d, again and again.
bool ImpendingSlip::substitute(LabelledSystem& system, LabelledSolution& solution) {
  for (int iteration = 0; iteration < substitutions; ++iteration) {
    if (mismatch(system) <= 1e-3) break;
    for (std::size_t i = 0; i < slipping_.size(); ++i) angle_[i] += error_[i] / 2;
    set_angles(system, angle_);
    solution = SlipRule::solve(system);
  }
  return newton(system, solution);
}

LabelledSolution ImpendingSlip::solve(LabelledSystem& system) {
  LabelledSolution solution = SlipRule::solve(system);
  slipping_.clear();
  for (int k = 0; k < std::ssize(system.blocks()); ++k) {
    if (slips(system.blocks()[k], system.labels()[k])) slipping_.push_back(k);
  }
  if (slipping_.empty()) return solution;
  const std::size_t n = slipping_.size();
  for (auto* buffer : {&angle_, &trial_, &error_, &step_}) buffer->resize(n);
  bool undirected = false;
  for (std::size_t i = 0; i < n; ++i) {
    Vector2d s = system.labels()[slipping_[i]].slip;
    undirected = undirected || s.isZero();
    if (s.isZero()) s = scaled_slip(system, slipping_[i]);  // no rolling impulse to oppose, or friction left out before
    angle_[i] = std::atan2(s[1], s[0]);
  }
  if (undirected) {
    set_angles(system, angle_);
    solution = SlipRule::solve(system);
  }
  if (newton(system, solution) || substitute(system, solution)) return solution;
  // At most as often as there are blocks, since leaving out a friction may turn the others' slip.
  for (std::size_t round = 0; round < n; ++round) {
    bool pushes = false;
    for (const int k : slipping_) {
      BlockLabel label = system.labels()[k];
      if (label.slip.isZero() || scaled_slip(system, k).dot(label.slip) >= 0) continue;
      label.slip.setZero();
      system.relabel(k, label);
      pushes = true;
      ++dropped_;
    }
    if (!pushes) break;
    solution = SlipRule::solve(system);
  }
  return solution;
}

}  // namespace carom
