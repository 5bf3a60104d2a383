#pragma once

#include <cstdint>

#include "carom/problem_files/stored_problem.h"
#include "carom/record/record.h"

namespace carom {

/// The contact problem of step `step` of a recorded run, as it was posed for the last time in that step. The impulses
/// that its solver began from are its guess. If it was solved, the result is its solution. The problem is taken from a
/// run that goes on from the last recorded state before the step. As resumed runs have the same bits, it is the problem
/// of the record's own run, bit for bit. With Poisson's law it is the compression, whose solution poses the expansion.
///
/// Costs the steps between two recorded states. Throws Error if the record has no such step, or was made by a stepper
/// that poses none (event-driven, compliant). For steppers that are implicit in the geometry see step_of_run
/// (kept_step.h).
StoredProblem problem_of_step(const Record& record, std::int64_t step);

/// The state that the step begins with, bit for bit that of the record's own run. Throws Error if there is no such
/// step.
State state_before_step(const Record& record, std::int64_t step);

}  // namespace carom
