#pragma once

#include <string>
#include <variant>

#include "carom/problem_files/linear_problem.h"
#include "carom/problem_files/stored_problem.h"

namespace carom {

using TextProblem = std::variant<LinearProblem, StoredProblem>;

/// Problems in the text formats of Siconos (docs/manual/problem-files.md). The first numbers show which one it is:
///
///     Contact         dimension (2 or 3), contacts, W, q, μ                      u = W r + q.
///     Global contact  dimension, contacts, M, H, q, b, μ                         M v = H r + q,  u = Hᵀ v + b.
///     LCP             n, M, q                                                    w = M z + q.
///     MLCP            two flags, n, m, ends of blocks, their kinds, M, q, and / or A, B, C, D, a, b
///                     (as the flags say). Or n, m, rows, A, B, C, D, a, b.
///
/// numerics_matrix.h reads the matrices. Contacts are in the file's order, normal component first. A remark tells if
/// something follows the problem; it is passed over. Problems with rolling friction (dimension 5) are refused by name.
/// Throws Error, `file:line: sentence`, if a word should be a number and is not, or if sizes do not fit.
TextProblem read_siconos(const std::string& path);

/// The same of a text. `path`: for sentences.
TextProblem parse_siconos(std::string text, const std::string& path);

/// True if a file is text: no HDF5 signature and no other byte that no text has in its first part. Never throws.
bool is_text_file(const std::string& path);

}  // namespace carom
