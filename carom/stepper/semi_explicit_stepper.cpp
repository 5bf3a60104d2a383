#include "carom/stepper/semi_explicit_stepper.h"

#include <algorithm>
#include <cmath>

#include "carom/dynamics/joint_kinematics.h"
#include "carom/dynamics/recursions.h"
#include "carom/stepper/report_parts.h"

namespace carom {
namespace {

constexpr double touch = 0.01;       // of proximity: as near as this a contact touches
constexpr int most_step_tries = 10;  // of a part of a step that is to end before anything strikes

Method without_impacts(Method method) {
  if (!method.stepper->joins_constraints) method.stepper = StepperKind::anitescu_potra;
  method.law = LawKind::none;
  return method;
}

}  // namespace

SemiExplicitStepper::SemiExplicitStepper(const Model& model, const Method& method)
    : method_(method),
      parts_(model, without_impacts(method)),
      handler_(model, method),
      mass_(model, method.dynamics),
      finder_(model),
      start_(model),
      scratch_(model) {
  controlled_.setZero(model.velocity_count());
  q_scratch_.setZero(model.position_count());
}

const StepReport& SemiExplicitStepper::attempt(const Model& model, const State& state, double span) {
  stop_.check();
  trial_ = state;
  return parts_.advance(model, trial_, span, {controlled_, stop_, kept_, told_});
}

/// Gap of one contact at q, whose kinematics the workspace holds; of a feature that is not there, that of its pair.
double SemiExplicitStepper::gap_of(const Model& model, const ContactId& id, const VectorX& q,
                                   DynamicsWorkspace& workspace) {
  stop_.check();
  Contact contact;
  if (finder_.evaluate(model, id, q, workspace.X_WB, contact)) return contact.gap;
  return finder_.nearest(model, id.a, id.b, workspace.X_WB).gap;
}

/// Finds contacts that the part stopped although they were about to strike; those that persist carried an impulse
/// before. False if there are none. start_ holds the kinematics of the part's start.
bool SemiExplicitStepper::find_hits(const Model& model, const State& state, const StepReport& part, double span) {
  hits_.clear();
  if (report_.impacts.size() >= most_impacts) return false;
  double least = method_.restitution_speed;
  // A law leaves less than a millionth of the approach that it was given.
  for (const ImpactContact& struck : report_.struck) least = std::max(least, 1e-6 * struck.before.norm());
  for (const ContactReport& contact : part.contacts) {
    if (!(contact.impulse[2] > 0)) continue;
    const double in_a_step = std::abs(contact.by_forces) * (method_.step / span);
    if (!(contact.closing > std::max(least, in_a_step))) continue;
    const bool persists = std::any_of(state.contacts.begin(), state.contacts.end(),
                                      [&](const ContactMemory& memory) { return memory.id == contact.id; });
    if (!persists) hits_.push_back({contact.id, gap_of(model, contact.id, state.q, start_), contact.by_forces});
  }
  return !hits_.empty();
}

/// Time at which the gap of a hit falls to half of what counts as touch. The path is q ⊞ t v, with what the applied
/// forces add to the approach. Samples come first, since what is fast comes out on the far side again. Bisection
/// follows, since gaps of features can jump.
double SemiExplicitStepper::time_of_touch(const Model& model, const State& state, const Hit& hit, double span) {
  const double target = 0.5 * touch * method_.proximity;
  const double by_forces =
      (is_second_order(method_) ? 0.5 : 1) * hit.by_forces;  // along the mean velocity, or the last
  const auto gap_at = [&](double t) {
    integrate(model, state.q, state.v, t, q_scratch_);
    forward_kinematics(model, q_scratch_, scratch_);
    return gap_of(model, hit.id, q_scratch_, scratch_) - by_forces * t * (t / span);
  };
  constexpr int samples = 200;
  double open = 0, closed = span;
  for (int i = 1; i <= samples; ++i) {
    closed = i * (span / samples);
    if (gap_at(closed) <= target) break;
    if (i == samples) return span;
    open = closed;
  }
  for (int i = 0; i < 60 && closed - open > 1e-15 * span; ++i) {
    const double middle = 0.5 * (open + closed);
    (gap_at(middle) > target ? open : closed) = middle;
  }
  return open;
}

/// Takes the part of the step before the first of the hits strikes, and says how long it is.
double SemiExplicitStepper::go_to_touch(const Model& model, State& state, double span) {
  double time = span;
  for (const Hit& hit : hits_) time = std::min(time, time_of_touch(model, state, hit, span));
  const StepReport* part = &attempt(model, state, time);
  // Forces of persisting contacts may bring a touch closer; then the part ends earlier.
  for (int i = 0; i < most_step_tries && find_hits(model, state, *part, time); ++i) {
    time *= 1 - std::ldexp(1e-3, i);
    part = &attempt(model, state, time);
  }
  accept(*part, state);
  return time;
}

/// The impact of all contacts that touch and approach; false if there are none. start_ holds the kinematics of the
/// state.
bool SemiExplicitStepper::strike(const Model& model, State& state) {
  const std::vector<Contact>& near = finder_.find(model, state.q, start_.X_WB, method_.proximity, method_.proximity);
  strikes_.assign(near.size(), 0);
  bool any = false;
  for (std::size_t i = 0; i < near.size(); ++i) {
    const auto is = [&](const Hit& hit) { return hit.id == near[i].id && hit.gap <= touch * method_.proximity; };
    strikes_[i] = std::any_of(hits_.begin(), hits_.end(), is) ? 1 : 0;
    any = any || strikes_[i];
  }
  if (!any) return false;
  const auto kinetic = [&] {
    forward_velocity(model, state.q, state.v, start_);
    return kinetic_energy(model, start_);
  };
  const double before = kinetic();
  handler_.strike(model, state.time, state.q, near, strikes_, 0, start_, mass_, state.v, report_);
  add_impact(kinetic() - before, report_);
  return true;
}

/// Takes a part of the step: its end becomes the state.
void SemiExplicitStepper::accept(const StepReport& part, State& state) {
  add_part(part, report_);
  std::swap(state, trial_);
}

StepReport& SemiExplicitStepper::advance(const Model& model, State& state, double length, const StepRequest& request) {
  const OnLeaving forget([this] { stop_ = {}, kept_ = nullptr, told_ = nullptr; });
  stop_ = request.stop;
  handler_.set_stop(&stop_);
  kept_ = request.problem;
  told_ = request.evidence;
  controlled_ = request.force;
  method_.step = length;
  clear(report_, state.step + 1, time_after(state, length));
  double left = length;
  while (left > 0) {
    forward_kinematics(model, state.q, start_);
    const StepReport& part = attempt(model, state, left);
    if (!find_hits(model, state, part, left)) {
      if (left == length && report_.impacts.empty()) {  // of several parts there is no sum about one place
        report_.joint_impulses = part.joint_impulses;
        report_.constraint_impulses = part.constraint_impulses;
      }
      accept(part, state);
      break;
    }
    const bool touches =
        std::any_of(hits_.begin(), hits_.end(), [&](const Hit& hit) { return hit.gap <= touch * method_.proximity; });
    if (touches && strike(model, state)) continue;
    if (touches) {  // by a feature that is not there yet: the contact handler's
      accept(part, state);
      break;
    }
    left -= go_to_touch(model, state, left);
  }
  state.time = report_.time;
  state.step = report_.step;
  return report_;
}

}  // namespace carom
