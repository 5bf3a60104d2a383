#include "carom/study/convergence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "carom/error.h"

namespace carom {
namespace {

/// Instants that runs must share for their distance to mean something.
constexpr std::int64_t fewest_instants = 4, most_instants = 1000;
constexpr double least_order = 0.5;  // below it, no order is seen

std::vector<double> choose_steps(const Scene& scene, const ConvergenceOptions& options) {
  std::vector<double> steps = options.steps;
  for (int k = 0; steps.size() <= static_cast<std::size_t>(options.halvings) && options.steps.empty(); ++k) {
    steps.push_back(std::ldexp(scene.method.step, -k));
  }
  std::sort(steps.begin(), steps.end(), std::greater<>());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  if (steps.size() < 2)
    throw Error("--steps: at least two different steps are needed to see what a smaller one changes");
  return steps;
}

std::vector<double> choose_accuracies(const ConvergenceOptions& options) {
  std::vector<double> accuracies = options.accuracies;
  for (const double accuracy : accuracies) {
    if (accuracy >= 1e-8 && accuracy <= 0.1) continue;
    throw Error(fmt::format("--accuracies {:g}: an accuracy lies between 1e-8 and 0.1", accuracy));
  }
  std::sort(accuracies.begin(), accuracies.end(), std::greater<>());
  accuracies.erase(std::unique(accuracies.begin(), accuracies.end()), accuracies.end());
  return accuracies;
}

std::int64_t steps_in(double duration, double step) { return std::llround(duration / step); }

/// Each step must go into the duration a whole number of times, so that instants of equal number are equal in time.
void check_steps(double duration, const std::vector<double>& steps) {
  for (const double step : steps) {
    const double count = duration / step;
    if (std::round(count) >= 1 && std::abs(count - std::round(count)) <= 1e-6 * count) continue;
    throw Error(
        fmt::format("--steps {}: the duration of {} s is {:.7g} of them; it must be a whole number of steps, for "
                    "example {:.7g} s each",
                    step, duration, count, duration / std::max(1.0, std::round(count))));
  }
}

/// Instants that runs with all these steps share.
std::int64_t shared_instants(double duration, const std::vector<double>& steps) {
  std::int64_t shared = 0;
  for (const double step : steps) shared = std::gcd(shared, steps_in(duration, step));
  if (shared < fewest_instants) {
    throw Error(
        fmt::format("--steps: runs with these steps share {} instants, too few to compare them; choose steps that are "
                    "whole fractions "
                    "of one another, such as h, h/2, h/4",
                    shared));
  }
  // At most so many samples, and a number that divides.
  for (std::int64_t thinned = (shared + most_instants - 1) / most_instants; thinned <= shared; ++thinned) {
    if (shared % thinned == 0) return shared / thinned;
  }
  return shared;
}

/// The event-driven method with the law, or what the law is without restitution.
MethodChoice reference_of(const MethodChoice& choice) {
  return {StepperKind::event_driven, choice.law->make == nullptr ? LawKind::plastic : choice.law};
}

std::optional<SampledRun> run_reference(const SceneSource& source, const MethodChoice& choice, std::int64_t instants,
                                        const ConvergenceOptions& options, std::string& trouble) {
  try {
    Scene scene = scene_with(source, reference_of(choice));
    scene.method.contact_tolerance = strict_contact_tolerance;
    scene.method.accuracy = 0;
    scene.method.step = scene.duration / static_cast<double>(instants);
    SampledRun run = sample_run(scene, {.every = 1, .budget = options.budget, .record = nullptr, .stop = options.stop});
    if (run.trouble.empty() && run.certificate.unsolved_steps == 0) return run;
    trouble = run.trouble.empty() ? fmt::format("{} of its reports are not solved", run.certificate.unsolved_steps)
                                  : run.trouble;
  } catch (const Error& error) {
    trouble = error.what();
  }
  trouble = "there is no reference: " + reference_of(choice).name() + ": " + trouble;
  return std::nullopt;
}

void fill_orders(MethodConvergence& method) {
  std::vector<StepRun>& runs = method.runs;
  std::vector<double> steps, changes;
  for (const StepRun& run : runs) steps.push_back(run.step);
  for (std::size_t k = 0; k + 1 < runs.size(); ++k) {
    runs[k].error_order = std::log(runs[k].error / runs[k + 1].error) / std::log(runs[k].step / runs[k + 1].step);
    changes.push_back(runs[k].change);
    if (k + 2 == runs.size()) break;
    runs[k].change_order =
        order_of_changes({runs[k].step, runs[k + 1].step, runs[k + 2].step}, {runs[k].change, runs[k + 1].change});
  }
  method.order = order_of_changes(steps, changes);
  if (!(method.order >= least_order)) return;
  // Coarse steps may fall faster than what they end in.
  const double seen = runs[runs.size() - 3].change_order;
  const double order = seen >= least_order ? std::min(method.order, seen) : method.order;
  const StepRun& last = runs[runs.size() - 2];
  method.estimate = last.change / (std::pow(last.step / runs.back().step, order) - 1);
}

void add_trouble(MethodConvergence& method, const std::string& sentence) {
  method.trouble += (method.trouble.empty() ? "" : "; ") + sentence;
}

/// Distances of the runs with fixed steps from the last of them.
void fill_own_errors(const Model& model, const std::vector<SampledRun>& sampled, MethodConvergence& method) {
  if (method.runs.empty()) return;
  for (std::size_t k = 0; k + 1 < method.runs.size(); ++k) {
    method.runs[k].own_error = largest(run_difference(model, sampled[k], sampled.back()).distance);
  }
  method.runs.back().own_error = method.estimate;
}

/// Runs with which those by accuracy are compared.
struct Measures {
  const SampledRun* reference;  ///< null for none
  const SampledRun& finest;     ///< of the runs with fixed steps
};

/// Runs that choose their steps themselves, within the largest of the fixed steps: a controller is asked as often.
void run_by_accuracy(Scene scene, std::int64_t instants, const Measures& measures, const ConvergenceOptions& options,
                     MethodConvergence& method) {
  scene.method.step = method.runs.front().step;
  const int every = static_cast<int>(steps_in(scene.duration, scene.method.step) / instants);
  double spent = 0;
  for (const double accuracy : choose_accuracies(options)) {
    if (spent > options.budget) {
      add_trouble(method, fmt::format("accuracies below {:g} are left out: those above took the budget of {:g} s",
                                      method.accuracy_runs.back().accuracy, options.budget));
      return;
    }
    scene.method.accuracy = accuracy;
    const SampledRun run =
        sample_run(scene, {.every = every, .budget = options.budget - spent, .record = nullptr, .stop = options.stop});
    spent += run.seconds;
    if (!run.trouble.empty()) {
      add_trouble(method, fmt::format("accuracy {:g}: {}; smaller ones are left out", accuracy, run.trouble));
      return;
    }
    AccuracyRun& told = method.accuracy_runs.emplace_back();
    told.accuracy = accuracy;
    told.own_error = largest(run_difference(*scene.model, measures.finest, run).distance);
    // An error below about that of the finest run cannot be measured by that run.
    if (told.own_error < 2 * method.estimate) told.own_error = std::numeric_limits<double>::quiet_NaN();
    if (measures.reference != nullptr) {
      told.error = largest(run_difference(*scene.model, *measures.reference, run).distance);
    }
    told.parts = run.certificate.parts;
    told.trials = run.certificate.trials;
    told.seconds = run.seconds;
    told.unsolved_steps = run.certificate.unsolved_steps;
  }
}

MethodConvergence converge_one(const SceneSource& source, const MethodChoice& choice, const std::vector<double>& steps,
                               std::int64_t instants, const ConvergenceOptions& options) {
  const double budget = options.budget;
  MethodConvergence method;
  method.choice = choice;
  Scene scene = scene_with(source, choice);
  scene.method.contact_tolerance = strict_contact_tolerance;  // orders are read from the smallest errors
  scene.method.accuracy = 0;                                  // and from steps of one length
  const auto reference = run_reference(source, choice, instants, options, method.trouble);
  if (reference) method.reference = reference_of(choice).name();
  std::vector<SampledRun> sampled;
  double spent = 0, last_seconds = 0, last_step = steps.front();
  for (const double step : steps) {
    if (spent + last_seconds * last_step / step > budget && !sampled.empty()) {
      add_trouble(method,
                  fmt::format("steps below {:.4g} s would take longer than the budget of {:g} s", last_step, budget));
      break;
    }
    scene.method.step = step;
    const int every = static_cast<int>(steps_in(scene.duration, step) / instants);
    SampledRun run =
        sample_run(scene, {.every = every, .budget = 10 * budget, .record = nullptr, .stop = options.stop});
    spent += last_seconds = run.seconds;
    last_step = step;
    if (!run.trouble.empty()) {
      add_trouble(method, fmt::format("step {:.4g} s: {}", step, run.trouble));
      break;
    }
    if (!sampled.empty()) {
      method.runs.back().change = largest(run_difference(*scene.model, sampled.back(), run).distance);
    }
    StepRun& told = method.runs.emplace_back();
    told.step = step;
    told.steps = run.certificate.steps;
    told.seconds = run.seconds;
    told.trials = run.certificate.trials;
    told.unsolved_steps = run.certificate.unsolved_steps;
    if (reference) {
      const std::vector<double> error = run_difference(*scene.model, *reference, run).distance;
      told.error = largest(error);
      told.end_error = error.back();
    }
    sampled.push_back(std::move(run));
  }
  fill_orders(method);
  fill_own_errors(*scene.model, sampled, method);
  if (!sampled.empty()) {
    run_by_accuracy(std::move(scene), instants, {reference ? &*reference : nullptr, sampled.back()}, options, method);
  }
  return method;
}

}  // namespace

Convergence converge(const SceneSource& source, const ConvergenceOptions& options) {
  Convergence convergence;
  convergence.scene = source.scene();
  const std::vector<double> steps = choose_steps(convergence.scene, options);
  static_cast<void>(choose_accuracies(options));  // faults before the runs
  check_steps(convergence.scene.duration, steps);
  const std::int64_t instants = shared_instants(convergence.scene.duration, steps);
  std::vector<MethodChoice> methods = options.methods;
  if (methods.empty()) methods.push_back({convergence.scene.method.stepper, convergence.scene.method.law});
  for (std::size_t i = 0; i < methods.size(); ++i) {
    if (is_integrated(scene_with(source, methods[i]).method)) {
      throw Error(
          fmt::format("{} has error control, so its motion does not depend on the step: name a time-stepping method "
                      "with --methods, "
                      "such as stewart-trinkle or semi-explicit/plus",
                      methods[i].name()));
    }
  }
  for (std::size_t i = 0; i < methods.size(); ++i) {
    if (options.progress)
      options.progress(methods[i].name(), static_cast<double>(i) / static_cast<double>(methods.size()));
    convergence.methods.push_back(converge_one(source, methods[i], steps, instants, options));
  }
  return convergence;
}

}  // namespace carom
