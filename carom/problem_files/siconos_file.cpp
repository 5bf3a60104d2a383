#include "carom/problem_files/siconos_file.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <sstream>

#include "carom/counted.h"
#include "carom/error.h"
#include "carom/problem_files/fclib_global.h"
#include "carom/problem_files/fclib_local.h"
#include "carom/problem_files/mlcp_file.h"
#include "carom/problem_files/numerics_matrix.h"

namespace carom {
namespace {

using Eigen::VectorXd;

constexpr int rolling_dimension = 5;

enum class Kind { lcp, mlcp, old_mlcp, contact, unknown };

bool is_one_of(std::optional<std::int64_t> number, std::initializer_list<std::int64_t> list) {
  return number && std::find(list.begin(), list.end(), *number) != list.end();
}

/// True if a matrix of these sizes stands `at` words further on, as far as its first words tell.
bool is_square_matrix(const ProblemWords& words, std::size_t at, std::int64_t size) {
  const auto storage = words.peek_integer(at);
  if (words.peek_integer(at + 1) != size || words.peek_integer(at + 2) != size) return false;
  if (storage == 0) return words.peek_integer(at + 3) == size && words.peek_integer(at + 4) == size;
  if (storage == 1) return words.peek_integer(at + 3).value_or(0) > 0;
  return storage == 2 && words.peek(at + 4) == "CSparse";
}

Kind kind_of(const ProblemWords& words) {
  const auto first = words.peek_integer(0), second = words.peek_integer(1);
  if (!first || !second) return Kind::unknown;
  const bool sparse = words.peek_integer(2) == 2;
  if (is_one_of(first, {2, 3, rolling_dimension}) && *second >= 0 && is_one_of(words.peek_integer(2), {0, 1, 2}) &&
      (!sparse || words.peek(6) == "CSparse")) {
    return Kind::contact;
  }
  if (*first > 0 && is_square_matrix(words, 1, *first)) return Kind::lcp;
  if (is_one_of(first, {0, 1}) && is_one_of(second, {0, 1}) && *first + *second > 0 &&
      (*first == 0 || words.peek_integer(4) == 0)) {
    return Kind::mlcp;
  }
  return is_old_mlcp(words) ? Kind::old_mlcp : Kind::unknown;
}

/// Tells what stands behind the problem; Siconos closes many with a flag, 0 or 1.
void remark_on_rest(const ProblemWords& words, std::vector<std::string>& remarks) {
  if (words.left() == 0 || (words.left() == 1 && is_one_of(words.peek_integer(), {0, 1}))) return;
  remarks.push_back(counted(static_cast<std::int64_t>(words.left()), "word") + " behind the problem, from line " +
                    std::to_string(words.line()) + " on, passed over");
}

LinearProblem read_lcp(ProblemWords& words) {
  const std::int64_t n = words.integer("the size of the LCP", 1, most_linear_rows);
  const Eigen::SparseMatrix<double> M = read_numerics_matrix(words, "M");
  if (M.rows() != n || M.cols() != n) {
    words.refuse("M is " + std::to_string(M.rows()) + " x " + std::to_string(M.cols()) +
                 ", but the file says n = " + std::to_string(n) + " in its first line");
  }
  LinearProblem problem;
  problem.M = M;
  problem.q = read_vector(words, n, "q");
  problem.complementary.assign(static_cast<std::size_t>(n), true);
  for (int i = 0; i < n; ++i) problem.unknown.push_back(i);
  problem.row = problem.unknown;
  return problem;
}

VectorXd read_mu(ProblemWords& words, std::int64_t contacts) {
  VectorXd mu(contacts);
  for (double& value : mu) {
    value = words.real("a coefficient of friction");
    if (value < 0) words.refuse("a coefficient of friction is negative; it must be zero or more");
  }
  return mu;
}

[[noreturn]] void refuse_rolling(const ProblemWords& words, std::int64_t contacts, const std::string& why) {
  throw Error(words.path() + " is a problem with rolling friction (" + counted(contacts, "contact") + ", " + why +
              "): Carom's solvers do not know rolling friction yet");
}

/// Rolling friction in the plane has dimension 3 as well, but a second coefficient for each contact.
bool has_second_coefficients(const ProblemWords& words, int dimension, std::int64_t contacts) {
  return dimension == 3 && contacts > 0 && static_cast<std::int64_t>(words.left()) >= contacts &&
         !words.peek_integer() && words.peek().find_first_of(".eE") != std::string_view::npos;
}

StoredProblem read_global(ProblemWords& words, int dimension, std::int64_t contacts, Eigen::SparseMatrix<double> M) {
  FclibGlobal global;
  global.dimension = dimension;
  global.M = std::move(M);
  global.H = read_numerics_matrix(words, "H");
  if (global.H.rows() != global.M.rows() || global.H.cols() != dimension * contacts) {
    words.refuse("H is " + std::to_string(global.H.rows()) + " x " + std::to_string(global.H.cols()) +
                 "; beside M with " + counted(global.M.rows(), "row") + " and " + counted(contacts, "contact") +
                 " of dimension " + std::to_string(dimension) + " it must be " + std::to_string(global.M.rows()) +
                 " x " + std::to_string(dimension * contacts));
  }
  global.G.resize(global.M.rows(), 0);
  global.f = read_vector(words, global.M.rows(), "q");
  global.w = read_vector(words, dimension * contacts, "b");
  global.mu = read_mu(words, contacts);
  if (has_second_coefficients(words, dimension, contacts)) {
    refuse_rolling(words, contacts, "with a second coefficient for each");
  }
  return problem_of(global, words.path());
}

StoredProblem read_contact(ProblemWords& words) {
  const int dimension = static_cast<int>(words.integer("the dimension"));
  const std::int64_t contacts =
      words.integer("the number of contacts", 0, static_cast<std::int64_t>(words.count()) / dimension);
  if (dimension == rolling_dimension) refuse_rolling(words, contacts, "of five components each");
  const Eigen::Index rows = dimension * contacts;
  Eigen::SparseMatrix<double> first = read_numerics_matrix(words, "the first matrix");
  if (first.rows() != first.cols()) {
    words.refuse("the first matrix is " + std::to_string(first.rows()) + " x " + std::to_string(first.cols()) +
                 "; it must be square");
  }
  if (first.rows() != rows || begins_numerics_matrix(words, rows, rows)) {
    if (!is_one_of(words.peek_integer(), {0, 1, 2})) {
      words.refuse("the first matrix has " + counted(first.rows(), "row") + ", but " + counted(contacts, "contact") +
                   " of dimension " + std::to_string(dimension) + " need " + std::to_string(rows) +
                   "; if it is the mass matrix of a global problem, the matrix H must follow");
    }
    return read_global(words, dimension, contacts, std::move(first));
  }
  FclibLocal local;
  local.dimension = dimension;
  local.W = std::move(first);
  local.V.resize(rows, 0);
  local.R.resize(0, 0);
  local.q = read_vector(words, rows, "q");
  local.mu = read_mu(words, contacts);
  if (has_second_coefficients(words, dimension, contacts)) {
    refuse_rolling(words, contacts, "with a second coefficient for each");
  }
  return problem_of(local, words.path());
}

}  // namespace

TextProblem parse_siconos(std::string text, const std::string& path) {
  ProblemWords words(std::move(text), path);
  switch (kind_of(words)) {
    case Kind::lcp:
    case Kind::mlcp:
    case Kind::old_mlcp: {
      const Kind kind = kind_of(words);
      LinearProblem problem = kind == Kind::lcp    ? read_lcp(words)
                              : kind == Kind::mlcp ? read_mlcp(words)
                                                   : read_old_mlcp(words);
      remark_on_rest(words, problem.remarks);
      return problem;
    }
    case Kind::contact: {
      StoredProblem stored = read_contact(words);
      remark_on_rest(words, stored.notes.remarks);
      return stored;
    }
    case Kind::unknown:
      break;
  }
  throw Error(
      path +
      ": not a problem that Carom can read: no HDF5 file (FCLib) and none of Siconos' texts, which begin with the "
      "dimension (2 or 3) and the number of contacts, with the size n of an LCP, or with the two flags of an MLCP, "
      "and a matrix after it");
}

TextProblem read_siconos(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  if (file) text << file.rdbuf();
  if (!file) throw Error(path + ": the file can't be read");
  return parse_siconos(std::move(text).str(), path);
}

bool is_text_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::array<char, 512> begin{};
  file.read(begin.data(), begin.size());
  const std::string_view part(begin.data(), static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
  return !part.empty() && std::all_of(part.begin(), part.end(), [](char c) {
    return static_cast<unsigned char>(c) >= ' ' || (c >= '\t' && c <= '\r');
  });
}

}  // namespace carom
