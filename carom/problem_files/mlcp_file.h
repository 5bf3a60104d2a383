#pragma once

#include <Eigen/Core>
#include <string>

#include "carom/problem_files/linear_problem.h"
#include "carom/problem_files/problem_words.h"

namespace carom {

/// Larger matrices are not made dense for a solver that needs them whole.
constexpr std::int64_t most_linear_rows = 5000;

/// Siconos' mixed problems, n free unknowns u and m pairs (v, w):
///
///     0 = A u + C v + a,      0 ≤ w = D u + B v + b  ⊥  v ≥ 0
///
/// Two flags come first: one says whether M, q follow, the other whether A, B, C, D, a, b do. Then come n and m. The
/// first flag brings the ends of blocks of rows, beginning with 0, until n + m. A kind for each block follows, 0
/// equations, 1 complementarity, then M (numerics_matrix.h) and q. The second flag brings A (n × n), B (m × m), C
/// (n × m), D (m × n), each row after row, a, b. With both, M and q count, and a remark tells if the parts are not the
/// same problem.
///
/// M need not be square: its last m rows are then those of the pairs. With both flags Siconos then writes n + m entries
/// of q, and the last m of q come from b.
LinearProblem read_mlcp(ProblemWords& words);

/// The older form without flags: n, m, rows, and A, B, C, D, a, b row after row, with rows − m equations.
LinearProblem read_old_mlcp(ProblemWords& words);
/// True if the words can be one: sizes that fit and as many numbers as they ask for.
bool is_old_mlcp(const ProblemWords& words);

Eigen::VectorXd read_vector(ProblemWords& words, std::int64_t size, const std::string& name);

}  // namespace carom
