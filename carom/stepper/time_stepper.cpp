#include "carom/stepper/time_stepper.h"

#include <algorithm>
#include <cmath>

#include "carom/dynamics/applied_force.h"
#include "carom/dynamics/joint_kinematics.h"
#include "carom/dynamics/recursions.h"
#include "carom/stepper/mean_velocity.h"
#include "carom/stepper/report_parts.h"
#include "carom/stepper/round_off_motion.h"

namespace carom {
namespace {

constexpr double overlap_tolerance = 1e-9;  // of sizes: what a motion may overlap before a constraint counts as missed
constexpr double solves_agree = 2e-9;       // of velocities: two solves, each to the solvers' own tolerance
constexpr int most_step_resolves = 100;
constexpr int most_halvings_when_fast = 12;  // of a step that the motion is too fast for
constexpr double farthest_turn = 2;          // rad: of a body that is no ball, in a step in which it touches

CandidateContact found(const Contact& contact) {
  CandidateContact candidate;
  candidate.contact = contact;
  return candidate;
}

/// Lists of contacts are sorted by it.
struct ById {
  static const ContactId& id(const ContactId& id) { return id; }
  template <typename WithId>
  static const ContactId& id(const WithId& contact) {
    return contact.id;
  }
  template <typename X, typename Y>
  bool operator()(const X& x, const Y& y) const {
    return id(x) < id(y);
  }
};

bool by_id(const CandidateContact& x, const CandidateContact& y) { return x.contact.id < y.contact.id; }

/// Neighbours in the order of ids.
bool of_one_pair(const CandidateContact& x, const CandidateContact& y) {
  return x.contact.id.a == y.contact.id.a && x.contact.id.b == y.contact.id.b;
}

/// True if two contacts of one pair push the same way.
bool same_side(const Contact& x, const Contact& y) { return x.R_WC.col(2).dot(y.R_WC.col(2)) > 0.7; }

}  // namespace

TimeStepper::TimeStepper(const Model& model, const Method& method)
    : method_(method),
      size_(model),
      start_(model),
      middle_(model),
      end_(model),
      scratch_(model),
      mass_(model, method.dynamics),
      free_motion_(model),
      finder_(model),
      contact_step_(model, method),
      projection_(model),
      constraint_projection_(model, mass_, method.stepper->joins_constraints),
      loads_(model),
      judge_(model) {
  projection_.count_rungs(method.rungs);
  if (is_second_order(method)) {
    weights_.emplace(model);
    impacts_.end_weight.reserve(model.body_count());
  }
  round_.assign(static_cast<std::size_t>(model.body_count()), 1);
  for (const Collider& collider : model.colliders()) {
    if (collider.body >= 0 && !std::holds_alternative<Sphere>(collider.shape)) {
      round_[static_cast<std::size_t>(collider.body)] = 0;
    }
  }
  impacts_.struck.resize(model.body_count());
  impacts_.turning_work.resize(model.body_count());
  for (VectorX* q : {&at_.q, &q_end_, &q_scratch_, &q_moved_}) q->setZero(model.position_count());
  for (VectorX* v : {&at_.start, &at_.reach, &at_.applied, &controlled_, &reach_start_, &free_velocity_, &velocity_,
                     &velocity_start_, &path_, &kick_, &last_kick_, &v_end_, &difference_,
                     &evidence_.position_correction, &evidence_.velocity_correction}) {
    v->setZero(model.velocity_count());
  }
}

void TimeStepper::linearise(const Model& model, const State& state) {
  const StageClock clock(report_.stages.kinematics);
  integrate(model, state.q, reach_start_, method_.step, at_.q);
  if (constraint_projection_.has_constraints()) {
    // Off the constraints' manifold the rows of an overconstrained linkage are independent, and would lock it.
    const double there = at_.end - (1 - lead()) * method_.step;
    constraint_projection_.project_position(model, there, at_.q, middle_, mass_);
    difference(model, state.q, at_.q, difference_);
    difference_ /= method_.step;
  } else {
    difference_ = reach_start_;
  }
  transport_velocity(model, state.q, at_.q, state.v, at_.start);
  transport_velocity(model, state.q, at_.q, difference_, at_.reach);
  forward_kinematics(model, at_.q, middle_);
  forward_velocity(model, at_.q, at_.start, middle_);
  mass_.factor(model, free_motion_.augmentation(method_.step, at_.weights), middle_);
  at_.applied = controlled_;
  add_applied_force(model, at_.end - 0.5 * method_.step, middle_, at_.applied);
}

void TimeStepper::carry(CandidateContact& crossing) const {
  Contact& contact = crossing.contact;
  contact.p_WA = crossing.arm_A;
  contact.p_WB = crossing.arm_B;
  if (contact.body_a >= 0) contact.p_WA += middle_.X_WB[contact.body_a].p;
  if (contact.body_b >= 0) contact.p_WB += middle_.X_WB[contact.body_b].p;
}

void TimeStepper::add_candidate(const CandidateContact& candidate) {
  // A feature seen from the far side does not join where a pair is held by its crossing.
  const auto rival = [&](const CandidateContact& c) { return c.crossing && !same_side(c.contact, candidate.contact); };
  const auto place = std::lower_bound(candidates_.begin(), candidates_.end(), candidate, by_id);
  for (auto before = place; before != candidates_.begin() && of_one_pair(*--before, candidate);) {
    if (rival(*before)) return;
  }
  for (auto after = place; after != candidates_.end() && of_one_pair(*after, candidate); ++after) {
    if (rival(*after)) return;
  }
  if (place != candidates_.end() && place->contact.id == candidate.contact.id) return;
  candidates_.insert(place, candidate);
}

/// Candidates of an earlier linearisation of this step stay. Contacts join that are closed here, that gravity can close
/// within the step, or that carried an impulse in the last step. If corners of a resting face are open by round-off,
/// all thus take part from the start, not one by one as they are missed.
void TimeStepper::gather_candidates(const Model& model, const State& state) {
  const StageClock clock(report_.stages.contact_finding);
  std::size_t kept = 0;
  for (CandidateContact& candidate : candidates_) {
    const ContactId id = candidate.contact.id;
    if (candidate.crossing) {
      carry(candidate);
    } else if (!finder_.evaluate(model, id, at_.q, middle_.X_WB, candidate.contact)) {
      continue;
    }
    candidates_[kept++] = candidate;
  }
  candidates_.resize(kept);
  const double closing = 2 * method_.step * method_.step * model.gravity().norm();
  const std::vector<Contact>& near = finder_.find(model, at_.q, middle_.X_WB, closing);
  for (const ContactMemory& memory : state.contacts) {
    if (std::binary_search(near.begin(), near.end(), memory.id, ById())) continue;
    CandidateContact candidate;
    candidate.remembered = true;
    candidate.rolled = !memory.sliding;
    candidate.owed = memory.approach;
    if (finder_.evaluate(model, memory.id, at_.q, middle_.X_WB, candidate.contact)) {
      add_candidate(candidate);
    } else if (finder_.evaluate(model, memory.id, state.q, start_.X_WB, candidate.contact)) {
      // Corners of faces get other numbers where another face becomes the reference: hold what the step began with.
      add_passed(model, candidate, start_.X_WB, 0);
    }
  }
  for (const Contact& contact : near) {
    CandidateContact candidate = found(contact);
    const auto memory = std::lower_bound(state.contacts.begin(), state.contacts.end(), contact.id, ById());
    candidate.remembered = memory != state.contacts.end() && memory->id == contact.id;
    candidate.rolled = candidate.remembered && !memory->sliding;
    candidate.owed = candidate.remembered ? memory->approach : owed_by_vanished(state, near, contact.id);
    add_candidate(candidate);
  }
  if (weights_) find_start_rates(model, state);
}

/// Rates of the gaps of contacts that last, at the step's start.
void TimeStepper::find_start_rates(const Model& model, const State& state) {
  Contact contact;
  for (CandidateContact& candidate : candidates_) {
    candidate.start_rate.reset();
    if (!candidate.remembered || candidate.crossing) continue;
    if (!finder_.evaluate(model, candidate.contact.id, state.q, start_.X_WB, contact)) continue;
    candidate.start_rate = gap_rate(contact, state.v, start_);
  }
}

/// Largest approach owed to contacts of the pair that the last step ended with and that are found nowhere now. Their
/// features have other numbers.
double TimeStepper::owed_by_vanished(const State& state, const std::vector<Contact>& near, const ContactId& id) const {
  double most = 0;
  for (const ContactMemory& memory : state.contacts) {
    if (!(memory.approach > most) || !id.is_surface() || memory.id.a != id.a || memory.id.b != id.b) continue;
    if (std::binary_search(near.begin(), near.end(), memory.id, ById())) continue;
    const bool held = std::any_of(candidates_.begin(), candidates_.end(),
                                  [&](const CandidateContact& held) { return held.contact.id == memory.id; });
    if (!held) most = memory.approach;
  }
  return most;
}

/// Adds a contact known at a time within the step, with the poses of that time, by the plane through its points there.
void TimeStepper::add_passed(const Model& model, CandidateContact candidate, const std::vector<Transform>& X_WB,
                             double time) {
  const Contact contact = candidate.contact;
  candidate.crossing = true;
  candidate.arm_A = contact.p_WA;
  candidate.arm_B = contact.p_WB;
  if (contact.body_a >= 0) candidate.arm_A -= X_WB[contact.body_a].p;
  if (contact.body_b >= 0) candidate.arm_B -= X_WB[contact.body_b].p;
  carry(candidate);
  mean_velocity(model, impacts_.end_weight, at_.start, velocity_, difference_);
  forward_velocity(model, at_.q, difference_, middle_);
  const Vec3 relative = point_velocity(contact.body_a, candidate.contact.p_WA, middle_) -
                        point_velocity(contact.body_b, candidate.contact.p_WB, middle_);
  candidate.travel = time * contact.R_WC.col(2).dot(relative);
  add_candidate(candidate);
}

/// Marks contacts that slid and whose slip the motion found turns round. On the way it was at rest, where static
/// friction decides whether it goes on. True if there were any.
bool TimeStepper::stop_turned() {
  bool any = false;
  for (std::size_t k = 0; k < candidates_.size(); ++k) {
    CandidateContact& candidate = candidates_[k];
    const ContactMaterial& surface = candidate.contact.surface;
    const Block& block = contact_step_.block(k);
    const bool slides = candidate.contact.id.is_surface() && block.friction != surface.static_friction;
    if (!slides || !(contact_step_.impulse()[block.normal_row()] > 0)) continue;
    const Vec2 before = contact_step_.start_velocity().segment<2>(block.row);
    const Vec2 after = contact_step_.contact_velocity().segment<2>(block.row);
    if (before.dot(after) < 0) candidate.turned = any = true;
  }
  return any;
}

/// Adds constraints that the motion found violates and that took no part in it. True if there were any.
bool TimeStepper::add_missed(const Model& model, const State& state) {
  const StageClock clock(report_.stages.contact_finding);
  const std::size_t before = candidates_.size();
  const auto holds = [&](const ContactId& id) {
    const auto place = std::lower_bound(candidates_.begin(), candidates_.end(), id,
                                        [](const CandidateContact& c, const ContactId& i) { return c.contact.id < i; });
    return place != candidates_.end() && place->contact.id == id;
  };
  for (const Contact& contact : measure_overlap(model)) {
    if (contact.gap >= -overlap_tolerance * size_.of(contact.id) || holds(contact.id)) continue;
    missed_.push_back(contact);
  }
  for (const Contact& contact : missed_) {
    CandidateContact candidate;
    if (finder_.evaluate(model, contact.id, at_.q, middle_.X_WB, candidate.contact)) {
      add_candidate(candidate);
    } else {
      add_passed(model, found(contact), end_.X_WB, method_.step);
    }
  }
  missed_.clear();

  crossings_.clear();
  forward_velocity(model, state.q, path_, start_);
  find_crossings(model, state.q, path_, method_.step, start_, end_, finder_, scratch_, q_scratch_, crossings_);
  bool replaced = false;
  for (const Crossing& crossing : crossings_) {
    const Contact& met = crossing.contact;
    const auto held = std::find_if(candidates_.begin(), candidates_.end(), [&](const CandidateContact& c) {
      return c.contact.id.a == met.id.a && c.contact.id.b == met.id.b;
    });
    if (held != candidates_.end()) {
      // A plane seen from this side holds; one that the linearisation saw from the far side does not.
      if (held->crossing || same_side(held->contact, met)) continue;
      std::erase_if(candidates_, [&](const CandidateContact& c) {
        return c.contact.id.a == met.id.a && c.contact.id.b == met.id.b;
      });
      replaced = true;
    }
    const double time = crossing.fraction * method_.step;
    integrate(model, state.q, path_, time, q_scratch_);
    forward_kinematics(model, q_scratch_, scratch_);
    add_passed(model, found(met), scratch_.X_WB, time);
  }
  return replaced || candidates_.size() > before;
}

ContactSolution TimeStepper::solve_assembled() {
  stop_.check();
  const StageClock clock(report_.stages.solve);
  ContactSolution solution = contact_step_.solve(method_, mass_, velocity_);
  // A jam may leave no room for what contacts turn by.
  if (solution.status != SolveStatus::solved && contact_step_.drop_turns()) {
    velocity_ = free_velocity_;
    solution = contact_step_.solve(method_, mass_, velocity_);
  }
  return solution;
}

void TimeStepper::move_to_end(const Model& model, const State& state) {
  const StageClock clock(report_.stages.kinematics);
  transport_velocity(model, at_.q, state.q, velocity_, velocity_start_);
  mean_velocity(model, impacts_.end_weight, state.v, velocity_start_, path_);
  integrate(model, state.q, path_, method_.step, q_end_);
  forward_kinematics(model, q_end_, end_);
}

/// Weights of a step of this length, no impact in it yet.
void TimeStepper::begin_weights(const Model& model) {
  at_.lead = lead();
  at_.weights = weights_ ? &*weights_ : nullptr;
  if (!weights_) return;
  weights_->fit(method_.step);
  impacts_.end_weight.assign(static_cast<std::size_t>(model.body_count()), smooth_weight);
}

/// The free velocity for half of what forces change without contacts, constraints and servos before the turn.
void TimeStepper::find_free_velocity(const Model& model, const State& state) {
  const StageClock clock(report_.stages.kinematics);
  free_motion_.kick_freely(model, at_, method_.step, middle_, mass_);
  if (weights_) {
    kick_ = free_motion_.kick();
    for (int k = 0; k < model.velocity_count(); ++k) {
      if (is_struck(model, k)) kick_[k] = 0;
    }
    free_motion_.set_kick(kick_);
  }
  free_velocity_ = free_motion_.solve(model, method_, at_, state.q, state.v, impacts_.end_weight, middle_, mass_);
}

/// Finds the free velocity for gyroscopic terms at the mean of the step's start and the end that was found. False, and
/// all as it was, if it is the same to the digits of a solve.
bool TimeStepper::turn_with_impulses(const Model& model, const State& state) {
  const StageClock clock(report_.stages.kinematics);
  const auto turn_with = [&](const VectorX& kick) -> const VectorX& {
    free_motion_.set_kick(kick);
    return free_motion_.solve(model, method_, at_, state.q, state.v, impacts_.end_weight, middle_, mass_);
  };
  last_kick_ = kick_ = free_motion_.kick();
  for (int k = 0; k < model.velocity_count(); ++k) {
    if (is_struck(model, k)) continue;
    kick_[k] = 0.5 * (velocity_[k] - at_.start[k] - free_motion_.turn()[k]);
  }
  const VectorX& again = turn_with(kick_);
  difference_ = velocity_ - at_.start;
  double changes = size_.fastest(difference_);
  difference_ = free_velocity_ - at_.start;
  changes = std::max(changes, size_.fastest(difference_));
  difference_ = again - free_velocity_;
  // Relative to what changes in a step, so that short steps do not add up to more.
  if (size_.fastest(difference_) <= solves_agree * changes) {
    free_velocity_ = turn_with(last_kick_);
    return false;
  }
  free_velocity_ += difference_;
  return true;
}

ContactSolution TimeStepper::solve_at_linearisation(const Model& model, const State& state) {
  find_free_velocity(model, state);
  int turns = weights_ ? 0 : 2;
  for (;;) {
    velocity_ = free_velocity_;
    {
      const StageClock clock(report_.stages.assembly);
      contact_step_.assemble(model, method_, candidates_, at_, free_velocity_,
                             free_motion_.augmentation(method_.step, at_.weights), impacts_.end_weight, middle_, mass_);
    }
    if (weights_ && contact_step_.weigh_impacts(model, candidates_, method_, at_.start, impacts_.end_weight)) {
      find_free_velocity(model, state);
      continue;
    }
    ContactSolution solution = solve_assembled();
    move_to_end(model, state);
    if (report_.resolves == most_step_resolves) {
      if (solution.status == SolveStatus::solved) solution.status = SolveStatus::inaccurate;
      return solution;
    }
    if (stop_turned()) {
      ++report_.resolves;
      continue;
    }
    if (!add_missed(model, state)) {
      // Impulses that the turn itself changes altogether, as in a jam, say nothing of it.
      if (turns == 1 && !free_motion_.kick_fits(model, at_, velocity_)) {
        find_free_velocity(model, state);
      } else if (turns > 0 || !turn_with_impulses(model, state)) {
        return solution;
      }
      ++turns;
      continue;
    }
    ++report_.resolves;
  }
}

/// The linear step, q + h v; `status` is what a solved one is reported as.
ContactSolution TimeStepper::solve_linear(const Model& model, const State& state, SolveStatus status) {
  candidates_.clear();
  reach_start_ = lead() * state.v;
  linearise(model, state);
  gather_candidates(model, state);
  ContactSolution solution = solve_at_linearisation(model, state);
  if (solution.status == SolveStatus::solved) solution.status = status;
  return solution;
}

ContactSolution TimeStepper::solve(const Model& model, const State& state) {
  ContactSolution solution = solve_linear(model, state, SolveStatus::solved);
  if (method_.stepper != StepperKind::stewart_trinkle_nonlinear) return solution;
  for (;;) {
    // Free velocity is in the scale because at rest all others are round-off.
    const double scale = std::max(size_.fastest(velocity_start_), size_.fastest(free_velocity_));
    difference_ = velocity_start_ - reach_start_;
    const double change = size_.fastest(difference_);
    if (change <= method_.nonlinear_tolerance * scale) return solution;
    const double agreement = solves_agree * scale;
    if (moves_by_round_off(model, at_.q, difference_, method_.step, agreement, candidates_, scratch_)) return solution;
    if (report_.fixed_point_iterations == method_.nonlinear_iterations) {
      return solve_linear(model, state, SolveStatus::inaccurate);
    }
    ++report_.fixed_point_iterations;
    reach_start_ = velocity_start_;
    linearise(model, state);
    gather_candidates(model, state);
    solution = solve_at_linearisation(model, state);
  }
}

void TimeStepper::set_stop(const StopSignal& stop) {
  stop_ = stop;
  contact_step_.set_stop(stop);
  projection_.set_stop(stop);
}

StepReport& TimeStepper::advance(const Model& model, State& state, double length, const StepRequest& request) {
  const OnLeaving forget([this] { set_stop({}), kept_ = nullptr, told_ = nullptr; });
  set_stop(request.stop);
  kept_ = request.problem;
  told_ = request.evidence;
  controlled_ = request.force;
  method_.step = length;
  if (take(model, state, 0)) return report_;
  const double end = time_after(state, length);
  const std::int64_t number = state.step + 1;
  clear(whole_, number, end);
  whole_.fixed_point_iterations = 0;
  take_in_parts(model, state, length, 1);
  std::swap(report_, whole_);
  state.time = end;
  state.step = number;
  return report_;
}

/// Two halves of h, each cut again where the motion is too fast for it.
void TimeStepper::take_in_parts(const Model& model, State& state, double h, int halvings) {
  for (int half = 0; half < 2; ++half) {
    method_.step = h / 2;
    if (!take(model, state, halvings)) {
      take_in_parts(model, state, h / 2, halvings + 1);
      continue;
    }
    add_part(report_, whole_);
    whole_.fixed_point_iterations += report_.fixed_point_iterations;
  }
}

/// True if the motion that was found takes shapes through one another. True, too, if a body turns so far while it
/// touches that the planes of its contacts say nothing of it. The kinematics of the motion are in start_.
bool TimeStepper::is_too_fast() const {
  if (std::any_of(crossings_.begin(), crossings_.end(), [](const Crossing& c) { return c.through || c.turned; })) {
    return true;
  }
  const auto turns = [&](int body) {
    return body >= 0 && !round_[static_cast<std::size_t>(body)] &&
           method_.step * start_.V[body].head<3>().norm() > farthest_turn;
  };
  for (std::size_t k = 0; k < candidates_.size(); ++k) {
    const Contact& contact = candidates_[k].contact;
    if (!contact.id.is_surface() || !(contact_step_.impulse()[contact_step_.block(k).normal_row()] > 0)) continue;
    if (turns(contact.body_a) || turns(contact.body_b)) return true;
  }
  return false;
}

/// Advances the state by one step of method_.step. False, and the state as it was, if the motion is too fast for
/// it and the step has not been cut too often.
bool TimeStepper::take(const Model& model, State& state, int halvings) {
  report_.step = state.step + 1;
  report_.time = time_after(state, method_.step);
  report_.resolves = 0;
  report_.fixed_point_iterations = 1;
  report_.contacts.clear();
  report_.events.clear();
  report_.energy = {};
  report_.stages = {};
  forward_kinematics(model, state.q, start_);
  forward_velocity(model, state.q, state.v, start_);
  const double kinetic = kinetic_energy(model, start_);
  const double potential = potential_energy(model, state.q, start_);

  at_.end = report_.time;
  begin_weights(model);
  contact_step_.begin(state);
  const ContactSolution solution = solve(model, state);
  if (is_too_fast() && halvings < most_halvings_when_fast) return false;
  const StageClock clock(report_.stages.account);
  report_contacts(model, solution);
  if (!q_end_.allFinite() || !velocity_.allFinite() || is_too_fast()) report_.status = SolveStatus::inaccurate;
  report_events(model, state);
  report_joints(model);
  report_loads(model);
  q_moved_ = q_end_;
  const StandingWork standing = contact_step_.standing_work(mass_);  // projections below make other rows of it
  transport_velocity(model, at_.q, q_end_, velocity_, v_end_);
  EnergyLedger& energy = report_.energy;
  keep_to_constraints(model);
  free_motion_.settle(model, method_, at_, velocity_, impacts_, middle_, q_end_, end_, v_end_);
  report_end(model);

  judge(model, state);

  energy.kinetic_change = energy.kinetic - kinetic;
  energy.potential_change = energy.potential - potential;
  energy.damping = free_motion_.damping_loss(at_, velocity_, method_.step) + standing.damping;
  difference_ = 0.5 * (velocity_ + at_.start);
  energy.drive_work = standing.drives + method_.step * at_.applied.dot(difference_);
  energy.constraint_work = standing.constraints;
  energy.joint_friction = standing.friction;
  energy.contact_work = report_.contact_certificate.contact_work + contact_step_.touching_correction();
  energy.push_out = report_.contact_certificate.push_out - contact_step_.turned_out();
  energy.opposed_work =
      standing.opposed_work + contact_step_.whole_contact_work() - energy.contact_work - energy.push_out;
  energy.free_motion_error = energy.kinetic_change + energy.potential_change + energy.damping - energy.drive_work -
                             energy.joint_friction - energy.contact_work - energy.constraint_work -
                             energy.opposed_work - energy.push_out - energy.projection;

  state.q = q_end_;
  state.v = v_end_;
  state.time = report_.time;
  state.step = report_.step;
  state.contacts.reserve(carrying_.capacity());
  state.contacts.assign(carrying_.begin(), carrying_.end());
  contact_step_.next_start(state.standing);
  return true;
}

}  // namespace carom
