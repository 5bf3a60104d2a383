#include <fmt/format.h>

#include <cmath>

#include "carom/error.h"
#include "carom/study/convergence.h"
#include "commands.h"
#include "progress.h"

namespace carom {

int converge_command(const ConvergeOptions& options) {
  check_seconds("--until", options.until);
  check_seconds("--budget", options.budget);
  for (const double step : options.steps) check_seconds("--steps", step);
  ConvergenceOptions settings;
  for (const std::string& name : options.methods) settings.methods.push_back(parse_method_choice(name));
  settings.steps = options.steps;
  settings.budget = options.budget;
  SceneOverrides overrides;
  if (options.cone) overrides.cone = parse_cone(*options.cone);
  overrides.duration = options.until;
  const SceneSource source = scene_source(options.source, overrides);
  const Convergence convergence = telling_faults(options.source, [&] {
    Progress progress("refining");
    settings.progress = [&](const std::string& what, double share) {
      progress.name(what);
      progress.show(share);
    };
    return converge(source, settings);
  });
  fmt::print("{}\n", options.json ? convergence_json(convergence) : convergence_text(convergence));
  for (const MethodConvergence& method : convergence.methods) {
    for (const StepRun& run : method.runs) {
      if (run.unsolved_steps > 0) return 1;
    }
  }
  return 0;
}

}  // namespace carom
