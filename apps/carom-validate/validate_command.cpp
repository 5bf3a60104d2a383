#include "validate_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "carom/error.h"
#include "carom/validation/validation.h"
#include "output_file.h"

namespace carom {
namespace {

namespace fs = std::filesystem;

/// The scenes folder: as given, in the current folder, beside the program or its folder, or installed (the program is
/// in libexec/carom then).
std::string find_scenes(const std::string& given) {
  if (!given.empty()) {
    if (fs::is_directory(given)) return given;
    throw Error("--scenes " + given + ": there is no such folder");
  }
  if (fs::is_directory("scenes")) return "scenes";
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  const fs::path beside = program.parent_path(), above = beside.parent_path();
  for (const fs::path& folder : {beside, above, above.parent_path() / "share" / "carom"}) {
    if (fs::is_directory(folder / "scenes")) return (folder / "scenes").string();
  }
  throw Error("the scenes folder is neither here nor beside the program or its folder; name it with --scenes");
}

std::vector<ValidationCase> chosen_cases(const ValidateOptions& options) {
  std::vector<ValidationCase> chosen;
  std::string known;
  for (const ValidationCase& one : validation_cases()) known += (known.empty() ? "" : ", ") + one.name;
  for (const std::string& name : options.names) {
    const auto& all = validation_cases();
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
    if (found == all.end()) throw Error("there is no validation '" + name + "'; there are: " + known);
    if (found->needs_data && options.data.empty()) {
      throw Error("validation '" + name + "' needs measurements: add --data FILE (docs/validation/" + name +
                  ".md says where they are)");
    }
    chosen.push_back(*found);
  }
  if (!chosen.empty()) return chosen;
  for (const ValidationCase& one : validation_cases()) {
    if (!one.needs_data) {
      chosen.push_back(one);
    } else {
      fmt::print(stderr, "skipped {}: it needs measurements (carom validate {} --data FILE)\n", one.name, one.name);
    }
  }
  return chosen;
}

}  // namespace

int validate_command(const ValidateOptions& options) {
  const bool terminal = isatty(STDERR_FILENO) == 1;
  ValidationOptions settings;
  settings.scenes = find_scenes(options.scenes);
  settings.data = options.data;
  settings.output = options.out;
  settings.fits = options.fits;
  settings.fit = options.fit;
  settings.evaluations = options.evaluations;
  settings.tosses = options.tosses;
  settings.laws = options.laws;
  settings.predictions = options.predictions;
  if (options.fit && !terminal) {
    settings.progress = [](const std::string& what) { fmt::print(stderr, "{}\n", what); };
  }
  if (terminal) {
    settings.progress = [](const std::string& what) {
      fmt::print(stderr, "\r\033[K{} …", what);
      std::fflush(stderr);
    };
  }
  std::vector<Validation> results;
  for (const ValidationCase& one : chosen_cases(options)) {
    const auto start = std::chrono::steady_clock::now();
    results.push_back(one.run(settings));
    results.back().seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  if (terminal) fmt::print(stderr, "\r\033[K");
  const std::string page = (fs::path(options.out) / "validation.html").string();
  make_folder_of(page);
  write_validation_page(results, page);
  if (!options.json) fmt::print("page  {}\n", page);
  fmt::print("{}\n", options.json ? validation_json(results) : validation_table(results));
  bool failed = false;
  for (const Validation& result : results) {
    for (const ValidationEntry& entry : result.entries) failed = failed || !entry.pass;
  }
  return failed ? 1 : 0;
}

}  // namespace carom
