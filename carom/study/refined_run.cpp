#include "carom/study/refined_run.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace carom {
namespace {

constexpr std::int64_t fewest_samples = 400, most_samples = 1000;
constexpr std::int64_t most_frames = 600;  // of every run on one page

/// Whole steps after which to take one thing down, so that there are at most `most` of them.
int thinned(std::int64_t steps, std::int64_t most) { return static_cast<int>((steps + most - 1) / most); }

SampledRun run_once(Scene scene, int every, int halvings, double budget, const std::string& path) {
  const std::int64_t coarse_steps = scene.steps() >> halvings;
  Sampling sampling{.every = every, .budget = budget, .record = nullptr};
  if (path.empty()) return sample_run(scene, sampling);
  scene.record.every = thinned(coarse_steps, most_frames) << halvings;
  RecordWriter writer = RecordWriter::create(path, scene);
  sampling.record = &writer;
  SampledRun run = sample_run(scene, sampling);
  writer.finish(run.trouble.empty() ? "done" : run.trouble, run.seconds);
  return run;
}

double largest(const std::vector<double>& values) {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

}  // namespace

double largest_error(const RefinedRun& refined) { return largest(refined.error); }

RefinedRun refine_run(const SceneSource& source, const MethodChoice& choice, const Refinement& refinement) {
  RefinedRun refined;
  refined.choice = choice;
  refined.record = refinement.record;
  Scene scene = scene_with(source, choice);
  scene.duration = static_cast<double>(scene.steps()) * scene.method.step;  // a whole number of halved steps as well
  while (scene.steps() < fewest_samples) scene.method.step *= 0.5;
  const bool error_control = is_integrated(scene.method);
  const int every = thinned(scene.steps(), most_samples);
  std::optional<SampledRun> before;
  double spent = 0;
  for (int trial = 0; trial <= (error_control ? 1 : refinement.most_halvings); ++trial) {
    Scene finer = scene;
    const int halvings = error_control ? 0 : trial;
    finer.method.step = std::ldexp(scene.method.step, -halvings);
    if (error_control && trial == 0) finer.method.tolerance = std::min(0.1, 100 * scene.method.tolerance);
    SampledRun run = run_once(finer, every << halvings, halvings, refinement.budget - spent, refinement.record);
    spent += run.seconds;
    StepTrial& told = refined.trials.emplace_back();
    told.accuracy = error_control ? finer.method.tolerance : finer.method.step;
    told.seconds = run.seconds;
    if (before) {
      refined.error = running_largest(run_difference(*scene.model, *before, run).distance);
      told.change = largest(refined.error);
      refined.settled = run.trouble.empty() && told.change <= refinement.tolerance;
    }
    const bool stop = refined.settled || !run.trouble.empty() || spent + 2 * run.seconds > refinement.budget;
    before = std::move(run);
    if (stop && trial > 0) break;
    if (!before->trouble.empty()) break;
  }
  refined.run = std::move(*before);
  return refined;
}

}  // namespace carom
