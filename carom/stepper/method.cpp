#include "carom/stepper/method.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
#include <utility>

#include "carom/error.h"
#include "carom/nearest_word.h"

namespace carom {
namespace {

template <class Kind, std::size_t n>
using Names = std::array<std::pair<Kind, const char*>, n>;

constexpr Names<DynamicsKind, 3> dynamics{{{DynamicsKind::articulated, "articulated"},
                                           {DynamicsKind::divide_and_conquer, "divide-and-conquer"},
                                           {DynamicsKind::dense, "dense"}}};
constexpr Names<ContactForm, 4> forms{{{ContactForm::pure, "pure"},
                                       {ContactForm::mixed, "mixed"},
                                       {ContactForm::handles, "handles"},
                                       {ContactForm::contact_bodies, "contact-bodies"}}};
constexpr Names<FrictionCone, 2> cones{{{FrictionCone::polyhedral, "polyhedral"}, {FrictionCone::exact, "exact"}}};
constexpr Names<GyroscopicTerms, 2> gyroscopic{
    {{GyroscopicTerms::implicit, "implicit"}, {GyroscopicTerms::explicit_form, "explicit"}}};
constexpr Names<SmoothParts, 2> smooths{
    {{SmoothParts::first_order, "first-order"}, {SmoothParts::second_order, "second-order"}}};

constexpr Names<SlipKinematics, 2> slips{
    {{SlipKinematics::of_bodies, "bodies"}, {SlipKinematics::of_layers, "layers"}}};
constexpr Names<DeflectionMeasure, 3> deflections{{{DeflectionMeasure::distance, "distance"},
                                                   {DeflectionMeasure::euclidean, "euclidean"},
                                                   {DeflectionMeasure::algebraic, "algebraic"}}};
constexpr Names<Rebound, 2> rebounds{{{Rebound::located, "located"}, {Rebound::next_step, "next-step"}}};
constexpr Names<OverlapRemedy, 2> remedies{{{OverlapRemedy::project, "project"}, {OverlapRemedy::push, "push"}}};

template <class Kind, std::size_t n>
std::string name_of(const Names<Kind, n>& names, Kind kind) {
  for (const auto& [known, name] : names) {
    if (known == kind) return name;
  }
  return {};
}

template <class Kind, std::size_t n>
Kind parse(const Names<Kind, n>& names, const char* what, const std::string& text) {
  std::vector<std::string> known;
  for (const auto& [kind, name] : names) {
    if (text == name) return kind;
    known.emplace_back(name);
  }
  throw Error(unknown_word(what, text, known));
}

template <class Kind, std::size_t n>
std::vector<Kind> kinds(const Names<Kind, n>& names) {
  std::vector<Kind> all;
  for (const auto& [kind, name] : names) all.push_back(kind);
  return all;
}

template <class Value>
void fault(std::vector<std::string>& faults, const char* field, Value value, const char* right) {
  std::ostringstream sentence;
  sentence << field << " is " << value << "; " << right;
  faults.push_back(sentence.str());
}

void law_faults(const Method& method, const Catalogue& catalogue, std::vector<std::string>& faults) {
  const StepperEntry& stepper = method.stepper.entry();
  const LawEntry& law = method.law.entry();
  if (!stepper.takes(law)) faults.push_back(stepper.law_fault(stepper, law, catalogue));
}

void compliant_faults(const CompliantSettings& compliant, std::vector<std::string>& faults) {
  const auto is_amount = [](double value) { return std::isfinite(value) && value >= 0; };
  if (!(is_amount(compliant.transition_speed) && compliant.transition_speed > 0)) {
    fault(faults, "compliant.transition_speed", compliant.transition_speed,
          "it must be a positive speed in m/s, for friction that rises at once cannot be integrated");
  }
  if (!is_amount(compliant.limit_stiffness)) {
    fault(faults, "compliant.limit_stiffness", compliant.limit_stiffness, "it must be positive, N m/rad or N/m");
  }
  if (!is_amount(compliant.limit_dissipation)) {
    fault(faults, "compliant.limit_dissipation", compliant.limit_dissipation, "it must be at least 0 s/rad or s/m");
  }
  if (compliant.most_steps < 1) fault(faults, "compliant.most_steps", compliant.most_steps, "at least 1 is needed");
}

void quasi_rigid_faults(const QuasiRigidSettings& settings, std::vector<std::string>& faults) {
  if (!(settings.tolerance > 0 && settings.tolerance < 1)) {
    fault(faults, "quasi_rigid.tolerance", settings.tolerance, "it must lie between 0 and 1");
  }
  if (settings.iterations < 1) fault(faults, "quasi_rigid.iterations", settings.iterations, "at least 1 is needed");
  if (settings.halvings < 0 || settings.halvings > 16) {
    fault(faults, "quasi_rigid.halvings", settings.halvings, "it must be a number from 0 to 16");
  }
}

void impact_faults(const Method& method, std::vector<std::string>& faults) {
  if (!(method.tolerance > 0 && method.tolerance < 1)) {
    fault(faults, "tolerance", method.tolerance, "it must lie between 0 and 1");
  }
  if (!(std::isfinite(method.proximity) && method.proximity > 0)) {
    fault(faults, "proximity", method.proximity, "it must be a positive distance in metres");
  }
  if (!(method.lzb_accuracy > 0 && method.lzb_accuracy < 1)) {
    fault(faults, "lzb.accuracy", method.lzb_accuracy, "it must lie between 0 and 1");
  }
  const PlusOptions& plus = method.plus;
  if (!(std::isfinite(plus.transition_speed) && plus.transition_speed >= 0)) {
    fault(faults, "plus.transition_speed", plus.transition_speed, "it must be a speed of at least 0 m/s");
  }
  if (!(plus.direction_change > 0 && plus.direction_change < 3.2)) {
    fault(faults, "plus.direction_change", plus.direction_change, "it must be an angle between 0 and 3.14 rad");
  }
  if (!(plus.shortest_interval > 0 && plus.shortest_interval <= 1)) {
    fault(faults, "plus.shortest_interval", plus.shortest_interval, "it must be a part of a round, between 0 and 1");
  }
  if (!(plus.path_tolerance > 0 && plus.path_tolerance < 1)) {
    fault(faults, "plus.path_tolerance", plus.path_tolerance, "it must lie between 0 and 1");
  }
  if (method.propagative.most_resets < 1) {
    fault(faults, "propagative.most_resets", method.propagative.most_resets, "at least 1 is needed");
  }
  if (plus.round_budget < 0) {
    fault(faults, "plus.round_budget", plus.round_budget, "it must be at least 1, or 0 for a budget by contacts");
  }
}

void form_faults(const Method& method, std::vector<std::string>& faults) {
  if (method.form == ContactForm::pure) return;
  const std::string form = "form " + form_name(method.form);
  const bool hybrid = method.stepper->joins_constraints;
  if (method.cone == FrictionCone::exact) {
    faults.push_back(form +
                     " is a linear complementarity problem and has no exact cone: choose form pure with it, or cone "
                     "polyhedral");
  }
  if (method.form != ContactForm::mixed) {
    if (hybrid) return;
    faults.push_back(form +
                     " keeps velocities of assemblies, which only stepper hybrid-dca makes: choose form pure "
                     "with stepper " +
                     stepper_name(method.stepper));
    return;
  }
  if (hybrid) {
    faults.push_back(
        "form mixed keeps all velocities, which stepper hybrid-dca joins away: choose form pure, handles or "
        "contact-bodies with it");
    return;
  }
  if (method.dynamics != DynamicsKind::dense) {
    faults.push_back(
        "form mixed keeps the velocities as unknowns and needs the whole mass matrix: choose dynamics dense with it, "
        "or "
        "form pure");
  }
  if (has_impacts(method) || is_integrated(method) || is_implicit_in_geometry(method)) {
    faults.push_back("form mixed is one of the time-stepping methods: choose form pure with stepper " +
                     stepper_name(method.stepper));
  }
  if (method.law->in_step == InStep::poisson) {
    faults.push_back(
        "law poisson solves its two problems in the pure form: choose form pure with it, or law newton or none with "
        "form "
        "mixed");
  }
}

}  // namespace

std::string stepper_name(StepperKind kind) { return kind->name; }
std::string law_name(LawKind kind) { return kind->name; }
std::string dynamics_name(DynamicsKind kind) { return name_of(dynamics, kind); }
std::string form_name(ContactForm form) { return name_of(forms, form); }
std::string cone_name(FrictionCone cone) { return name_of(cones, cone); }
std::string gyroscopic_name(GyroscopicTerms terms) { return name_of(gyroscopic, terms); }
std::string smooth_name(SmoothParts smooth) { return name_of(smooths, smooth); }
std::string slip_name(SlipKinematics slip) { return name_of(slips, slip); }
std::string deflection_name(DeflectionMeasure measure) { return name_of(deflections, measure); }
std::string rebound_name(Rebound rebound) { return name_of(rebounds, rebound); }
std::string overlap_name(OverlapRemedy remedy) { return name_of(remedies, remedy); }

StepperKind parse_stepper(const std::string& name) { return default_catalogue().stepper(name); }
LawKind parse_law(const std::string& name) { return default_catalogue().law(name); }
DynamicsKind parse_dynamics(const std::string& name) { return parse(dynamics, "dynamics", name); }
ContactForm parse_form(const std::string& name) { return parse(forms, "form", name); }
FrictionCone parse_cone(const std::string& name) { return parse(cones, "cone", name); }
GyroscopicTerms parse_gyroscopic(const std::string& name) { return parse(gyroscopic, "gyroscopic", name); }
SmoothParts parse_smooth(const std::string& name) { return parse(smooths, "smooth", name); }
Rebound parse_rebound(const std::string& name) { return parse(rebounds, "rebound", name); }
OverlapRemedy parse_overlap(const std::string& name) { return parse(remedies, "overlap", name); }

const std::vector<StepperKind>& all_steppers() { return default_catalogue().steppers; }
const std::vector<LawKind>& all_laws() { return default_catalogue().laws; }
std::vector<DynamicsKind> all_dynamics() { return kinds(dynamics); }

bool go_together(StepperKind stepper, LawKind law) { return stepper->takes(law.entry()); }

bool has_impacts(const Method& method) {
  return method.stepper->has_impacts != nullptr && method.stepper->has_impacts(method);
}

bool is_integrated(const Method& method) { return method.stepper->is_integrated; }
bool is_implicit_in_geometry(const Method& method) { return method.stepper->is_implicit_in_geometry; }
bool is_at_position_level(const Method& method) { return method.stepper->is_at_position_level; }

bool reads(StepperKind stepper, std::string_view field) {
  return std::find(stepper->fields.begin(), stepper->fields.end(), field) != stepper->fields.end();
}

std::vector<std::string> fields_without_effect(const Method& method) {
  const bool exact = method.cone == FrictionCone::exact, inelastic = method.law->restitution == RestitutionUse::none;
  std::vector<std::string> without;
  const auto add = [&](const char* field, bool has_effect) {
    if (!has_effect) without.emplace_back(field);
  };
  const auto read = [&](const char* field) { return reads(method.stepper, field); };
  add("nonlinear_iterations", read("nonlinear_iterations"));
  add("nonlinear_tolerance", read("nonlinear_tolerance"));
  add("gyroscopic", read("gyroscopic"));
  add("smooth", read("smooth"));
  add("directions", read("directions") && !exact);
  add("cone", read("cone") || exact);
  add("contact_tolerance", read("contact_tolerance"));
  add("accuracy", !is_integrated(method));
  add("tolerance", read("tolerance"));
  add("proximity", read("proximity") && has_impacts(method));
  add("restitution_speed", !inelastic);
  add("compliant", read("compliant"));
  add("quasi_rigid", read("quasi_rigid"));
  add("rebound", read("rebound") && !inelastic);
  add("overlap", read("overlap"));
  return without;
}

std::vector<std::string> method_faults(const Method& method, const Catalogue& catalogue) {
  std::vector<std::string> faults;
  if (!(std::isfinite(method.step) && method.step > 0)) {
    fault(faults, "step", method.step, "it must be a positive time in seconds");
  }
  if (method.cone == FrictionCone::polyhedral && method.directions < 3) {
    fault(faults, "directions", method.directions, "a friction cone needs at least 3 generators");
  }
  if (is_second_order(method) && method.gyroscopic == GyroscopicTerms::explicit_form) {
    faults.emplace_back(
        "smooth second-order takes gyroscopic terms at the mean velocity of a step; set gyroscopic to implicit, or "
        "smooth to first-order");
  }
  if (!(method.contact_tolerance >= strict_contact_tolerance && method.contact_tolerance <= 1e-3)) {
    fault(faults, "contact_tolerance", method.contact_tolerance, "it must lie between 1e-9 and 1e-3");
  }
  if (method.accuracy != 0 && !(method.accuracy >= 1e-8 && method.accuracy <= 0.1)) {
    fault(faults, "accuracy", method.accuracy,
          "it must be a part of the way that bodies go in a step, between 1e-8 and 0.1");
  }
  if (!(std::isfinite(method.restitution_speed) && method.restitution_speed >= 0)) {
    fault(faults, "restitution_speed", method.restitution_speed, "it must be a speed of at least 0 m/s");
  }
  if (method.nonlinear_iterations < 1) {
    fault(faults, "nonlinear_iterations", method.nonlinear_iterations, "at least 1 is needed");
  }
  if (!(std::isfinite(method.nonlinear_tolerance) && method.nonlinear_tolerance > 0)) {
    fault(faults, "nonlinear_tolerance", method.nonlinear_tolerance, "it must be positive");
  }
  impact_faults(method, faults);
  compliant_faults(method.compliant, faults);
  quasi_rigid_faults(method.quasi_rigid, faults);
  law_faults(method, catalogue, faults);
  form_faults(method, faults);
  return faults;
}

}  // namespace carom
