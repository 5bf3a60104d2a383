#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "carom/record/plots_page.h"
#include "carom/study/convergence.h"
#include "carom/study/no_number.h"

namespace carom {
namespace {

std::string number(double value) { return std::isfinite(value) ? fmt::format("{:.4g}", value) : "–"; }

/// A curve with places of its own, in any order.
struct Scatter {
  std::string name;
  std::vector<std::pair<double, double>> points{};
};

/// One plot of all of them over the places that any has; what is not positive has no place on logarithmic scales.
Plot joined(std::string title, std::string unit, std::string x_title, const std::vector<Scatter>& all) {
  Plot plot{.title = std::move(title),
            .unit = std::move(unit),
            .times = {},
            .curves = {},
            .log = true,
            .x_title = std::move(x_title),
            .x_log = true,
            .joined = true};
  std::map<double, std::size_t> place;
  for (const Scatter& one : all) {
    for (const auto& [x, y] : one.points) {
      if (x > 0 && y > 0) place.emplace(x, 0);
    }
  }
  for (auto& [x, number] : place) {
    number = plot.times.size();
    plot.times.push_back(x);
  }
  for (const Scatter& one : all) {
    std::vector<double> values(plot.times.size(), none);
    for (const auto& [x, y] : one.points) {
      if (x > 0 && y > 0) values[place.at(x)] = y;
    }
    const bool seen = std::any_of(values.begin(), values.end(), [](double value) { return !std::isnan(value); });
    if (seen) plot.curves.emplace_back(one.name, std::move(values));
  }
  return plot;
}

/// The plots that have a curve: runs that all end in one motion have none on logarithmic scales.
std::vector<Plot> with_curves(std::vector<Plot> plots) {
  std::erase_if(plots, [](const Plot& plot) { return plot.curves.empty(); });
  return plots;
}

PlotSection opening_of(const Convergence& convergence) {
  PlotSection section{.title = "",
                      .note = "",
                      .columns = {"method", "order", "off by at the smallest step, m", "reference",
                                  "smallest distance from it, m", "note"},
                      .rows = {},
                      .plots = {}};
  for (const MethodConvergence& method : convergence.methods) {
    section.paragraphs.push_back(convergence_words(method));
    double nearest = none;
    for (const StepRun& run : method.runs) nearest = std::fmin(nearest, run.error);
    section.rows.push_back({method.choice.name(), number(method.order), number(method.estimate),
                            method.reference.empty() ? "–" : method.reference, number(nearest), method.trouble});
  }
  return section;
}

PlotSection work_of(const Convergence& convergence) {
  std::vector<Scatter> trials, seconds, errors;
  for (const MethodConvergence& method : convergence.methods) {
    const std::string name = method.choice.name();
    for (auto* list : {&trials, &seconds, &errors}) list->push_back({name});
    for (const StepRun& run : method.runs) {
      trials.back().points.emplace_back(run.own_error, static_cast<double>(run.trials));
      seconds.back().points.emplace_back(run.own_error, run.seconds);
      errors.back().points.emplace_back(run.step, run.own_error);
    }
    if (method.accuracy_runs.empty()) continue;
    for (auto* list : {&trials, &seconds}) list->push_back({name + ", by accuracy"});
    for (const AccuracyRun& run : method.accuracy_runs) {
      trials.back().points.emplace_back(run.own_error, static_cast<double>(run.trials));
      seconds.back().points.emplace_back(run.own_error, run.seconds);
    }
  }
  const std::string distance = "off by, m";
  return {.title = "Work against precision",
          .note =
              "off by: largest distance of a body from the method's own run with the smallest step, at any instant; of "
              "that "
              "run Richardson's estimate. Lower and further left is better. By accuracy: the method chose its steps "
              "itself. Runs that are off by nothing have no place here",
          .columns = {},
          .rows = {},
          .plots = with_curves({joined("steps and parts tried", "", distance, trials),
                                joined("computing", "s", distance, seconds),
                                joined("off by, over the step", "m", "step, s", errors)})};
}

PlotSection runs_of(const MethodConvergence& method) {
  PlotSection section{.title = method.choice.name(),
                      .note = "runs with steps of one length, then those that chose their steps by an accuracy",
                      .columns = {"step, s", "accuracy", "steps and parts tried", "time, s", "change to the next, m",
                                  "order", "off by, m", "from the reference, m", "unsolved"},
                      .rows = {},
                      .plots = {}};
  for (const StepRun& run : method.runs) {
    section.rows.push_back({number(run.step), "–", std::to_string(run.trials), number(run.seconds), number(run.change),
                            number(run.change_order), number(run.own_error), number(run.error),
                            std::to_string(run.unsolved_steps)});
  }
  for (const AccuracyRun& run : method.accuracy_runs) {
    section.rows.push_back({"–", number(run.accuracy), std::to_string(run.trials), number(run.seconds), "–", "–",
                            number(run.own_error), number(run.error), std::to_string(run.unsolved_steps)});
  }
  section.folded = true;
  return section;
}

}  // namespace

void write_convergence_page(const Convergence& convergence, const std::string& path) {
  PlotsPage page{
      .title = fmt::format("{}: steps and precision", convergence.scene.name),
      .lead = fmt::format("to {:g} s, by {}", convergence.scene.duration,
                          convergence.methods.size() == 1 ? convergence.methods.front().choice.name()
                                                          : std::to_string(convergence.methods.size()) + " methods"),
      .facts = {},
      .sections = {opening_of(convergence), work_of(convergence)}};
  for (const MethodConvergence& method : convergence.methods) page.sections.push_back(runs_of(method));
  write_plots_page(page, path);
}

}  // namespace carom
