#include "carom/validation/accuracy_trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/dynamics/body_motion.h"
#include "carom/error.h"
#include "carom/study/accuracy_check.h"
#include "carom/study/run_difference.h"
#include "carom/study/run_in_memory.h"

namespace carom {
namespace {

constexpr int finer = 8;  // steps of the own limit in one of the shortest step

using Motions = std::vector<std::vector<BodyMotion>>;

/// The record's motion at so many instants after the start.
Motions motions_of(const Record& record, std::int64_t instants) {
  Motions motions;
  const std::int64_t stride = record.frames.back().state.step / instants;
  for (const Frame& frame : record.frames) {
    if (frame.state.step % stride == 0) motions.push_back(body_motions(*record.scene.model, frame.state));
  }
  return motions;
}

std::vector<double> distance(const Model& model, const Motions& first, const Motions& second) {
  std::vector<double> apart;
  for (std::size_t k = 0; k < std::min(first.size(), second.size()); ++k) {
    double most = 0;
    for (std::size_t i = 0; i < model.bodies().size(); ++i) {
      most = std::max(most, body_distance(model.bodies()[i], first[k][i], second[k][i]));
    }
    apart.push_back(most);
  }
  return apart;
}

/// Longest way of a body, in straight lines from instant to instant.
double longest_way(const Model& model, const Motions& motions) {
  double longest = 0;
  for (std::size_t i = 0; i < model.bodies().size(); ++i) {
    double way = 0;
    for (std::size_t k = 1; k < motions.size(); ++k) {
      way += body_distance(model.bodies()[i], motions[k - 1][i], motions[k][i]);
    }
    longest = std::max(longest, way);
  }
  return longest;
}

struct Truth {
  Motions motions;
  std::string name;
  double error = 0;
};

Truth truth_of(const SceneSource& source, const Scene& scene, double shortest, std::int64_t instants) {
  const Model& model = *scene.model;
  const auto own = [&](int parts) {
    Scene fine = scene;
    fine.method.step = shortest / parts;
    return motions_of(run_in_memory(fine), instants);
  };
  Truth truth{own(finer), "own limit", 0};
  truth.error = largest(distance(model, own(finer / 2), truth.motions));
  try {
    const MethodChoice choice{StepperKind::event_driven,
                              scene.method.law->make == nullptr ? LawKind::plastic : scene.method.law};
    Scene located = scene_with(source, choice);
    located.method.step = scene.duration / static_cast<double>(instants);
    Motions motions = motions_of(run_in_memory(located), instants);
    const double apart = largest(distance(model, motions, truth.motions));
    if (apart <= 4 * truth.error) return {std::move(motions), "event-driven", std::min(apart, truth.error)};
  } catch (const Error&) {
    // The method's own limit is the truth then.
  }
  return truth;
}

}  // namespace

double AccuracyTrial::ratio() const {
  const double claimed = accuracy.chaotic ? accuracy.enough : accuracy.largest;
  const double is = accuracy.chaotic ? error_until_known : error;
  return claimed > 0 ? std::max(0.0, is - truth_error) / claimed : is > truth_error ? INFINITY : 0;
}

double AccuracyTrial::excess() const {
  const double is = accuracy.chaotic ? error_until_known : error;
  return std::max(0.0, is - truth_error) / (asked * way);
}

bool AccuracyTrial::wrongly_good() const {
  return accuracy.known && tolerable(accuracy) && error - truth_error > 0.1 * extent;
}

std::vector<AccuracyTrial> accuracy_trials(const SceneSource& source, const std::vector<double>& steps,
                                           const std::vector<double>& asked) {
  Scene scene = source.scene();
  const Model& model = *scene.model;
  const double longest = *std::max_element(steps.begin(), steps.end());
  const std::int64_t instants = std::llround(scene.duration / longest);
  const Truth truth = truth_of(source, scene, *std::min_element(steps.begin(), steps.end()), instants);
  double extent = 0;
  for (const double far : distance(model, Motions(truth.motions.size(), truth.motions.front()), truth.motions)) {
    extent = std::max(extent, far);
  }
  const double way = longest_way(model, truth.motions);
  std::vector<AccuracyTrial> trials;
  const auto judge = [&](double step, double accuracy) {
    scene.method.step = step;
    scene.method.accuracy = accuracy;
    const Record record = run_in_memory(scene);
    AccuracyTrial& trial = trials.emplace_back();
    trial.scene = scene.name;
    trial.step = step;
    trial.asked = accuracy;
    trial.way = way;
    trial.trials = record.certificate.trials;
    trial.accuracy = check_accuracy(record, {AccuracyCheck::Extent::whole, 0, {}});
    trial.extent = extent;
    trial.truth = truth.name;
    trial.truth_error = truth.error;
    const std::vector<double> errors = distance(model, motions_of(record, instants), truth.motions);
    trial.error = largest(errors);
    for (std::size_t k = 0; k < errors.size(); ++k) {
      if (static_cast<double>(k) * longest > trial.accuracy.known_until) break;
      trial.error_until_known = std::max(trial.error_until_known, errors[k]);
    }
  };
  for (const double step : steps) judge(step, 0);
  for (const double accuracy : asked) judge(longest, accuracy);
  return trials;
}

std::string accuracy_table(const std::vector<AccuracyTrial>& trials) {
  std::string text =
      "| scene | step, ms, or accuracy | problems | verdict | true error, m | extent, m | true / claimed | known "
      "until, s "
      "| truth, ± m |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";
  for (const AccuracyTrial& trial : trials) {
    const Accuracy& accuracy = trial.accuracy;
    const std::string mark = !accuracy.known ? "" : !tolerable(accuracy) ? ", look here" : ", ok";
    const std::string method =
        trial.asked > 0 ? fmt::format("accuracy {:g}", trial.asked) : fmt::format("{:g}", 1e3 * trial.step);
    text +=
        fmt::format("| {} | {} | {} | {}{} | {:.2g} | {:.2g} | {:.2g}{} | {:.3g} | {}, {:.1g} |\n", trial.scene, method,
                    trial.trials, accuracy_words(accuracy), mark, trial.error, trial.extent, trial.ratio(),
                    accuracy.chaotic ? " (to the horizon)" : "", accuracy.known_until, trial.truth, trial.truth_error);
  }
  return text;
}

}  // namespace carom
