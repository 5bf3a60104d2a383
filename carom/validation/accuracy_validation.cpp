#include "carom/validation/accuracy_validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/validation/accuracy_trials.h"

namespace carom {

Validation validate_accuracy(const ValidationOptions& options) {
  Validation validation;
  validation.name = "accuracy";
  std::vector<AccuracyTrial> trials;
  for (const char* name : {"hopper", "gripper", "tumbling_brick", "servo_arm", "whipping_chain", "rolling", "jamming",
                           "quadruped", "cradle", "loop_with_play"}) {
    if (options.progress) options.progress(name);
    const std::string file = options.scenes + "/accuracy/" + name + ".yaml";
    const std::vector<AccuracyTrial> own =
        accuracy_trials({load_scene(file).text, file, {}}, {4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4}, {1e-2, 1e-3});
    trials.insert(trials.end(), own.begin(), own.end());
  }
  const auto share = [&](auto&& of) {
    return static_cast<double>(std::count_if(trials.begin(), trials.end(), of)) / static_cast<double>(trials.size());
  };
  double worst = 0;
  for (const AccuracyTrial& trial : trials) {
    if (trial.accuracy.known) worst = std::max(worst, trial.ratio());
  }
  const auto bound = [&](const char* what, double most, double value) {
    validation.entries.push_back(from(Origin::carom, error_entry("accuracy", "truth table", what, most, value, 0)));
  };
  bound("share of runs whose true error is 3 times what was claimed, or more", 0.05,
        share([](const AccuracyTrial& trial) { return trial.accuracy.known && trial.ratio() >= 3; }));
  bound("largest true error over the claimed one", 30, worst);
  bound("share of runs called good that are off by a tenth of their extent", 0,
        share([](const AccuracyTrial& trial) { return trial.wrongly_good(); }));
  bound("share of runs that were not checked", 0.1,
        share([](const AccuracyTrial& trial) { return !trial.accuracy.known; }));
  // An accuracy bounds the error that each step adds; impacts multiply that. So this is told, and not judged.
  const auto is_asked = [](const AccuracyTrial& trial) { return trial.asked > 0; };
  const auto kept = [](const AccuracyTrial& trial) { return trial.asked > 0 && trial.excess() <= 3; };
  validation.text =
      accuracy_table(trials) +
      fmt::format("\n{} of {} runs with an accuracy err by at most 3 times that part of the longest way.\n",
                  std::count_if(trials.begin(), trials.end(), kept),
                  std::count_if(trials.begin(), trials.end(), is_asked));
  return validation;
}

}  // namespace carom
