#include "carom/impact/compliant_impact.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "carom/error.h"

namespace carom {
namespace {

/// Speeds below this share of the largest are rest.
constexpr double rest = 1e-12;

/// From 0 at x = 0 to 1 at x = 1 with two derivatives zero at both ends.
double smooth_step(double x) { return x * x * x * (10 + x * (-15 + 6 * x)); }

void check(const CompliantOptions& options, std::size_t blocks) {
  if (!(options.transition_speed > 0)) {
    throw Error("The transition speed of compliant friction is " + std::to_string(options.transition_speed) +
                " m/s; it must be positive, as friction that rises at once has no derivative.");
  }
  if (!(options.accuracy > 0) || !(options.static_ratio >= 1) || !(options.dissipation >= 0) ||
      !(options.viscous_friction >= 0)) {
    throw Error(
        "An option of the compliant blow is out of range: accuracy must be positive, static_ratio 1 or more, "
        "dissipation and viscous_friction zero or more.");
  }
  if (!options.dissipations.empty() && options.dissipations.size() != blocks) {
    throw Error("The compliant blow has " + std::to_string(options.dissipations.size()) + " dissipations for " +
                std::to_string(blocks) + " blocks; give one per block, or none.");
  }
}

}  // namespace

void CompliantImpact::prepare(const ImpactProblem& problem, const CompliantOptions& options) {
  rows_.gather(problem);
  check(options, problem.blocks.size());
  n_ = rows_.contacts();
  m_ = rows_.rows();
  static_ratio_ = options.static_ratio;
  viscous_ = options.viscous_friction;
  transition_ = options.transition_speed;
  time_ = 0;
  evaluations_ = 0;
  for (auto* v : {&next_, &stage_, &k1_, &k3_, &k4_, &k5_}) v->resize(n_ + m_);
  state_.assign(n_ + m_, 0.0);
  weight_.assign(n_ + m_, 0.0);
  velocity_.assign(rows_.velocity(), rows_.velocity() + m_);
  laws_.resize(n_);
  double impulse = 0;
  first_step_ = 0;
  for (int i = 0; i < n_; ++i) {
    const ImpactRows::Contact& contact = rows_.list()[i];
    const ImpactSurface& surface = problem.surfaces[contact.block];
    Law& law = laws_[i];
    law = {{surface.stiffness, surface.exponent}, options.dissipation, contact.tangent, {0, 0}};
    if (!options.dissipations.empty()) law.dissipation = options.dissipations[contact.block];
    for (int t = 0; t < 2; ++t) {
      if (contact.friction[t] > 0) law.inverse_friction[t] = 1 / contact.friction[t];
    }
    const double a = rows_.matrix()[i * (m_ + 1)];
    if (!(a > 0)) continue;
    const double depth = law.layer.depth(a, rows_.speed());
    weight_[i] = 1 / (options.accuracy * depth);
    impulse = std::max(impulse, rows_.speed() / a);
    const double step = 0.01 * depth / rows_.speed();
    first_step_ = first_step_ > 0 ? std::min(first_step_, step) : step;
  }
  for (int i = 0; i < m_; ++i) weight_[n_ + i] = impulse > 0 ? 1 / (options.accuracy * impulse) : 0;
}

double CompliantImpact::friction(double slip) const {
  const double x = slip / transition_;
  const double wet = viscous_ * slip;
  if (x >= 3) return 1 + wet;
  if (x >= 1) return static_ratio_ - (static_ratio_ - 1) * smooth_step(0.5 * (x - 1)) + wet;
  return static_ratio_ * smooth_step(x) + wet;
}

void CompliantImpact::derivative(const double* state, double* rate) {
  ++evaluations_;
  const double* P = state + n_;
  double* v = velocity_.data();
  const double* w = rows_.velocity();
  for (int i = 0; i < m_; ++i) v[i] = w[i];
  const double* column = rows_.matrix();
  for (int j = 0; j < m_; ++j, column += m_) {
    const double p = P[j];
    if (p == 0) continue;
    for (int i = 0; i < m_; ++i) v[i] += p * column[i];
  }
  for (int i = 0; i < n_; ++i) {
    const Law& law = laws_[i];
    rate[i] = -v[i];
    const double damping = 1 - 1.5 * law.dissipation * v[i];
    const double f = damping > 0 ? law.layer.force(state[i]) * damping : 0.0;
    rate[n_ + i] = f;
    if (law.tangent < 0) continue;
    const double x = v[law.tangent], y = v[law.tangent + 1];
    const double length = std::sqrt(x * x + y * y);
    double share = 0;
    if (f > 0 && length > 0) {
      share = friction(std::hypot(x * law.inverse_friction[0], y * law.inverse_friction[1])) * f / length;
    }
    rate[n_ + law.tangent] = -share * x;
    rate[n_ + law.tangent + 1] = -share * y;
  }
}

/// Merson's five stages from state_, whose rate is k1_; next_ is set. Returns the error over what is allowed.
double CompliantImpact::try_step(double h) {
  const int size = n_ + m_;
  const double *y = state_.data(), *k1 = k1_.data();
  double *s = stage_.data(), *k3 = k3_.data(), *k4 = k4_.data(), *k5 = k5_.data(), *k2 = k3;
  for (int i = 0; i < size; ++i) s[i] = y[i] + h / 3 * k1[i];
  derivative(s, k2);
  for (int i = 0; i < size; ++i) s[i] = y[i] + h / 6 * (k1[i] + k2[i]);
  derivative(s, k3);
  for (int i = 0; i < size; ++i) s[i] = y[i] + h / 8 * (k1[i] + 3 * k3[i]);
  derivative(s, k4);
  for (int i = 0; i < size; ++i) s[i] = y[i] + h / 2 * (k1[i] - 3 * k3[i] + 4 * k4[i]);
  derivative(s, k5);
  double worst = 0;
  for (int i = 0; i < size; ++i) {
    next_[i] = y[i] + h / 6 * (k1[i] + 4 * k4[i] + k5[i]);
    const double error = h / 30 * (2 * k1[i] - 9 * k3[i] + 8 * k4[i] - k5[i]);
    worst = std::max(worst, std::abs(error) * weight_[i]);
  }
  return worst;
}

bool CompliantImpact::has_ended() const {
  const double slowest = rest * rows_.speed();
  for (int i = 0; i < n_; ++i) {
    if (state_[i] > 0 || velocity_[i] < -slowest) return false;
  }
  return true;
}

/// A contact that approaches and that no impulse moves would be compressed for ever.
bool CompliantImpact::is_held() const {
  for (int i = 0; i < n_; ++i) {
    if (weight_[i] == 0 && velocity_[i] < -rest * rows_.speed()) return true;
  }
  return false;
}

/// Goes to the next touch while no contact bears a force; false if one does or none will touch.
bool CompliantImpact::fly() {
  const double slowest = rest * rows_.speed();
  double soonest = -1;
  int touching = -1;
  for (int i = 0; i < n_; ++i) {
    if (state_[i] > 0 || (state_[i] == 0 && velocity_[i] < -slowest)) return false;
    if (!(velocity_[i] < -slowest)) continue;
    const double wait = state_[i] / velocity_[i];
    if (touching < 0 || wait < soonest) {
      soonest = wait;
      touching = i;
    }
  }
  if (touching < 0) return false;
  for (int i = 0; i < n_; ++i) state_[i] = std::min(0.0, state_[i] - soonest * velocity_[i]);
  state_[touching] = 0;
  time_ += soonest;
  return true;
}

CompliantOutcome CompliantImpact::solve(const ImpactProblem& problem, const CompliantOptions& options,
                                        Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> velocity) {
  prepare(problem, options);
  CompliantOutcome outcome;
  outcome.rounds = 1;
  double h = first_step_;
  int tries = 0;
  // k1_ and velocity_ are those of state_ whenever the loop begins; a flight changes neither.
  derivative(state_.data(), k1_.data());
  if (is_held()) outcome.status = ImpactStatus::inconsistent;
  while (outcome.status == ImpactStatus::resolved && !has_ended()) {
    if (fly()) h = first_step_;
    bool accepted = false;
    while (!accepted && tries++ < options.max_steps) {
      const double error = try_step(h), taken = h;
      h *= error > 0 ? std::clamp(0.9 * std::pow(error, -0.2), 0.2, 5.0) : 5.0;
      if (!(error <= 1)) continue;
      accepted = true;
      time_ += taken;
      std::swap(state_, next_);
      ++outcome.intervals;
    }
    if (!accepted) outcome.status = ImpactStatus::budget;
    derivative(state_.data(), k1_.data());
  }
  outcome.time = time_;
  outcome.evaluations = evaluations_;
  rows_.scatter(problem, state_.data() + n_, impulse, velocity);
  measure(problem, impulse, velocity, outcome);
  return outcome;
}

}  // namespace carom
