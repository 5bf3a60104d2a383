#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "carom/counted.h"
#include "carom/record/certificate_json.h"
#include "carom/study/fit.h"
#include "carom/study/fit_tables.h"
#include "carom/study/fit_words.h"
#include "carom/study/text_table.h"

namespace carom {
namespace {

using Json = nlohmann::ordered_json;

std::string short_number(double number) { return std::isnan(number) ? "" : fmt::format("{:.5g}", number); }

/// null where there is none.
Json number_json(double number) { return std::isnan(number) ? Json() : Json(json_number(number)); }

/// The ends of an interval that were not found.
const char* open_ends(const FittedNumber& number) {
  if (number.open_low && number.open_high) return "both";
  return number.open_low ? "low" : number.open_high ? "high" : "none";
}

Json json_of(const FittedNumber& number) {
  Json profile = Json::array();
  for (const auto& [value, rise] : number.profile) profile.push_back({number_json(value), number_json(rise)});
  const auto interval = [](double low, double high) {
    return std::isnan(low) ? Json() : Json::array({number_json(low), number_json(high)});
  };
  return {{"name", number.name},
          {"path", number.path},
          {"experiment", number.experiment.empty() ? Json() : Json(number.experiment)},
          {"value", number_json(number.value)},
          {"interval", interval(number.low, number.high)},
          {"determined", number.source == IntervalSource::none ? Json() : Json(number.determined())},
          {"open", number.source == IntervalSource::none ? Json() : Json(open_ends(number))},
          {"source", source_name(number.source)},
          {"deviation", number_json(number.deviation)},
          {"bootstrap", interval(number.bootstrap_low, number.bootstrap_high)},
          {"bounds", interval(number.lower, number.upper)},
          {"profile", std::move(profile)}};
}

Json columns_json(const FitResult& result) {
  Json columns = Json::array();
  for (const FittedColumn& column : result.columns) {
    columns.push_back({{"name", column.name},
                       {"formula", column.formula},
                       {"count", column.count},
                       {"noise", number_json(column.noise)},
                       {"estimated", column.estimated},
                       {"misfit", number_json(column.misfit)}});
  }
  return columns;
}

Json biases_json(const FitResult& result) {
  Json biases = Json::array();
  for (const FitBias& bias : result.biases) {
    biases.push_back({{"column", bias.column},
                      {"phase", bias.phase},
                      {"count", bias.count},
                      {"mean", number_json(bias.mean)},
                      {"error", number_json(bias.error)},
                      {"significant", bias.significant()}});
  }
  return biases;
}

Json ranking_json(const FitResult& result) {
  Json ranking = Json::array();
  for (const RankedMethod& method : result.ranking) {
    ranking.push_back({{"method", method.name},
                       {"misfit", number_json(method.misfit)},
                       {"held_out", number_json(method.held_out)},
                       {"difference", std::isnan(method.low) ? Json() : Json::array({method.low, method.high})},
                       {"left_out", method.left_out.empty() ? Json() : Json(method.left_out)}});
  }
  return ranking;
}

}  // namespace

FitTable number_table(const FitResult& result) {
  const bool bootstrap = result.study.bootstrap > 0;
  const bool intervals = result.study.intervals != IntervalSource::none;
  FitTable table{{"number", "value"}, {}};
  if (intervals) table.columns.insert(table.columns.end(), {"95 % from", "to", "deviation"});
  if (bootstrap) table.columns.insert(table.columns.end(), {"bootstrap from", "to"});
  table.columns.emplace_back("bounds");
  for (const FittedNumber& number : result.numbers) {
    std::vector<std::string> row{full_name(number), short_number(number.value)};
    if (intervals) {
      row.insert(row.end(),
                 {short_number(number.low) + (number.open_low ? " (bound)" : ""),
                  short_number(number.high) + (number.open_high ? " (bound)" : ""), short_number(number.deviation)});
    }
    if (bootstrap) {
      row.insert(row.end(), {short_number(number.bootstrap_low), short_number(number.bootstrap_high)});
    }
    row.push_back(short_number(number.lower) + " to " + short_number(number.upper));
    table.rows.push_back(std::move(row));
  }
  return table;
}

FitTable column_table(const FitResult& result) {
  FitTable table{{"column", "is", "measurements", "misfit (rms)", "noise"}, {}};
  for (const FittedColumn& column : result.columns) {
    table.rows.push_back({column.name, column.formula, std::to_string(column.count), short_number(column.misfit),
                          short_number(column.noise) + (column.estimated ? " (estimated)" : " (given)")});
  }
  return table;
}

FitTable correlation_table(const FitResult& result) {
  FitTable table{{"correlation"}, {}};
  const auto n = static_cast<Eigen::Index>(result.numbers.size());
  for (Eigen::Index j = 0; j + 1 < n; ++j) {
    table.columns.push_back(full_name(result.numbers[static_cast<std::size_t>(j)]));
  }
  for (Eigen::Index i = 1; i < n; ++i) {
    std::vector<std::string> row{full_name(result.numbers[static_cast<std::size_t>(i)])};
    for (Eigen::Index j = 0; j + 1 < n; ++j) {
      const double correlation = result.correlations(i, j);
      row.push_back(j >= i ? "" : std::isnan(correlation) ? "open" : fmt::format("{:.2f}", correlation));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

FitTable ranking_table(const FitResult& result) {
  const bool folds = result.study.folds > 0;
  FitTable table{{"method"}, {}};
  if (folds) table.columns.emplace_back("misfit held out");
  table.columns.insert(table.columns.end(), {"misfit of all", "mean square above the first, 95 %"});
  for (const RankedMethod& method : result.ranking) {
    if (!method.left_out.empty()) continue;
    std::vector<std::string> row{method.name};
    if (folds) row.push_back(fmt::format("{:.4g}", method.held_out));
    row.push_back(fmt::format("{:.4g}", method.misfit));
    row.push_back(std::isnan(method.low) ? "" : fmt::format("{:.3g} to {:.3g}", method.low, method.high));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string fit_text(const FitResult& result) {
  std::string text = fmt::format("{} fitted to {} of {}, {}\n", counted(std::ssize(result.numbers), "number"),
                                 counted(result.measurements, "measurement"),
                                 counted(std::ssize(result.motions), "experiment"), counted(result.runs, "run"));
  text += wrapped("  " + way_of(result)) + "\n";
  const auto add = [&](const FitTable& table) { text += padded(table.columns, table.rows) + "\n"; };
  add(number_table(result));
  add(column_table(result));
  const bool has_correlations = result.correlations.size() > 1;
  if (has_correlations && result.numbers.size() <= 8) add(correlation_table(result));
  if (result.ranking.size() > 1 || result.study.folds > 0) add(ranking_table(result));
  for (const RankedMethod& method : result.ranking) {
    if (!method.left_out.empty()) text += wrapped("  " + method.name + " is left out: " + method.left_out);
  }
  for (const std::string& sentence : conclusions(result)) text += wrapped("  " + sentence);
  return text;
}

std::string fit_json(const FitResult& result, const std::string& page, const std::string& scene) {
  Json numbers = Json::array(), directions = Json::array(), correlations = Json::array(), experiments = Json::array();
  for (const FittedNumber& number : result.numbers) numbers.push_back(json_of(number));
  for (const FittedDirection& direction : result.directions) {
    Json parts = Json::object();
    for (const auto& [name, share] : direction.parts) parts[name] = number_json(share);
    directions.push_back({{"parts", std::move(parts)}, {"singular_value", number_json(direction.singular)}});
  }
  for (Eigen::Index i = 0; i < result.correlations.rows(); ++i) {
    Json row = Json::array();
    for (Eigen::Index j = 0; j < result.correlations.cols(); ++j) row.push_back(number_json(result.correlations(i, j)));
    correlations.push_back(std::move(row));
  }
  for (const FittedMotion& motion : result.motions) {
    experiments.push_back({{"name", motion.name.empty() ? Json() : Json(motion.name)},
                           {"instants", motion.times.size()},
                           {"first_impact", number_json(motion.first_impact)}});
  }
  const Json object{{"study", result.study.file.empty() ? Json() : Json(result.study.file)},
                    {"scene", result.study.scene},
                    {"data", result.study.data},
                    {"method", result.method},
                    {"numbers", std::move(numbers)},
                    {"columns", columns_json(result)},
                    {"experiments", std::move(experiments)},
                    {"measurements", result.measurements},
                    {"misfit", number_json(result.misfit)},
                    {"rise_at_95", number_json(result.rise)},
                    {"smooth", result.smooth},
                    {"smoothness", number_json(result.difference)},
                    {"way", way_of(result)},
                    {"starts", result.starts},
                    {"agreeing", result.agreeing},
                    {"cut", result.cut},
                    {"correlations", std::move(correlations)},
                    {"directions", std::move(directions)},
                    {"biases", biases_json(result)},
                    {"serial_correlation", number_json(result.serial)},
                    {"ranking", ranking_json(result)},
                    {"sentences", result.sentences},
                    {"runs", result.runs},
                    {"page", page.empty() ? Json() : Json(page)},
                    {"written", scene.empty() ? Json() : Json(scene)}};
  return object.dump(2);
}

}  // namespace carom
