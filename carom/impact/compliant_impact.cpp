#include "carom/impact/compliant_impact.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "carom/error.h"

namespace carom {
namespace {

/// Speeds below this share of the largest are rest.
constexpr double rest = 1e-12;

void check_compliant(const CompliantOptions& options, std::size_t blocks) {
  if (!(options.transition_speed > 0)) {
    throw Error("The transition speed of compliant friction is " + std::to_string(options.transition_speed) +
                " m/s; it must be positive, as friction that rises at once has no derivative.");
  }
  if (!(options.accuracy > 0) || !(options.static_ratio >= 1) || !(options.dissipation >= 0) ||
      !(options.viscous_friction >= 0)) {
    throw Error(
        "An option of the compliant impact is out of range: accuracy must be positive, static_ratio 1 or more, "
        "dissipation and viscous_friction zero or more.");
  }
  if (!options.dissipations.empty() && options.dissipations.size() != blocks) {
    throw Error("The compliant impact has " + std::to_string(options.dissipations.size()) + " dissipations for " +
                std::to_string(blocks) + " blocks; give one per block, or none.");
  }
}

}  // namespace

void CompliantImpact::gather_springs(const ImpactProblem& problem) {
  springs_.clear();
  for (const ImpactRows::Contact& contact : rows_.list()) {
    const auto& spring = problem.surfaces[contact.block].tangential_spring;
    if (spring && contact.tangent >= 0)
      springs_.push_back({static_cast<int>(&contact - rows_.list().data()), *spring, 0, {}});
  }
  if (!springs_.empty() && integrator_ != CompliantIntegrator::runge_kutta_merson) {
    throw Error(
        "A contact of the impact has a tangential spring, which the Euler rules do not integrate; choose "
        "runge_kutta_merson.");
  }
}

/// The allowed error of a deflection is relative to what friction holds at the contact's depth, or to the depth where
/// friction holds more.
void CompliantImpact::weigh_springs(const CompliantOptions& options) {
  double* weight = weight_.data() + n_ + m_;
  for (const Spring& spring : springs_) {
    const auto& friction = rows_.list()[spring.contact].friction;
    const double a = laws_[spring.contact].layer.exponent * spring.material.stiffness;
    const double share = std::min(1.0, options.static_ratio * std::max(friction[0], friction[1]) / a);
    *weight++ = weight_[spring.contact] / share;
    *weight++ = weight_[spring.contact] / share;
  }
}

void CompliantImpact::prepare(const ImpactProblem& problem, const CompliantOptions& options) {
  rows_.gather(problem);
  check_compliant(options, problem.blocks.size());
  n_ = rows_.contacts();
  m_ = rows_.rows();
  psi_ = {options.static_ratio, 1, options.viscous_friction, options.transition_speed};
  integrator_ = options.integrator;
  extrapolate_ = options.extrapolate;
  // Far below what a step may err, and above round-off.
  newton_tolerance_ = std::max(1e-3, 1e-13 / options.accuracy);
  time_ = 0;
  evaluations_ = 0;
  gather_springs(problem);
  size_ = n_ + m_ + 2 * static_cast<int>(springs_.size());
  for (auto* v : {&next_, &stage_, &k1_, &k3_, &k4_, &k5_}) v->resize(size_);
  state_.assign(size_, 0.0);
  weight_.assign(size_, 0.0);
  velocity_.assign(rows_.velocity(), rows_.velocity() + m_);
  if (integrator_ == CompliantIntegrator::implicit_euler) {
    miss_.resize(m_);
    correction_.resize(m_);
  }
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
  weigh_springs(options);
}

/// A contact has ceased to slide within the step tried last. Its spring has begun to unwind, but d still has to come
/// back over the distance slid before friction falls. Merson's last stage may lie five times the error off the end.
bool CompliantImpact::has_slid_back() const {
  const double* weight = weight_.data() + n_ + m_;
  for (const Spring& spring : springs_) {
    if (next_[spring.contact] > 0 && (spring.farthest - spring.sheared.beyond) * *weight > 5) return true;
    weight += 2;
  }
  return false;
}

/// Deflections become what friction holds of them, and those of contacts that parted vanish.
void CompliantImpact::hold_springs() {
  double* d = state_.data() + n_ + m_;
  for (const Spring& spring : springs_) {
    const Eigen::Vector2d held = state_[spring.contact] > 0 ? spring.sheared.held : Eigen::Vector2d::Zero();
    *d++ = held[0];
    *d++ = held[1];
  }
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

void CompliantTrace::clear(int contact_count, int row_count) {
  contacts = contact_count;
  rows = row_count;
  for (auto* v : {&time, &compression, &impulse, &velocity}) v->clear();
}

void CompliantImpact::record(const ImpactProblem& problem, CompliantTrace& trace) {
  trace.time.push_back(time_);
  trace.compression.insert(trace.compression.end(), state_.begin(), state_.begin() + n_);
  const std::size_t end = trace.impulse.size() + static_cast<std::size_t>(trace.rows);
  trace.impulse.resize(end);
  trace.velocity.resize(end);
  rows_.scatter(problem, state_.data() + n_,
                Eigen::Map<Eigen::VectorXd>(trace.impulse.data() + end - trace.rows, trace.rows),
                Eigen::Map<Eigen::VectorXd>(trace.velocity.data() + end - trace.rows, trace.rows));
}

CompliantOutcome CompliantImpact::solve(const ImpactProblem& problem, const CompliantOptions& options,
                                        Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> velocity,
                                        CompliantTrace* trace) {
  prepare(problem, options);
  if (trace != nullptr) trace->clear(n_, static_cast<int>(problem.u.size()));
  CompliantOutcome outcome;
  outcome.rounds = 1;
  // A step's error grows as h^(order + 1).
  const double power = integrator_ == CompliantIntegrator::runge_kutta_merson ? -0.2 : -0.5;
  double h = first_step_;
  int tries = 0;
  // k1_ and velocity_ are those of state_ whenever the loop begins; a flight changes neither, but for springs, which
  // wind up from the touch on.
  derivative(state_.data(), k1_.data());
  if (is_held()) outcome.status = ImpactStatus::inconsistent;
  while (outcome.status == ImpactStatus::resolved && !has_ended()) {
    if (fly()) {
      h = first_step_;
      if (!springs_.empty()) derivative(state_.data(), k1_.data());
    }
    if (trace != nullptr) record(problem, *trace);
    bool accepted = false;
    while (!accepted && tries++ < options.max_steps) {
      for (Spring& spring : springs_) spring.farthest = 0;
      const double error = try_step(h), taken = h;
      h *= error > 0 ? std::clamp(0.9 * std::pow(error, power), 0.2, 5.0) : 5.0;
      if (!(error <= 1)) continue;
      if (!springs_.empty()) {
        derivative(next_.data(), stage_.data());
        if (has_slid_back()) {
          h = 0.5 * taken;
          continue;
        }
      }
      accepted = true;
      time_ += taken;
      std::swap(state_, next_);
      hold_springs();
      ++outcome.intervals;
    }
    if (!accepted) outcome.status = ImpactStatus::budget;
    derivative(state_.data(), k1_.data());
  }
  if (trace != nullptr) record(problem, *trace);
  outcome.time = time_;
  outcome.evaluations = evaluations_;
  rows_.scatter(problem, state_.data() + n_, impulse, velocity);
  measure(problem, impulse, velocity, outcome);
  return outcome;
}

}  // namespace carom
