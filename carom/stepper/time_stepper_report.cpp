// Report of a TimeStepper on the step that it solved, and how the step's end comes back to constraints and out of
// overlap.

#include <algorithm>
#include <cmath>

#include "carom/dynamics/joint_kinematics.h"
#include "carom/dynamics/recursions.h"
#include "carom/stepper/hybrid_dca/joint_impulses.h"
#include "carom/stepper/time_stepper.h"

namespace carom {
namespace {

constexpr double certified = 1e-8;        // residual of the certificate of what is called solved
constexpr int most_alternations = 5;      // between moving out of overlap and back onto constraints
constexpr double least_projected = 1e-9;  // of what places can tell apart: overlap that is moved apart without gravity

/// A step's outcome at its contact of that number, but for its mode.
ContactReport outcome_of(const ContactStep& step, std::size_t number, const Contact& contact) {
  const Block& block = step.block(number);
  const int row = block.normal_row();
  const auto p = step.impulse();
  const auto u = step.contact_velocity();
  ContactReport report;
  report.id = contact.id;
  report.body_a = contact.body_a;
  report.body_b = contact.body_b;
  report.position = contact.p_WA;
  report.R_WC = contact.R_WC;
  report.gap = contact.gap;
  report.impulse[2] = p[row];
  report.velocity[2] = u[row];
  report.closing = -step.start_velocity()[row];
  report.by_forces = step.start_velocity()[row] - step.free_velocity()[row];
  if (block.kind == BlockKind::cone) {
    report.impulse.head<2>() = p.segment<2>(block.row);
    report.velocity.head<2>() = u.segment<2>(block.row);
  }
  return report;
}

}  // namespace

void TimeStepper::report_contacts(const Model& model, const ContactSolution& solution) {
  report_.status = solution.status;
  report_.lcp_size = solution.size;
  report_.iterations = solution.iterations;
  report_.solver = solution.solver;
  report_.tolerance = std::max(solution.tolerance, method_.cone == FrictionCone::exact ? ConeOptions().tolerance : 0);
  if (method_.stepper == StepperKind::stewart_trinkle_nonlinear) {
    report_.tolerance = std::max(report_.tolerance, method_.nonlinear_tolerance);
  }
  report_.contacts_considered = static_cast<int>(candidates_.size());
  report_.contact_certificate = contact_step_.certificate(method_, mass_);
  // Poisson's two problems have sizes of their own each, and the second is round-off where nothing expands.
  const bool borne_out =
      method_.law->in_step == InStep::poisson || judged_residual(report_.contact_certificate, method_.cone) <=
                                                     std::max(certified, above_tolerance * report_.tolerance);
  if (report_.status == SolveStatus::solved && !borne_out) report_.status = SolveStatus::inaccurate;
  if (kept_ != nullptr) contact_step_.copy_problem(method_, mass_, *kept_);
  carrying_.clear();
  carrying_.reserve(candidates_.size());
  missed_.reserve(candidates_.size());
  crossings_.reserve(candidates_.size());
  report_.contacts.reserve(candidates_.size());
  report_.events.reserve(2 * candidates_.capacity() + 1);
  std::fill(impacts_.struck.begin(), impacts_.struck.end(), 0);
  contact_step_.prepare_start(mass_);
  // Slip below this is what the solver's tolerance leaves of the velocities in this step.
  const double still = std::max(sound_residual, above_tolerance * report_.tolerance) *
                       std::max(size_.fastest(velocity_), size_.fastest(free_velocity_));
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    const Contact& contact = candidates_[i].contact;
    ContactReport report = outcome_of(contact_step_, i, contact);
    const bool sliding = report.velocity.head<2>().norm() > still;
    if (report.impulse[2] > 0) {
      report.mode = !contact.id.is_surface() ? ContactMode::closed
                    : sliding                ? ContactMode::sliding
                                             : ContactMode::rolling;
      if (contact.body_a >= 0) impacts_.struck[contact.body_a] = 1;
      if (contact.body_b >= 0) impacts_.struck[contact.body_b] = 1;
      for (const RowTerm& term : contact.terms) impacts_.struck[model.coordinate_body(term.coordinate)] = 1;
      const Vec3 start = contact_step_.next_start(i);
      const Vec3 impulse = contact.id.is_surface() ? Vec3(contact.R_WC * start) : start;
      carrying_.push_back(
          {contact.id, impulse, report.mode == ContactMode::sliding, owed_rebound(candidates_[i], report)});
    }
    report_.contacts.push_back(report);
  }
}

/// Approach of a contact that this step stopped, which it throws back in the next one (paper DCA, eq. 16). Zero for one
/// that was thrown back in this step. An approach that the forces make within a step does not bounce.
double TimeStepper::owed_rebound(const CandidateContact& candidate, const ContactReport& report) const {
  if (!method_.stepper->joins_constraints || method_.law->in_step == InStep::inelastic || candidate.owed > 0) return 0;
  const double least = std::max(method_.restitution_speed, std::abs(report.by_forces));
  return report.closing > least ? report.closing : 0;
}

/// Changes of mode between the last step's contacts (state.contacts) and this one's, both sorted by id.
void TimeStepper::report_events(const Model& model, const State& state) {
  const auto add = [&](EventKind kind, const ContactId& id) {
    Event event{.time = report_.time, .step = report_.step, .kind = kind, .id = id};
    const auto place = std::find_if(report_.contacts.begin(), report_.contacts.end(),
                                    [&](const ContactReport& contact) { return contact.id == id; });
    if (place != report_.contacts.end()) {
      event.body_a = place->body_a;
      event.body_b = place->body_b;
    } else if (id.is_surface()) {  // a corner of a face that is there no more
      event.body_a = model.colliders()[id.a].body;
      event.body_b = model.colliders()[id.b].body;
    }
    report_.events.push_back(event);
  };
  if (report_.status != SolveStatus::solved) {
    report_.events.push_back({.time = report_.time, .step = report_.step, .kind = EventKind::unsolved, .id = {}});
  }
  auto before = state.contacts.begin();
  auto now = carrying_.begin();
  while (before != state.contacts.end() || now != carrying_.end()) {
    if (now == carrying_.end() || (before != state.contacts.end() && before->id < now->id)) {
      add(EventKind::separate, (before++)->id);
    } else if (before == state.contacts.end() || now->id < before->id) {
      add(EventKind::touch, (now++)->id);
    } else {
      if (now->sliding != before->sliding) add(now->sliding ? EventKind::slide : EventKind::roll, now->id);
      ++before;
      ++now;
    }
  }
}

/// Tells the judge of the step from the state to q_end_ and v_end_, and takes what it finds into the report.
void TimeStepper::judge(const Model& model, const State& state) {
  evidence_.equation.linearised = method_.stepper == StepperKind::stewart_trinkle_nonlinear
                                      ? DeclaredEquation::Linearised::at_end
                                      : DeclaredEquation::Linearised::ahead;
  evidence_.equation.lead = lead();
  evidence_.equation.implicit_turn = method_.gyroscopic == GyroscopicTerms::implicit;
  evidence_.equation.directions = method_.generators();
  evidence_.length = method_.step;
  evidence_.end = at_.end;
  evidence_.q_start = state.q;
  evidence_.v_start = state.v;
  evidence_.q_end = q_end_;
  evidence_.v_end = v_end_;
  evidence_.q_at = at_.q;
  evidence_.controlled = controlled_;
  evidence_.turn = free_motion_.turn();
  evidence_.equation.means = weights_.has_value();
  if (weights_) {
    evidence_.kick = free_motion_.kick();
    evidence_.force_weight = weights_->of_joints();
    evidence_.end_weight.resize(velocity_.size());
    for (int k = 0; k < model.velocity_count(); ++k) {
      evidence_.end_weight[k] = impacts_.end_weight[static_cast<std::size_t>(model.coordinate_body(k))];
    }
  }
  if (q_moved_ == q_end_) {
    evidence_.position_correction.setZero();
  } else {
    difference(model, q_moved_, q_end_, evidence_.position_correction);
  }
  transport_velocity(model, at_.q, q_end_, velocity_, difference_);
  evidence_.velocity_correction = v_end_ - difference_;
  contact_step_.tell(method_, evidence_);
  judge_.reserve(evidence_.rows.capacity());
  const Judge::Verdict verdict = judge_.judge(model, evidence_);
  report_.momentum_residual = verdict.momentum_residual;
  report_.kinematic_residual = verdict.kinematic_residual;
  take_conditions(verdict.conditions, report_.contact_certificate);
  if (told_ != nullptr) told_->push_back(evidence_);
}

/// Reports what assemblies passed on in the step.
void TimeStepper::report_joints(const Model& model) {
  const JoinedProblem* joined = contact_step_.joined();
  if (joined == nullptr) return;
  report_.redundant_rows = joined->redundant();
  report_.inconsistency = joined->inconsistency();
  const auto p = contact_step_.impulse();
  report_.constraint_impulses.assign(p.data(), p.data() + contact_step_.constraint_count());
  difference_ = at_.start + 0.5 * free_motion_.turn();
  joint_impulses(model, {at_, velocity_, difference_, method_.step, contact_step_.constraint_rows(), p}, scratch_,
                 report_.joint_impulses);
}

/// Adds the loads of joints and constraints as the step's equation has them. middle_ holds the kinematics of the
/// linearisation.
void TimeStepper::report_loads(const Model& model) {
  const auto& rows = contact_step_.constraint_rows();
  const auto p = contact_step_.impulse();
  loads_.clear(report_.loads);
  loads_.add_standing_rows(model, rows, {p.data(), rows.size()}, contact_step_.standing_count(), middle_.X_WB,
                           report_.loads);
  loads_.add_applied(model, at_.end - 0.5 * method_.step, method_.step, controlled_, middle_, report_.loads);
  loads_.add_implicit(model, method_.step, at_, velocity_, report_.loads);
}

/// Brings the velocity of the step's end back onto the constraints there.
void TimeStepper::keep_velocity(const Model& model) {
  if (!constraint_projection_.has_constraints()) return;
  constraint_projection_.project_velocity(model, at_.end, q_end_, v_end_, end_, mass_);
  const auto& rows = constraint_projection_.rows();
  loads_.add_standing_rows(model, rows, constraint_projection_.impulse(), rows.size(), end_.X_WB, report_.loads,
                           loads_.corrections());
}

/// Brings the end of the step back onto the constraints, and books what that does to the energy.
void TimeStepper::keep_to_constraints(const Model& model) {
  std::fill(impacts_.turning_work.begin(), impacts_.turning_work.end(), 0.0);
  if (!constraint_projection_.has_constraints()) return;
  difference_ = at_.start;
  if (!weights_) difference_ += free_motion_.turn();  // else the forces' part before the turn is as large
  contact_step_.add_turning_work(model, difference_, mass_, impacts_.turning_work);
  const auto energy = [&] {
    forward_velocity(model, q_end_, v_end_, end_);
    return kinetic_energy(model, end_) + potential_energy(model, q_end_, end_);
  };
  const double before = energy();
  q_scratch_ = q_end_;
  const double left = constraint_projection_.project_position(model, at_.end, q_end_, end_, mass_);
  transport_velocity(model, q_scratch_, q_end_, v_end_, v_end_);
  keep_velocity(model);
  report_.energy.projection = energy() - before;
  measure_overlap(model);
  report_.constraint_drift = std::max(report_.constraint_drift, left);
}

/// Contacts closed at the step's end; reports the deepest.
const std::vector<Contact>& TimeStepper::measure_overlap(const Model& model) {
  report_.penetration = report_.constraint_drift = 0;
  const std::vector<Contact>& contacts = finder_.find(model, q_end_, end_.X_WB, 0);
  for (const Contact& contact : contacts) {
    double& worst = contact.id.is_surface() ? report_.penetration : report_.constraint_drift;
    worst = std::max(worst, -contact.gap);
  }
  return contacts;
}

/// True if the overlap that the step ends with is moved apart. At velocity level any; at position level the next step
/// makes good what is no more than bodies fall in a step.
bool TimeStepper::moves_apart(const Model& model) const {
  if (method_.stepper == StepperKind::anitescu_potra) return true;
  if (method_.overlap == OverlapRemedy::push) return false;
  const double fall = method_.step * method_.step * model.gravity().norm();
  return std::max(report_.penetration, report_.constraint_drift) >
         std::max(least_projected * size_.told(size_.reach(model, q_end_)), fall);
}

/// Moves what overlaps apart if the method does so, and measures the energies of the final configuration. If this
/// violates constraints they are restored, and may leave a little of the overlap.
void TimeStepper::report_end(const Model& model) {
  EnergyLedger& energy = report_.energy;
  const auto measure = [&] {
    forward_velocity(model, q_end_, v_end_, end_);
    energy.kinetic = kinetic_energy(model, end_);
    energy.potential = potential_energy(model, q_end_, end_);
  };
  measure();
  // Neighbours of the contacts in the step may join in.
  if (method_.overlap == OverlapRemedy::project) projection_.reserve(model, 2 * candidates_.size(), mass_);
  if (!moves_apart(model)) return;
  q_scratch_ = q_end_;
  double left = 0;
  bool moved = false;
  for (int round = 0; round < most_alternations; ++round) {
    if (!projection_.apply(model, at_.end, q_end_, end_, mass_, finder_)) break;
    moved = true;
    if (!constraint_projection_.has_constraints()) break;
    left = constraint_projection_.project_position(model, at_.end, q_end_, end_, mass_);
  }
  if (!moved) return;
  transport_velocity(model, q_scratch_, q_end_, v_end_, v_end_);
  keep_velocity(model);
  const double before = energy.kinetic + energy.potential;
  measure();
  energy.projection += energy.kinetic + energy.potential - before;
  measure_overlap(model);
  report_.constraint_drift = std::max(report_.constraint_drift, left);
}

}  // namespace carom
