#include "carom/record/fclib.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>

#include "carom/counted.h"
#include "carom/error.h"
#include "carom/problem_files/fclib_global.h"
#include "carom/problem_files/fclib_local.h"
#include "carom/record/array_file.h"
#include "carom/record/exact_problem.h"
#include "carom/record/fclib_matrix.h"

namespace carom {
namespace {

using Eigen::VectorXd;
namespace fs = std::filesystem;

/// Rows of a contact in the file.
int read_dimension(const ArrayFile& file, const std::string& group) {
  const std::int64_t dimension = read_fclib_integer(file, group + "/spacedim");
  if (dimension != 2 && dimension != 3) {
    throw Error(file.path() + ": " + group + "/spacedim is " + std::to_string(dimension) + "; it must be 2 or 3");
  }
  return static_cast<int>(dimension);
}

/// μ of m / dimension contacts.
VectorXd read_friction(const ArrayFile& file, const std::string& group, Eigen::Index m, int dimension,
                       const std::string& velocity) {
  if (m % dimension != 0) {
    throw Error(file.path() + ": " + group + "/vectors/" + velocity + " has " + counted(m, "entry", "entries") +
                ": no whole contacts of " + std::to_string(dimension) + " rows each");
  }
  const std::string dataset = group + "/vectors/mu";
  VectorXd mu = read_fclib_vector(
      file, dataset, m / dimension,
      velocity + " has " + counted(m, "entry", "entries") + ", " + std::to_string(dimension) + " for each contact");
  for (Eigen::Index c = 0; c < mu.size(); ++c) {
    if (mu(c) < 0) {
      throw Error(file.path() + ": " + dataset + " is " + std::to_string(mu(c)) + " at contact " + std::to_string(c) +
                  "; friction must be zero or positive");
    }
  }
  return mu;
}

std::string entries_text(const std::string& name, Eigen::Index count) {
  return name + " has " + counted(count, "entry", "entries");
}

FclibLocal read_local(const ArrayFile& file) {
  const std::string group = "/fclib_local";
  FclibLocal local;
  local.dimension = read_dimension(file, group);
  local.q = read_fclib_vector(file, group + "/vectors/q", -1, "");
  const Eigen::Index m = local.q.size();
  local.mu = read_friction(file, group, m, local.dimension, "q");
  const bool equations = file.has(group + "/V") || file.has(group + "/R") || file.has(group + "/vectors/s");
  if (equations) local.s = read_fclib_vector(file, group + "/vectors/s", -1, "");
  const Eigen::Index p = local.s.size();
  const std::string q_text = entries_text("q", m), s_text = entries_text("s", p);
  local.W = read_fclib_matrix(file, group + "/W", m, m, q_text);
  local.V.resize(m, p);
  local.R.resize(p, p);
  if (!equations) return local;
  local.V = read_fclib_matrix(file, group + "/V", m, p, q_text + " and " + s_text);
  local.R = read_fclib_matrix(file, group + "/R", p, p, s_text);
  return local;
}

FclibGlobal read_global(const ArrayFile& file) {
  const std::string group = "/fclib_global";
  FclibGlobal global;
  global.dimension = read_dimension(file, group);
  global.f = read_fclib_vector(file, group + "/vectors/f", -1, "");
  global.w = read_fclib_vector(file, group + "/vectors/w", -1, "");
  const Eigen::Index n = global.f.size(), m = global.w.size();
  global.mu = read_friction(file, group, m, global.dimension, "w");
  const bool equations = file.has(group + "/G") || file.has(group + "/vectors/b");
  if (equations) global.b = read_fclib_vector(file, group + "/vectors/b", -1, "");
  const Eigen::Index p = global.b.size();
  const std::string f_text = entries_text("f", n);
  global.M = read_fclib_matrix(file, group + "/M", n, n, f_text);
  global.H = read_fclib_matrix(file, group + "/H", n, m, f_text + " and " + entries_text("w", m));
  global.G.resize(n, p);
  if (equations) global.G = read_fclib_matrix(file, group + "/G", n, p, f_text + " and " + entries_text("b", p));
  return global;
}

/// A dataset of a guess or of a solution, and how many entries the problem asks it for; 0: it may be left out.
struct Part {
  const char* name;
  Eigen::Index size;
};

/// True if every part that is asked for was filled. Some files announce a solution that nobody filled, or filled only
/// in part: that counts as none. If it was filled in part, a sentence in `passed_over` says so.
bool is_whole(const ArrayFile& file, const std::string& group, std::initializer_list<Part> parts,
              std::vector<std::string>& passed_over) {
  bool any = false;
  std::string missing;
  for (const Part& part : parts) {
    if (file.is_filled(group + "/" + part.name)) {
      any = true;
    } else if (part.size > 0) {
      missing += (missing.empty() ? "" : " and ") + std::string(part.name);
    }
  }
  if (any && !missing.empty()) passed_over.push_back(group + " lacks " + missing + " and is passed over");
  return any && missing.empty();
}

VectorXd read_part(const ArrayFile& file, const std::string& group, const Part& part, const std::string& rows) {
  if (part.size == 0) return VectorXd(0);
  return read_fclib_vector(file, group + "/" + part.name, part.size,
                           "the problem has so many " + rows + ": " + std::to_string(part.size));
}

/// Impulses of a guess or a solution, rows of the problem.
VectorXd read_impulse(const ArrayFile& file, const std::string& group, int dimension, Eigen::Index m, Eigen::Index p) {
  return rows_of(dimension, read_part(file, group, {"r", m}, "contact rows"),
                 read_part(file, group, {"l", p}, "equations"));
}

void read_guesses(const ArrayFile& file, int dimension, Eigen::Index m, Eigen::Index p, ProblemNotes& notes) {
  const std::string number = "/guesses/number_of_guesses";
  if (!file.is_filled(number)) return;
  const std::int64_t count = read_fclib_integer(file, number);
  for (std::int64_t g = 1; g <= count; ++g) {
    const std::string group = "/guesses/" + std::to_string(g);
    if (!file.has(group)) {
      notes.passed_over.push_back(number + " is " + std::to_string(count) + ", but there is no " + group);
      return;
    }
    if (is_whole(file, group, {{"r", m}, {"l", p}, {"u", 0}, {"v", 0}}, notes.passed_over)) {
      notes.guesses.push_back(read_impulse(file, group, dimension, m, p));
    }
  }
}

void read_notes(const ArrayFile& file, const std::string& group, int dimension, Eigen::Index m, Eigen::Index p,
                ProblemNotes& notes) {
  for (const auto& [name, text] : {std::pair<const char*, std::string*>{"title", &notes.title},
                                   {"description", &notes.description},
                                   {"math_info", &notes.math_info}}) {
    const std::string dataset = group + "/info/" + name;
    if (file.has(dataset)) *text = file.text(dataset);
  }
  if (is_whole(file, "/solution", {{"r", m}, {"u", m}, {"l", p}, {"v", 0}}, notes.passed_over)) {
    notes.impulse = read_impulse(file, "/solution", dimension, m, p);
    notes.velocity = rows_of(dimension, read_part(file, "/solution", {"u", m}, "contact rows"), VectorXd::Zero(p));
  }
  read_guesses(file, dimension, m, p, notes);
}

bool same(const Eigen::SparseMatrix<double>& a, const Eigen::SparseMatrix<double>& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && a.nonZeros() == b.nonZeros() &&
         std::equal(a.outerIndexPtr(), a.outerIndexPtr() + a.outerSize() + 1, b.outerIndexPtr()) &&
         std::equal(a.innerIndexPtr(), a.innerIndexPtr() + a.nonZeros(), b.innerIndexPtr()) &&
         std::equal(a.valuePtr(), a.valuePtr() + a.nonZeros(), b.valuePtr());
}

bool same(const FclibLocal& a, const FclibLocal& b) {
  return a.dimension == b.dimension && same(a.W, b.W) && same(a.V, b.V) && same(a.R, b.R) && a.q.size() == b.q.size() &&
         a.s.size() == b.s.size() && a.mu.size() == b.mu.size() && a.q == b.q && a.s == b.s && a.mu == b.mu;
}

StoredProblem read_carom(const ArrayFile& file) {
  StoredProblem stored = read_exact_problem(file);
  check(stored.problem());
  if (!file.has("/fclib_local") || !same(local_of(stored, fclib_rows(stored.blocks)), read_local(file))) {
    throw Error(file.path() +
                ": the groups /carom and /fclib_local are not the same problem; if /fclib_local was changed "
                "on purpose, delete the group /carom, which holds what Carom wrote");
  }
  for (const auto& [name, text] : {std::pair<const char*, std::string*>{"/fclib_local/info/title", &stored.notes.title},
                                   {"/carom/description", &stored.notes.description},
                                   {"/fclib_local/info/math_info", &stored.notes.math_info}}) {
    if (file.has(name)) *text = file.text(name);
  }
  return stored;
}

void write_solution(ArrayFile& file, const std::string& group, const StoredProblem& stored, const FclibRows& rows,
                    const VectorXd& impulse, const VectorXd& velocity) {
  VectorXd r, lambda;
  solution_of(rows, impulse, r, lambda);
  file.make_group(group);
  write_fclib_vector(file, group + "/r", r);
  write_fclib_vector(file, group + "/u", file_velocity_of(stored, rows, velocity));
  if (lambda.size() > 0) write_fclib_vector(file, group + "/l", lambda);
}

VectorXd velocity_after(const StoredProblem& stored, const VectorXd& impulse) {
  VectorXd velocity(stored.rows());
  stored.A().multiply(impulse, velocity);
  velocity += stored.u;
  if (!stored.is_symmetric()) velocity += stored.skew * impulse;
  return velocity;
}

void write_local(ArrayFile& file, const StoredProblem& stored, const FclibRows& rows) {
  const std::string group = "/fclib_local";
  const FclibLocal local = local_of(stored, rows);
  file.make_group(group);
  write_fclib_integer(file, group + "/spacedim", local.dimension);
  write_fclib_matrix(file, group + "/W", local.W);
  file.make_group(group + "/vectors");
  write_fclib_vector(file, group + "/vectors/q", local.q);
  write_fclib_vector(file, group + "/vectors/mu", local.mu);
  if (local.s.size() > 0) {
    write_fclib_matrix(file, group + "/V", local.V);
    write_fclib_matrix(file, group + "/R", local.R);
    write_fclib_vector(file, group + "/vectors/s", local.s);
  }
  file.make_group(group + "/info");
  std::string description = stored.notes.description;
  const std::string unseen = unseen_by_fclib(stored.blocks);
  if (!unseen.empty()) description += (description.empty() ? "" : "\n") + unseen;
  file.write_text(group + "/info/title", stored.notes.title);
  file.write_text(group + "/info/description", description);
  file.write_text(group + "/info/math_info", stored.notes.math_info);
}

void write_file(const std::string& path, const StoredProblem& stored) {
  const FclibRows rows = fclib_rows(stored.blocks);
  ArrayFile file = ArrayFile::create(path);
  write_local(file, stored, rows);
  const ProblemNotes& notes = stored.notes;
  if (notes.impulse.size() > 0) write_solution(file, "/solution", stored, rows, notes.impulse, notes.velocity);
  if (!notes.guesses.empty()) {
    file.make_group("/guesses");
    write_fclib_integer(file, "/guesses/number_of_guesses", static_cast<int>(notes.guesses.size()));
    for (std::size_t g = 0; g < notes.guesses.size(); ++g) {
      write_solution(file, "/guesses/" + std::to_string(g + 1), stored, rows, notes.guesses[g],
                     velocity_after(stored, notes.guesses[g]));
    }
  }
  write_exact_problem(file, stored);
  file.write_text("/carom/description", notes.description);
  file.finish();
}

/// Name of a file until it is complete.
std::string part_path(const std::string& path) { return path + ".part"; }

void check_length(const VectorXd& vector, const StoredProblem& stored, const std::string& name) {
  if (vector.size() == stored.rows() && vector.allFinite()) return;
  throw Error("The " + name + " to write beside a contact problem must have " + std::to_string(stored.rows()) +
              " finite numbers, as many as the problem has rows.");
}

}  // namespace

StoredProblem read_problem(const std::string& path) {
  const ArrayFile file = ArrayFile::open(path);
  if (file.has("/carom/format")) {
    try {
      return read_carom(file);
    } catch (const Error& error) {
      const std::string sentence = error.what();
      throw Error(sentence.starts_with(path) ? sentence : path + ": " + sentence);
    }
  }
  StoredProblem stored;
  if (file.has("/fclib_local")) {
    const FclibLocal local = read_local(file);
    stored = problem_of(local, path);
    read_notes(file, "/fclib_local", local.dimension, local.q.size(), local.s.size(), stored.notes);
  } else if (file.has("/fclib_global")) {
    const FclibGlobal global = read_global(file);
    stored = problem_of(global, path);
    read_notes(file, "/fclib_global", global.dimension, global.w.size(), global.b.size(), stored.notes);
  } else if (file.has("/fclib_local_rolling") || file.has("/fclib_global_rolling")) {
    const std::string group = file.has("/fclib_local_rolling") ? "/fclib_local_rolling" : "/fclib_global_rolling";
    throw Error(path + " is a problem with rolling friction (group " + group +
                "): Carom's solvers do not know rolling friction yet");
  } else {
    throw Error(path + " holds no frictional contact problem: it has neither a group /fclib_local nor /fclib_global");
  }
  return stored;
}

void write_problem(const std::string& path, const StoredProblem& given) {
  StoredProblem stored = given;
  if (stored.form == ContactOperator::Form::product) {
    stored.dense.resize(stored.rows(), stored.rows());
    stored.A().copy_to(stored.dense);
    stored.form = ContactOperator::Form::dense;
  }
  check(stored.problem());
  ProblemNotes& notes = stored.notes;
  for (const VectorXd& guess : notes.guesses) check_length(guess, stored, "guess");
  if (notes.impulse.size() > 0) {
    check_length(notes.impulse, stored, "impulse");
    if (notes.velocity.size() == 0) notes.velocity = velocity_after(stored, notes.impulse);
    check_length(notes.velocity, stored, "velocity");
  }
  const std::string part = part_path(path);
  std::error_code failed;
  try {
    write_file(part, stored);
  } catch (...) {
    fs::remove(part, failed);
    throw;
  }
  fs::rename(part, path, failed);
  if (failed) throw Error(path + ": can't put the new file in this place: " + failed.message());
}

void write_problem(const std::string& path, const ContactProblem& problem, const ProblemNotes& notes) {
  StoredProblem stored;
  stored.form = problem.A.form() == ContactOperator::Form::sparse ? problem.A.form() : ContactOperator::Form::dense;
  if (stored.form == ContactOperator::Form::sparse) {
    stored.sparse = problem.A.sparse();
  } else {
    stored.dense.resize(problem.A.rows(), problem.A.cols());
    problem.A.copy_to(stored.dense);
  }
  stored.u = problem.u;
  stored.blocks.assign(problem.blocks.begin(), problem.blocks.end());
  stored.notes = notes;
  write_problem(path, stored);
}

void check_problem_place(const std::string& path) {
  const std::string part = part_path(path);
  std::error_code ignored;
  const bool was_there = fs::exists(part, ignored);
  errno = 0;
  if (!std::ofstream(part, std::ios::app)) {
    const std::error_code reason(errno, std::generic_category());
    throw Error(path + ": no file can be made in this place" + (reason ? ": " + reason.message() : ""));
  }
  if (!was_there) fs::remove(part, ignored);
}

bool is_problem_file(const std::string& path) {
  try {
    const ArrayFile file = ArrayFile::open(path);
    return file.has("/fclib_local") || file.has("/fclib_global");
  } catch (const Error&) {
    return false;
  }
}

std::string unseen_by_fclib(std::span<const Block> blocks) {
  const std::vector<std::string> unseen = fclib_rows(blocks).unseen;
  if (unseen.empty()) return "";
  std::string sentence = "Readers of FCLib's own groups do not see: ";
  for (std::size_t i = 0; i < unseen.size(); ++i) sentence += (i == 0 ? "" : ", ") + unseen[i];
  return sentence + ". The group /carom holds the whole problem.";
}

}  // namespace carom
