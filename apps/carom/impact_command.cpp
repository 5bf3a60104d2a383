#include <fmt/format.h>

#include <algorithm>

#include "carom/error.h"
#include "carom/study/impact_study.h"
#include "commands.h"
#include "output_file.h"

namespace carom {
namespace {

/// The scene as stepper event-driven moves it to the impact: under its own law where that is one of impacts, else plus.
Scene moving_scene(const SceneSource& source) {
  const LawKind own = source.scene().method.law;
  const LawKind law = go_together(StepperKind::event_driven, own) ? own : LawKind::plus;
  return scene_with(source, {StepperKind::event_driven, law});
}

std::vector<LawKind> chosen_laws(const std::vector<std::string>& names) {
  if (names.empty()) return laws_of_impacts();
  std::vector<LawKind> laws;
  for (const std::string& name : names) {
    const LawKind law = parse_law(name);
    if (law->make == nullptr) {
      throw Error("--law " + name + ": it says nothing of an impact; leave --law out for all that do");
    }
    if (std::find(laws.begin(), laws.end(), law) == laws.end()) laws.push_back(law);
  }
  return laws;
}

/// What the options change, for the page's name.
std::vector<std::string> variation_of(const ImpactOptions& options) {
  std::vector<std::string> parts = variation(options.source);
  if (options.at != ImpactOptions().at) parts.push_back("at=" + options.at);
  parts.insert(parts.end(), options.laws.begin(), options.laws.end());
  if (options.blend) parts.push_back(fmt::format("blend={}", *options.blend));
  return parts;
}

}  // namespace

int impact_command(const ImpactOptions& options) {
  check_seconds("--until", options.until);
  const std::vector<LawKind> laws = chosen_laws(options.laws);
  OutcomeSearch outcomes;
  if (options.budget < 1) throw Error(fmt::format("--budget {}: at least 1 momentum is needed", options.budget));
  outcomes.max_momenta = options.budget;
  if (options.blend && !(*options.blend >= 0 && *options.blend <= 1)) {
    throw Error(fmt::format("--blend {}: it is a restitution, between 0 and 1", *options.blend));
  }
  outcomes.restitution = options.blend;
  SceneOverrides overrides;
  overrides.duration = options.until;
  const SceneSource source = scene_source(options.source, overrides);
  const Scene scene = telling_faults(options.source, [&] { return moving_scene(source); });
  ImpactMoment moment = parse_impact_moment(options.at, scene.duration);
  if (!(options.patience > 0)) throw Error(fmt::format("--patience {}: it must be above 0 s", options.patience));
  moment.patience = options.patience;
  const std::string page = page_place(options.out, source.file, variation_of(options), "impact").string();
  warn_of_overlap(scene);
  ImpactSearch search = find_impact(scene, moment);
  if (!search.found) {
    fmt::print(stderr, "carom: {}: {}\n", options.source.scene, search.none.sentence);
    return 1;
  }
  const ImpactStudy report = impact_study(scene, std::move(*search.found), laws, outcomes);
  write_impact_page(report, page);
  if (options.json) {
    fmt::print("{}\n", impact_study_json(report, page));
  } else {
    fmt::print("{}  page  {}\n", impact_text(report), page);
  }
  return 0;
}

}  // namespace carom
