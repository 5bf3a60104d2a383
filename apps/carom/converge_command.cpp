#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "carom/error.h"
#include "carom/study/convergence.h"
#include "commands.h"
#include "output_file.h"
#include "progress.h"
#include "record_names.h"

namespace carom {
namespace {

/// Changes by the options in the study, for the page's name.
std::vector<std::string> variation_of(const ConvergeOptions& options) {
  std::vector<std::string> parts = variation(options.source);
  parts.insert(parts.end(), options.methods.begin(), options.methods.end());
  if (options.cone) parts.push_back(*options.cone);
  if (options.smooth) parts.push_back(*options.smooth);
  if (options.until) parts.push_back(fmt::format("until={}", *options.until));
  return parts;
}

}  // namespace

int converge_command(const ConvergeOptions& options) {
  check_seconds("--until", options.until);
  check_seconds("--budget", options.budget);
  for (const double step : options.steps) check_seconds("--steps", step);
  ConvergenceOptions settings;
  for (const std::string& name : options.methods) settings.methods.push_back(parse_method_choice(name));
  settings.steps = options.steps;
  settings.accuracies = options.fixed_steps ? std::vector<double>() : options.accuracies;
  settings.budget = options.budget;
  SceneOverrides overrides;
  if (options.cone) overrides.cone = parse_cone(*options.cone);
  if (options.smooth) overrides.smooth = parse_smooth(*options.smooth);
  overrides.duration = options.until;
  const SceneSource source = scene_source(options.source, overrides);
  const std::filesystem::path page = page_place(options.out, source.file, variation_of(options), "converge");
  const Convergence convergence = telling_faults(options.source, [&] {
    Progress progress("refining");
    settings.progress = [&](const std::string& what, double share) {
      progress.name(what);
      progress.show(share);
    };
    return converge(source, settings);
  });
  write_convergence_page(convergence, page.string());
  if (options.json) {
    fmt::print("{}\n", convergence_json(convergence));
  } else {
    fmt::print("{}\n  page     {}\n", convergence_text(convergence), page.string());
  }
  for (const MethodConvergence& method : convergence.methods) {
    for (const StepRun& run : method.runs) {
      if (run.unsolved_steps > 0) return 1;
    }
    for (const AccuracyRun& run : method.accuracy_runs) {
      if (run.unsolved_steps > 0) return 1;
    }
  }
  return 0;
}

}  // namespace carom
