#include "carom/study/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "carom/error.h"

namespace carom {
namespace {

/// "semi-explicit/plus" as a part of a file's name.
std::string file_name(const MethodChoice& choice) {
  std::string name = choice.name();
  std::replace(name.begin(), name.end(), '/', '-');
  return name;
}

MethodChoices choose(const SceneSource& source, const ComparisonOptions& options) {
  if (options.methods.empty()) return sensible_methods(source);
  MethodChoices choices;
  for (const MethodChoice& choice : options.methods) {
    (void)scene_with(source, choice);  // one that was asked for by name must make sense
    if (std::find(choices.chosen.begin(), choices.chosen.end(), choice) == choices.chosen.end()) {
      choices.chosen.push_back(choice);
    }
  }
  return choices;
}

/// The event-driven run, else the first.
std::size_t choose_reference(const std::vector<RefinedRun>& runs) {
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (is_integrated(runs[i].run.method) && runs[i].settled) return i;
  }
  return 0;
}

/// A run of the scene's own method, or of the first that can, to see how far things move.
double find_extent(const SceneSource& source, const std::vector<MethodChoice>& choices, double budget) {
  std::string reasons;
  for (const MethodChoice& choice : choices) {
    try {
      const Scene scene = scene_with(source, choice);
      return extent_of_motion(*scene.model, sample_run(scene, {.every = 1, .budget = budget, .record = nullptr}));
    } catch (const Error& error) {
      reasons += fmt::format("\n  {}: {}", choice.name(), error.what());
    }
  }
  throw Error("no method can run this scene:" + reasons);
}

void run_all(const SceneSource& source, const ComparisonOptions& options, const std::vector<MethodChoice>& choices,
             Comparison& comparison) {
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (options.progress) {
      options.progress(choices[i].name(), static_cast<double>(i) / static_cast<double>(choices.size()));
    }
    Refinement refinement;
    refinement.tolerance = comparison.tolerance;
    refinement.budget = options.budget;
    if (!options.records.empty()) {
      refinement.record = (std::filesystem::path(options.records) / (file_name(choices[i]) + ".h5")).string();
    }
    try {
      comparison.runs.push_back(refine_run(source, choices[i], refinement));
    } catch (const Error& error) {
      comparison.left_out.push_back({choices[i], error.what()});
    }
  }
  if (comparison.runs.empty()) {
    std::string reasons;
    for (const LeftOut& left : comparison.left_out) reasons += "\n  " + left.choice.name() + ": " + left.reason;
    throw Error("no method can run this scene:" + reasons);
  }
}

}  // namespace

bool Comparison::is_judged(std::size_t run) const {
  const auto settled = [](const RefinedRun& refined) { return refined.settled; };
  return runs[run].settled || std::none_of(runs.begin(), runs.end(), settled);
}

const Parting& Comparison::parting(std::size_t first, std::size_t second) const {
  const std::size_t a = std::min(first, second), b = std::max(first, second), n = runs.size();
  return partings[a * (2 * n - a - 1) / 2 + (b - a - 1)];
}

Comparison compare(const SceneSource& source, const ComparisonOptions& options) {
  MethodChoices choices = choose(source, options);
  Comparison comparison;
  comparison.scene = choices.chosen.empty() ? source.scene() : scene_with(source, choices.chosen.front());
  comparison.left_out = std::move(choices.left_out);
  comparison.extent = find_extent(source, choices.chosen, options.budget);
  comparison.tolerance = options.tolerance > 0 ? options.tolerance : std::max(comparison.extent / 200, 1e-9);
  run_all(source, options, choices.chosen, comparison);

  const Model& model = *comparison.scene.model;
  comparison.reference = choose_reference(comparison.runs);
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
    comparison.from_reference.push_back(
        run_difference(model, comparison.runs[comparison.reference].run, comparison.runs[i].run));
    for (std::size_t j = i + 1; j < comparison.runs.size(); ++j) {
      comparison.partings.push_back(find_parting(model, comparison.runs, i, j, comparison.tolerance));
    }
  }
  comparison.groups = find_groups(comparison);
  return comparison;
}

}  // namespace carom
