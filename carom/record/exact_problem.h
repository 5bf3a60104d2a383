#pragma once

#include "carom/record/array_file.h"
#include "carom/record/stored_problem.h"

namespace carom {

// The group /carom of a problem file: the problem, its impulses and velocities in Carom's own rows, every bit of them.

void write_exact_problem(ArrayFile& file, const StoredProblem& stored);
/// Throws Error if a dataset is missing or does not fit. Texts are not in the group.
StoredProblem read_exact_problem(const ArrayFile& file);

}  // namespace carom
