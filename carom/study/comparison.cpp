#include "carom/study/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

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

std::size_t choose_reference(const std::vector<RefinedRun>& runs) {
  const auto first = [&](const auto& is) {
    return static_cast<std::size_t>(std::find_if(runs.begin(), runs.end(), is) - runs.begin());
  };
  const auto settled = [](const RefinedRun& run) { return run.settled; };
  for (const std::size_t found :
       {first([&](const RefinedRun& run) { return run.settled && run.choice.stepper == StepperKind::event_driven; }),
        first([&](const RefinedRun& run) { return run.settled && is_integrated(run.run.method); }), first(settled)}) {
    if (found < runs.size()) return found;
  }
  const auto shorter = [](const RefinedRun& a, const RefinedRun& b) { return a.run.times.size() < b.run.times.size(); };
  return static_cast<std::size_t>(std::max_element(runs.begin(), runs.end(), shorter) - runs.begin());
}

[[noreturn]] void refuse(const std::vector<LeftOut>& left_out) {
  std::string reasons;
  for (const LeftOut& left : left_out) reasons += "\n  " + left.choice.name() + ": " + left.reason;
  throw Error("no method can run this scene:" + reasons);
}

/// A first look at the motion.
struct Look {
  double extent = 0;     ///< m
  bool touches = false;  ///< something touches or strikes, or a joint is at its limit
};

/// A run of the first method that gets to the end, to see how far things move; of the first at all if none does.
/// Methods that cannot run are moved to those that are left out.
Look look_at_motion(const SceneSource& source, MethodChoices& choices, const ComparisonOptions& options) {
  std::optional<Look> first;
  std::vector<MethodChoice> able = choices.chosen;
  for (const MethodChoice& choice : choices.chosen) {
    try {
      const Scene scene = scene_with(source, choice);
      const SampledRun run =
          sample_run(scene, {.every = 1, .budget = options.budget, .record = nullptr, .stop = options.stop});
      const Look look{extent_of_motion(*scene.model, run), !run.strikes.empty() || !run.impulses.empty()};
      if (run.trouble.empty()) return look;
      if (!first) first = look;
    } catch (const Error& error) {
      choices.left_out.push_back({choice, error.what()});
      able.erase(std::find(able.begin(), able.end(), choice));
    }
  }
  choices.chosen = able;
  if (!first) refuse(choices.left_out);
  return *first;
}

/// Laws have no effect where nothing touches: the first of each stepper represents all.
void leave_out_idle_laws(MethodChoices& choices) {
  std::vector<MethodChoice> kept;
  for (const MethodChoice& choice : choices.chosen) {
    const auto same = std::find_if(kept.begin(), kept.end(),
                                   [&](const MethodChoice& other) { return other.stepper == choice.stepper; });
    if (same == kept.end()) {
      kept.push_back(choice);
    } else {
      choices.left_out.push_back({choice, "nothing touches in this motion, so no law of impact decides anything"});
    }
  }
  choices.chosen = kept;
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
    refinement.stop = options.stop;
    if (!options.records.empty()) {
      refinement.record = (std::filesystem::path(options.records) / (file_name(choices[i]) + ".h5")).string();
    }
    try {
      comparison.runs.push_back(refine_run(source, choices[i], refinement));
    } catch (const Error& error) {
      comparison.left_out.push_back({choices[i], error.what()});
    }
  }
  if (comparison.runs.empty()) refuse(comparison.left_out);
}

/// True if a run has the exact cone because the source's overrides say so, and not the scene.
bool has_exact_in_place(const SceneSource& source, const std::vector<RefinedRun>& runs) {
  if (source.overrides.cone != FrictionCone::exact) return false;
  const bool has_steps = std::any_of(runs.begin(), runs.end(), [](const RefinedRun& refined) {
    return !is_integrated(refined.run.method) && !is_implicit_in_geometry(refined.run.method);
  });
  if (!has_steps) return false;  // nor a method that has another cone
  SceneOverrides own = source.overrides;
  own.cone.reset();
  try {
    return source.scene(own).method.cone == FrictionCone::polyhedral;
  } catch (const Error&) {
    return false;  // with its own cone the scene does not run, and so has none that was replaced
  }
}

}  // namespace

bool Comparison::is_judged(std::size_t run) const {
  const auto settled = [](const RefinedRun& refined) { return refined.settled; };
  if (std::any_of(runs.begin(), runs.end(), settled)) return runs[run].settled;
  return runs[run].run.trouble.empty() && !runs[run].error.empty();
}

const Parting& Comparison::parting(std::size_t first, std::size_t second) const {
  const std::size_t a = std::min(first, second), b = std::max(first, second), n = runs.size();
  return partings[a * (2 * n - a - 1) / 2 + (b - a - 1)];
}

Comparison compare(const SceneSource& source, const ComparisonOptions& options) {
  MethodChoices choices = choose(source, options);
  Comparison comparison;
  if (choices.chosen.empty()) refuse(choices.left_out);
  const Look look = look_at_motion(source, choices, options);
  if (options.methods.empty() && !look.touches) leave_out_idle_laws(choices);
  comparison.extent = look.extent;
  comparison.scene = scene_with(source, choices.chosen.front());
  comparison.left_out = std::move(choices.left_out);
  comparison.tolerance = options.tolerance > 0 ? options.tolerance : std::max(comparison.extent / 200, 1e-9);
  run_all(source, options, choices.chosen, comparison);
  comparison.exact_in_place = has_exact_in_place(source, comparison.runs);

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
