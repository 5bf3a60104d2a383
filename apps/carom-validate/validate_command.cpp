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

/// The scenes folder: as given, beside the program or its folder, installed (the program is in libexec/carom then), or
/// in the current folder. The program's own come first: a user's folder of this name has other scenes.
std::string find_scenes(const std::string& given) {
  if (!given.empty()) {
    if (fs::is_directory(given)) return given;
    throw Error("--scenes " + given + ": there is no such folder");
  }
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  const fs::path beside = program.parent_path(), above = beside.parent_path();
  for (const fs::path& folder : {beside, above, above.parent_path() / "share" / "carom"}) {
    if (fs::is_directory(folder / "scenes")) return (folder / "scenes").string();
  }
  if (fs::is_directory("scenes")) return "scenes";
  throw Error("the scenes folder is neither beside the program or its folder nor here; name it with --scenes");
}

/// Refuses options that none of the validations takes, and names of validations that an option took for its own.
void check_options(const ValidateOptions& options, const std::vector<ValidationCase>& chosen) {
  const std::pair<const char*, bool> given[] = {
      {"--tosses", options.tosses > 0},
      {"--laws", !options.laws.empty()},
      {"--predictions", !options.predictions.empty()},
      {"--fit", options.fit},
      {"--fits", !options.fits.empty()},
      {"--evaluations", options.evaluations != ValidateOptions{}.evaluations},
      {"--data", !options.data.empty()},
  };
  for (const ValidationCase& one : validation_cases()) {
    for (const std::vector<std::string>* words : {&options.laws, &options.predictions}) {
      if (std::find(words->begin(), words->end(), one.name) == words->end()) continue;
      throw Error(one.name +
                  " stands behind an option that takes several words; name the validation first: carom "
                  "validate " +
                  one.name + " …");
    }
  }
  const auto takes = [](const ValidationCase& one, const std::string& option) {
    return option == "--data" ? one.needs_data
                              : std::find(one.takes.begin(), one.takes.end(), option) != one.takes.end();
  };
  for (const auto& [option, is_given] : given) {
    const auto has = [&, name = option](const ValidationCase& one) { return takes(one, name); };
    if (!is_given || std::any_of(chosen.begin(), chosen.end(), has)) continue;
    std::string known;
    for (const ValidationCase& one : validation_cases()) {
      if (has(one)) known += (known.empty() ? "" : ", ") + one.name;
    }
    throw Error(fmt::format("{} is an option of {}; {}", option, known,
                            options.names.empty() ? "name one of them" : "what was asked for does not take it"));
  }
  if (options.evaluations != ValidateOptions{}.evaluations && !options.fit) {
    throw Error("--evaluations is the budget of a fit; add --fit");
  }
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
    if (!one.needs_data) chosen.push_back(one);
  }
  return chosen;
}

void tell_skipped() {
  for (const ValidationCase& one : validation_cases()) {
    if (!one.needs_data) continue;
    fmt::print(stderr, "skipped {}: it needs measurements (carom validate {} --data FILE)\n", one.name, one.name);
  }
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
  const std::vector<ValidationCase> chosen = chosen_cases(options);
  check_options(options, chosen);
  if (options.names.empty()) tell_skipped();
  const std::string page = (fs::path(options.out) / "validation.html").string();
  make_folder_of(page);  // a place that can't be written is told before the work
  std::vector<Validation> results;
  for (const ValidationCase& one : chosen) {
    const auto start = std::chrono::steady_clock::now();
    results.push_back(one.run(settings));
    results.back().seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  if (terminal) fmt::print(stderr, "\r\033[K");
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
