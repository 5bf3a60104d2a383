#include "carom/study/refined_run.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>
#include <utility>

namespace carom {
namespace {

constexpr std::int64_t fewest_samples = 400, most_samples = 1000;
constexpr std::int64_t most_frames = 600;  // of every run on one page

/// Number of steps between samples, so that there are at most `most` of them.
int thinned(std::int64_t steps, std::int64_t most) { return static_cast<int>((steps + most - 1) / most); }

/// The record of a trial, which takes the place of the one before only if it is kept.
class Recorded {
 public:
  explicit Recorded(std::string place) : place_(std::move(place)) {}
  ~Recorded() {
    std::error_code ignored;
    if (!place_.empty()) std::filesystem::remove(path(), ignored);
  }
  Recorded(const Recorded&) = delete;
  Recorded& operator=(const Recorded&) = delete;
  std::string path() const { return place_.empty() ? "" : place_ + ".trial"; }
  void keep() const {
    if (!place_.empty()) std::filesystem::rename(path(), place_);
  }

 private:
  std::string place_;
};

SampledRun run_once(Scene scene, Sampling sampling, int halvings, const std::string& path) {
  const std::int64_t coarse_steps = scene.steps() >> halvings;
  if (path.empty()) return sample_run(scene, sampling);
  scene.record.every = thinned(coarse_steps, most_frames) << halvings;
  RecordWriter writer = RecordWriter::create(path, scene);
  sampling.record = &writer;
  SampledRun run = sample_run(scene, sampling);
  writer.finish(run.trouble.empty() ? "done" : run.trouble, run.seconds);
  return run;
}

/// Places alone, of every so many-th sample.
SampledRun every_sample(const SampledRun& run, std::size_t every) {
  SampledRun thinned;
  for (std::size_t k = 0; k < run.times.size(); k += every) {
    thinned.times.push_back(run.times[k]);
    thinned.bodies.push_back(run.bodies[k]);
    thinned.energy.push_back(run.energy[k]);
  }
  return thinned;
}

}  // namespace

double largest_error(const RefinedRun& refined) {
  return refined.error.empty() ? std::numeric_limits<double>::infinity() : largest(refined.error);
}

RefinedRun refine_run(const SceneSource& source, const MethodChoice& choice, const Refinement& refinement) {
  RefinedRun refined;
  refined.choice = choice;
  refined.record = refinement.record;
  Scene scene = scene_with(source, choice);
  scene.duration = static_cast<double>(scene.steps()) * scene.method.step;  // a whole number of halved steps as well
  scene.method.accuracy = 0;  // steps of one length show what a halving changes
  const Scene own = scene;
  std::size_t samples_per_step = 1;
  for (; scene.steps() < fewest_samples; samples_per_step *= 2) scene.method.step *= 0.5;
  refined.warnings = scene.warnings;
  refined.scene_step = own.method.step;
  const bool error_control = is_integrated(scene.method);
  const int every = thinned(scene.steps(), most_samples);
  std::optional<SampledRun> with_scene_step, before;
  double spent = 0;
  if (!error_control && samples_per_step > 1) {
    with_scene_step =
        sample_run(own, {.every = 1, .budget = refinement.budget, .record = nullptr, .stop = refinement.stop});
    spent += with_scene_step->seconds;
  }
  for (int trial = 0; trial <= (error_control ? 1 : refinement.most_halvings); ++trial) {
    Scene finer = scene;
    const int halvings = error_control ? 0 : trial;
    finer.method.step = std::ldexp(scene.method.step, -halvings);
    if (error_control && trial == 0) finer.method.tolerance = std::min(0.1, 100 * scene.method.tolerance);
    Recorded record(refinement.record);
    const Sampling sampling{
        .every = every << halvings, .budget = refinement.budget - spent, .record = nullptr, .stop = refinement.stop};
    SampledRun run = run_once(finer, sampling, halvings, record.path());
    spent += run.seconds;
    if (before && !run.trouble.empty()) break;  // the one before is whole, and stays
    record.keep();
    StepTrial& told = refined.trials.emplace_back();
    told.accuracy = error_control ? finer.method.tolerance : finer.method.step;
    told.seconds = run.seconds;
    if (before) {
      refined.error = running_largest(run_difference(*scene.model, *before, run).distance);
      told.change = largest(refined.error);
      refined.settled = told.change <= refinement.tolerance;
    }
    const bool stop = refined.settled || !run.trouble.empty() || spent + 2 * run.seconds > refinement.budget;
    if (!error_control && !with_scene_step) with_scene_step = run;
    before = std::move(run);
    if (stop) break;
  }
  refined.run = std::move(*before);
  if (with_scene_step && with_scene_step->trouble.empty() && refined.trials.size() > 1) {
    const SampledRun shared = every_sample(refined.run, samples_per_step);
    refined.scene_step_error = largest(run_difference(*scene.model, *with_scene_step, shared).distance);
  }
  return refined;
}

}  // namespace carom
