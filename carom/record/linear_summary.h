#pragma once

#include <string>

#include "carom/problem_files/solve_linear.h"

namespace carom {

/// The JSON object that `carom solve --json` prints for an LCP or a mixed one (docs/manual/json.md). `path`: of the
/// problem; `tolerance`: that was asked for.
std::string linear_json(const std::string& path, const LinearProblem& problem, const LinearSolution& solved,
                        double tolerance);

/// The same for a person at a terminal.
std::string linear_text(const std::string& path, const LinearProblem& problem, const LinearSolution& solved,
                        double tolerance);

}  // namespace carom
