#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "carom/error.h"
#include "carom/study/comparison.h"
#include "carom/study/comparison_page.h"
#include "carom/study/comparison_text.h"
#include "commands.h"
#include "output_file.h"
#include "progress.h"
#include "record_names.h"

namespace carom {
namespace {

namespace fs = std::filesystem;

/// Changes by the options in the comparison, for the page's name.
std::vector<std::string> variation_of(const CompareOptions& options) {
  std::vector<std::string> parts = variation(options.source);
  parts.insert(parts.end(), options.methods.begin(), options.methods.end());
  if (options.cone != CompareOptions().cone) parts.push_back(options.cone);
  if (options.tolerance) parts.push_back(fmt::format("tolerance={}", *options.tolerance));
  if (options.step) parts.push_back(fmt::format("step={}", *options.step));
  if (options.until) parts.push_back(fmt::format("until={}", *options.until));
  return parts;
}

}  // namespace

int compare_command(const CompareOptions& options) {
  check_seconds("--step", options.step);
  check_seconds("--until", options.until);
  if (options.tolerance && !(std::isfinite(*options.tolerance) && *options.tolerance > 0)) {
    throw Error(fmt::format("--tolerance {}: it must be a positive distance in metres", *options.tolerance));
  }
  check_seconds("--budget", options.budget);
  ComparisonOptions settings;
  for (const std::string& name : options.methods) settings.methods.push_back(parse_method_choice(name));
  settings.tolerance = options.tolerance.value_or(0);
  settings.budget = options.budget;
  SceneOverrides overrides;
  overrides.cone = parse_cone(options.cone);
  overrides.step = options.step;
  overrides.duration = options.until;
  const SceneSource source = scene_source(options.source, overrides);
  const fs::path page = page_place(options.out, source.file, variation_of(options), "compare");
  settings.records = fs::path(page).replace_extension().string();
  make_folder_of(fs::path(settings.records) / "record");
  if (!options.force) {
    for (const auto& entry : fs::directory_iterator(settings.records)) {
      if (entry.path().extension() != ".h5") continue;
      refuse_record_of_another(entry.path().string(), source.file, source.text);
    }
  }

  const Comparison comparison = telling_faults(options.source, [&] {
    Progress progress("comparing");
    settings.progress = [&](const std::string& what, double share) {
      progress.name(what);
      progress.show(share);
    };
    return compare(source, settings);
  });
  warn_of_overlap(comparison.scene);
  write_comparison_page(comparison, page.string());
  if (options.json) {
    fmt::print("{}\n", comparison_json(comparison, page.string()));
  } else {
    fmt::print("{}  page     {}\n  records  {}\n", comparison_text(comparison), page.string(), settings.records);
  }
  const bool whole = std::all_of(comparison.runs.begin(), comparison.runs.end(), [](const RefinedRun& refined) {
    return refined.run.trouble.empty() && refined.run.certificate.unsolved_steps == 0;
  });
  return whole ? 0 : 1;
}

}  // namespace carom
