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

/// Whole steps after which to take one thing down, so that there are at most `most` of them.
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
  while (scene.steps() < fewest_samples) scene.method.step *= 0.5;
  refined.warnings = scene.warnings;
  const bool error_control = is_integrated(scene.method);
  const int every = thinned(scene.steps(), most_samples);
  std::optional<SampledRun> before;
  double spent = 0;
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
    before = std::move(run);
    if (stop) break;
  }
  refined.run = std::move(*before);
  return refined;
}

}  // namespace carom
