#include "carom/stepper/simulation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "carom/dynamics/joint_kinematics.h"
#include "carom/dynamics/recursions.h"
#include "carom/dynamics/singular_mass.h"
#include "carom/error.h"
#include "carom/stepper/assembly.h"
#include "carom/stepper/ignored_data.h"
#include "carom/stepper/method_data.h"
#include "carom/stepper/step_doubling.h"
#include "carom/stepper/stepper.h"

namespace carom {
namespace {

void throw_if_any(const std::vector<std::string>& faults) {
  std::string sentences;
  for (const std::string& fault : faults) sentences += (sentences.empty() ? "" : "\n") + fault;
  if (!sentences.empty()) throw Error(sentences);
}

constexpr const char* choose_a_law =
    ", which law none would ignore; choose a law of restitution, such as newton, or set the restitution to 0";

/// A restitution of limits, ropes and tendons that the law would drop in silence.
void check_stops(const Model& model) {
  std::ostringstream sentence;
  for (const Joint& joint : model.joints()) {
    const bool bounces = joint.limit_restitution.size() > 0 && joint.limit_restitution.maxCoeff() > 0;
    if (!bounces) continue;
    sentence << "the limits of joint '" << joint.name << "' have restitution " << joint.limit_restitution.maxCoeff()
             << choose_a_law;
    throw Error(sentence.str());
  }
  for (const Constraint& constraint : model.constraints()) {
    if (constraint.restitution == 0) continue;
    sentence << constraint_name(constraint.kind) << " '" << constraint.name << "' has restitution "
             << constraint.restitution << choose_a_law;
    throw Error(sentence.str());
  }
}

/// Calls f(material of one, of the other) for every pair of colliders that may meet.
template <class F>
void for_each_meeting(const Model& model, F&& f) {
  const int count = static_cast<int>(model.colliders().size());
  for (int a = 0; a < count; ++a) {
    for (int b = a + 1; b < count; ++b) {
      if (model.may_collide(a, b)) f(model.colliders()[a].material, model.colliders()[b].material);
    }
  }
}

std::string meeting(const Model& model, int material_a, int material_b) {
  return "materials '" + model.materials()[material_a].name + "' and '" + model.materials()[material_b].name +
         "' meet with ";
}

/// A restitution that the law would drop in silence.
void check_restitution(const Model& model, const Method& method) {
  if (method.law->restitution != RestitutionUse::none || method.stepper->has_own_restitution) return;
  check_stops(model);
  for_each_meeting(model, [&](int a, int b) {
    const PairRestitution& restitution = model.contact_material(a, b).restitution;
    if (!restitution.may_bounce()) return;
    std::ostringstream sentence;
    sentence << meeting(model, a, b);
    if (restitution.is_constant()) {
      sentence << "restitution " << restitution.at(0);
    } else {
      sentence << "a restitution that depends on the speed";
    }
    sentence << choose_a_law;
    throw Error(sentence.str());
  });
}

/// A part of friction that the stepper would drop in silence.
void check_friction(const Model& model, const Method& method, const Catalogue& catalogue) {
  for (const std::string& key : ignored_material_data(method)) {
    for_each_meeting(model, [&](int a, int b) {
      const ContactMaterial& together = model.contact_material(a, b);
      const bool has_static = key == "static_friction" && together.static_friction != together.friction;
      const bool has_viscous = key == "viscous_friction" && together.viscous_friction > 0;
      const bool has_torsion = key == "torsional_friction" && together.torsional_friction > 0;
      const bool has_impact =
          key == "impact_friction" && together.impact_friction.value_or(together.friction) != together.friction;
      const bool has_slope = key == "impact_friction_slope" && together.impact_friction_slope != 0;
      const bool has_spring = key == "tangential_spring" && together.tangential_spring.has_value();
      if (!has_static && !has_impact && !has_viscous && !has_torsion && !has_slope && !has_spring) return;
      throw Error(meeting(model, a, b) + article_of(key) + key + ", " +
                  ignored_material_data_remedy(method, key, catalogue));
    });
    if (key != "restitution_change") continue;
    for (const Collider& collider : model.colliders()) {
      if (!collider.restitution_change || !collider.restitution_change->acts()) continue;
      throw Error("shape '" + collider.name + "' has " + article_of(key) + key + ", " +
                  ignored_material_data_remedy(method, key, catalogue));
    }
  }
}

/// The mixed form knows contacts and limits alone.
void check_form(const Model& model, const Method& method) {
  if (method.form != ContactForm::mixed) return;
  std::string what;
  for (const Joint& joint : model.joints()) {
    if (joint.friction.size() > 0 && joint.friction.maxCoeff() > 0) what = "dry friction of joint '" + joint.name + "'";
  }
  for (const Drive& drive : model.drives()) {
    if (drive.kind == DriveKind::servo) what = "servo '" + drive.name + "'";
  }
  for (const Constraint& constraint : model.constraints()) {
    const bool stands = row_count(constraint.kind) > 0 || constraint.kind == ConstraintKind::spring;
    if (stands) what = "constraint '" + constraint.name + "'";
  }
  if (!what.empty()) throw Error("the " + what + " needs form: pure; form: mixed has contacts and limits alone");
}

void check_state(const Model& model, State& state) {
  if (state.q.size() != model.position_count() || state.v.size() != model.velocity_count()) {
    std::ostringstream sentence;
    sentence << "the state has " << state.q.size() << " positions and " << state.v.size()
             << " velocities; the model needs " << model.position_count() << " and " << model.velocity_count();
    throw Error(sentence.str());
  }
  if (!state.q.allFinite() || !state.v.allFinite() || !std::isfinite(state.time)) {
    throw Error("the state has a number that is not finite; every position, velocity and the time must be");
  }
  // Those of another model mean nothing here.
  if (state.standing.size() != standing_row_count(model)) state.standing.resize(0);
}

/// A step would take what a state violates for the turning of the mechanism.
void check_constraints(const Model& model, const State& state) {
  constexpr double closed = 1e-7, still = 1e-6;  // of what places can tell apart, of the largest velocity
  const ConstraintViolation violation = constraint_violation(model, state);
  const bool open = !(violation.position_by_size <= closed);
  if (!open && violation.velocity_by_size <= still) return;
  const Constraint& worst = model.constraints()[open ? violation.worst_by_position : violation.worst_by_velocity];
  std::ostringstream sentence;
  sentence << "the state violates constraint \"" << worst.name << "\" by "
           << (open ? violation.position : violation.velocity) << (open ? " m or rad" : " m/s or rad/s")
           << "; assemble the mechanism first (assemble_constraints)";
  throw Error(sentence.str());
}

/// Energies that a ledger can't hold, no certificate can judge.
void check_energy(const Model& model, const State& state) {
  DynamicsWorkspace workspace(model);
  forward_kinematics(model, state.q, workspace);
  forward_velocity(model, state.q, state.v, workspace);
  const double kinetic = kinetic_energy(model, workspace), potential = potential_energy(model, state.q, workspace);
  if (std::isfinite(kinetic) && std::isfinite(potential)) return;
  const auto largest = [](const VectorX& values) { return values.size() > 0 ? values.cwiseAbs().maxCoeff() : 0; };
  std::ostringstream sentence;
  sentence << "the energy at the start is more than a number can hold (kinetic " << kinetic << " J, potential "
           << potential << " J; the largest position is " << largest(state.q) << ", the largest velocity "
           << largest(state.v) << "); write positions, velocities, masses and gravity in metres, kilograms and seconds";
  throw Error(sentence.str());
}

}  // namespace

struct Simulation::Parts {
  Parts(std::shared_ptr<const Model> m, const Method& how, State initial)
      : model(std::move(m)), method(how), state(std::move(initial)), pushes(*model) {
    stepper = method.stepper->make(*model, method);
    if (method.accuracy > 0 && !is_integrated(method)) {
      stepper =
          std::make_unique<StepDoubling>(*model, std::move(stepper), method.accuracy, is_second_order(method) ? 2 : 1);
    }
  }

  std::shared_ptr<const Model> model;
  Method method;
  State state;
  std::unique_ptr<Stepper> stepper;
  RunCertificate certificate;
  Controller controller;
  Pushes pushes;
  StopSignal stop;
  PosedProblem* problem = nullptr;
  std::vector<StepEvidence>* evidence = nullptr;
  VectorX force;  ///< of the controller in the step that is being taken
  State before;   ///< that step
};

Simulation::Simulation(std::shared_ptr<const Model> model, const Method& method, State initial,
                       const Catalogue& catalogue) {
  throw_if_any(method_faults(method, catalogue));
  throw_if_any(method_data_faults(*model, method));
  check_restitution(*model, method);
  check_friction(*model, method, catalogue);
  check_form(*model, method);
  check_state(*model, initial);
  throw_if_any(singular_mass_faults(*model, initial.q));
  check_energy(*model, initial);
  if (initial.step == 0) check_constraints(*model, initial);  // what a run left, the run goes on with
  parts_ = std::make_unique<Parts>(std::move(model), method, std::move(initial));
}

Simulation::~Simulation() = default;

const StepReport& Simulation::step() {
  Parts& my = *parts_;
  my.before = my.state;
  try {
    call_controller(my.controller, *my.model, my.state, my.force);
    if (!my.pushes.empty()) my.pushes.add_force(*my.model, my.state, time_after(my.state, my.method.step), my.force);
    StepReport& report =
        my.stepper->advance(*my.model, my.state, my.method.step, {my.force, my.stop, my.problem, my.evidence});
    my.pushes.add_to(my.before.time, report);
    my.pushes.forget(my.state.time);
    my.certificate.add(report);
    my.before.contacts.reserve(my.state.contacts.capacity());  // so that a step that sees no more allocates nothing
    my.before.standing.resize(my.state.standing.size());
    return report;
  } catch (...) {
    std::swap(my.state, my.before);
    throw;
  }
}

std::int64_t Simulation::run_until(double time, const std::function<void(const StepReport&)>& after) {
  if (!std::isfinite(time)) throw Error("run_until needs a time that is finite, s");
  const double count = std::round((time - parts_->state.time) / parts_->method.step);
  if (count > 0.5 * static_cast<double>(std::numeric_limits<std::int64_t>::max())) {
    throw Error("run_until can't reach that time: it would take more steps than can be counted");
  }
  const std::int64_t steps = std::max<std::int64_t>(0, static_cast<std::int64_t>(count));
  for (std::int64_t i = 0; i < steps; ++i) {
    const StepReport& report = step();
    if (after) after(report);
  }
  return steps;
}

void Simulation::push(const BodyPush& push) { parts_->pushes.add(*parts_->model, parts_->state.time, push); }
void Simulation::push(const JointPush& push) { parts_->pushes.add(*parts_->model, parts_->state.time, push); }

void Simulation::keep_problem(PosedProblem* into) { parts_->problem = into; }
void Simulation::set_controller(Controller controller) { parts_->controller = std::move(controller); }
void Simulation::set_stop(std::function<bool()> asked) { parts_->stop = StopSignal(std::move(asked)); }
void Simulation::keep_evidence(std::vector<StepEvidence>* into) { parts_->evidence = into; }

const State& Simulation::state() const { return parts_->state; }
const Model& Simulation::model() const { return *parts_->model; }
const Method& Simulation::method() const { return parts_->method; }
const RunCertificate& Simulation::certificate() const { return parts_->certificate; }

}  // namespace carom
