#include "carom/validation/cassie_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "carom/record/plots_page.h"
#include "carom/study/text_table.h"
#include "carom/validation/planar_value_table.h"

namespace carom {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<std::vector<std::string>>;

constexpr const char* body = "cassie";

std::string told(const Interval& interval) {
  return fmt::format("{:.3f} [{:.3f}, {:.3f}]", interval.mean, interval.lower, interval.upper);
}

std::string difference(const Interval& interval) {
  return fmt::format("{:+.3f} [{:+.3f}, {:+.3f}]{}", interval.mean, interval.lower, interval.upper,
                     interval.excludes_zero() ? " *" : "");
}

std::vector<std::string> columns() {
  std::vector<std::string> heads{"law or model"};
  for (const CassieGroup& group : cassie_groups()) heads.push_back(fmt::format("{} ({})", group.title, group.unit));
  return heads;
}

std::vector<std::string> row(std::string name, const std::vector<Interval>& values,
                             std::string (*text)(const Interval&)) {
  std::vector<std::string> cells{std::move(name)};
  for (const Interval& value : values) cells.push_back(text(value));
  return cells;
}

Rows error_rows(const CassieReport& report) {
  Rows rows;
  for (const CassieLawRun& run : report.laws) rows.push_back(row(run.law.name, mean_errors(run.errors), told));
  rows.push_back(row("velocity held", mean_errors(report.held), told));
  return rows;
}

Rows held_rows(const CassieReport& report) {
  Rows rows;
  for (const CassieLawRun& run : report.laws) {
    rows.push_back(row(run.law.name, mean_differences(run.errors, report.held), difference));
  }
  return rows;
}

Rows first_rows(const CassieReport& report) {
  Rows rows;
  for (std::size_t i = 1; i < report.laws.size(); ++i) {
    rows.push_back(
        row(report.laws[i].law.name, mean_differences(report.laws[i].errors, report.laws.front().errors), difference));
  }
  return rows;
}

Rows value_rows(const CassieReport& report) {
  Rows rows;
  for (const CassieLawRun& run : report.laws) {
    for (std::vector<std::string>& line : planar_value_rows(run.law, body)) rows.push_back(std::move(line));
  }
  return rows;
}

/// A table with its head and note.
struct Table {
  std::string title, note;
  std::vector<std::string> columns;
  Rows rows;
};

std::vector<Table> tables_of(const CassieReport& report) {
  std::vector<Table> tables;
  tables.push_back({fmt::format("Errors of {} landings, from just before touch-down", report.landings.size()),
                    report.unseen_by_folds
                        ? "root mean squares, means with 95 % intervals; what is fitted has values of the other folds"
                        : "root mean squares, means with 95 % intervals; by values fitted to other landings",
                    columns(), error_rows(report)});
  tables.push_back({"Less held velocities", "landing by landing; * zero lies outside", columns(), held_rows(report)});
  tables.push_back({"Less " + report.laws.front().law.name, "landing by landing; * zero lies outside", columns(),
                    first_rows(report)});
  tables.push_back({"Fitted values", "", planar_value_columns(), value_rows(report)});
  return tables;
}

Json json_of(const std::vector<Interval>& values) {
  Json object;
  for (std::size_t group = 0; group < values.size(); ++group) {
    object[cassie_groups()[group].name] = {values[group].mean, values[group].lower, values[group].upper};
  }
  return object;
}

}  // namespace

std::string cassie_report(const CassieReport& report) {
  std::string text;
  for (const Table& table : tables_of(report)) {
    if (table.rows.empty()) continue;
    text += fmt::format("  {}{}\n", table.title, table.note.empty() ? "" : ": " + table.note);
    text += padded(table.columns, table.rows) + "\n";
  }
  return text;
}

std::string cassie_report_json(const CassieReport& report) {
  Json object;
  object["landings"] = report.landings;
  object["unseen_by_folds"] = report.unseen_by_folds;
  object["held"] = json_of(mean_errors(report.held));
  object["laws"] = Json::array();
  for (const CassieLawRun& run : report.laws) {
    Json law;
    law["name"] = run.law.name;
    law["title"] = run.law.title;
    law["errors"] = json_of(mean_errors(run.errors));
    law["less_held"] = json_of(mean_differences(run.errors, report.held));
    law["less_first"] = json_of(mean_differences(run.errors, report.laws.front().errors));
    law["values"] = Json::object();
    const FittedValues& all = run.law.fits.at(body).all;
    for (std::size_t i = 0; i < run.law.parameters.size(); ++i) {
      law["values"][run.law.parameters[i].name] = all.values[i];
    }
    law["steps"] = run.steps;
    law["unsolved_steps"] = run.unsolved;
    object["laws"].push_back(law);
  }
  return object.dump(2) + "\n";
}

void write_cassie_page(const CassieReport& report, const std::string& path) {
  PlotsPage page;
  page.title = "Measured landings of Cassie beside every law";
  page.lead = "Measurements: B. Acosta, W. Yang and M. Posa, RA-L 2022; data of DAIRLab/cassie_impact_dataset.";
  page.facts.emplace_back("landings", std::to_string(report.landings.size()));
  for (Table& table : tables_of(report)) {
    if (table.rows.empty()) continue;
    PlotSection section;
    section.title = table.title;
    section.note = table.note;
    section.columns = std::move(table.columns);
    section.rows = std::move(table.rows);
    page.sections.push_back(std::move(section));
  }
  write_plots_page(page, path);
}

}  // namespace carom
