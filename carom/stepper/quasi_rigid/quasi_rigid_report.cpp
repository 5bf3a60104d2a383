// The report of a part of a step: the end of QuasiRigidStepper's work.

#include <algorithm>
#include <cmath>

#include "carom/dynamics/recursions.h"
#include "carom/stepper/quasi_rigid/layer_deflection.h"
#include "carom/stepper/quasi_rigid/quasi_rigid_stepper.h"
#include "carom/stepper/report_parts.h"

namespace carom {
namespace {

constexpr double no_slip = 1e-9;            // of the largest velocity: slip that counts as none
constexpr double least_deflection = 1e-11;  // of the least size: a smaller deflection is forgotten

bool deflected(const LayerDeflections& deflections, double size) {
  return std::max(deflections.of[0].cwiseAbs().maxCoeff(), deflections.of[1].cwiseAbs().maxCoeff()) >
         least_deflection * size;
}

/// Work of a sum of impulses f on bodies that move at w⁺ afterwards: ½ (u⁺ + u)ᵀ p, u the velocity before them.
double own_work(const VectorX& f, const VectorX& w, const VectorX& response) {
  return f.dot(w) - 0.5 * f.dot(response);
}

}  // namespace

void QuasiRigidStepper::report_elements() {
  const CarriedMotion& motion = problem_.motion();
  f_contact_.setZero();
  memory_.clear();
  SolveCertificate& certificate = report_.contact_certificate;
  for (const ContactElement& element : elements_) {
    const auto z = z_.segment(element.law_index(), element.law.size());
    const ContactInput input = problem_.input(element, z_);
    const Eigen::Vector4d p = element.law.impulse(z);
    ElementOutcome outcome = element.law.outcome(input, z, no_slip * speed_);
    const ElementGeometry geometry = element_geometry(element, motion, z_);
    const ElementFrame frame(geometry.normal, friction_axis_of(element, motion));
    problem_.add_impulse(element, z_, f_contact_);
    ContactReport contact;
    contact.id = element.id;
    contact.body_a = element.body_a;
    contact.body_b = element.body_b;
    contact.position = geometry.a1;
    contact.R_WC = frame.R_WC();
    contact.gap = geometry.gap;
    const Eigen::Vector4d kept = element.kept * p, velocity = problem_.velocity(element, z_, w_end_);
    contact.impulse = kept.head<3>();
    contact.velocity = velocity.head<3>();
    if (p[2] > 0) contact.mode = outcome.slides ? ContactMode::sliding : ContactMode::rolling;
    add_contact(contact, report_);
    if (element.relaxed < 1) {
      for (Vec3& deflection : outcome.end.of) deflection *= element.relaxed;
      outcome.stored_end = element.law.stored(outcome.end);
    }
    const double given = kept.dot(problem_.velocity(element, z_, w_mean_)) + outcome.stored_end - outcome.stored_start;
    if (given > certificate.worst_work) certificate.worst_work = given;
    report_.energy.contact_work += outcome.stored_end - outcome.stored_start;
    report_.energy.potential += outcome.stored_end;
    report_.energy.potential_change += outcome.stored_end - outcome.stored_start;
    if (!(p[2] > 0) && !deflected(outcome.end, size_.least())) continue;
    ContactMemory memory;
    memory.id = element.id;
    memory.impulse = contact.R_WC * contact.impulse;
    memory.sliding = outcome.slides;
    memory.spin_impulse = kept[3];
    memory.deflection = outcome.end.of;
    memory.tangent = frame.t;
    memory_.push_back(memory);
  }
}

void QuasiRigidStepper::report_rows() {
  f_rows_.setZero();
  VectorX friction = VectorX::Zero(f_rows_.size()), constraints = friction;
  const VectorX& w = w_end_;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const StepRow& row = rows_[i];
    const double lambda = z_[problem_.row_index(i)];
    const double measure = problem_.measure(row, z_);
    QuasiRigidProblem::add_impulse(row, lambda, f_rows_);
    if (row.is_stop()) {
      QuasiRigidProblem::add_impulse(row, lambda, f_contact_);
      ContactReport contact;
      contact.id = row.stop.id;
      contact.body_a = row.stop.body_a;
      contact.body_b = row.stop.body_b;
      contact.position = row.stop.p_WA;
      contact.R_WC = row.stop.R_WC;
      contact.gap = row.stop.id.is_ratchet() ? 0 : measure;
      contact.impulse.z() = lambda;
      contact.velocity.z() = row.along(w);
      if (lambda > 0) contact.mode = ContactMode::closed;
      add_contact(contact, report_);
      if (lambda > 0) memory_.push_back({row.stop.id, contact.impulse, false});
      if (!row.stop.id.is_ratchet()) report_.constraint_drift = std::max(report_.constraint_drift, -measure);
    } else if (row.number >= 0) {
      QuasiRigidProblem::add_impulse(row, lambda, constraints);
      const double driven = row.rate == 0 ? 0.0 : 0.5 * (row.rate + row.along(w_start_)) * lambda;
      report_.energy.drive_work += driven;
      report_.energy.constraint_work -= row.rate * lambda;
      report_.energy.opposed_work += row.rate * lambda - driven;
    } else if (row.is_friction) {
      QuasiRigidProblem::add_impulse(row, lambda, friction);
    } else if (row.spring >= 0) {  // what it stores is potential energy
      const double rate = row.along(w);
      report_.energy.damping += row.damping * rate * rate;
    } else {
      report_.energy.drive_work += 0.5 * row.along(w + w_start_) * lambda;
    }
  }
  for (const auto& [f, line] :
       {std::pair{&friction, &EnergyLedger::joint_friction}, std::pair{&constraints, &EnergyLedger::constraint_work},
        std::pair{&f_contact_, &EnergyLedger::contact_work}}) {
    problem_.solve_mass(*f, scratch_w_);
    const double work = own_work(*f, w, scratch_w_);
    report_.energy.*line += work;
    report_.energy.opposed_work += 0.5 * f->dot(w + w_start_) - work;
  }
  // Those that were left out as dependent are to hold with the others.
  for (const double error : problem_.constraint_errors()) {
    report_.constraint_drift = std::max(report_.constraint_drift, std::abs(error));
  }
}

/// Greatest deflection of the layers between two shapes, m; 0 without any.
double QuasiRigidStepper::layer_depth(const Model& model, const ContactId& pair) const {
  if (method_.stepper->layers != LayerUse::of_materials) return 0;
  double depth = 0;
  for (const int collider : {pair.a, pair.b}) {
    const auto& layer = model.materials()[model.colliders()[collider].material].layer;
    if (layer) depth += layer->thickness;
  }
  return depth;
}

/// Layers that the scene pressed in stay so if the first step does not move.
void QuasiRigidStepper::keep_starts(State& state) const {
  for (const ContactElement& element : elements_) {
    if (!deflected(element.start, size_.least())) continue;
    ContactMemory memory;
    memory.id = element.id;
    memory.deflection = element.start.of;
    state.contacts.push_back(memory);
  }
}

/// Energy of layers at the deflections that a contact remembers, J.
double QuasiRigidStepper::stored(const Model& model, const ContactMemory& contact) const {
  if (!contact.id.is_surface() || method_.stepper->layers != LayerUse::of_materials) return 0;
  double energy = 0;
  const int colliders[] = {contact.id.a, contact.id.b};
  for (std::size_t side = 0; side < 2; ++side) {
    const auto& layer = model.materials()[model.colliders()[colliders[side]].material].layer;
    const bool normal_alone = method_.quasi_rigid.slip == SlipKinematics::of_bodies;
    if (layer) energy += layer_energy(*layer, contact.deflection[side], normal_alone);
  }
  return elements_of_.patches().share(contact.id) * energy;
}

double QuasiRigidStepper::stored(const Model& model, const std::vector<ContactMemory>& memory) const {
  double energy = 0;
  for (const ContactMemory& contact : memory) energy += stored(model, contact);
  return energy;
}

/// Takes back the change of articulated trees' energy on the way from the linearisation to the end (FreeMotion).
void QuasiRigidStepper::settle(const Model& model, const VectorX& v_plus) {
  std::fill(impacts_.struck.begin(), impacts_.struck.end(), 0);
  std::fill(impacts_.turning_work.begin(), impacts_.turning_work.end(), 0.0);
  const auto strike = [&](int body) {
    if (body >= 0) impacts_.struck[static_cast<std::size_t>(body)] = 1;
  };
  for (const ContactElement& element : elements_) {
    if (!(element.law.impulse(z_.segment(element.law_index(), element.law.size()))[2] > 0)) continue;
    strike(element.body_a);
    strike(element.body_b);
  }
  VectorX turned;
  to_carried(model, at_.q, at_.start + free_motion_.turn(), turned);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const StepRow& row = rows_[i];
    const double lambda = z_[problem_.row_index(i)];
    if (row.is_stop() && lambda > 0) {
      strike(row.stop.body_a);
      strike(row.stop.body_b);
      for (const RowTerm& term : row.stop.terms) strike(model.coordinate_body(term.coordinate));
    }
    if (row.number < 0 || row.coordinates.empty()) continue;
    const auto body = static_cast<std::size_t>(model.coordinate_body(row.coordinates.back()));
    const double mean = 0.5 * row.along(w_end_ + turned);
    impacts_.turning_work[body] += (mean - row.rate) * lambda;
  }
  free_motion_.settle(model, method_, at_, v_plus, impacts_, middle_, problem_.motion().q(), end_, v_end_);
}

void QuasiRigidStepper::report_events(const Model& model, const std::vector<ContactMemory>& before,
                                      const std::vector<ContactMemory>& after) {
  if (report_.status != SolveStatus::solved) {
    report_.events.push_back({.time = report_.time, .step = report_.step, .kind = EventKind::unsolved, .id = {}});
  }
  const auto carries = [](const ContactMemory* memory) { return memory != nullptr && memory->impulse != Vec3::Zero(); };
  const auto find = [](const std::vector<ContactMemory>& list, const ContactId& id) -> const ContactMemory* {
    const auto place = std::find_if(list.begin(), list.end(), [&](const ContactMemory& m) { return m.id == id; });
    return place == list.end() ? nullptr : &*place;
  };
  std::vector<ContactId> ids;
  ids.reserve(before.size() + after.size());
  for (const ContactMemory& memory : before) ids.push_back(memory.id);
  for (const ContactMemory& memory : after) ids.push_back(memory.id);
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  const auto add = [&](EventKind kind, const ContactId& id) {
    report_.events.push_back(event_of(model, kind, id, report_.time, report_.step));
  };
  for (const ContactId& id : ids) {
    const ContactMemory *then = find(before, id), *now = find(after, id);
    if (carries(then) && !carries(now)) add(EventKind::separate, id);
    if (!carries(then) && carries(now)) add(EventKind::touch, id);
    if (carries(then) && carries(now) && then->sliding != now->sliding) {
      add(now->sliding ? EventKind::slide : EventKind::roll, id);
    }
  }
}

/// Adds the loads of joints and constraints in a part of the step. middle_ holds the kinematics of the linearisation.
void QuasiRigidStepper::report_loads(const Model& model, double h, const VectorX& v_plus) {
  VectorX& loads = report_.loads;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const StepRow& row = rows_[i];
    if (row.is_stop()) continue;
    const double impulse = z_[problem_.row_index(i)];
    if (row.number >= 0) {
      loads_.add_constraint_row(model, row.number, row.pushes, impulse, middle_.X_WB, loads);
    } else if (row.spring >= 0) {
      loads_.add_spring_row(row.spring, row.pushes, impulse, loads);
    } else {
      const TorqueSource source = row.is_friction ? TorqueSource::friction : TorqueSource::servo;
      row.pushes.for_each_term(
          [&](int k, double coefficient) { loads_.add_torque(source, k, coefficient * impulse, loads); });
    }
  }
  loads_.add_applied(model, at_.end - 0.5 * h, h, controlled_, middle_, loads);
  loads_.add_implicit(model, h, at_, v_plus, loads);
}

/// By the collision detector, whatever took part: what overlaps at the end by more than layers give way. Levels have
/// their own measure.
void QuasiRigidStepper::report_overlap(const Model& model, const VectorX& q_end) {
  for (const Contact& contact : finder_.find(model, q_end, end_.X_WB, 0)) {
    if (!contact.id.is_surface()) continue;
    double gap = contact.gap;
    for (const ContactElement& e : elements_) {
      const bool is_its = e.id.a == contact.id.a && e.id.b == contact.id.b;
      if (is_its && e.level != ClosestPointSystem::Level::none) gap = element_geometry(e, problem_.motion(), z_).gap;
    }
    report_.penetration = std::max(report_.penetration, -gap - layer_depth(model, contact.id));
  }
}

/// Takes the end of the part into the state and the report.
void QuasiRigidStepper::finish(const Model& model, State& state, double h) {
  take_back_gains();
  const VectorX& w = w_end_;
  const VectorX& q_end = problem_.motion().q();
  forward_kinematics(model, state.q, begin_);
  forward_velocity(model, state.q, state.v, begin_);
  const double kinetic = kinetic_energy(model, begin_), potential = potential_energy(model, state.q, begin_);
  report_.contacts_considered =
      std::max(report_.contacts_considered, static_cast<int>(elements_.size() + stops_.size()));
  EnergyLedger whole = report_.energy;
  report_.energy = {};
  EnergyLedger& energy = report_.energy;
  from_carried(model, q_end, w, v_end_);
  forward_kinematics(model, q_end, end_);
  report_elements();
  report_overlap(model, q_end);
  // Energy that layers no longer hold, of elements that are gone: none of it is a run's that begins in overlap.
  if (!begins(state)) {
    double renamed = -stored(model, state.contacts);
    for (const ContactElement& element : elements_) renamed += element.law.stored(element.start);
    energy.contact_work += renamed;
    energy.potential_change += renamed;
  }
  report_rows();
  report_.contact_certificate.contact_work += energy.contact_work;
  VectorX v_plus;
  from_carried(model, at_.q, w, v_plus);
  report_loads(model, h, v_plus);
  energy.damping += free_motion_.damping_loss(at_, v_plus, h);
  energy.drive_work += h * at_.applied.dot(0.5 * (v_plus + at_.start));
  begin_evidence(model, state, h);
  tell_rows();
  tell_elements();
  evidence_.velocity_correction = -v_end_;
  settle(model, v_plus);
  evidence_.velocity_correction += v_end_;
  judge(model, q_end, v_end_);
  forward_velocity(model, q_end, v_end_, end_);
  energy.kinetic = kinetic_energy(model, end_);
  const double position = potential_energy(model, q_end, end_);
  energy.potential += position;
  energy.kinetic_change = energy.kinetic - kinetic;
  energy.potential_change += position - potential;
  energy.free_motion_error = energy.kinetic_change + energy.potential_change + energy.damping - energy.drive_work -
                             energy.joint_friction - energy.contact_work - energy.constraint_work - energy.opposed_work;
  whole.kinetic = energy.kinetic;
  whole.potential = energy.potential;
  add_energy(energy, whole);
  report_.energy = whole;
  report_.energy.kinetic = energy.kinetic;
  std::sort(memory_.begin(), memory_.end(), [](const ContactMemory& a, const ContactMemory& b) { return a.id < b.id; });
  state.q = q_end;
  state.v = v_end_;
  state.time = time_ + h;
  state.contacts = memory_;
}

}  // namespace carom
