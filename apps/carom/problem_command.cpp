#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "carom/counted.h"
#include "carom/error.h"
#include "carom/record/fclib.h"
#include "carom/record/kept_step.h"
#include "carom/record/step_problem.h"
#include "output_file.h"
#include "problem_commands.h"

namespace carom {
namespace {

namespace fs = std::filesystem;

/// RUN.h5 and step 12: RUN-step-12.hdf5, beside the record; a kept step ends in .h5, as a record.
std::string default_path(const std::string& record, std::int64_t step, const char* ending) {
  const fs::path path(record);
  return (path.parent_path() / fmt::format("{}-step-{}.{}", path.stem().string(), step, ending)).string();
}

std::int64_t step_number(const ProblemOptions& options) {
  std::int64_t step = 0;
  const char* const end = options.step.data() + options.step.size();
  const auto [rest, error] = std::from_chars(options.step.data(), end, step);
  if (error == std::errc::result_out_of_range && rest == end) {
    throw Error(fmt::format("--step {}: no run has a step of this number; name one of {}, counted from 1", options.step,
                            options.record));
  }
  if (error != std::errc() || rest != end) {
    throw Error("--step " + options.step + ": it must be the number of a step, counted from 1");
  }
  return step;
}

void check_record(const std::string& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) throw Error(path + ": there is no such record");
  if (is_problem_file(path)) {
    throw Error(path + " is a contact problem already, not the record of a run; solve it with: carom solve " + path);
  }
}

/// Keeps a step that holds its geometry.
int keep_step(const ProblemOptions& options, const Record& record, std::int64_t step) {
  const Scene kept = step_of_run(record, step);
  const std::string out = options.out.empty() ? default_path(options.record, step, "h5") : options.out;
  prepare_step_file(out, options.record);
  write_step(out, kept);
  const StepOutcome outcome = take_step(kept);
  const bool solved = outcome.report.status == SolveStatus::solved;
  if (options.json) {
    const nlohmann::ordered_json object{{"record", options.record}, {"step", step},
                                        {"problem", out},           {"title", kept.name},
                                        {"solved", solved},         {"unknowns", outcome.report.lcp_size}};
    fmt::print("{}\n", object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    return 0;
  }
  fmt::print("{}: {}, with its geometry{}\n", out, counted(outcome.report.lcp_size, "unknown"),
             solved ? "" : "; the run did not solve it");
  fmt::print("solve it with: carom solve {}\n", out);
  return 0;
}

}  // namespace

int problem_command(const ProblemOptions& options) {
  const std::int64_t step = step_number(options);
  check_record(options.record);
  const Record record = read_record(options.record);
  if (is_implicit_in_geometry(record.scene.method)) return keep_step(options, record, step);
  const std::string out = options.out.empty() ? default_path(options.record, step, "hdf5") : options.out;
  const StoredProblem stored = problem_of_step(record, step);
  prepare_problem_file(out);
  write_problem(out, stored);
  const std::string unseen = unseen_by_fclib(stored.blocks);
  const bool was_solved = stored.notes.impulse.size() > 0;
  if (options.json) {
    const nlohmann::ordered_json object{{"record", options.record},
                                        {"step", step},
                                        {"problem", out},
                                        {"title", stored.notes.title},
                                        {"blocks", stored.blocks.size()},
                                        {"rows", stored.rows()},
                                        {"description", stored.notes.description},
                                        {"solved", was_solved},
                                        {"unseen_by_fclib", unseen}};
    fmt::print("{}\n", object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    return 0;
  }
  fmt::print("{}: {}, {}{}\n", out, counted(std::ssize(stored.blocks), "contact or limit", "contacts and limits"),
             counted(stored.rows(), "row"), was_solved || stored.rows() == 0 ? "" : "; the run did not solve it");
  fmt::print("{}\n", stored.notes.description);
  if (!unseen.empty()) fmt::print("{}\n", unseen);
  fmt::print("solve it with: carom solve {}\n", out);
  return 0;
}

}  // namespace carom
