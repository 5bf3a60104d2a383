#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "carom/error.h"
#include "carom/record/fclib.h"
#include "carom/record/step_problem.h"
#include "problem_commands.h"

namespace carom {
namespace {

namespace fs = std::filesystem;

/// RUN.h5 and step 12: RUN-step-12.hdf5, beside the record.
std::string default_path(const std::string& record, std::int64_t step) {
  const fs::path path(record);
  return (path.parent_path() / fmt::format("{}-step-{}.hdf5", path.stem().string(), step)).string();
}

}  // namespace

int problem_command(const ProblemOptions& options) {
  std::error_code ignored;
  if (!fs::is_regular_file(options.record, ignored)) throw Error(options.record + ": there is no such record");
  const std::string out = options.out.empty() ? default_path(options.record, options.step) : options.out;
  check_problem_overwrite(out);
  const StoredProblem stored = problem_of_step(read_record(options.record), options.step);
  write_problem(out, stored);
  const std::string unseen = unseen_by_fclib(stored.blocks);
  const bool was_solved = stored.notes.impulse.size() > 0;
  if (options.json) {
    const nlohmann::ordered_json object{{"record", options.record},
                                        {"step", options.step},
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
  fmt::print("{}: {} contacts and limits, {} rows{}\n", out, stored.blocks.size(), stored.rows(),
             was_solved || stored.rows() == 0 ? "" : "; the run did not solve it");
  fmt::print("{}\n", stored.notes.description);
  if (!unseen.empty()) fmt::print("{}\n", unseen);
  fmt::print("solve it with: carom solve {}\n", out);
  return 0;
}

}  // namespace carom
