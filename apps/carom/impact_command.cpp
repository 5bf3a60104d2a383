#include <fmt/format.h>

#include "carom/error.h"
#include "carom/study/impact_study.h"
#include "commands.h"
#include "output_file.h"

namespace carom {
namespace {

/// Changes by the options, for the page's name.
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
  const std::vector<LawKind> laws = parse_laws_of_impacts(options.laws);
  const OutcomeSearch outcomes{.max_momenta = options.budget, .restitution = options.blend};
  check(outcomes);
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
