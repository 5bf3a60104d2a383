#include "carom/stepper/compliant/compliant_stepper.h"

#include <algorithm>
#include <cmath>

#include "carom/dynamics/joint_kinematics.h"
#include "carom/dynamics/recursions.h"
#include "carom/stepper/report_parts.h"

namespace carom {
namespace {

constexpr double shortest_step = 1e-12;  // of a step
constexpr double short_way = 0.02;       // of the smallest shape: further nothing moves in a step with contacts, and
                                         // unseen in one without
constexpr int bisections = 50;
constexpr double slid_back = 1e-6;  // of a spring's deflection: less is not seen as an end of sliding
constexpr int sections = 24;        // of a step, golden: the place to 1e-5, so its distance to 1e-10

}  // namespace

CompliantStepper::CompliantStepper(const Model& model, const Method& method)
    : method_(method),
      size_(model),
      sizes_(size_.of_state(model, method.step)),
      contacts_(model, method.compliant),
      motion_(model, method),
      loads_(model),
      touches_(model),
      workspace_(model),
      judge_(model),
      powers_(DormandPrince::stages),
      contact_powers_(DormandPrince::stages),
      beyond_(DormandPrince::stages),
      stage_loads_(DormandPrince::stages),
      forces_(DormandPrince::stages) {
  motion_.leave_joint_friction();
  for (VectorX* q : {&q_, &q_stage_, &rate_q_}) q->setZero(model.position_count());
  for (VectorX* v : {&v_, &v_stage_, &rate_v_, &controlled_, &force_, &evidence_.velocity_correction}) {
    v->setZero(model.velocity_count());
  }
  evidence_.equation.form = DeclaredEquation::Form::integration;
  evidence_.equation.compliant = {method.compliant.transition_speed, method.compliant.limit_stiffness,
                                  method.compliant.limit_dissipation};
  evidence_.later_stages.resize(DormandPrince::stages - 2);
  for (const Joint& joint : model.joints()) {
    for (int k = 0; k < joint.friction.size(); ++k) {
      if (joint.friction[k] > 0) frictions_.push_back({joint.v_index + k, joint.friction[k]});
    }
  }
}

void CompliantStepper::read(const Model& model, const double* y, VectorX& q, VectorX& v) {
  std::copy_n(y, q.size(), q.data());
  std::copy_n(y + q.size(), v.size(), v.data());
  normalize_quaternions(model, q);
}

/// Kinematics, and contacts with their forces, which force_ then holds beside the controller's.
void CompliantStepper::look(const Model& model, const VectorX& q, const VectorX& v) {
  forward_kinematics(model, q, workspace_);
  forward_velocity(model, q, v, workspace_);
  force_ = controlled_;
  between_.resize(2 * static_cast<std::size_t>(springs_.size()));
  springs_.write(between_.data());
  contacts_.evaluate(model, q, v, workspace_, springs_, between_.data(), nullptr, force_);
}

/// The springs that the state remembers, where their contacts are.
void CompliantStepper::recall_springs(const Model& model, const State& state) {
  springs_.clear();
  forward_kinematics(model, q_, workspace_);
  for (const ContactMemory& memory : state.contacts) {
    if (!memory.id.is_surface()) continue;
    const Contact contact = contacts_.at(model, memory.id, q_, workspace_);
    if (contact.id != memory.id || !contact.surface.tangential_spring) continue;
    springs_.keep(contact, (contact.R_WC.transpose() * memory.deflection[0]).head<2>(), false);
  }
}

/// Adds the friction of joints to force_. Returns its power, ≤ 0.
double CompliantStepper::add_joint_friction(const VectorX& v) {
  double power = 0;
  for (const JointFriction& friction : frictions_) {
    const double force = friction_force(friction, v);
    force_[friction.coordinate] += force;
    power += force * v[friction.coordinate];
  }
  return power;
}

double CompliantStepper::friction_force(const JointFriction& friction, const VectorX& v) const {
  const double rate = v[friction.coordinate];
  return -std::copysign(
      Stribeck{friction.bound, friction.bound, 0, method_.compliant.transition_speed}.at(std::abs(rate)), rate);
}

void CompliantStepper::evaluate(const Model& model, double time, const double* y, int stage, double* rate) {
  stop_.check();
  read(model, y, q_stage_, v_stage_);
  forward_kinematics(model, q_stage_, workspace_);
  forward_velocity(model, q_stage_, v_stage_, workspace_);
  force_ = controlled_;
  const auto motion_size = q_stage_.size() + v_stage_.size();
  contacts_.evaluate(model, q_stage_, v_stage_, workspace_, springs_, y + motion_size, rate + motion_size, force_);
  const double friction = add_joint_friction(v_stage_);
  const double ours = (force_ - controlled_).dot(v_stage_);  // SmoothForces takes all of force_ for the controller's
  motion_.accelerate(model, time, q_stage_, v_stage_, force_, rate_v_);
  position_rate(model, q_stage_, v_stage_, rate_q_);
  std::copy_n(rate_q_.data(), rate_q_.size(), rate);
  std::copy_n(rate_v_.data(), rate_v_.size(), rate + rate_q_.size());
  powers_[stage] = {motion_.power().damping, motion_.power().drives - ours + motion_.prescribed_power(),
                    contacts_.loss(), motion_.constraint_power(), friction};
  contact_powers_[stage] = contacts_.power();
  beyond_[stage].assign(static_cast<std::size_t>(springs_.size()), 0.0);
  for (const CompressedContact& compressed : contacts_.list()) {
    if (compressed.spring >= 0) beyond_[stage][static_cast<std::size_t>(compressed.spring)] = compressed.beyond;
  }
  slides_ = slides_ || contacts_.has_slid();
  loads_.clear(stage_loads_[stage]);
  motion_.add_loads(model, loads_, time, q_stage_, v_stage_, controlled_, stage_loads_[stage]);
  for (const JointFriction& rub : frictions_) {
    loads_.add_torque(TorqueSource::friction, rub.coordinate, friction_force(rub, v_stage_), stage_loads_[stage]);
  }
  forces_[stage].clear();
  for (const CompressedContact& compressed : contacts_.list()) {
    const Contact& contact = compressed.contact;
    const bool surface = contact.id.is_surface();
    forces_[stage].push_back({contact.id, surface ? Vec3(contact.R_WC * compressed.force) : compressed.force});
  }
  tell(stage);
}

/// y_ from q_, v_ and the springs, with its rate and the weights of errors. An error of a spring's deflection counts as
/// the velocity that it would make, by the contact's frequency.
void CompliantStepper::begin_step(const Model& model) {
  do {
    const auto size = static_cast<std::size_t>(q_.size() + v_.size() + 2 * springs_.size());
    rk_.resize(static_cast<int>(size));
    for (auto* numbers : {&y_, &next_, &weight_, &between_}) numbers->resize(size);
    std::copy_n(q_.data(), q_.size(), y_.data());
    std::copy_n(v_.data(), v_.size(), y_.data() + q_.size());
    springs_.write(y_.data() + q_.size() + v_.size());
    evaluate(model, time_, y_.data(), 0, rk_.rate(0));
  } while (springs_.admit());
  stored_ = contacts_.stored();
  for (std::size_t i = 0; i < sizes_.size(); ++i) weight_[i] = 1 / (method_.tolerance * (sizes_[i] + std::abs(y_[i])));
  for (const CompressedContact& compressed : contacts_.list()) {
    if (compressed.spring < 0) continue;
    const double frequency = std::sqrt(compressed.shear_stiffness / compressed.lighter_mass);
    const auto first = q_.size() + v_.size() + 2 * compressed.spring;
    for (const auto i : {first, first + 1})
      weight_[static_cast<std::size_t>(i)] =
          std::max(1 / size_.least(), frequency / size_.speed(method_.step)) / method_.tolerance;
  }
}

/// One step of the integration from y_, whose rate is known, to next_; the error over what is allowed. Afterwards
/// contacts_ are those at its end.
double CompliantStepper::try_step(const Model& model, double h) {
  for (;;) {
    slides_ = beyond_[0].end() != std::find_if(beyond_[0].begin(), beyond_[0].end(), [](double b) { return b > 0; });
    const double error = rk_.step(y_.data(), h, weight_.data(), next_.data(),
                                  [&](double place, int stage, const double* y, double* rate) {
                                    evaluate(model, time_ + place * h, y, stage, rate);
                                  });
    if (!springs_.admit()) return error;
    begin_step(model);  // again with a spring of a contact that closed meanwhile
  }
}

/// Works and contact impulses of the step of length h that was taken last.
void CompliantStepper::book(double h) {
  std::array<double, 5> work = {};
  const auto comes_before = [](const Share& share, const ContactId& id) { return share.id < id; };
  for (int stage = 0; stage < DormandPrince::stages; ++stage) {
    const double weight = h * DormandPrince::weights[stage];
    if (weight == 0) continue;
    for (std::size_t i = 0; i < work.size(); ++i) work[i] += weight * powers_[stage][i];
    report_.loads += weight * stage_loads_[stage];
    for (const Share& force : forces_[stage]) {
      auto place = std::lower_bound(impulses_.begin(), impulses_.end(), force.id, comes_before);
      if (place == impulses_.end() || place->id != force.id) place = impulses_.insert(place, {force.id, Vec3::Zero()});
      place->amount += weight * force.amount;
    }
  }
  report_.energy.damping += work[0];
  report_.energy.drive_work += work[1];
  // Springs that slide lose what their forces take beyond what is stored.
  if (slides_) {
    work[2] = contacts_.stored() - stored_;
    for (int stage = 0; stage < DormandPrince::stages; ++stage) {
      work[2] += h * DormandPrince::weights[stage] * contact_powers_[stage];
    }
  }
  report_.energy.contact_work += work[2];
  report_.energy.constraint_work += work[3];
  report_.energy.joint_friction += work[4];
}

void CompliantStepper::add_event(const Model& model, EventKind kind, const ContactId& id, double time) {
  report_.events.push_back(event_of(model, kind, id, time, report_.step));
}

/// When a contact closes or opens in the step of length h that was taken last and began at `from`.
double CompliantStepper::time_of_change(const Model& model, const ContactId& id, double from, double h, bool closes) {
  double before = 0, after = 1;
  for (int i = 0; i < bisections; ++i) {
    const double middle = 0.5 * (before + after);
    interpolate(model, h, middle, q_stage_, v_stage_);
    forward_kinematics(model, q_stage_, workspace_);
    const bool is_closed = contacts_.at(model, id, q_stage_, workspace_).gap < 0;
    (is_closed == closes ? after : before) = middle;
  }
  return from + after * h;
}

/// Events of contacts that closed or opened in the step of length h that was taken last; contacts_ are those at its
/// end.
void CompliantStepper::note_changes(const Model& model, double from, double h) {
  const auto& list = contacts_.list();
  before_.swap(closed_);
  closed_.clear();
  for (const CompressedContact& compressed : list) closed_.push_back(compressed.contact.id);
  const auto place = touched_ ? std::lower_bound(closed_.begin(), closed_.end(), *touched_) : closed_.end();
  if (touched_ && (place == closed_.end() || *place != *touched_)) closed_.insert(place, *touched_);
  const auto holds = [](const std::vector<ContactId>& ids, const ContactId& id) {
    return std::binary_search(ids.begin(), ids.end(), id);
  };
  for (const ContactId& id : before_) {
    if (!holds(closed_, id)) add_event(model, EventKind::separate, id, time_of_change(model, id, from, h, false));
  }
  for (const ContactId& id : closed_) {
    if (holds(before_, id)) continue;
    const bool located = touched_ == id;
    add_event(model, EventKind::touch, id, located ? from + h : time_of_change(model, id, from, h, true));
  }
}

/// The deepest compressions so far.
void CompliantStepper::note_depths() {
  for (const CompressedContact& compressed : contacts_.list()) {
    double& worst = compressed.contact.id.is_surface() ? report_.penetration : report_.constraint_drift;
    worst = std::max(worst, compressed.depth());
  }
  report_.contacts_considered = std::max(report_.contacts_considered, static_cast<int>(contacts_.list().size()));
}

void CompliantStepper::interpolate(const Model& model, double h, double place, VectorX& q, VectorX& v) {
  rk_.interpolate(y_.data(), next_.data(), h, place, between_.data());
  read(model, between_.data(), q, v);
}

/// Distance that anything moves in the step of length h that was tried last (TouchSearch::relative_way).
double CompliantStepper::way(const Model& model, double h) {
  const auto path = [&](double place, VectorX& q, VectorX& v) { interpolate(model, h, place, q, v); };
  return touches_.relative_way(model, path, h);
}

/// Length of a step that is accurate enough, and so short that no closed contact is jumped over. The returned step was
/// tried last; `h` is tried first. Sets stuck_ if there is none.
double CompliantStepper::find_length(const Model& model, double h) {
  const double least = shortest_step * method_.step;
  double error = try_step(model, h);
  bool too_far = false;
  while (h > least) {
    if (error <= 1) {
      guess_ = too_far ? h : h * DormandPrince::growth(error);
      const double moved = closed_.empty() ? 0 : way(model, h);
      if (moved <= short_way) return h;
      too_far = true;
      h *= 0.9 * short_way / moved;
    } else {
      h *= std::isfinite(error) ? std::min(0.9, DormandPrince::growth(error)) : 0.2;
    }
    error = try_step(model, h);
  }
  stuck_ = !(error <= 1);
  return h;
}

/// The step of length h that was tried last, taken again to the first touch in it if something moves far in it. Returns
/// its length.
double CompliantStepper::cut_at_touch(const Model& model, double h) {
  if (!(way(model, h) > short_way)) return h;
  const auto path = [&](double place, VectorX& q, VectorX& v) { interpolate(model, h, place, q, v); };
  const Touch touch = touches_.first(model, path, h, 0, closed_);
  if (!(touch.place <= 1)) return h;
  if (touch.place < 1) {
    h *= touch.place;
    try_step(model, h);
  }
  touched_ = touch.id;
  return h;
}

/// Place in the step of length h, tried last, up to which a contact slides farthest from its start.
double CompliantStepper::place_of_most_slip(const Model& model, const ContactId& id, double h) {
  const auto slid = [&](double place) {
    rk_.interpolate(y_.data(), next_.data(), h, place, between_.data());
    read(model, between_.data(), q_stage_, v_stage_);
    forward_kinematics(model, q_stage_, workspace_);
    forward_velocity(model, q_stage_, v_stage_, workspace_);
    contacts_.evaluate(model, q_stage_, v_stage_, workspace_, springs_, between_.data() + q_.size() + v_.size(),
                       nullptr, force_);
    const CompressedContact* compressed = contacts_.find(id);
    return compressed != nullptr ? compressed->beyond : 0.0;
  };
  const double golden = 0.5 * (std::sqrt(5.0) - 1);
  double low = 0, high = 1, left = 1 - golden, right = golden, at_left = slid(left), at_right = slid(right);
  for (int i = 0; i < sections; ++i) {
    if (at_left > at_right) {
      high = right, right = left, at_right = at_left;
      at_left = slid(left = high - golden * (high - low));
    } else {
      low = left, left = right, at_left = at_right;
      at_right = slid(right = low + golden * (high - low));
    }
  }
  return high > 1 - 1e-4 ? 1 : 0.5 * (low + high);
}

/// Takes the step of length h, tried last, again to the first place where a contact with a spring ceases to slide.
/// There the spring begins to unwind, which the distance slid would hide. Returns the new length.
double CompliantStepper::cut_where_sliding_ends(const Model& model, double h) {
  if (!slides_) return h;
  double place = 1;
  bool looked = false;
  for (int i = 0; i < springs_.size(); ++i) {
    const auto number = static_cast<std::size_t>(i);
    double most = 0;
    for (const std::vector<double>& beyond : beyond_) most = std::max(most, beyond[number]);
    const CompressedContact* compressed = contacts_.find(springs_[i].id);
    const double held = std::max(compressed != nullptr ? compressed->held.norm() : 0, springs_[i].deflection.norm());
    if (!(most - beyond_.back()[number] > slid_back * held)) continue;
    place = std::min(place, place_of_most_slip(model, springs_[i].id, h));
    looked = true;
  }
  if (place < 1) h *= place;
  if (looked) try_step(model, h);
  return h;
}

/// One step of the integration from q_ and v_.
void CompliantStepper::step_integration(const Model& model) {
  begin_step(model);
  const double left = end_ - time_;
  double h = find_length(model, std::min(left, guess_));
  if (stuck_) return;
  touched_.reset();
  h = cut_at_touch(model, cut_where_sliding_ends(model, h));
  book(h);
  note_depths();
  note_changes(model, time_, h);
  evidence_.end = time_ + h;
  time_ = left - h > shortest_step * method_.step ? time_ + h : end_;
  read(model, next_.data(), q_, v_);
  springs_.clear();
  for (const CompressedContact& compressed : contacts_.list()) {
    if (compressed.spring >= 0) springs_.keep(compressed.contact, compressed.held, compressed.beyond > 0);
  }
  q_stage_ = q_;
  v_stage_ = v_;
  const double violation = motion_.project(model, time_, q_, v_).violation;
  judge(model, h);
  report_.constraint_drift = std::max(report_.constraint_drift, violation);
  ++report_.iterations;
}

/// Contacts that bore a force in the step, as they are at its end.
void CompliantStepper::report_contacts(const Model& model) {
  for (const Share& impulse : impulses_) {
    const CompressedContact* compressed = contacts_.find(impulse.id);
    Contact at;
    ContactReport contact;
    if (compressed != nullptr) {
      at = compressed->contact;
      contact.velocity = compressed->velocity;
      const bool slips = contact.velocity.head<2>().norm() > method_.compliant.transition_speed &&
                         (compressed->spring < 0 || springs_[compressed->spring].slid);
      contact.mode = !impulse.id.is_surface() ? ContactMode::closed
                     : slips                  ? ContactMode::sliding
                                              : ContactMode::rolling;
    } else {
      at = contacts_.at(model, impulse.id, q_, workspace_);
      contact.velocity[2] = gap_rate(at, v_, workspace_);
    }
    contact.id = impulse.id;
    contact.body_a = at.body_a;
    contact.body_b = at.body_b;
    contact.position = at.p_WA;
    contact.R_WC = at.R_WC;
    contact.gap = at.gap;
    contact.impulse = impulse.id.is_surface() ? Vec3(at.R_WC.transpose() * impulse.amount) : impulse.amount;
    report_.contacts.push_back(contact);
  }
}

void CompliantStepper::finish(const Model& model, State& state, double kinetic, double potential) {
  look(model, q_, v_);
  report_contacts(model);
  report_.energy.kinetic = kinetic_energy(model, workspace_);
  report_.energy.potential = potential_energy(model, q_, workspace_) + contacts_.stored();
  std::stable_sort(report_.events.begin(), report_.events.end(),
                   [](const Event& a, const Event& b) { return a.time < b.time; });
  close_integrated(kinetic, potential, q_.allFinite() && v_.allFinite(), end_, report_);
  state.q = q_;
  state.v = v_;
  state.time = end_;
  state.step = report_.step;
  state.standing.resize(0);
  state.contacts.clear();
  for (const ContactId& id : closed_) {
    const auto slides = [&](const ContactReport& contact) {
      return contact.id == id && contact.mode == ContactMode::sliding;
    };
    state.contacts.push_back(
        memory_of(id, std::any_of(report_.contacts.begin(), report_.contacts.end(), slides), report_));
    const int spring = springs_.find(id);
    if (spring >= 0) state.contacts.back().deflection[0] = springs_[spring].in_world();
  }
}

void CompliantStepper::set_stop(const StopSignal& stop) {
  stop_ = stop;
  touches_.set_stop(stop);
  motion_.set_stop(stop);
}

StepReport& CompliantStepper::advance(const Model& model, State& state, double length, const StepRequest& request) {
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
  closed_.clear();
  for (const ContactMemory& memory : state.contacts) closed_.push_back(memory.id);
  impulses_.clear();
  stuck_ = false;
  guess_ = length;
  recall_springs(model, state);
  look(model, q_, v_);
  note_depths();
  const double kinetic = kinetic_energy(model, workspace_);
  const double potential = potential_energy(model, q_, workspace_) + contacts_.stored();
  while (time_ < end_ && !stuck_) {
    if (report_.iterations >= method_.compliant.most_steps) break;
    step_integration(model);
  }
  // The rest of the step goes by as if it were nothing.
  if (time_ < end_) report_.status = stuck_ ? SolveStatus::inaccurate : SolveStatus::iteration_limit;
  finish(model, state, kinetic, potential);
  return report_;
}

}  // namespace carom
