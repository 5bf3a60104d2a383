#include "carom/stepper/variational/variational_part.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/complementarity/worse_of.h"
#include "carom/dynamics/joint_kinematics.h"
#include "carom/dynamics/multiply_mass.h"
#include "carom/dynamics/point_spring.h"
#include "carom/dynamics/recursions.h"
#include "carom/stepper/report_parts.h"

namespace carom {
namespace {

constexpr double converged = 1e-14;   // of the size of a group's motion in the kinetic metric
constexpr double acceptable = 1e-10;  // the same where nothing gets better any more
constexpr int most_evaluations = 60, patience = 2, most_corrections = 3;
constexpr double closed_part = 1e-4;   // of proximity: gaps that count as closed
constexpr double follow_error = 0.25;  // of the way that rates at both ends make of a gap
constexpr double borrowed = 0.002;     // of the energies that a part turns over: what its impulses may give
constexpr double least_slip = 1e-8;    // of the largest velocity of a row: ten times what the solver leaves

}  // namespace

VariationalPart::VariationalPart(const Model& model, const Method& method)
    : size_of_model_(model),
      start_mass_(model, method.dynamics),
      end_mass_(model, method.dynamics),
      motion_(model),
      loads_(model),
      secant_(model.velocity_count()),
      start_node_(model, method),
      end_node_(model, method),
      finder_(model),
      start_(model),
      end_(model),
      groups_(model),
      step_(method.step),
      touching_(closed_part * method.proximity) {
  for (VectorX* q : {&q_, &q_end_}) q->setZero(model.position_count());
  for (VectorX* v : {&v_, &p_, &controlled_, &damping_, &stiffness_, &augmentation_, &no_augmentation_, &w_, &F_, &MF_,
                     &r_, &free_, &p_start_, &v_end_, &p_end_, &v_scratch_}) {
    v->setZero(model.velocity_count());
  }
  for (const Joint& joint : model.joints()) {
    damping_.segment(joint.v_index, joint.damping.size()) = joint.damping;
    stiffness_.segment(joint.v_index, joint.stiffness.size()) = joint.stiffness;
  }
  for (std::size_t i = 0; i < model.drives().size(); ++i) {
    const Drive& drive = model.drives()[i];
    if (drive.kind != DriveKind::servo) continue;
    double sum = 0;
    for (const RowTerm& term : model.drive_terms(i)) sum += std::abs(term.coefficient);
    for (const RowTerm& term : model.drive_terms(i)) {
      // No less than r rᵀ in any direction: |rᵢ| Σ |rⱼ| on the diagonal.
      damping_[term.coordinate] += std::abs(term.coefficient) * sum * drive.damping;
      stiffness_[term.coordinate] += std::abs(term.coefficient) * sum * drive.stiffness;
    }
  }
}

void VariationalPart::begin(const Model& model, double time, const VectorX& q, const VectorX& v,
                            const std::vector<Contact>& contacts, const std::vector<ContactMemory>& memory,
                            const VectorX& controlled) {
  time_ = time;
  q_ = q;
  v_ = v;
  contacts_ = contacts;
  memory_ = memory;
  controlled_ = controlled;
  forward_kinematics(model, q_, start_);
  forward_velocity(model, q_, v_, start_);
  kinetic_start_ = kinetic_energy(model, start_);
  potential_start_ = potential_energy(model, q_, start_);
  multiply_mass(model, v_, start_, p_);
  groups_.tie(contacts_);
  groups_.norms(p_, v_, momentum_);
}

void VariationalPart::start_node(const Model& model, double span) {
  augmentation_ = 0.5 * span * damping_ + 0.25 * span * span * stiffness_;
  add_point_spring_stiffness(model, start_, 0.5 * span, 0.25 * span * span, SpringDiagonal::bound, augmentation_);
  start_mass_.factor(model, augmentation_, start_);
  start_node_.pose(model, time_, q_, v_, 0.5 * span, contacts_, memory_, start_, start_mass_);
  u_start_ = start_node_.velocity();
  u_w_.resize(start_node_.rows());
  u_free_.resize(start_node_.rows());
}

/// Velocities that the rows must have for the motion to end where it may, to first order about w.
void VariationalPart::set_offsets(const Model& model, double span) {
  if (start_node_.rows() == 0) return;
  const double end = time_ + span;
  // A whole step takes all of an error at the start, which is round-off, and a part of one its share.
  const double left = std::max(0.0, 1 - span / step_);
  forward_kinematics(model, motion_.end(), end_);
  start_mass_.apply(w_, u_w_);
  drift_ = 0;
  if (start_node_.constraint_rows() > 0) {
    constraint_equations(model, motion_.end(), end, ConstraintLevel::velocity, end_, equations_);
  }
  for (int i = 0; i < start_node_.constraint_rows(); ++i) {
    const double error = equations_.errors[i];
    const bool positional = start_node_.is_positional(i);
    const double kept = start_node_.error(i) * left;
    start_node_.offset(i) =
        positional ? (error - kept) / span - u_w_[i] : -0.5 * (start_node_.rate(i) + equations_.rates[i]);
    if (positional) drift_ = worse_of(drift_, std::abs(error));
  }
  Contact at_end;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    Block& block = start_node_.contact_block(i);
    if (meeting_ != Meeting::at_the_end) {
      block.offset = block.push_speed = 0;
      continue;
    }
    const bool placed =
        !contacts_[i].id.is_ratchet() && finder_.evaluate(model, contacts_[i].id, motion_.end(), end_.X_WB, at_end);
    const double overlap = std::min(0.0, contacts_[i].gap), kept = overlap > -touching_ ? overlap * left : overlap;
    block.offset = placed ? (at_end.gap - kept) / span - u_w_[block.normal_row()] : 0;
    block.push_speed = std::max(0.0, -block.offset);
  }
}

/// F = w − g(w) at w_, and M₀ F; g solves the equations linearised with M₀. False if a number is not finite.
bool VariationalPart::apply(const Model& model, double span, bool warm) {
  stop_.check();
  ++evaluations_;
  r_ = motion_.evaluate(model, w_) - p_;
  start_mass_.solve(model, r_, start_, F_);
  if (!warm) groups_.norms(r_, F_, given_);
  if (start_node_.rows() > 0) {
    set_offsets(model, span);
    free_ = w_ - F_;
    if (!free_.allFinite()) return false;
    start_mass_.apply(free_, u_free_);
    contact_solution_ = start_node_.solve(start_mass_, u_free_, warm);
    start_mass_.add_response(start_node_.impulse(), free_);
    F_ = w_ - free_;
  }
  multiply_mass(model, F_, start_, MF_);
  MF_ += augmentation_.cwiseProduct(F_);
  return F_.allFinite();
}

/// Round-off of positions as velocities that are to end on a constraint or a surface, in the kinetic norm.
double VariationalPart::position_round_off(const Model& model, double span) const {
  const double reach = size_of_model_.reach(model, q_);
  const double farthest = q_.size() == 0 ? 0 : q_.lpNorm<Eigen::Infinity>();  // of angles, and no less
  double most = 0;
  for (int i = 0; i < start_node_.rows(); ++i) {
    const double mobility = start_mass_.diagonal(i);
    const double digits = size_of_model_.is_length(start_node_.row(i)) ? reach : 1 + farthest;
    if (mobility > 0) most = std::max(most, digits / std::sqrt(mobility));
  }
  return 4e-16 * start_node_.rows() * most / span;
}

void VariationalPart::solve_start(const Model& model, double span) {
  motion_.begin(q_, time_, span, controlled_);
  secant_.begin();
  w_ = v_;
  const double round_off = position_round_off(model, span);
  double best = std::numeric_limits<double>::infinity();
  int worse = 0;
  status_ = SolveStatus::inaccurate;
  arrived_ = false;
  size_ = momentum_;
  for (int i = 0; i < most_evaluations; ++i) {
    if (!apply(model, span, i > 0)) return;
    multiply_mass(model, w_, start_, r_);
    groups_.norms(r_, w_, size_);
    size_ = size_.cwiseMax(momentum_).cwiseMax(given_).cwiseMax(1e-150);
    groups_.norms(MF_, F_, error_);
    const double error = error_.size() == 0 ? 0 : (error_.array() / size_.array()).maxCoeff();
    const bool good = (error_.array() <= acceptable * size_.array() + round_off).all();
    worse = error < 0.5 * best ? 0 : worse + 1;
    best = std::min(best, error);
    if (error <= converged || (worse >= patience && good)) {
      arrived_ = true;
      status_ = contact_solution_.status;
      return;
    }
    if (!(error < 1e6 * best)) return;  // it runs away
    if (worse > patience) {
      secant_.begin();  // what it remembers leads astray
      worse = 0;
    }
    secant_.step(F_, MF_, w_);
  }
}

/// F for the impulses that are; true where it is round-off of the motion, or no number.
bool VariationalPart::hand_on(const Model& model) {
  r_ = motion_.evaluate(model, w_) - p_start_;
  start_mass_.solve(model, r_, start_, F_);
  groups_.norms(r_, F_, error_);
  return (error_.array() <= converged * size_.array()).all() || !F_.allFinite();
}

/// Tells the end's node which contacts slid on the way there. What the forces add to their slip before its impulses
/// does not tell: those that stick have it as well.
void VariationalPart::note_slip() {
  over_step_.clear();
  const double still = least_slip * start_node_.fastest();
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const bool slid = start_node_.contact_velocity(i).head<2>().norm() > still;
    over_step_.push_back({contacts_[i].id, Vec3::Zero(), slid});
  }
}

void VariationalPart::end_node(const Model& model) {
  forward_kinematics(model, q_end_, end_);
  end_mass_.factor(model, no_augmentation_, end_);
  end_mass_.solve(model, p_end_, end_, v_end_);
  closing_.clear();
  at_end_.assign(contacts_.size(), 0);
  Contact contact;
  for (std::size_t i = 0; i < contacts_.size() && meeting_ != Meeting::at_the_start; ++i) {
    if (!finder_.evaluate(model, contacts_[i].id, q_end_, end_.X_WB, contact)) continue;
    const double kept = std::max(0.0, -contacts_[i].gap);
    if (!(contact.gap <= kept + touching_)) continue;
    at_end_[i] = 1;
    closing_.push_back(contact);
  }
  note_slip();
  end_node_.pose(model, time_ + span_, q_end_, v_end_, 0.5 * span_, closing_, over_step_, end_, end_mass_);
  u_end_ = end_node_.velocity();
  if (end_node_.rows() == 0) return;
  const ContactSolution solution = end_node_.solve(end_mass_, u_end_, false);
  if (status_ == SolveStatus::solved) status_ = solution.status;
  end_node_.share_faces();
  end_mass_.add_response(end_node_.impulse(), v_end_);
  if (start_node_.rows() == 0 || solution.iterations > contact_solution_.iterations) contact_solution_ = solution;
}

bool VariationalPart::attempt(const Model& model, double span, Meeting meeting) {
  span_ = span;
  meeting_ = meeting;
  contact_solution_ = {};
  start_node(model, span);
  solve_start(model, span);
  start_node_.share_faces();
  p_start_ = p_;
  if (start_node_.rows() > 0) start_mass_.add_transposed(start_node_.impulse(), p_start_);
  // With impulses as good as positions tell them, momentum is handed on to round-off with those that they are.
  bool handed_on = hand_on(model);
  for (int i = 0; i < most_corrections && !handed_on; ++i) {
    w_ -= F_;
    handed_on = hand_on(model);
  }
  q_end_ = motion_.end();
  motion_.end_momentum(model, p_start_, p_end_);
  end_node(model);
  followed_ =
      contacts_.empty() || meeting != Meeting::at_the_end ||
      (follows(model) && !gives(model, start_node_.work(start_mass_, u_start_), end_node_.work(end_mass_, u_end_)));
  return arrived_;
}

/// Checks the gaps by the trapezoidal rule along the step's velocity w. For surfaces that are smooth there, the rule is
/// good to the third order, while each rate is of the second.
bool VariationalPart::follows(const Model& model) {
  start_mass_.apply(w_, u_w_);
  transport_velocity(model, q_, q_end_, w_, v_scratch_);
  forward_velocity(model, q_end_, v_scratch_, end_);
  const double digits = touching_ + 1e-12 * size_of_model_.reach(model, q_);
  std::size_t place = 0;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    if (!at_end_[i]) continue;
    const Contact& end = closing_[place++];
    if (!end.id.is_surface()) continue;
    const double before = u_w_[start_node_.contact_block(i).normal_row()], after = gap_rate(end, v_scratch_, end_);
    const double missed = end.gap - contacts_[i].gap - 0.5 * span_ * (before + after);
    if (std::abs(missed) > follow_error * span_ * (std::abs(before) + std::abs(after)) + digits) return false;
  }
  return true;
}

/// True if contacts gave more than what turning a motion along a surface borrows.
bool VariationalPart::gives(const Model& model, const NodeWork& start, const NodeWork& end) {
  forward_velocity(model, q_end_, v_end_, end_);
  const double turned = std::abs(start.whole) + std::abs(end.whole);
  return start.contacts + end.contacts > borrowed * (kinetic_start_ + kinetic_energy(model, end_) + turned);
}

void VariationalPart::between(const Model& model, double x, VectorX& q, VectorX& v) const {
  // v₀ at the start, the mean w over the whole.
  v = v_ + x * (w_ - v_);
  integrate(model, q_, v, x * span_, q);
  v += x * (w_ - v_);
  transport_velocity(model, q_, q, v, v);
}

void VariationalPart::report_contact(std::size_t i, std::vector<ContactMemory>& memory, StepReport& report) {
  const Contact& at = contacts_[i];
  std::size_t place = 0;
  for (std::size_t k = 0; k < i; ++k) place += at_end_[k] ? 1 : 0;
  ContactReport contact;
  contact.id = at.id;
  contact.body_a = at.body_a;
  contact.body_b = at.body_b;
  contact.position = at.p_WA;
  contact.R_WC = at.R_WC;
  contact.gap = at.gap;
  contact.impulse = start_node_.contact_impulse(i);
  contact.velocity = start_node_.contact_velocity(i);
  const double approach = -u_start_[start_node_.contact_block(i).normal_row()];
  contact.closing = approach;
  contact.by_forces = -approach - start_node_.free_normal(i);
  const bool surface = at.id.is_surface();
  Vec3 impulse = surface ? Vec3(at.R_WC * contact.impulse) : contact.impulse;
  if (contact.impulse[2] > 0) add_contact(contact, report);
  double normal = contact.impulse[2];
  if (at_end_[i]) {
    const Contact& end = closing_[place];
    contact.position = end.p_WA;
    contact.R_WC = end.R_WC;
    contact.impulse = end_node_.contact_impulse(place);
    contact.velocity = end_node_.contact_velocity(place);
    impulse += surface ? Vec3(end.R_WC * contact.impulse) : contact.impulse;
    normal += contact.impulse[2];
  } else {
    contact.impulse.setZero();
  }
  const double still = least_slip * std::max(start_node_.fastest(), end_node_.fastest());
  const bool slides = contact.velocity.head<2>().norm() > still;
  if (at_end_[i] && normal > 0) {
    contact.mode = !surface ? ContactMode::closed : slides ? ContactMode::sliding : ContactMode::rolling;
    memory.push_back({at.id, impulse, contact.mode == ContactMode::sliding});
  }
  add_contact(contact, report);
}

/// Part of the impulses at the start in ½ pᵀ M⁻¹ p. The mass that the iteration solves with has dampers and springs in
/// it, the kinetic energy has not. The factors of the start are those of M afterwards.
double VariationalPart::work_at_start(const Model& model) {
  r_ = p_start_ - p_;
  start_mass_.factor(model, no_augmentation_, start_);
  start_mass_.solve(model, r_, start_, F_);
  return r_.dot(v_) + 0.5 * r_.dot(F_);
}

void VariationalPart::tell(StepEvidence& evidence) const {
  evidence.equation.form = DeclaredEquation::Form::discrete_action;
  evidence.length = span_;
  evidence.end = time_ + span_;
  evidence.q_start = evidence.q_at = q_;
  evidence.v_start = v_;
  evidence.q_end = evidence.at_end.q_at = q_end_;
  evidence.v_end = v_end_;
  evidence.controlled = controlled_;
  start_node_.tell(evidence);
  end_node_.tell(evidence.at_end);
}

void VariationalPart::report(const Model& model, std::vector<ContactMemory>& memory, StepReport& report) {
  // A part that passes a jump asks nothing at its end: what persists is told by the next one.
  if (meeting_ != Meeting::at_the_start) memory.clear();
  for (std::size_t i = 0; i < contacts_.size(); ++i) report_contact(i, memory, report);
  if (report.status == SolveStatus::solved) report.status = status_;
  report.contacts_considered = std::max(report.contacts_considered, static_cast<int>(contacts_.size()));
  report.lcp_size = std::max(report.lcp_size, contact_solution_.size);
  report.iterations += contact_solution_.iterations;
  report.solver = contact_solution_.solver;
  report.fixed_point_iterations = std::max(report.fixed_point_iterations, evaluations_);
  evaluations_ = 0;
  report.constraint_drift = worse_of(report.constraint_drift, drift_);

  if (report.loads.size() != loads_.size()) loads_.clear(report.loads);
  start_node_.add_loads(model, loads_, start_.X_WB, report.loads);
  end_node_.add_loads(model, loads_, end_.X_WB, report.loads);
  motion_.add_loads(model, loads_, report.loads);

  NodeWork start = start_node_.work(start_mass_, u_start_);
  const NodeWork end = end_node_.work(end_mass_, u_end_);
  SolveCertificate of_start, of_end;
  if (start_node_.rows() > 0) of_start = start_node_.certificate(start_mass_);
  if (end_node_.rows() > 0) of_end = end_node_.certificate(end_mass_);
  if (start_node_.rows() > 0 && (augmentation_.array() != 0).any()) start.whole = work_at_start(model);
  // The end takes back what the start gave to turn the motion along a surface.
  of_start.push_out = 0;
  for (SolveCertificate* certificate : {&of_start, &of_end}) take_conditions({}, *certificate);  // a judge's
  keep_worst(of_start, report.contact_certificate);
  keep_worst(of_end, report.contact_certificate);

  EnergyLedger energy;
  forward_velocity(model, q_end_, v_end_, end_);
  energy.kinetic = kinetic_energy(model, end_);
  energy.potential = potential_energy(model, q_end_, end_);
  energy.kinetic_change = energy.kinetic - kinetic_start_;
  energy.potential_change = energy.potential - potential_start_;
  energy.damping = span_ * motion_.power().damping;
  energy.drive_work = span_ * motion_.power().drives + start.prescribed + end.prescribed;
  energy.constraint_work = start.constraints + end.constraints;
  energy.joint_friction = start.friction + end.friction;
  energy.contact_work = of_start.contact_work + of_end.contact_work;
  energy.push_out = of_end.push_out;
  energy.opposed_work = start.whole + end.whole - start.prescribed - end.prescribed - energy.constraint_work -
                        energy.joint_friction - energy.contact_work - energy.push_out;
  if (!contacts_.empty() && gives(model, start, end)) {
    // Lent at the start and not taken back at the end: that is work, and judged as such.
    energy.contact_work += energy.opposed_work;
    energy.opposed_work = 0;
  }
  energy.free_motion_error = energy.kinetic_change + energy.potential_change + energy.damping - energy.drive_work -
                             energy.joint_friction - energy.contact_work - energy.constraint_work -
                             energy.opposed_work - energy.push_out;
  add_energy(energy, report.energy);
}

}  // namespace carom
