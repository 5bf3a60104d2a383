#include "carom/stepper/absent_numbers.h"

#include <algorithm>
#include <initializer_list>

namespace carom {
namespace {

using Names = std::initializer_list<std::string_view>;

bool is_one_of(std::string_view number, Names names) {
  return std::find(names.begin(), names.end(), number) != names.end();
}

constexpr const char* exact_cone = "this run's friction cone is exact";
constexpr const char* integrated_tolerance =
    "the method's tolerance is that of the integration's local error; no problem of a step is solved to it";
constexpr const char* no_loops_joined =
    "redundant constraints of this run share their load, and bilateral_residual holds what they are left with";

std::string of_compliant(std::string_view number) {
  if (number == "momentum_residual" || number == "kinematic_residual") {
    return "forces of this run are integrated with error control, and there are no impulses at one configuration; "
           "free_motion_error is the error of the integration";
  }
  if (number == "normal_complementarity") {
    return "compliant contacts bear forces where they overlap; nothing is complementary";
  }
  if (is_one_of(number, {"cone_violation", "dissipation_residual", "polyhedral_error", "natural_map"})) {
    return "contact forces of this run are functions of overlap and velocity, which hold by themselves";
  }
  if (is_one_of(number, {"bilateral_residual", "bounded_residual"})) {
    return "constraints, joint friction and servos of this run are integrated as forces; there is no problem of a step";
  }
  if (number == "tolerance") return integrated_tolerance;
  return number == "inconsistency" ? no_loops_joined : "";
}

std::string of_event_driven(std::string_view number) {
  if (number == "polyhedral_error") return exact_cone;
  if (number == "natural_map") {
    return "contact forces of this run are those of accelerations; their conditions are judged one by one";
  }
  if (number == "tolerance") return integrated_tolerance;
  return number == "inconsistency" ? no_loops_joined : "";
}

std::string of_implicit_geometry(std::string_view number) {
  if (number == "polyhedral_error") return exact_cone;
  return number == "inconsistency" ? no_loops_joined : "";
}

std::string of_problems(std::string_view number, const Method& method) {
  if (number == "polyhedral_error" && method.cone == FrictionCone::exact) return exact_cone;
  if (number == "natural_map" && method.cone == FrictionCone::polyhedral && method.law != LawKind::none &&
      !has_impacts(method)) {
    return "defined for end-of-step Coulomb contact; this run has a polyhedral cone and a restitution law";
  }
  if (number == "inconsistency" && method.stepper != StepperKind::hybrid_dca) return no_loops_joined;
  return {};
}

}  // namespace

std::string why_absent(std::string_view number, const Method& method) {
  if (method.stepper == StepperKind::compliant) return of_compliant(number);
  if (method.stepper == StepperKind::event_driven) return of_event_driven(number);
  if (is_implicit_in_geometry(method)) return of_implicit_geometry(number);
  return of_problems(number, method);
}

}  // namespace carom
