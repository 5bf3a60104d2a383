#include "carom/study/comparison_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "carom/record/page_text.h"
#include "carom/record/plots_page.h"
#include "carom/record/runs_page.h"
#include "carom/record/summary.h"
#include "carom/study/comparison_text.h"
#include "carom/study/comparison_verdict.h"

namespace carom {
namespace {

/// Bodies whose paths are drawn.
constexpr std::size_t most_bodies = 6;

/// A run that is drawn, under a name.
struct Drawn {
  std::size_t run = 0;
  std::string name;
};

std::vector<Drawn> every_run(const Comparison& comparison) {
  std::vector<Drawn> drawn;
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) drawn.push_back({i, run_name(comparison, i)});
  return drawn;
}

/// One run of each group, an event-driven one if there is one, since the others lie on it; and those of no group.
std::vector<Drawn> one_of_each_group(const Comparison& comparison) {
  std::vector<Drawn> drawn;
  for (std::size_t g = 0; g < comparison.groups.size(); ++g) {
    const std::vector<std::size_t>& group = comparison.groups[g];
    const auto best = std::find_if(group.begin(), group.end(),
                                   [&](std::size_t run) { return is_integrated(comparison.runs[run].run.method); });
    const std::size_t run = best == group.end() ? group.front() : *best;
    drawn.push_back({run, fmt::format("({}) {}", g + 1, run_name(comparison, run))});
  }
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
    if (!comparison.is_judged(i)) drawn.push_back({i, run_name(comparison, i) + ", not settled"});
  }
  return drawn;
}

/// One curve of each over the samples that the longest of the runs has.
template <class Value>
Plot plot_of(const Comparison& comparison, const std::vector<Drawn>& drawn, std::string title, std::string unit,
             Value&& value) {
  Plot plot;
  plot.title = std::move(title);
  plot.unit = std::move(unit);
  for (const RefinedRun& refined : comparison.runs) {
    if (refined.run.times.size() > plot.times.size()) plot.times = refined.run.times;
  }
  for (const Drawn& one : drawn) {
    std::vector<double> values(plot.times.size(), std::numeric_limits<double>::quiet_NaN());
    const std::size_t samples = comparison.runs[one.run].run.times.size();
    for (std::size_t k = 0; k < samples; ++k) values[k] = value(one.run, k);
    plot.curves.emplace_back(one.name, std::move(values));
  }
  return plot;
}

/// Distances, energies and impulses of the runs over time.
std::vector<Plot> difference_plots(const Comparison& comparison, const std::vector<Drawn>& drawn) {
  Plot distance = plot_of(comparison, drawn, "distance from the reference", "m", [&](std::size_t i, std::size_t k) {
    const std::vector<double>& values = comparison.from_reference[i].distance;
    return k < values.size() ? values[k] : std::numeric_limits<double>::quiet_NaN();
  });
  distance.log = true;
  return {std::move(distance),
          plot_of(comparison, drawn, "kinetic and potential energy", "J",
                  [&](std::size_t i, std::size_t k) { return comparison.runs[i].run.energy[k]; }),
          plot_of(comparison, drawn, "normal impulse of all contacts since the start", "N s",
                  [&](std::size_t i, std::size_t k) { return contact_impulse(comparison.runs[i].run, k); })};
}

/// A curve for each group; below it, folded, those of all methods where groups have several.
void add_differences(const Comparison& comparison, std::vector<PlotSection>& sections) {
  const std::vector<Drawn> few = one_of_each_group(comparison), all = every_run(comparison);
  PlotSection& section = sections.emplace_back();
  section.title = "Differences over time";
  section.note = fmt::format(
      "One run of each group. Distances from {}: the root mean square distance between the places where two runs put a "
      "body's mass, for the body where it is largest. The tolerance of the comparison is {:.3g} m.",
      run_name(comparison, comparison.reference), comparison.tolerance);
  section.plots = difference_plots(comparison, few);
  if (few.size() == all.size()) return;
  PlotSection& rest = sections.emplace_back();
  rest.title = fmt::format("Differences over time, all {} methods", all.size());
  rest.folded = true;
  rest.plots = difference_plots(comparison, all);
}

/// Nothing to see beside motions of this extent.
bool is_constant(const Plot& plot, double extent) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const auto& [name, values] : plot.curves) {
    for (const double value : values) {
      if (!std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  return !(high - low > 1e-6 * extent);
}

void add_paths(const Comparison& comparison, std::vector<PlotSection>& sections) {
  const std::vector<Body>& bodies = comparison.scene.model->bodies();
  const std::vector<Drawn> drawn = one_of_each_group(comparison);
  for (std::size_t body = 0; body < std::min(most_bodies, bodies.size()); ++body) {
    PlotSection section;
    section.title = "Path of " + bodies[body].name;
    section.note = "One run of each group.";
    for (int axis = 0; axis < 3; ++axis) {
      Plot plot =
          plot_of(comparison, drawn, fmt::format("position {}", "xyz"[axis]), "m",
                  [&](std::size_t i, std::size_t k) { return comparison.runs[i].run.bodies[k][body].position[axis]; });
      if (!is_constant(plot, comparison.extent)) section.plots.push_back(std::move(plot));
    }
    if (!section.plots.empty()) sections.push_back(std::move(section));
  }
}

PlotSection table_section(std::string title, std::string note, ComparisonTable table) {
  PlotSection section;
  section.title = std::move(title);
  section.note = std::move(note);
  section.columns = std::move(table.columns);
  section.rows = std::move(table.rows);
  return section;
}

/// A line for every quantity of the certificates, a column for every run.
ComparisonTable certificate_table(const Comparison& comparison) {
  ComparisonTable table;
  table.columns = {"quantity"};
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
    table.columns.push_back(run_name(comparison, i));
    Record record;
    record.scene = comparison.scene;
    record.scene.method = comparison.runs[i].run.method;
    record.certificate = comparison.runs[i].run.certificate;
    const double error = largest_error(comparison.runs[i]);
    if (std::isfinite(error)) {
      record.accuracy.known = true;
      record.accuracy.largest = error;
      record.accuracy.enough = Accuracy::tolerable_part * comparison.extent;
    }
    for (const Verdict& verdict : verdicts(record)) {
      const std::string meaning = verdict.name == "accuracy" ? "how well the motion is known" : verdict.meaning;
      auto row = std::find_if(table.rows.begin(), table.rows.end(),
                              [&](const std::vector<std::string>& one) { return one.front() == meaning; });
      if (row == table.rows.end()) row = table.rows.insert(row, {meaning});
      row->resize(i + 1, "–");
      row->push_back(verdict.value + (verdict.good ? "" : " ▲"));
    }
  }
  for (auto& row : table.rows) row.resize(table.columns.size(), "–");
  return table;
}

PlotSection left_out(const Comparison& comparison) {
  ComparisonTable table{{"method", "why not"}, {}};
  for (const LeftOut& left : comparison.left_out) table.rows.push_back({left.choice.name(), left.reason});
  return table_section("Left out", "", std::move(table));
}

/// The verdict, and which method ended in which group.
std::vector<PlotSection> opening(const Comparison& comparison) {
  std::vector<PlotSection> sections(1);
  sections[0].paragraphs = verdict_of(comparison).words;
  if (comparison.runs.size() == 1) return sections;
  ComparisonTable groups = group_table(comparison);
  sections[0].columns = std::move(groups.columns);
  sections[0].rows = std::move(groups.rows);
  sections[0].tint = true;
  sections.push_back({});
  sections[1].note =
      "Methods with the same number agree to the end; – marks a method that did not settle, an empty cell one that was "
      "not run.";
  return sections;
}

/// Everything below the player.
std::vector<PlotSection> details(const Comparison& comparison) {
  std::vector<PlotSection> sections;
  PlotSection& words = sections.emplace_back();
  words.title = "In words";
  words.note = fmt::format("{}, to {:g} s. Tolerance {:.3g} m, extent of the motion {:.3g} m.",
                           without_folders(comparison.scene.file), comparison.scene.duration, comparison.tolerance,
                           comparison.extent);
  // Warnings among them name files.
  for (const std::string& paragraph : comparison_words(comparison)) {
    words.paragraphs.push_back(without_folders(paragraph));
  }
  sections.push_back(table_section(
      "Methods",
      "Each with its step halved until the motion changed by less than the tolerance; (!) where it did not get there. "
      "Computing is timed without the writing of records.",
      comparison_table(comparison)));
  add_differences(comparison, sections);
  add_paths(comparison, sections);
  const ComparisonTable strikes = strike_table(comparison);
  if (strikes.columns.size() > 1) {
    sections.push_back(table_section("Who touches whom when",
                                     "The first time of every pair of bodies. Where they touch at the start, its first "
                                     "step.",
                                     strikes));
  }
  sections.push_back(
      table_section("Certificates", "▲: look at it in the record of that run.", certificate_table(comparison)));
  sections.push_back(table_section("What they assume", "", assumption_table(comparison)));
  if (!comparison.left_out.empty()) sections.push_back(left_out(comparison));
  return sections;
}

nlohmann::ordered_json sections_json(const std::vector<PlotSection>& sections) {
  auto list = nlohmann::ordered_json::array();
  for (const PlotSection& section : sections) list.push_back(section_json(section));
  return list;
}

}  // namespace

void write_comparison_page(const Comparison& comparison, const std::string& path) {
  std::vector<Record> records;
  for (const RefinedRun& refined : comparison.runs)
    records.push_back(read_record(refined.record, *comparison.scene.catalogue));
  // The reference first: the page opens with it.
  std::vector<PageRun> runs{{run_name(comparison, comparison.reference), &records[comparison.reference]}};
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (i != comparison.reference) runs.push_back({run_name(comparison, i), &records[i]});
  }
  write_runs_page(fmt::format("{} under {} methods", comparison.scene.name, runs.size()), runs,
                  sections_json(opening(comparison)), sections_json(details(comparison)), path);
}

}  // namespace carom
