#include "carom/stepper/variational/variational_stepper.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/dynamics/recursions.h"
#include "carom/stepper/report_parts.h"

namespace carom {
namespace {

constexpr double at_rest = 1e-9;         // of the largest speed: normal velocities that count as none
constexpr double died_away = 0.01;       // of a contact's first strike in a step: strikes that have come to an end
constexpr double on_surface = 1e-5;      // of gaps that count as closed: as near as this a touch is found
constexpr double shortest_part = 1e-12;  // of a step
constexpr double shortest_piece = 1e-3;  // of a step: no piece of one that does not converge is shorter
constexpr double shortest_jump = 1e-9;   // of a step: how exactly the time is found at which a contact jumps
constexpr int most_parts = 400;          // of a step
constexpr int most_cuts = 4, most_jumps = 20;

}  // namespace

VariationalStepper::VariationalStepper(const Model& model, const Method& method)
    : method_(method),
      size_(model),
      law_(model, method),
      plastic_(ImpactHandler::without_restitution(model, method)),
      part_(model, method),
      touches_(model),
      finder_(model),
      mass_(model, method.dynamics),
      forces_(model),
      workspace_(model),
      scratch_(model),
      judge_(model) {
  for (VectorX* q : {&q_, &q_touch_}) q->setZero(model.position_count());
  for (VectorX* v : {&v_, &v_touch_, &tau_, &vdot_, &controlled_}) v->setZero(model.velocity_count());
  evidence_.equation.directions = method.generators();
}

/// True if a contact that opens at this speed stays open for longer than a step, by the applied forces alone. False if
/// its strikes have become a hundred times slower within this step.
bool VariationalStepper::flies(const Model& model, const Contact& contact, double speed) {
  if (!has_accelerations_) {
    forces_.gather(model, time_, q_, v_, controlled_, workspace_, tau_);
    forward_dynamics(model, q_, v_, tau_, scratch_, vdot_);
    forward_kinematics(model, q_, scratch_);
    forward_velocity(model, q_, vdot_, scratch_);
    has_accelerations_ = true;
  }
  for (const ImpactContact& struck : report_.struck) {
    if (struck.id == contact.id && speed < died_away * -struck.before.z()) return false;
  }
  return 2 * speed > -method_.step * gap_rate(contact, vdot_, scratch_);
}

void VariationalStepper::strike(const Model& model, ImpactHandler& handler, const std::vector<ContactId>& approaching) {
  const std::vector<Contact>& near = finder_.find(model, q_, workspace_.X_WB, method_.proximity, method_.proximity);
  std::vector<char> strikes(near.size(), 0);
  for (std::size_t i = 0; i < near.size(); ++i) {
    strikes[i] = std::find(approaching.begin(), approaching.end(), near[i].id) != approaching.end() ? 1 : 0;
  }
  const double before = kinetic_energy(model, workspace_);
  handler.strike(model, time_, q_, near, strikes, 0, workspace_, mass_, v_, report_);
  forward_velocity(model, q_, v_, workspace_);
  add_impact(kinetic_energy(model, workspace_) - before, report_);
  const ImpactReport& impact = report_.impacts.back();
  for (std::size_t i = 0; i < impact.contacts; ++i) {
    slack_ = std::max(slack_, left_by_laws * report_.struck[impact.first_contact + i].before.norm());
  }
}

/// An impact of what approaches here; false if nothing does. Fills closed_ with the contacts that rest or approach, or
/// will be closed again within a step.
bool VariationalStepper::strike_what_approaches(const Model& model) {
  forward_kinematics(model, q_, workspace_);
  forward_velocity(model, q_, v_, workspace_);
  const double fastest = std::max(size_.fastest(v_), method_.step * model.gravity().norm());
  const double least = at_rest * fastest, limit = std::max(least, slack_);
  closed_.clear();
  std::vector<ContactId> approaching;
  bool by_law = false;
  has_accelerations_ = false;
  for (const Contact& contact : finder_.find(model, q_, workspace_.X_WB, part_.touching(), part_.touching())) {
    const double rate = gap_rate(contact, v_, workspace_);
    // A ratchet that lets go now may have to hold before the step ends.
    const double speed = rate * size_.as_speed(contact.id);
    if (speed > least && !contact.id.is_ratchet() && flies(model, contact, rate)) continue;
    closed_.push_back(contact);
    if (speed >= -limit) continue;
    approaching.push_back(contact.id);
    const bool may_bounce = -rate > method_.restitution_speed && report_.impacts.size() < most_impacts;
    by_law = by_law || (may_bounce && flies(model, contact, -rate));
  }
  if (approaching.empty()) return false;
  strike(model, by_law ? law_ : plastic_, approaching);
  return true;
}

void VariationalStepper::begin_part(const Model& model) {
  slack_ = 0;
  for (int impacts = 0; strike_what_approaches(model); ++impacts) {
    if (impacts < most_impacts_at_once) continue;
    report_.status = SolveStatus::inaccurate;
    break;
  }
  begin_attempts(model);
}

void VariationalStepper::begin_attempts(const Model& model) {
  persisting_.clear();
  for (const Contact& contact : closed_) persisting_.push_back(contact.id);
  part_.begin(model, time_, q_, v_, closed_, memory_, controlled_);
}

/// Time, s, when the contact that the search found closes in the discrete motion, which the path of the search is near.
/// If it does not close, `span`. The part ends there afterwards.
double VariationalStepper::time_of_touch(const Model& model, const Touch& touch, double span) {
  constexpr int most_tries = 60;
  // The nearest of its pair stands for a point that is not there; open where that is one that persists.
  const auto find = [&](const VectorX& q) {
    Contact contact;
    if (finder_.evaluate(model, touch.id, q, scratch_.X_WB, contact)) return contact;
    contact = finder_.nearest(model, touch.id.a, touch.id.b, scratch_.X_WB);
    const bool persists = std::find(persisting_.begin(), persisting_.end(), contact.id) != persisting_.end();
    if (persists) contact.gap = std::numeric_limits<double>::infinity();
    return contact;
  };
  // A pair that overlaps from the start has touched where it is as deep again.
  forward_kinematics(model, q_, scratch_);
  const double surface = std::min(0.0, find(q_).gap);
  double open = 0, closed = span;
  bool bracketed = false;
  double time = touch.place * span;
  for (int i = 0; i < most_tries; ++i) {
    if (!part_.attempt(model, time)) return span;
    forward_kinematics(model, part_.q_end(), scratch_);
    forward_velocity(model, part_.q_end(), part_.v_end(), scratch_);
    const Contact contact = find(part_.q_end());
    const double gap = contact.gap - surface, rate = gap_rate(contact, part_.v_end(), scratch_);
    // Angles that have gone round many times have no more digits than these.
    const double digits = 1e-14 * (1 + part_.q_end().lpNorm<Eigen::Infinity>());
    const bool tried = i + 1 == most_tries && std::abs(gap) <= part_.touching();
    if (std::abs(gap) <= std::max(on_surface * part_.touching(), digits) || tried) return time;
    if (gap < 0) {
      closed = time;
      bracketed = true;
    } else {
      open = time;
    }
    if (bracketed && closed - open <= shortest_part * span) {
      return std::abs(gap) <= part_.touching() ? time : span;
    }
    double next = time - gap / rate;
    const bool inside = std::isfinite(gap) && rate < 0 && next > open && next < closed;
    if (!inside && !bracketed) {
      // Beyond the part there is no root unless its end is closed.
      if (time >= span) return span;
      next = span;
    } else if (!inside) {
      next = 0.5 * (open + closed);
    }
    time = next;
  }
  return span;
}

/// True if the last attempt ends with this contact closed: then it is taken for one that persists.
bool VariationalStepper::keep_closed(const Model& model, const ContactId& id) {
  forward_kinematics(model, part_.q_end(), scratch_);
  Contact contact;
  if (!finder_.evaluate(model, id, part_.q_end(), scratch_.X_WB, contact)) return false;
  const double gap = contact.gap;
  forward_kinematics(model, q_, scratch_);
  if (!finder_.evaluate(model, id, q_, scratch_.X_WB, contact)) return false;
  if (!(gap < std::min(0.0, contact.gap) - part_.touching())) return false;
  const auto before = [](const Contact& a, const Contact& b) { return a.id < b.id; };
  closed_.insert(std::lower_bound(closed_.begin(), closed_.end(), contact, before), contact);
  begin_attempts(model);
  return true;
}

/// Shortens a part of `span`, tried last, in which a contact's motion was not followed, until it is. If a contact
/// jumps, however short the part, the part ends at the jump. The next part, of no length to speak of, passes the jump
/// as if nothing were touched, and what approaches behind it strikes.
double VariationalStepper::follow_contacts(const Model& model, double span) {
  const auto follows = [&](double length) { return part_.attempt(model, length) && part_.is_followed(); };
  for (int i = 0; i < most_cuts; ++i) {
    span *= 0.5;
    ++report_.resolves;
    if (follows(span)) return span;
  }
  double good = 0, bad = span;
  while (bad - good > shortest_jump * method_.step) {
    const double middle = 0.5 * (good + bad);
    (follows(middle) ? good : bad) = middle;
    ++report_.resolves;
  }
  ++jumps_;
  if (good == 0) {
    (void)part_.attempt(model, bad, VariationalPart::Meeting::at_the_start);
    return bad;
  }
  (void)part_.attempt(model, good);
  passing_ = 2 * (bad - good);
  return good;
}

/// The part of the step up to the next touch, or to the end of `span`; returns its length.
double VariationalStepper::take_part(const Model& model, double span) {
  const bool may_cut = parts_ < most_parts && jumps_ < most_jumps;
  if (passing_ > 0) {
    const double length = std::min(span, passing_);
    passing_ = 0;
    (void)part_.attempt(model, length, VariationalPart::Meeting::at_the_start);
    finish_part(model);
    return length;
  }
  // A step that is too long for its motion is taken in pieces.
  while (!part_.attempt(model, span) && span > shortest_piece * method_.step) {
    span *= 0.5;
    ++report_.resolves;
  }
  if (!part_.is_followed() && may_cut) span = follow_contacts(model, span);
  double length = span;
  if (may_cut) {
    const TouchSearch::Motion path = [&](double x, VectorX& q, VectorX& v) { part_.between(model, x, q, v); };
    const Touch touch = touches_.first(model, path, span, part_.touching(), persisting_);
    if (touch.place <= 1) {
      length = time_of_touch(model, touch, span);
      if (length < span) passing_ = 0;
      if (length >= span) {
        (void)part_.attempt(model, length = span);
        // Its time was not found, so it is met at the end of the part, without restitution.
        if (keep_closed(model, touch.id)) (void)part_.attempt(model, span);
      }
    }
  } else {
    (void)part_.attempt(model, span, VariationalPart::Meeting::by_rates);
    report_.status = SolveStatus::inaccurate;
  }
  // A part that joined late, or at a touch, may still give: then rates alone are asked for, which cannot.
  if (!part_.is_followed()) (void)part_.attempt(model, length, VariationalPart::Meeting::by_rates);
  finish_part(model);
  return length;
}

/// Tells the judge of the last part, and takes what it finds into the report.
void VariationalStepper::judge_part(const Model& model) {
  part_.tell(evidence_);
  judge_.reserve(std::max(evidence_.rows.capacity(), evidence_.at_end.rows.capacity()));
  add_verdict(judge_.judge(model, evidence_), report_);
  if (told_ != nullptr) told_->push_back(evidence_);
}

void VariationalStepper::finish_part(const Model& model) {
  part_.report(model, memory_, report_);
  judge_part(model);
  q_ = part_.q_end();
  v_ = part_.v_end();
}

/// Events of contacts that persist: what is new, what is gone, what began to slide or to roll.
void VariationalStepper::note_modes(const Model& model) {
  const auto find = [](const std::vector<ContactMemory>& list, const ContactId& id) {
    return std::find_if(list.begin(), list.end(), [&](const ContactMemory& memory) { return memory.id == id; });
  };
  const auto add = [&](EventKind kind, const ContactId& id) {
    report_.events.push_back(event_of(model, kind, id, time_, report_.step));
  };
  for (const ContactMemory& before : modes_) {
    if (find(memory_, before.id) == memory_.end()) add(EventKind::separate, before.id);
  }
  for (const ContactMemory& now : memory_) {
    const auto before = find(modes_, now.id);
    if (before == modes_.end()) {
      add(EventKind::touch, now.id);
    } else if (before->sliding != now.sliding) {
      add(now.sliding ? EventKind::slide : EventKind::roll, now.id);
    }
  }
  modes_ = memory_;
}

void VariationalStepper::finish(const Model& model, State& state) {
  forward_kinematics(model, q_, workspace_);
  for (const Contact& contact : finder_.find(model, q_, workspace_.X_WB, 0)) {
    double& worst = contact.id.is_surface() ? report_.penetration : report_.constraint_drift;
    worst = std::max(worst, -contact.gap);
  }
  if (!q_.allFinite() || !v_.allFinite()) report_.status = SolveStatus::inaccurate;
  if (report_.status != SolveStatus::solved) {
    report_.events.push_back({.time = report_.time, .step = report_.step, .kind = EventKind::unsolved, .id = {}});
  }
  state.q = q_;
  state.v = v_;
  state.time = report_.time;
  state.step = report_.step;
  state.contacts = memory_;
  state.standing.resize(0);
}

void VariationalStepper::set_stop(const StopSignal& stop) {
  stop_ = stop;
  for (ImpactHandler* handler : {&law_, &plastic_}) handler->set_stop(&stop_);
  part_.set_stop(stop);
  touches_.set_stop(stop);
}

StepReport& VariationalStepper::advance(const Model& model, State& state, double length, const StepRequest& request) {
  const OnLeaving forget([this] { set_stop({}); });
  set_stop(request.stop);
  controlled_ = request.force;
  told_ = request.evidence;
  method_.step = length;
  clear(report_, state.step + 1, time_after(state, length));
  report_.fixed_point_iterations = 0;
  time_ = state.time;
  q_ = state.q;
  v_ = state.v;
  memory_ = modes_ = state.contacts;
  double left = report_.time - state.time;
  jumps_ = 0;
  passing_ = 0;
  for (parts_ = 0; left > 0; ++parts_) {
    begin_part(model);
    const double length = take_part(model, left);
    left = left - length > shortest_part * method_.step ? left - length : 0;
    time_ = left > 0 ? time_ + length : report_.time;
    note_modes(model);
  }
  finish(model, state);
  if (request.problem != nullptr) part_.copy_problem(*request.problem);
  return report_;
}

}  // namespace carom
