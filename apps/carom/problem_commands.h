#pragma once

#include <optional>
#include <string>

#include "carom/problem_files/solve_choices.h"

// The commands about single contact problems, with exit statuses as in commands.h.
namespace carom {

/// carom solve
struct SolveOptions {
  std::string problem;  ///< FCLib file, or a kept step
  SolveChoices choices;
  std::optional<int> iterations, halvings;  ///< of a kept step
  std::string out;                          ///< file for the problem with its solution; empty for none
  bool warm_start = false;
  bool json = false;
};
int solve_command(const SolveOptions& options);

/// carom problem
struct ProblemOptions {
  std::string record;
  std::string step;  ///< its number, as it was typed
  std::string out;   ///< empty for RECORD-step-N.hdf5, of steps that hold their geometry RECORD-step-N.h5
  bool json = false;
};
int problem_command(const ProblemOptions& options);

}  // namespace carom
