#pragma once

#include <cstdint>

#include "carom/problem_files/stored_problem.h"
#include "carom/record/record.h"

namespace carom {

/// The contact problem of step `step` of a recorded run, as it was posed for the last time in that step, with the
/// impulses that its solver began from as a guess and, where it was solved, what it found as the solution. Taken from a
/// run that goes on from the last recorded state before the step; as resumed runs have the same bits, it is the problem
/// of the record's own run, bit for bit. Of Poisson's law it is the compression; the expansion is posed by its
/// solution.
///
/// Costs the steps between two recorded states. Throws Error if the record has no such
/// step, or was made by a stepper that poses none (event-driven, compliant).
/// Of steppers that are implicit in the geometry see step_of_run (kept_step.h).
StoredProblem problem_of_step(const Record& record, std::int64_t step);

/// The state that the step begins with, bit for bit that of the record's own run. Throws Error if there is no such
/// step.
State state_before_step(const Record& record, std::int64_t step);

}  // namespace carom
