#include "carom/stepper/absent_numbers.h"

namespace carom {
namespace {

constexpr const char* exact_cone = "this run's friction cone is exact";
constexpr const char* integrated_tolerance =
    "the method's tolerance is that of the integration's local error; no problem of a step is solved to it";
constexpr const char* no_loops_joined =
    "redundant constraints of this run share their load, and bilateral_residual holds what they are left with";

std::string of_integration(std::string_view number, bool yields) {
  if (number == "polyhedral_error") {
    return yields ? "friction of this run rises with slip, and has no cone that could be polyhedral" : exact_cone;
  }
  if (number == "natural_map") {
    return yields ? "contact forces of this run are functions of overlap and velocity; they are judged one by one"
                  : "contact forces of this run are those of accelerations; their conditions are judged one by one";
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
  if (is_integrated(method)) return of_integration(number, method.stepper == StepperKind::compliant);
  if (is_implicit_in_geometry(method)) return of_implicit_geometry(number);
  return of_problems(number, method);
}

}  // namespace carom
