#pragma once

#include "carom/problem_files/stored_problem.h"
#include "carom/record/array_file.h"

namespace carom {

// The group /carom of a problem file: the problem, its impulses and velocities in Carom's own rows, every bit of them.

void write_exact_problem(ArrayFile& file, const StoredProblem& stored);
/// Throws Error if a dataset is missing or does not fit. Texts are not in the group.
StoredProblem read_exact_problem(const ArrayFile& file);

}  // namespace carom
