#include <fmt/format.h>

#include <filesystem>

#include "carom/error.h"
#include "carom/problem_files/siconos_file.h"
#include "carom/problem_files/solve_linear.h"
#include "carom/problem_files/solve_stored.h"
#include "carom/record/fclib.h"
#include "carom/record/kept_step.h"
#include "carom/record/linear_summary.h"
#include "carom/record/problem_summary.h"
#include "output_file.h"
#include "problem_commands.h"

namespace carom {
namespace {

namespace fs = std::filesystem;

Eigen::VectorXd first_guess(const std::string& path, const ProblemNotes& notes) {
  if (!notes.guesses.empty()) return notes.guesses.front();
  std::string sentence = "--warm-start: " + path + " holds no guess to start from";
  for (const std::string& passed_over : notes.passed_over) {
    if (passed_over.starts_with("/guesses")) sentence += "; " + passed_over;
  }
  throw Error(sentence);
}

/// The problem with what came of it: a solution, or where there is none the best iterate as a guess.
void write_result(const std::string& path, StoredProblem stored, const StoredSolution& solved) {
  if (solved.solution.status == SolveStatus::solved) {
    stored.notes.impulse = solved.impulse;
    stored.notes.velocity = solved.velocity;
  } else {
    stored.notes.impulse.resize(0);
    stored.notes.velocity.resize(0);
    if (solved.impulse.allFinite()) stored.notes.guesses.insert(stored.notes.guesses.begin(), solved.impulse);
  }
  stored.notes.directions = generators(solved.options);
  write_problem(path, stored);
}

/// A step that holds its geometry is taken again. --out gets it as a record with that step in it.
int solve_step(const SolveOptions& options) {
  if (options.choices.cone || options.choices.directions || options.choices.method || options.warm_start) {
    throw Error(options.problem +
                " is a step with its geometry: its friction is exact, it has one method and begins from its state; "
                "--tolerance, --iterations and --halvings can be chosen");
  }
  Scene step = read_step(options.problem);
  QuasiRigidSettings& settings = step.method.quasi_rigid;
  settings.tolerance = options.choices.tolerance.value_or(settings.tolerance);
  settings.iterations = options.iterations.value_or(settings.iterations);
  settings.halvings = options.halvings.value_or(settings.halvings);
  if (!options.out.empty()) prepare_step_file(options.out, options.problem);
  const StepOutcome outcome = take_step(step);
  if (!options.out.empty()) write_step(options.out, step, outcome);
  fmt::print("{}\n", options.json ? step_json(options.problem, step, outcome, options.out)
                                  : step_text(options.problem, step, outcome, options.out));
  return outcome.report.status == SolveStatus::solved ? 0 : 1;
}

/// An LCP or a mixed one.
int solve_linear_problem(const SolveOptions& options, const LinearProblem& problem) {
  if (options.choices.cone || options.choices.directions || options.choices.method || options.warm_start ||
      !options.out.empty()) {
    throw Error(
        options.problem +
        " is a linear complementarity problem, without contacts: --cone, --directions, --method, --warm-start and "
        "--out are for contact problems; --tolerance can be chosen");
  }
  const double tolerance = chosen_tolerance(options.choices, ContactOptions().exact.tolerance);
  const LinearSolution solved = solve_linear(problem, tolerance);
  fmt::print("{}\n", options.json ? linear_json(options.problem, problem, solved, tolerance)
                                  : linear_text(options.problem, problem, solved, tolerance));
  return solved.status == SolveStatus::solved ? 0 : 1;
}

int solve_contacts(const SolveOptions& options, const StoredProblem& stored) {
  const ContactOptions how = contact_options(options.choices, stored.notes);
  const Eigen::VectorXd start = options.warm_start ? first_guess(options.problem, stored.notes) : Eigen::VectorXd();
  // A file that can't be written is noticed here, not after a long solve.
  if (!options.out.empty()) {
    prepare_problem_file(options.out);
    std::error_code ignored;
    if (fs::equivalent(options.out, options.problem, ignored)) {
      throw Error("--out " + options.out + " is the problem itself; name another file");
    }
  }
  const StoredSolution solved = solve_stored(stored, how, start);
  if (!options.out.empty()) write_result(options.out, stored, solved);
  fmt::print("{}\n", options.json ? solve_json(options.problem, stored, solved, options.out)
                                  : solve_text(options.problem, stored, solved, options.out));
  return solved.solution.status == SolveStatus::solved ? 0 : 1;
}

}  // namespace

int solve_command(const SolveOptions& options) {
  if (is_record(options.problem) && !is_problem_file(options.problem)) return solve_step(options);
  if (options.iterations || options.halvings) {
    throw Error("--iterations and --halvings are for a step with its geometry, as carom problem keeps it; " +
                options.problem + " is none");
  }
  if (!is_text_file(options.problem)) return solve_contacts(options, read_problem(options.problem));
  const TextProblem problem = read_siconos(options.problem);
  if (const auto* linear = std::get_if<LinearProblem>(&problem)) return solve_linear_problem(options, *linear);
  return solve_contacts(options, std::get<StoredProblem>(problem));
}

}  // namespace carom
