#include "carom/study/sweep_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "carom/counted.h"
#include "carom/record/plots_page.h"
#include "carom/record/runs_page.h"
#include "carom/study/no_number.h"
#include "carom/study/sweep_table.h"

namespace carom {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_values = 24;   // of a number that has a row or column each in a map; more fall into bins
constexpr std::size_t bins = 8;           // of a number that is drawn
constexpr std::size_t most_axes = 4;      // so that there are six maps of an output at most
constexpr std::size_t most_outputs = 12;  // that are drawn
constexpr std::size_t most_runs = 3;      // that are played

std::string short_number(double number) { return std::isnan(number) ? "" : fmt::format("{:.4g}", number); }

/// A number that is varied as one side of a map.
struct Axis {
  std::string name;
  std::vector<double> values;      ///< ascending; of bins their middles
  std::vector<std::size_t> place;  ///< by row of the table
};

Axis axis_of(const SweepResult& result, std::size_t varied) {
  Axis axis{result.varied[varied], {}, {}};
  std::vector<double> all;
  for (const SweepCase& one : result.cases) all.push_back(one.values[varied]);
  axis.values = all;
  std::sort(axis.values.begin(), axis.values.end());
  axis.values.erase(std::unique(axis.values.begin(), axis.values.end()), axis.values.end());
  if (axis.values.size() <= most_values) {
    for (const double value : all) {
      const auto at = std::lower_bound(axis.values.begin(), axis.values.end(), value);
      axis.place.push_back(static_cast<std::size_t>(at - axis.values.begin()));
    }
    return axis;
  }
  const double least = axis.values.front(), width = (axis.values.back() - least) / static_cast<double>(bins);
  axis.values.clear();
  for (std::size_t i = 0; i < bins; ++i) axis.values.push_back(least + (static_cast<double>(i) + 0.5) * width);
  for (const double value : all) {
    axis.place.push_back(std::min(bins - 1, static_cast<std::size_t>((value - least) / width)));
  }
  return axis;
}

/// Axes of what is varied, without the four numbers of an orientation, each of which alone says nothing.
std::vector<Axis> axes_of(const SweepStudy& study, const SweepResult& result) {
  std::vector<Axis> axes;
  std::size_t column = 0;
  const auto add = [&] {
    Axis axis = axis_of(result, column);
    if (axis.values.size() > 1 && axes.size() < most_axes) axes.push_back(std::move(axis));
  };
  for (const SweepVariable& variable : study.variables) {
    if (variable.numbers() == 1) add();
    column += static_cast<std::size_t>(variable.numbers());
  }
  for (; column < result.varied.size(); ++column) add();  // those of a table
  return axes;
}

std::vector<double> column_of(const SweepResult& result, const std::string& name) {
  const auto at =
      static_cast<std::size_t>(std::find(result.columns.begin(), result.columns.end(), name) - result.columns.begin());
  std::vector<double> values;
  for (const SweepRow& row : result.rows) values.push_back(row.status == "done" ? row.numbers[at] : none);
  return values;
}

/// Means of the values at each place of an index; NaN where there is none.
std::vector<double> means(const std::vector<double>& values, const std::vector<std::size_t>& place, std::size_t count) {
  std::vector<double> sums(count, 0), counts(count, 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) continue;
    sums[place[i]] += values[i];
    counts[place[i]] += 1;
  }
  for (std::size_t i = 0; i < count; ++i) sums[i] = counts[i] > 0 ? sums[i] / counts[i] : none;
  return sums;
}

PlotSection map_of(const Axis& down, const Axis& across, const std::string& output, const std::vector<double>& values) {
  std::vector<std::size_t> place;
  for (std::size_t i = 0; i < values.size(); ++i)
    place.push_back(down.place[i] * across.values.size() + across.place[i]);
  const std::vector<double> cells = means(values, place, down.values.size() * across.values.size());
  PlotSection section{
      .title = fmt::format("{} over {} and {}", output, down.name, across.name),
      .note = fmt::format("{} downwards, {} across; the mean over all cases there", down.name, across.name),
      .columns = {down.name},
      .rows = {},
      .plots = {}};
  for (const double value : across.values) section.columns.push_back(short_number(value));
  for (std::size_t i = 0; i < down.values.size(); ++i) {
    std::vector<std::string> row{short_number(down.values[i])};
    for (std::size_t j = 0; j < across.values.size(); ++j)
      row.push_back(short_number(cells[i * across.values.size() + j]));
    section.rows.push_back(std::move(row));
  }
  return section;
}

/// The maps, and last the means over each axis alone.
void add_maps(const std::vector<Axis>& axes, const SweepResult& result, const std::vector<std::string>& outputs,
              nlohmann::ordered_json& sections) {
  PlotSection means_over{.title = "Means over what is varied", .note = "", .columns = {}, .rows = {}, .plots = {}};
  for (const std::string& output : outputs) {
    const std::vector<double> values = column_of(result, output);
    for (std::size_t i = 0; i < axes.size(); ++i) {
      Plot plot{.title = output, .unit = "", .times = axes[i].values, .curves = {}, .x_title = axes[i].name};
      plot.curves.emplace_back("mean", means(values, axes[i].place, axes[i].values.size()));
      means_over.plots.push_back(std::move(plot));
      for (std::size_t j = i + 1; j < axes.size(); ++j) {
        sections.push_back(section_json(map_of(axes[i], axes[j], output, values)));
        sections.back()["tables"][0]["heat"] = true;
      }
    }
  }
  if (!means_over.plots.empty()) sections.push_back(section_json(means_over));
}

/// The table, and for each output how many cases end up to each value.
PlotSection distributions_of(const SweepResult& result, const std::vector<Distribution>& all) {
  constexpr int parts = 40;
  PlotSection section{.title = "At the end of the runs",
                      .note = "over the cases that are done",
                      .columns = {"", "mean", "deviation", "least", "5 %", "median", "95 %", "greatest"},
                      .rows = {},
                      .plots = {}};
  for (const Distribution& one : all) {
    if (one.count == 0) continue;
    section.rows.push_back({one.name});
    for (const double number : {one.mean, one.deviation, one.least, one.low, one.median, one.high, one.greatest}) {
      section.rows.back().push_back(short_number(number));
    }
    if (!(one.greatest > one.least) || section.plots.size() >= most_outputs) continue;
    std::vector<double> up_to(parts + 1, 0), within(parts + 1, none);
    Plot plot{.title = "distribution of " + one.name, .unit = "", .times = {}, .curves = {}, .x_title = one.name};
    for (int k = 0; k <= parts; ++k) plot.times.push_back(one.least + (one.greatest - one.least) * k / parts);
    for (const double value : column_of(result, one.name)) {
      if (!std::isfinite(value)) continue;
      for (std::size_t k = 0; k <= parts; ++k)
        up_to[k] += value <= plot.times[k] ? 1.0 / static_cast<double>(one.count) : 0;
    }
    for (std::size_t k = 1; k <= parts; ++k) within[k] = up_to[k] - up_to[k - 1];
    plot.curves.emplace_back("share of the cases up to there", std::move(up_to));
    plot.curves.emplace_back("share within a fortieth of the range", std::move(within));
    section.plots.push_back(std::move(plot));
  }
  return section;
}

/// A row that is played, and why.
struct Chosen {
  std::size_t row = 0;
  std::string name;
};

/// The more of a run is wrong, the larger; 0: nothing. Those that never ran, or killed the program, are left out.
double trouble_of(const SweepRow& row) {
  if (row.status == "refused" || row.status == "crashed" || row.ok) return 0;
  if (row.status != "done") return std::numeric_limits<double>::infinity();
  return 1.0 + static_cast<double>(std::count(row.reason.begin(), row.reason.end(), ' '));  // names of lines
}

std::vector<Chosen> chosen_runs(const SweepResult& result, const std::vector<std::string>& outputs) {
  std::vector<std::size_t> bad;
  for (std::size_t i = 0; i < result.rows.size(); ++i) {
    if (trouble_of(result.rows[i]) > 0) bad.push_back(i);
  }
  std::stable_sort(bad.begin(), bad.end(), [&](std::size_t a, std::size_t b) {
    return trouble_of(result.rows[a]) > trouble_of(result.rows[b]);
  });
  std::vector<Chosen> chosen;
  for (std::size_t i = 0; i < std::min(most_runs, bad.size()); ++i) {
    const SweepRow& row = result.rows[bad[i]];
    chosen.push_back({bad[i], fmt::format("case {}, {}", result.cases[bad[i]].number,
                                          row.status == "done" ? "look at " + row.reason : row.status)});
  }
  if (!chosen.empty() || outputs.empty()) return chosen;
  std::map<double, std::size_t> by_value;
  const std::vector<double> values = column_of(result, outputs.front());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) by_value.emplace(values[i], i);
  }
  if (by_value.empty()) return chosen;
  const auto add = [&](std::size_t row, const char* which) {
    chosen.push_back({row, fmt::format("case {}, {} {}", result.cases[row].number, which, outputs.front())});
  };
  add(by_value.rbegin()->second, "greatest");
  if (by_value.size() > 1) add(by_value.begin()->second, "least");
  return chosen;
}

PlotSection opening_of(const SweepResult& result, const std::vector<Chosen>& chosen) {
  PlotSection section{.title = "", .note = "", .columns = {"case", "method"}, .rows = {}, .plots = {}};
  std::map<std::string, std::int64_t> counts;
  for (const SweepRow& row : result.rows)
    ++counts[row.status == "done" && !row.ok ? "done, but need a look" : row.status];
  std::string told = counted(std::ssize(result.rows), "case") + ": ";
  for (const auto& [status, count] : counts)
    told += fmt::format("{}{} {}", told.ends_with(": ") ? "" : ", ", count, status);
  section.paragraphs.push_back(told + ".");
  if (chosen.empty()) {
    section.columns.clear();
    return section;
  }
  section.note = "The cases that are played below.";
  section.columns.insert(section.columns.end(), result.varied.begin(), result.varied.end());
  section.columns.insert(section.columns.end(), {"status", "reason"});
  for (const Chosen& one : chosen) {
    const SweepCase& its = result.cases[one.row];
    std::vector<std::string> row{std::to_string(its.number), its.method ? its.method->name() : ""};
    for (const double value : its.values) row.push_back(short_number(value));
    row.insert(row.end(), {result.rows[one.row].status, result.rows[one.row].reason});
    section.rows.push_back(std::move(row));
  }
  return section;
}

/// A folder for records while the page is made.
class Aside {
 public:
  explicit Aside(const std::string& page) : folder_(page + ".records") { fs::create_directories(folder_); }
  ~Aside() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;
  std::string record(std::int64_t number) const { return (folder_ / fmt::format("case-{}.h5", number)).string(); }

 private:
  fs::path folder_;
};

}  // namespace

void write_sweep_page(const SweepStudy& study, const SweepResult& result, const std::string& path,
                      const std::function<bool()>& stop) {
  const std::vector<Distribution> all = distributions(result);
  std::vector<std::string> outputs;
  for (const Distribution& one : all) {
    if (one.count > 0 && outputs.size() < most_outputs) outputs.push_back(one.name);
  }
  const std::vector<Chosen> chosen = chosen_runs(result, outputs);
  const std::string title = "Sweep of " + fs::path(study.scene).stem().string();
  const PlotSection opening = opening_of(result, chosen);
  if (chosen.empty()) {
    write_plots_page({.title = title, .lead = "", .facts = {}, .sections = {opening}}, path);
    return;
  }
  auto details = nlohmann::ordered_json::array({section_json(distributions_of(result, all))});
  add_maps(axes_of(study, result), result, outputs, details);
  const SweepWork work(study, "");
  const Aside aside(path);
  std::vector<Record> records;
  for (const Chosen& one : chosen) {
    const std::int64_t number = result.cases[one.row].number;
    work.run_into(number, aside.record(number), stop);
    records.push_back(read_record(aside.record(number)));
  }
  std::vector<PageRun> runs;
  for (std::size_t i = 0; i < chosen.size(); ++i) runs.push_back({chosen[i].name, &records[i]});
  write_runs_page(title, runs, nlohmann::ordered_json::array({section_json(opening)}), details, path);
}

}  // namespace carom
