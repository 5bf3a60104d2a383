#include "carom/problem_files/mlcp_file.h"

#include <algorithm>

#include "carom/counted.h"
#include "carom/problem_files/numerics_matrix.h"

namespace carom {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd read_rows(ProblemWords& words, std::int64_t rows, std::int64_t columns, const std::string& name) {
  if (rows * columns > static_cast<std::int64_t>(words.left())) {
    words.refuse(name + " asks for " + std::to_string(rows * columns) + " numbers, but the file has only " +
                 std::to_string(words.left()) + " more");
  }
  MatrixXd matrix(rows, columns);
  for (Eigen::Index i = 0; i < rows; ++i) {
    for (Eigen::Index j = 0; j < columns; ++j) matrix(i, j) = words.real("an entry of " + name);
  }
  return matrix;
}

/// The problem in parts, with `equations` rows in A and C.
struct Parts {
  MatrixXd A, B, C, D;
  VectorXd a, b;
};

Parts read_parts(ProblemWords& words, std::int64_t equations, std::int64_t n, std::int64_t m) {
  Parts parts;
  parts.A = read_rows(words, equations, n, "A");
  parts.B = read_rows(words, m, m, "B");
  parts.C = read_rows(words, equations, m, "C");
  parts.D = read_rows(words, m, n, "D");
  parts.a = read_vector(words, equations, "a");
  parts.b = read_vector(words, m, "b");
  return parts;
}

/// A problem of rows × (n + m) entries, equations first, filled up to a square one.
LinearProblem problem_of_parts(const ProblemWords& words, const MatrixXd& M, const VectorXd& q, std::int64_t n,
                               std::int64_t m) {
  const std::int64_t equations = M.rows() - m, free = std::max(equations, n);
  if (free + m > most_linear_rows) words.refuse("the MLCP has more than " + std::to_string(most_linear_rows) + " rows");
  LinearProblem problem;
  problem.M = MatrixXd::Zero(free + m, free + m);
  problem.M.topLeftCorner(equations, n) = M.topLeftCorner(equations, n);
  problem.M.topRightCorner(equations, m) = M.topRightCorner(equations, m);
  problem.M.bottomLeftCorner(m, n) = M.bottomLeftCorner(m, n);
  problem.M.bottomRightCorner(m, m) = M.bottomRightCorner(m, m);
  problem.q = VectorXd::Zero(free + m);
  problem.q.head(equations) = q.head(equations);
  problem.q.tail(m) = q.tail(m);
  problem.complementary.assign(static_cast<std::size_t>(free + m), true);
  std::fill_n(problem.complementary.begin(), free, false);
  for (std::int64_t j = 0; j < n + m; ++j) problem.unknown.push_back(static_cast<int>(j < n ? j : free + j - n));
  for (std::int64_t i = 0; i < equations + m; ++i) {
    problem.row.push_back(static_cast<int>(i < equations ? i : free + i - equations));
  }
  return problem;
}

/// Kinds of the n + m rows: true for complementarity.
std::vector<bool> read_kinds(ProblemWords& words, std::int64_t n, std::int64_t m) {
  std::vector<std::int64_t> ends = {words.integer("the first block's begin", 0, 0)};
  while (ends.back() < n + m) ends.push_back(words.integer("the end of a block", ends.back() + 1, n + m));
  std::vector<bool> complementary;
  for (std::size_t b = 0; b + 1 < ends.size(); ++b) {
    const bool pairs = words.integer("the kind of a block, 0 for equations and 1 for complementarity,", 0, 1) == 1;
    complementary.resize(static_cast<std::size_t>(ends[b + 1]), pairs);
  }
  const auto count = std::count(complementary.begin(), complementary.end(), true);
  if (count != m) {
    words.refuse("the blocks have " + counted(count, "complementary row") +
                 ", but the file says m = " + std::to_string(m));
  }
  return complementary;
}

/// Compares M and q with the parts where both are there; M and q count.
void compare(const Parts& parts, std::int64_t n, std::int64_t m, LinearProblem& problem) {
  // Siconos prints some of its vectors with six digits.
  const auto same = [](const MatrixXd& one, const MatrixXd& other) {
    return ((one - other).cwiseAbs().array() <= 1e-5 * (1 + one.cwiseAbs().array())).all();
  };
  const MatrixXd& M = problem.M;
  if (same(M.topLeftCorner(n, n), parts.A) && same(M.topRightCorner(n, m), parts.C) &&
      same(M.bottomLeftCorner(m, n), parts.D) && same(M.bottomRightCorner(m, m), parts.B) &&
      same(problem.q.head(n), parts.a) && same(problem.q.tail(m), parts.b)) {
    return;
  }
  problem.remarks.push_back("A, B, C, D, a, b are not the same problem as M, q: M and q were taken");
}

LinearProblem read_rectangular(ProblemWords& words, const MatrixXd& M, bool has_parts, std::int64_t n, std::int64_t m) {
  const std::int64_t rows = M.rows();
  if (rows < m) {
    words.refuse("M has " + counted(rows, "row") + "; the " + std::to_string(m) + " of the pairs must be among them");
  }
  const std::int64_t written = has_parts ? n + m : rows;
  VectorXd q = VectorXd::Zero(rows);
  const VectorXd given = read_vector(words, written, "q");
  q.head(std::min(written, rows)) = given.head(std::min(written, rows));
  if (has_parts) {
    const Parts parts = read_parts(words, n, n, m);
    q.tail(m) = parts.b;
  }
  return problem_of_parts(words, M, q, n, m);
}

}  // namespace

VectorXd read_vector(ProblemWords& words, std::int64_t size, const std::string& name) {
  if (size > static_cast<std::int64_t>(words.left())) {
    words.refuse(name + " must have " + counted(size, "entry", "entries") + ", but the file has only " +
                 counted(static_cast<std::int64_t>(words.left()), "word") + " more");
  }
  VectorXd vector(size);
  for (double& value : vector) value = words.real("an entry of " + name);
  return vector;
}

LinearProblem read_mlcp(ProblemWords& words) {
  const bool whole = words.integer("the first flag of the MLCP", 0, 1) == 1,
             has_parts = words.integer("the second flag of the MLCP", 0, 1) == 1;
  const std::int64_t n = words.integer("the number n of equations", 0, most_linear_rows),
                     m = words.integer("the number m of pairs", 0, most_linear_rows - n);
  if (n + m == 0) words.refuse("the MLCP has neither equations nor pairs");
  if (!whole) {
    const Parts parts = read_parts(words, n, n, m);
    MatrixXd M(n + m, n + m);
    M << parts.A, parts.C, parts.D, parts.B;
    VectorXd q(n + m);
    q << parts.a, parts.b;
    return problem_of_parts(words, M, q, n, m);
  }
  const std::vector<bool> kinds = read_kinds(words, n, m);
  const Eigen::SparseMatrix<double> sparse = read_numerics_matrix(words, "M");
  if (sparse.cols() != n + m || sparse.rows() > most_linear_rows) {
    words.refuse("M is " + std::to_string(sparse.rows()) + " x " + std::to_string(sparse.cols()) +
                 "; with n = " + std::to_string(n) + " and m = " + std::to_string(m) + " it must have " +
                 counted(n + m, "column") + ", and at most " + std::to_string(most_linear_rows) + " rows");
  }
  const MatrixXd M = sparse;
  if (M.rows() != n + m) return read_rectangular(words, M, has_parts, n, m);
  LinearProblem problem;
  problem.M = M;
  problem.q = read_vector(words, n + m, "q");
  problem.complementary = kinds;
  for (int i = 0; i < n + m; ++i) problem.unknown.push_back(i);
  problem.row = problem.unknown;
  const bool in_order = std::is_sorted(kinds.begin(), kinds.end());
  if (has_parts) {
    const Parts parts = read_parts(words, n, n, m);
    // Parts are of problems whose equations come first.
    if (in_order) compare(parts, n, m, problem);
  }
  return problem;
}

bool is_old_mlcp(const ProblemWords& words) {
  const auto n = words.peek_integer(0), m = words.peek_integer(1), rows = words.peek_integer(2);
  if (!n || !m || !rows || *n < 0 || *m < 0 || *n > most_linear_rows || *m > most_linear_rows || *rows < *m ||
      *rows > most_linear_rows || *n + *m == 0) {
    return false;
  }
  return static_cast<std::int64_t>(words.left()) >= 3 + *rows * (*n + *m) + *rows;
}

LinearProblem read_old_mlcp(ProblemWords& words) {
  const std::int64_t n = words.integer("the number n of free unknowns"), m = words.integer("the number m of pairs"),
                     rows = words.integer("the number of rows");
  const Parts parts = read_parts(words, rows - m, n, m);
  MatrixXd M(rows, n + m);
  M << parts.A, parts.C, parts.D, parts.B;
  VectorXd q(rows);
  q << parts.a, parts.b;
  return problem_of_parts(words, M, q, n, m);
}

}  // namespace carom
