#pragma once

#include <optional>
#include <string>

#include "carom/complementarity/contact_solver.h"
#include "carom/problem_files/stored_problem.h"

namespace carom {

/// A user's choices for the solution of a contact problem; what is left out is as the problem's notes say, or by
/// default.
struct SolveChoices {
  std::optional<std::string> cone;    ///< exact or polyhedral; left out: as it was posed, else exact
  std::optional<int> directions;      ///< generators of a polyhedral cone
  std::optional<std::string> method;  ///< of the exact cone
  std::optional<double> tolerance;
};

/// Throws Error if they make no sense, each by its name on the command line.
ContactOptions contact_options(const SolveChoices& choices, const ProblemNotes& notes);

/// The tolerance that was chosen; `otherwise` where none was. Throws Error for one that is none.
double chosen_tolerance(const SolveChoices& choices, double otherwise);

}  // namespace carom
