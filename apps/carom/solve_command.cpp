#include <fmt/format.h>

#include <array>
#include <cmath>
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

FrictionCone cone_of(const SolveOptions& options, const ProblemNotes& notes) {
  if (options.cone) {
    if (*options.cone == "exact") return FrictionCone::exact;
    if (*options.cone == "polyhedral") return FrictionCone::polyhedral;
    throw Error("--cone " + *options.cone + ": there are exact and polyhedral");
  }
  if (options.directions) return FrictionCone::polyhedral;
  return notes.directions.value_or(0) > 0 ? FrictionCone::polyhedral : FrictionCone::exact;
}

SolverKind method_of(const std::string& name) {
  constexpr std::array<SolverKind, 3> methods = {SolverKind::gauss_seidel, SolverKind::proximal, SolverKind::newton};
  std::string known;
  for (SolverKind method : methods) {
    if (solver_name(method) == name) return method;
    known += (known.empty() ? "" : ", ") + solver_name(method);
  }
  throw Error("--method " + name + ": the exact cone knows " + known + "; without --method they take turns");
}

/// The tolerance asked for; `otherwise` where none was.
double tolerance_of(const SolveOptions& options, double otherwise) {
  if (!options.tolerance) return otherwise;
  if (!(*options.tolerance > 0 && *options.tolerance <= 1e-4)) {
    throw Error(fmt::format("--tolerance {}: it must be above 0 and at most 1e-4; above that anything is a solution",
                            *options.tolerance));
  }
  return *options.tolerance;
}

ContactOptions contact_options(const SolveOptions& options, const ProblemNotes& notes) {
  ContactOptions result;
  result.cone = cone_of(options, notes);
  const bool exact = result.cone == FrictionCone::exact;
  if (options.directions) {
    if (exact) throw Error("--directions are those of a polyhedral cone; leave them out, or say --cone polyhedral");
    if (*options.directions < 3) {
      throw Error(fmt::format("--directions {}: a friction cone needs at least 3 generators", *options.directions));
    }
  }
  if (!exact) result.polyhedral.directions = options.directions.value_or(notes.directions.value_or(0));
  if (!exact && result.polyhedral.directions == 0) result.polyhedral.directions = PolyhedralOptions().directions;
  double& tolerance = exact ? result.exact.tolerance : result.polyhedral.lcp.residual_tolerance;
  tolerance = tolerance_of(options, tolerance);
  if (options.method) {
    if (!exact) throw Error("--method is for the exact cone; a polyhedral cone has one method");
    result.exact.method = method_of(*options.method);
  }
  return result;
}

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
  if (options.cone || options.directions || options.method || options.warm_start) {
    throw Error(options.problem +
                " is a step with its geometry: its friction is exact, it has one method and begins from its state; "
                "--tolerance, --iterations and --halvings can be chosen");
  }
  Scene step = read_step(options.problem);
  QuasiRigidSettings& settings = step.method.quasi_rigid;
  settings.tolerance = options.tolerance.value_or(settings.tolerance);
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
  if (options.cone || options.directions || options.method || options.warm_start || !options.out.empty()) {
    throw Error(
        options.problem +
        " is a linear complementarity problem, without contacts: --cone, --directions, --method, --warm-start and "
        "--out are for contact problems; --tolerance can be chosen");
  }
  const double tolerance = tolerance_of(options, ContactOptions().exact.tolerance);
  const LinearSolution solved = solve_linear(problem, tolerance);
  fmt::print("{}\n", options.json ? linear_json(options.problem, problem, solved, tolerance)
                                  : linear_text(options.problem, problem, solved, tolerance));
  return solved.status == SolveStatus::solved ? 0 : 1;
}

int solve_contacts(const SolveOptions& options, const StoredProblem& stored) {
  const ContactOptions how = contact_options(options, stored.notes);
  const Eigen::VectorXd start = options.warm_start ? first_guess(options.problem, stored.notes) : Eigen::VectorXd();
  // What can't be written is noticed here, not after a long solve.
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
