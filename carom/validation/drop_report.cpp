#include "carom/validation/drop_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "carom/study/text_table.h"
#include "carom/validation/planar_value_table.h"

namespace carom {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<std::vector<std::string>>;

constexpr const char* body = "square";
constexpr double radian = 180 / EIGEN_PI;
/// Names of toss_figures in JSON.
constexpr std::array<const char*, toss_figures.size()> keys{"position_mean", "position_end", "rotation_mean",
                                                            "rotation_end"};

std::vector<TossScore> scores_of(const DropReport& report) {
  std::vector<TossScore> scores;
  for (const DropLawRun& run : report.laws) scores.push_back(run.score);
  scores.push_back(report.frozen);
  return scores;
}

Rows value_rows(const DropReport& report) {
  Rows rows;
  for (const DropLawRun& run : report.laws) {
    const Rows own = planar_value_rows(run.law, body);
    rows.insert(rows.end(), own.begin(), own.end());
  }
  return rows;
}

Rows left_out_rows(const DropReport& report) {
  Rows rows;
  for (const auto& [fault, numbers] : report.left_out)
    rows.push_back({fault_text(fault), std::to_string(numbers.size())});
  rows.push_back({"judged", std::to_string(report.judged)});
  return rows;
}

Rows score_rows(const DropReport& report, Interval (*interval)(const TossScore&, std::size_t)) {
  Rows rows;
  for (const TossScore& score : scores_of(report)) {
    rows.push_back({score.name});
    for (std::size_t figure = 0; figure < toss_figures.size(); ++figure) {
      const Interval told = interval(score, figure);
      rows.back().push_back(fmt::format("{:.1f} [{:.1f}, {:.1f}]", told.mean, told.lower, told.upper));
    }
    rows.back().push_back(fmt::format("{} of {}", right_faces(score), score.errors.size()));
  }
  return rows;
}

Rows difference_rows(const DropReport& report) {
  Rows rows;
  for (const TossScore& score : scores_of(report)) {
    if (score.name == report.laws.front().score.name) continue;
    rows.push_back({score.name});
    for (std::size_t figure = 0; figure < toss_figures.size(); ++figure) {
      const Interval told = paired_interval(score, report.laws.front().score, figure);
      rows.back().push_back(fmt::format("{:+.1f} [{:+.1f}, {:+.1f}]{}", told.mean, told.lower, told.upper,
                                        told.excludes_zero() ? " *" : ""));
    }
  }
  return rows;
}

Json json_of(const Interval& interval) { return Json::array({interval.mean, interval.lower, interval.upper}); }

Json json_of(const TossScore& score) {
  Json object;
  for (std::size_t figure = 0; figure < keys.size(); ++figure) {
    object[keys[figure]] = {{"mean", json_of(score_interval(score, figure))},
                            {"median", json_of(score_median(score, figure))}};
  }
  object["right_side"] = right_faces(score);
  return object;
}

Json json_of(const DropLawRun& run, const TossScore& first) {
  Json object;
  object["name"] = run.law.name;
  object["title"] = run.law.title;
  object["stepper"] = stepper_name(run.law.method.stepper);
  object["law"] = law_name(run.law.method.law);
  const PlanarBodyFit& fit = run.law.fits.at(body);
  object["values"] = Json::object();
  for (std::size_t i = 0; i < run.law.parameters.size(); ++i) {
    object["values"][run.law.parameters[i].name] = fit.all.values[i];
  }
  object["errors"] = json_of(run.score);
  for (std::size_t figure = 0; figure < keys.size(); ++figure) {
    object["less_first"][keys[figure]] = json_of(paired_interval(run.score, first, figure));
  }
  return object;
}

const std::vector<std::string>& figure_columns() {
  static const std::vector<std::string> columns{
      "law", "position, mean (%)", "position, end (%)", "rotation, mean (°)", "rotation, end (°)", "right side"};
  return columns;
}

PlotSection section_of(const std::string& title, const std::string& note, const std::vector<std::string>& columns,
                       const Rows& rows) {
  PlotSection section;
  section.title = title;
  section.note = note;
  section.columns = columns;
  section.rows = rows;
  return section;
}

std::string unseen_words(const DropReport& report) {
  return report.unseen_by_folds ? "each by values fitted to the other folds" : "by values fitted to others";
}

}  // namespace

Interval drop_objective(const TossScore& score) {
  std::vector<double> values;
  values.reserve(score.errors.size());
  for (const TossError& error : score.errors) values.push_back(error.mean.position + error.mean.rotation / radian);
  return bootstrap_mean(values);
}

std::string drop_report(const DropReport& report) {
  const std::vector<TossScore> scores = scores_of(report);
  std::string text = "  drops of the file\n" + padded({"", "drops"}, left_out_rows(report)) + "\n";
  text += fmt::format("  errors of {} drops, {}: means with 95 % intervals\n", report.judged, unseen_words(report)) +
          score_table(scores) + "\n  medians of the same\n" + median_table(scores) + "\n";
  text += "  differences drop by drop, means with 95 % intervals; * zero lies outside\n" +
          paired_table(scores, scores.front()) + "\n";
  return text + padded(planar_value_columns(), value_rows(report)) + "\n";
}

std::string drop_report_json(const DropReport& report) {
  Json object;
  object["judged"] = report.judged;
  object["left_out"] = Json::array();
  for (const auto& [fault, numbers] : report.left_out) {
    object["left_out"].push_back({{"why", fault_text(fault)}, {"drops", numbers}});
  }
  object["unseen_by_folds"] = report.unseen_by_folds;
  object["flight_then_freeze"] = json_of(report.frozen);
  object["laws"] = Json::array();
  for (const DropLawRun& run : report.laws) object["laws"].push_back(json_of(run, report.laws.front().score));
  return object.dump(2) + "\n";
}

std::vector<PlotSection> drop_sections(const DropReport& report) {
  std::vector<std::string> differences = figure_columns();
  differences.pop_back();
  return {section_of("Drops of the file", "Why some are left out.", {"", "drops"}, left_out_rows(report)),
          section_of(fmt::format("Errors of {} drops", report.judged),
                     "Means with 95 % intervals, " + unseen_words(report) + ".", figure_columns(),
                     score_rows(report, score_interval)),
          section_of("Medians", "Medians of the same with 95 % intervals.", figure_columns(),
                     score_rows(report, score_median)),
          section_of("Less " + report.laws.front().law.name + ", drop by drop",
                     "Means with 95 % intervals; * zero lies outside.", differences, difference_rows(report)),
          section_of("Fitted values", "", planar_value_columns(), value_rows(report))};
}

}  // namespace carom
