#include "carom/problem_files/solve_choices.h"

#include <array>
#include <sstream>

#include "carom/error.h"

namespace carom {
namespace {

std::string written(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

FrictionCone cone_of(const SolveChoices& choices, const ProblemNotes& notes) {
  if (choices.cone) {
    if (*choices.cone == "exact") return FrictionCone::exact;
    if (*choices.cone == "polyhedral") return FrictionCone::polyhedral;
    throw Error("--cone " + *choices.cone + ": there are exact and polyhedral");
  }
  if (choices.directions) return FrictionCone::polyhedral;
  return notes.directions.value_or(0) > 0 ? FrictionCone::polyhedral : FrictionCone::exact;
}

SolverKind method_of(const std::string& name) {
  constexpr std::array<SolverKind, 3> methods = {SolverKind::gauss_seidel, SolverKind::proximal, SolverKind::newton};
  std::string known;
  for (SolverKind method : methods) {
    if (solver_name(method) == name) return method;
    known += (known.empty() ? "" : ", ") + solver_name(method);
  }
  throw Error("--method " + name + ": the exact cone knows " + known + "; without --method they take turns");
}

}  // namespace

double chosen_tolerance(const SolveChoices& choices, double otherwise) {
  if (!choices.tolerance) return otherwise;
  if (!(*choices.tolerance > 0 && *choices.tolerance <= 1e-4)) {
    throw Error("--tolerance " + written(*choices.tolerance) +
                ": it must be above 0 and at most 1e-4; above that anything is a solution");
  }
  return *choices.tolerance;
}

ContactOptions contact_options(const SolveChoices& choices, const ProblemNotes& notes) {
  ContactOptions result;
  result.cone = cone_of(choices, notes);
  const bool exact = result.cone == FrictionCone::exact;
  if (choices.directions) {
    if (exact) throw Error("--directions are those of a polyhedral cone; leave them out, or say --cone polyhedral");
    if (*choices.directions < 3) {
      throw Error("--directions " + std::to_string(*choices.directions) +
                  ": a friction cone needs at least 3 generators");
    }
  }
  if (!exact) result.polyhedral.directions = choices.directions.value_or(notes.directions.value_or(0));
  if (!exact && result.polyhedral.directions == 0) result.polyhedral.directions = PolyhedralOptions().directions;
  double& tolerance = exact ? result.exact.tolerance : result.polyhedral.lcp.residual_tolerance;
  tolerance = chosen_tolerance(choices, tolerance);
  if (choices.method) {
    result.exact.method = method_of(*choices.method);
    if (!exact) throw Error("--method is for the exact cone; a polyhedral cone has one method");
  }
  return result;
}

}  // namespace carom
