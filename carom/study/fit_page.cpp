#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "carom/counted.h"
#include "carom/record/plots_page.h"
#include "carom/study/fit.h"
#include "carom/study/fit_tables.h"
#include "carom/study/fit_words.h"
#include "carom/study/no_number.h"

namespace carom {
namespace {

constexpr std::size_t most_motions = 24;  // that are drawn

std::string title_of(const FittedMotion& motion, const std::string& what) {
  return motion.name.empty() ? what : what + ", experiment " + motion.name;
}

PlotSection section_of(std::string title, std::string note, const FitTable& table) {
  PlotSection section{
      .title = std::move(title), .note = std::move(note), .columns = table.columns, .rows = table.rows, .plots = {}};
  return section;
}

/// Data against fit, or residuals, a plot for each column of each experiment.
PlotSection motions_of(const FitResult& result, bool residuals) {
  PlotSection section{.title = residuals ? "Residuals" : "Measured and fitted",
                      .note = residuals ? "measured less fitted" : "",
                      .columns = {},
                      .rows = {},
                      .plots = {}};
  if (result.motions.size() > most_motions) {
    section.note += fmt::format("{}the first {} of {} experiments", section.note.empty() ? "" : "; ", most_motions,
                                result.motions.size());
  }
  for (std::size_t e = 0; e < std::min(most_motions, result.motions.size()); ++e) {
    const FittedMotion& motion = result.motions[e];
    for (std::size_t c = 0; c < result.columns.size(); ++c) {
      Plot plot{.title = title_of(motion, result.columns[c].name), .unit = "", .times = motion.times, .curves = {}};
      if (residuals) {
        std::vector<double> left(motion.times.size(), none);
        for (std::size_t i = 0; i < left.size(); ++i) left[i] = motion.measured[c][i] - motion.fitted[c][i];
        plot.curves.emplace_back("residual", std::move(left));
        for (const double side : {-1.0, 1.0}) {
          plot.curves.emplace_back(side < 0 ? "noise, down" : "noise, up",
                                   std::vector<double>(motion.times.size(), side * result.columns[c].noise));
        }
      } else {
        plot.curves.emplace_back("measured", motion.measured[c]);
        plot.curves.emplace_back("fitted", motion.fitted[c]);
      }
      section.plots.push_back(std::move(plot));
    }
  }
  return section;
}

PlotSection profiles_of(const FitResult& result) {
  PlotSection section{.title = "Profiles",
                      .note =
                          "how far the least misfit over all other numbers rises when one is held; an interval of "
                          "95 % ends where it passes the threshold",
                      .columns = {},
                      .rows = {},
                      .plots = {}};
  for (const FittedNumber& number : result.numbers) {
    Plot plot{.title = full_name(number), .unit = "", .times = {}, .curves = {}, .x_title = full_name(number)};
    std::vector<double> rises;
    for (const auto& [value, rise] : number.profile) {
      if (!plot.times.empty() && !(value > plot.times.back())) continue;
      plot.times.push_back(value);
      // Far above the threshold a curve would press all else to the ground.
      rises.push_back(rise <= 10 * result.rise ? rise : none);
    }
    if (plot.times.size() < 2) continue;
    plot.curves.emplace_back("rise of the misfit", std::move(rises));
    plot.curves.emplace_back("threshold", std::vector<double>(plot.times.size(), result.rise));
    section.plots.push_back(std::move(plot));
  }
  return section;
}

FitTable bias_table(const FitResult& result) {
  FitTable table{{"column", "phase", "measurements", "mean residual", "standard error", ""}, {}};
  for (const FitBias& bias : result.biases) {
    table.rows.push_back({bias.column, bias.phase, std::to_string(bias.count), fmt::format("{:.3g}", bias.mean),
                          fmt::format("{:.3g}", bias.error), bias.significant() ? "stands out" : ""});
  }
  return table;
}

}  // namespace

void write_fit_page(const FitResult& result, const std::string& path) {
  PlotsPage page;
  page.title = "Fit of " + std::filesystem::path(result.study.scene).stem().string();
  page.lead =
      fmt::format("{} fitted to {} of {}", counted(std::ssize(result.numbers), "number"),
                  counted(result.measurements, "measurement"), counted(std::ssize(result.motions), "experiment"));
  page.facts = {{"scene", result.study.scene},
                {"data", result.study.data},
                {"method", result.method},
                {"misfit over noise", fmt::format("{:.4g}", result.misfit)},
                {"runs", std::to_string(result.runs)}};
  PlotSection numbers = section_of("Numbers", "", number_table(result));
  numbers.paragraphs = conclusions(result);
  numbers.paragraphs.push_back("Minimised by " + way_of(result) + ".");
  page.sections.push_back(std::move(numbers));
  page.sections.push_back(motions_of(result, false));
  page.sections.push_back(motions_of(result, true));
  if (result.study.intervals == IntervalSource::profile) page.sections.push_back(profiles_of(result));
  page.sections.push_back(section_of("Columns", "", column_table(result)));
  page.sections.push_back(section_of("Mean residuals by phase", "", bias_table(result)));
  if (result.correlations.size() > 1 && result.numbers.size() <= 20) {
    page.sections.push_back(section_of("Correlations", "", correlation_table(result)));
  }
  if (result.ranking.size() > 1 || result.study.folds > 0) {
    page.sections.push_back(section_of("Methods", "misfits in units of the noise", ranking_table(result)));
  }
  write_plots_page(page, path);
}

}  // namespace carom
