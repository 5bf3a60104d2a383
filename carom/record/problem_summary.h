#pragma once

#include <string>
#include <vector>

#include "carom/problem_files/solve_stored.h"
#include "carom/record/summary.h"

namespace carom {

/// The JSON object that `carom solve --json` prints (docs/manual/json.md). `path`: of the problem; `out`: of the file
/// written, empty for none.
std::string solve_json(const std::string& path, const StoredProblem& stored, const StoredSolution& solved,
                       const std::string& out);

/// The same for a person at a terminal.
std::string solve_text(const std::string& path, const StoredProblem& stored, const StoredSolution& solved,
                       const std::string& out);

/// The certificate in plain words, the lines to look at included. Good are residuals of at most 1e-8, or of the
/// tolerance that was asked for. With a polyhedral cone its own error and the natural map are told, not judged.
std::vector<Verdict> verdicts(const StoredProblem& stored, const StoredSolution& solved);

/// Rank of A by pivoted L D Lᵀ factors. Entries of D below 1e-12 of the largest count as zero. Returns −1 above 1500
/// rows, where it would cost more than the answer is worth. O(k³).
int operator_rank(const StoredProblem& stored);

}  // namespace carom
