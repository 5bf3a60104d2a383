#include "carom/stepper/event_driven/event_driven_stepper.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/dynamics/joint_kinematics.h"
#include "carom/dynamics/recursions.h"
#include "carom/stepper/report_parts.h"

namespace carom {
namespace {

constexpr double touching_part = 1e-4;   // of proximity: gaps that count as closed
constexpr double still = 1e-9;           // of the largest speed: normal velocities and slips that count as none
constexpr double moving = 1e-3;          // of these: above it goes on what slid before
constexpr double broken_margin = -1e-7;  // of the largest force: what ends a mode; above what decides it
constexpr double slip_of_held = 4;       // times the normal speed: as much slip is of the same rocking
constexpr double low_flight = 1e-2;      // of gaps that count as closed: flights no higher have become Zeno's
constexpr double jumped = 1e-4;          // of the largest speed: a drift that the integration's error can't make
constexpr double together = 1e-4;        // of the largest speed: slip of a body's contacts when one of them ends
constexpr double shortest_step = 1e-12;  // of a step
constexpr double nudge = 1e-6;           // of the largest speed: approach that a jammed contact is given
constexpr int most_events = 2000, most_integration_steps = 20000;  // in a step

ContactMode mode_of(const PersistingContact& contact) {
  if (!contact.contact.id.is_surface()) return ContactMode::closed;
  return contact.slides ? ContactMode::sliding : ContactMode::rolling;
}

/// Slip along the direction that it had when the phase began, m/s.
double slip_along(const PersistingContact& contact) {
  const Eigen::Vector2d direction = contact.contact.R_WC.leftCols<2>().transpose() * contact.slip;
  return direction.dot(contact.velocity.head<2>());
}

}  // namespace

EventDrivenStepper::EventDrivenStepper(const Model& model, const Method& method)
    : method_(method),
      size_(model),
      sizes_(size_.of_state(model, method.step)),
      law_(model, method),
      plastic_(ImpactHandler::without_restitution(model, method)),
      motion_(model, method),
      loads_(model),
      touches_(model),
      finder_(model),
      mass_(model, method.dynamics),
      workspace_(model),
      judge_(model),
      powers_(DormandPrince::stages),
      stage_loads_(DormandPrince::stages),
      forces_(DormandPrince::stages) {
  const int size = model.position_count() + model.velocity_count();
  rk_.resize(size);
  for (auto* numbers : {&y_, &next_, &weight_, &between_, &rate_}) numbers->assign(static_cast<std::size_t>(size), 0.0);
  for (VectorX* q : {&q_, &q_stage_, &rate_q_}) q->setZero(model.position_count());
  for (VectorX* v : {&v_, &v_stage_, &rate_v_, &controlled_, &evidence_.velocity_correction}) {
    v->setZero(model.velocity_count());
  }
  touching_ = touching_part * method.proximity;
  evidence_.equation.form = DeclaredEquation::Form::integration;
  evidence_.later_stages.resize(DormandPrince::stages - 2);
  for (const Joint& joint : model.joints()) {
    for (std::size_t k = 0; k < joint.ratchet.size(); ++k) {
      if (joint.ratchet[k] == Ratchet::none) continue;
      const int feature = joint.ratchet[k] == Ratchet::forward ? ContactId::forward : ContactId::backward;
      ratchets_.push_back({ContactId::of_joint, joint.v_index + static_cast<int>(k), feature});
    }
  }
}

void EventDrivenStepper::read(const Model& model, const double* y, VectorX& q, VectorX& v) {
  std::copy_n(y, q.size(), q.data());
  std::copy_n(y + q.size(), v.size(), v.data());
  normalize_quaternions(model, q);
}

/// The unit of speeds, m/s; of turning that of the extent.
double EventDrivenStepper::speed(const Model& model) const {
  return std::max(size_.fastest(v_), method_.step * model.gravity().norm());
}

void EventDrivenStepper::evaluate(const Model& model, double time, const double* y, double* rate) {
  stop_.check();
  read(model, y, q_stage_, v_stage_);
  motion_.accelerate(model, time, q_stage_, v_stage_, controlled_, rate_v_);
  position_rate(model, q_stage_, v_stage_, rate_q_);
  std::copy_n(rate_q_.data(), rate_q_.size(), rate);
  std::copy_n(rate_v_.data(), rate_v_.size(), rate + rate_q_.size());
}

void EventDrivenStepper::keep_stage(const Model& model, double time, int stage) {
  powers_[stage] = {motion_.power().damping, motion_.power().drives + motion_.prescribed_power(),
                    motion_.contact_power(), motion_.constraint_power(), motion_.friction_power()};
  loads_.clear(stage_loads_[stage]);
  motion_.add_loads(model, loads_, time, q_stage_, v_stage_, controlled_, stage_loads_[stage]);
  forces_[stage].clear();
  for (const PersistingContact& contact : motion_.contacts()) {
    const bool surface = contact.contact.id.is_surface();
    forces_[stage].push_back(surface ? Vec3(contact.contact.R_WC * contact.force) : contact.force);
  }
  if (stage == 0) {
    tell_start();
  } else if (stage <= std::ssize(evidence_.later_stages)) {
    StageEvidence& told = evidence_.later_stages[static_cast<std::size_t>(stage - 1)];
    told.rows.clear();
    told.impulse.clear();
    motion_.tell_forces(told);
  }
}

/// One step of the integration from y_ to next_; the error over what is allowed.
double EventDrivenStepper::try_step(const Model& model, double h) {
  return rk_.step(y_.data(), h, weight_.data(), next_.data(),
                  [&](double place, int stage, const double* y, double* rate) {
                    evaluate(model, time_ + place * h, y, rate);
                    keep_stage(model, time_ + place * h, stage);
                  });
}

/// Speed that the integration's error alone makes, m/s. As a body stops on several contacts, slips as slow as this
/// point anywhere, and friction would follow them.
double EventDrivenStepper::unknown_speed() const {
  constexpr double of_error = 10;
  return of_error * method_.tolerance * size_.speed(method_.step);
}

/// Slip that counts as none where a step looks for the end of a mode, m/s.
double EventDrivenStepper::slowest_slip() const {
  return std::max({1e-300, coarseness_ * still * size_.fastest(v_), motion_.quickly_made(), unknown_speed()});
}

/// Speed of a slip along the direction that it had when the phase began, at the place evaluated last, m/s (of turning
/// that of the extent); 0 for what rests. Contacts come first in i, then joints that rub.
double EventDrivenStepper::slip(std::size_t i) const {
  const std::size_t contacts = motion_.contacts().size();
  if (i < contacts) return motion_.contacts()[i].slides ? slip_along(motion_.contacts()[i]) : 0;
  const JointFriction& friction = motion_.frictions()[i - contacts];
  return friction.direction * v_stage_[friction.coordinate] * size_.as_speed(friction.coordinate);
}

/// Slips that have grown beyond what counts as none end where they are zero; the others are still to begin.
void EventDrivenStepper::note_slips(bool begins) {
  const double least = (coarseness_ > 1 ? 2 : begins ? moving : 1) * slowest_slip();
  slips_.resize(motion_.contacts().size() + motion_.frictions().size(), 0);
  for (std::size_t i = 0; i < slips_.size(); ++i) slips_[i] = slips_[i] != 0 || slip(i) > least ? 1 : 0;
}

/// The first slip that has ended, −1 if none has, at the place evaluated last.
int EventDrivenStepper::ended_slip() const {
  const double none = slowest_slip(), end = coarseness_ > 1 ? none : 0;
  for (std::size_t i = 0; i < slips_.size(); ++i) {
    if (slip(i) < (slips_[i] != 0 ? end : -none)) return static_cast<int>(i);
  }
  return -1;
}

/// True if every contact, joint and ratchet still does what it did when the phase began, at the place evaluated last.
bool EventDrivenStepper::modes_hold() const {
  for (const PersistingContact& contact : motion_.contacts()) {
    if (contact.margin < broken_margin || contact.is_gone) return false;
  }
  for (const JointFriction& friction : motion_.frictions()) {
    if (friction.direction == 0 && std::abs(friction.force) > friction.bound * (1 - broken_margin)) return false;
  }
  for (const ContactId& id : open_ratchets_) {
    const double away = id.feature == ContactId::forward ? v_stage_[id.b] : -v_stage_[id.b];
    if (away * size_.as_speed(id) < -slowest_slip()) return false;
  }
  return ended_slip() < 0;
}

/// Place in the step from y_ to next_ at which a mode ends: 2 if none does.
double EventDrivenStepper::place_of_mode_event(const Model& model, double h) {
  ending_slip_ = ended_slip();
  if (modes_hold()) return 2;
  double holds = 0, broken = 1;
  for (int i = 0; i < 60 && broken - holds > 1e-15; ++i) {
    const double middle = 0.5 * (holds + broken);
    rk_.interpolate(y_.data(), next_.data(), h, middle, between_.data());
    evaluate(model, time_ + middle * h, between_.data(), rate_.data());
    const int ended = ended_slip();
    const bool hold = modes_hold();
    if (!hold) ending_slip_ = ended;
    (hold ? holds : broken) = middle;
  }
  return broken;
}

/// Takes the step to the end of the slip that place_of_mode_event has found. Secants of the slip over the length give
/// its time to round-off. The step has the method's order, that place only the order of the continuous extension. It
/// was found at h. Returns the length.
double EventDrivenStepper::step_to_end_of_slip(const Model& model, double h) {
  constexpr int most_corrections = 8;
  constexpr double beside = 1e-3;
  const auto slip_after = [&](double length) {
    try_step(model, length);
    return slip(static_cast<std::size_t>(ending_slip_));
  };
  const double round_off = std::numeric_limits<double>::epsilon() * std::max(h, std::abs(time_));
  double before = (1 - beside) * h, slip_before = slip_after(before), now = slip_after(h), length = h;
  for (int i = 0; i < most_corrections; ++i) {
    const double correction = -now * (length - before) / (now - slip_before);
    if (!(std::abs(correction) > 0.5 * round_off && std::abs(correction) < beside * h)) break;
    before = length;
    slip_before = now;
    length += correction;
    now = slip_after(length);
  }
  return length;
}

/// Notes the slips that ended with the step taken last: they stop, or turn round. Those of the contacts of two bodies
/// end together, but for the round-off of their forces, which has turned the bodies meanwhile. What that has left of
/// their slip is taken.
void EventDrivenStepper::note_stopped() {
  stopped_.clear();
  const auto bodies = [](const PersistingContact& c) { return std::pair(c.contact.body_a, c.contact.body_b); };
  const auto& contacts = motion_.contacts();
  const PersistingContact* ended = ending_slip_ >= 0 && ending_slip_ < std::ssize(contacts)
                                       ? &contacts[static_cast<std::size_t>(ending_slip_)]
                                       : nullptr;
  double fastest = 0;
  for (const PersistingContact& contact : contacts) {
    const double slip = contact.velocity.head<2>().norm();
    const bool ends = slip <= stopped_at_ ||
                      (ended != nullptr && bodies(contact) == bodies(*ended) && slip <= together * size_.fastest(v_));
    if (!contact.slides || !ends) continue;
    stopped_.push_back({contact.contact.id, contact.slip});
    fastest = std::max(fastest, slip);
  }
  if (fastest <= stopped_at_) return;
  for (const Stop& stop : stopped_) motion_.let_rest(stop.id);
}

/// Contact impulses and works of the step of length h that was taken last.
void EventDrivenStepper::book(double h) {
  std::array<double, 5> work = {};
  for (int stage = 0; stage < DormandPrince::stages; ++stage) {
    for (std::size_t i = 0; i < work.size(); ++i) work[i] += h * DormandPrince::weights[stage] * powers_[stage][i];
    report_.loads += h * DormandPrince::weights[stage] * stage_loads_[stage];
  }
  report_.energy.damping += work[0];
  report_.energy.drive_work += work[1];
  report_.energy.contact_work += work[2];
  report_.energy.constraint_work += work[3];
  report_.energy.joint_friction += work[4];
  for (std::size_t i = 0; i < motion_.contacts().size(); ++i) {
    const PersistingContact& persisting = motion_.contacts()[i];
    const Contact& at = persisting.contact;
    Vec3 impulse = Vec3::Zero();
    for (int stage = 0; stage < DormandPrince::stages; ++stage) {
      impulse += h * DormandPrince::weights[stage] * forces_[stage][i];
    }
    ContactReport contact;
    contact.id = at.id;
    contact.body_a = at.body_a;
    contact.body_b = at.body_b;
    contact.mode = mode_of(persisting);
    contact.position = at.p_WA;
    contact.R_WC = at.R_WC;
    contact.gap = at.gap;
    contact.impulse = at.id.is_surface() ? Vec3(at.R_WC.transpose() * impulse) : impulse;
    contact.velocity = persisting.velocity;
    add_contact(contact, report_);
  }
}

/// One step of the integration, ended at the first event in it if there is one; returns its length. h: tried first.
/// Afterwards the contacts of motion_ are those at its end.
double EventDrivenStepper::step_to_event(const Model& model, double h) {
  evaluate(model, time_, y_.data(), rk_.rate(0));
  keep_stage(model, time_, 0);
  for (std::size_t i = 0; i < y_.size(); ++i) weight_[i] = 1 / (method_.tolerance * (sizes_[i] + std::abs(y_[i])));
  double error = try_step(model, h);
  const double least = shortest_step * method_.step;
  while (!(error <= 1) && h > least) {
    h *= std::isfinite(error) ? std::min(0.9, DormandPrince::growth(error)) : 0.2;
    error = try_step(model, h);
  }
  if (!(error <= 1)) {
    // Forces grow beyond all bounds: friction is about to press a contact in.
    wedged_ = phase_ended_ = true;
    return 0;
  }
  guess_ = h * DormandPrince::growth(error);
  const double mode = place_of_mode_event(model, h);
  const TouchSearch::Motion path = [&](double place, VectorX& q, VectorX& v) {
    rk_.interpolate(y_.data(), next_.data(), h, place, between_.data());
    read(model, between_.data(), q, v);
  };
  const Touch touch = touches_.first(model, path, h, touching_, persisting_);
  const double place = std::min(mode, touch.place);
  phase_ended_ = place <= 1;
  if (place <= 1) h *= place;
  const bool slip_ends = ending_slip_ >= 0 && slips_[static_cast<std::size_t>(ending_slip_)] != 0 && coarseness_ == 1;
  if (mode <= touch.place && mode <= 1 && slip_ends) {
    h = step_to_end_of_slip(model, h);
  } else if (place < 1) {
    try_step(model, h);  // to the event, of the method's full order
  } else if (mode <= 1) {
    evaluate(model, time_ + h, next_.data(), rk_.rate(6));
  }
  if (mode <= 1) {
    // A slip that ended here must be none to the choice that follows, too, whose speeds are others.
    stopped_at_ = 1.001 * slowest_slip();
    note_stopped();
  }
  return h;
}

void EventDrivenStepper::run_phase(const Model& model) {
  phase_ended_ = wedged_ = false;
  // A slip can hover around the speed that counts as none (several contacts of one body that begin to slide), which
  // stalls the integration. That speed grows until the integration goes on.
  constexpr int most_steps = 200;
  constexpr double coarsest = 1e6;
  int steps = 0;
  while (time_ < end_ && !phase_ended_ && report_.iterations < most_integration_steps) {
    std::copy_n(q_.data(), q_.size(), y_.data());
    std::copy_n(v_.data(), v_.size(), y_.data() + q_.size());
    const double left = end_ - time_;
    const double fastest = size_.fastest(v_);
    const double time_at_start = time_;
    const double h = step_to_event(model, std::min(left, guess_));
    if (wedged_) return;
    book(h);
    time_ = left - h > shortest_step * method_.step ? time_ + h : end_;
    evidence_.end = time_at_start + h;
    read(model, next_.data(), q_, v_);
    note_slips(false);
    if (++steps > most_steps) {
      coarseness_ = std::min(coarsest, coarseness_ * 10);
      phase_ended_ = true;
    }
    const double no_drift = std::max(jumped * speed(model), stopped_.empty() ? 0 : together * fastest);
    q_stage_ = q_;
    v_stage_ = v_;
    const ConstrainedMotion::Projected projected = motion_.project(model, time_, q_, v_, no_drift);
    judge(model, h);
    report_.constraint_drift = std::max(report_.constraint_drift, projected.violation);
    phase_ended_ = phase_ended_ || projected.jumped;
    ++report_.iterations;
  }
}

void EventDrivenStepper::strike(const Model& model, ImpactHandler& handler, const std::vector<ContactId>& approaching,
                                double push) {
  stop_.check();
  const std::vector<Contact>& near = finder_.find(model, q_, workspace_.X_WB, method_.proximity, method_.proximity);
  std::vector<char> strikes(near.size(), 0);
  for (std::size_t i = 0; i < near.size(); ++i) {
    strikes[i] = std::find(approaching.begin(), approaching.end(), near[i].id) != approaching.end() ? 1 : 0;
  }
  const double before = kinetic_energy(model, workspace_);
  handler.strike(model, time_, q_, near, strikes, push, workspace_, mass_, v_, report_);
  forward_velocity(model, q_, v_, workspace_);
  add_impact(kinetic_energy(model, workspace_) - before, report_);
  const ImpactReport& impact = report_.impacts.back();
  for (std::size_t i = 0; i < impact.contacts; ++i) {
    slack_ = std::max(slack_, left_by_laws * report_.struck[impact.first_contact + i].before.norm());
  }
}

/// A tangential impact of the contacts that slide, if no forces let them go on sliding (Painlevé). They have no
/// approach that could set it off, so they are given a negligible one. False if none slides.
bool EventDrivenStepper::strike_what_jams(const Model& model) {
  std::vector<ContactId> sliding;
  for (const PersistingContact& contact : motion_.contacts()) {
    if (contact.slides) sliding.push_back(contact.contact.id);
  }
  if (sliding.empty()) return false;
  forward_kinematics(model, q_, workspace_);
  forward_velocity(model, q_, v_, workspace_);
  strike(model, law_, sliding, nudge * speed(model));
  return true;
}

/// An impact of what approaches here; false if nothing does. Fills closed_ with the contacts that rest or approach.
bool EventDrivenStepper::strike_what_approaches(const Model& model) {
  forward_kinematics(model, q_, workspace_);
  forward_velocity(model, q_, v_, workspace_);
  const double least = still * speed(model), limit = std::max(least, slack_);
  closed_.clear();
  std::vector<ContactId> approaching;
  bool by_law = false;
  for (const Contact& contact : finder_.find(model, q_, workspace_.X_WB, touching_, touching_)) {
    const double rate = gap_rate(contact, v_, workspace_);
    const double speed = rate * size_.as_speed(contact.id);
    if (speed > least) {
      if (!accumulation_.holds(contact.id, rate)) continue;
      held_.push_back({contact.body_a, contact.body_b, slip_of_held * speed});
    }
    closed_.push_back(contact);
    if (speed >= -limit) continue;
    approaching.push_back(contact.id);
    const bool ends = accumulation_.strike(contact.id, time_, -rate, low_flight * touching_);
    if (ends) held_.push_back({contact.body_a, contact.body_b, -slip_of_held * speed});
    by_law = by_law || (!ends && -rate > method_.restitution_speed);
  }
  if (approaching.empty()) return false;
  strike(model, by_law ? law_ : plastic_, approaching, 0);
  return true;
}

/// True if a slip that ended goes on the other way.
bool EventDrivenStepper::turns_round(const ContactId& id) const {
  const auto stopped = std::find_if(stopped_.begin(), stopped_.end(), [&](const Stop& stop) { return stop.id == id; });
  if (stopped == stopped_.end()) return false;
  return std::any_of(motion_.contacts().begin(), motion_.contacts().end(), [&](const PersistingContact& c) {
    return c.contact.id == id && c.slides && c.slip.dot(stopped->slip) < 0;
  });
}

/// Events of contacts that persist: what is new, what is gone, what began to slide or to roll, what turned round.
void EventDrivenStepper::note_modes(const Model& model) {
  std::vector<ContactMemory> now;
  for (const PersistingContact& contact : motion_.contacts()) {
    now.push_back({contact.contact.id, Vec3::Zero(), contact.slides});
  }
  const auto find = [](const std::vector<ContactMemory>& list, const ContactId& id) {
    return std::find_if(list.begin(), list.end(), [&](const ContactMemory& memory) { return memory.id == id; });
  };
  const auto add = [&](EventKind kind, const ContactId& id) {
    const double time = kind == EventKind::touch ? accumulation_.end(id).value_or(time_) : time_;
    report_.events.push_back(event_of(model, kind, id, time, report_.step));
  };
  for (const ContactMemory& before : modes_) {
    if (find(now, before.id) == now.end()) add(EventKind::separate, before.id);
  }
  for (const ContactMemory& memory : now) {
    const auto before = find(modes_, memory.id);
    if (before == modes_.end()) {
      add(EventKind::touch, memory.id);
    } else if (before->sliding != memory.sliding) {
      add(memory.sliding ? EventKind::slide : EventKind::roll, memory.id);
    } else if (turns_round(memory.id)) {
      add(EventKind::slide, memory.id);
    }
  }
  modes_ = std::move(now);
}

void EventDrivenStepper::strike_all(const Model& model) {
  for (int impacts = 0; strike_what_approaches(model); ++impacts) {
    if (impacts < most_impacts_at_once) continue;
    report_.status = SolveStatus::inaccurate;
    return;
  }
}

/// Contacts that slid until now and go on: impacts and ends of slips leave speeds that mean nothing.
void EventDrivenStepper::find_what_slid() {
  slid_.clear();
  if (slack_ > 0 || coarseness_ > 1) return;
  for (const ContactMemory& memory : modes_) {
    const auto is_it = [&](const Stop& stop) { return stop.id == memory.id; };
    if (memory.sliding && std::none_of(stopped_.begin(), stopped_.end(), is_it)) slid_.push_back(memory.id);
  }
}

void EventDrivenStepper::begin_phase(const Model& model) {
  slack_ = 0;
  held_.clear();
  accumulation_.begin_instant();
  if (wedged_ && !strike_what_jams(model)) report_.status = SolveStatus::inaccurate;
  ContactOutcome outcome = ContactOutcome::jammed;
  for (int jams = 0; jams < most_impacts_at_once && outcome == ContactOutcome::jammed; ++jams) {
    strike_all(model);
    find_what_slid();
    motion_.begin(closed_, slid_, std::max({coarseness_ * still * speed(model), slack_, stopped_at_, unknown_speed()}),
                  moving, still * method_.step);
    for (const Held& held : held_) motion_.leave_slip(held.body_a, held.body_b, held.slip);
    outcome = motion_.decide(model, time_, q_, v_, controlled_, rate_v_);
    if (outcome == ContactOutcome::jammed && !strike_what_jams(model)) break;
  }
  if (outcome != ContactOutcome::found) report_.status = SolveStatus::inaccurate;
  motion_.project(model, time_, q_, v_);
  persisting_.clear();
  for (const PersistingContact& contact : motion_.contacts()) persisting_.push_back(contact.contact.id);
  find_opened(model);
  v_stage_ = v_;
  slips_.clear();
  note_slips(true);
  open_ratchets_.clear();
  for (const ContactId& id : ratchets_) {
    if (std::find(persisting_.begin(), persisting_.end(), id) == persisting_.end()) open_ratchets_.push_back(id);
  }
  report_.contacts_considered = std::max(report_.contacts_considered, static_cast<int>(closed_.size()));
  note_modes(model);
  stopped_at_ = 0;
  stopped_.clear();
}

void EventDrivenStepper::finish(const Model& model, State& state, double kinetic, double potential) {
  forward_kinematics(model, q_, workspace_);
  forward_velocity(model, q_, v_, workspace_);
  for (const Contact& contact : finder_.find(model, q_, workspace_.X_WB, 0)) {
    double& worst = contact.id.is_surface() ? report_.penetration : report_.constraint_drift;
    worst = std::max(worst, -contact.gap);
  }
  report_.energy.kinetic = kinetic_energy(model, workspace_);
  report_.energy.potential = potential_energy(model, q_, workspace_);
  close_integrated(kinetic, potential, q_.allFinite() && v_.allFinite(), end_, report_);
  state.q = q_;
  state.v = v_;
  state.time = end_;
  state.step = report_.step;
  state.standing.resize(0);
  state.contacts.clear();
  for (const ContactMemory& memory : modes_) state.contacts.push_back(memory_of(memory.id, memory.sliding, report_));
}

void EventDrivenStepper::set_stop(const StopSignal& stop) {
  stop_ = stop;
  touches_.set_stop(stop);
  motion_.set_stop(stop);
  for (ImpactHandler* handler : {&law_, &plastic_}) handler->set_stop(&stop_);
}

StepReport& EventDrivenStepper::advance(const Model& model, State& state, double length, const StepRequest& request) {
  const OnLeaving forget([this] { set_stop({}); });
  set_stop(request.stop);
  if (request.problem != nullptr) *request.problem = {};
  controlled_ = request.force;
  told_ = request.evidence;
  method_.step = length;
  clear(report_, state.step + 1, time_after(state, length));
  loads_.clear(report_.loads);
  time_ = state.time;
  end_ = report_.time;
  q_ = state.q;
  v_ = state.v;
  modes_ = state.contacts;
  accumulation_.clear();
  wedged_ = false;
  coarseness_ = 1;
  stopped_at_ = 0;
  stopped_.clear();
  guess_ = length;
  forward_kinematics(model, q_, workspace_);
  forward_velocity(model, q_, v_, workspace_);
  const double kinetic = kinetic_energy(model, workspace_), potential = potential_energy(model, q_, workspace_);
  for (int events = 0; time_ < end_; ++events) {
    begin_phase(model);
    run_phase(model);
    const bool within = events < most_events && report_.iterations < most_integration_steps;
    if (time_ >= end_ || (within && !(wedged_ && report_.status != SolveStatus::solved))) continue;
    report_.status = SolveStatus::inaccurate;  // and go on from here as if the rest of the step were nothing
    break;
  }
  if (!stopped_.empty()) begin_phase(model);  // slips that end with the report are told in it
  finish(model, state, kinetic, potential);
  return report_;
}

}  // namespace carom
