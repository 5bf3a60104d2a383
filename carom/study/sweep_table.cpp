#include "carom/study/sweep_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "carom/counted.h"
#include "carom/record/certificate_json.h"
#include "carom/record/hdf5_file.h"
#include "carom/study/quantile.h"

namespace carom {
namespace {

using Json = nlohmann::ordered_json;

/// A cell of CSV, in quotes where it needs them.
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : c == '\n' ? std::string(" ") : std::string(1, c);
  return quoted + "\"";
}

std::string cell(double number) { return std::isnan(number) ? "" : fmt::format("{}", number); }

std::string method_of(const SweepCase& sweep_case) { return sweep_case.method ? sweep_case.method->name() : ""; }

/// Counts the cases by the way they ended, in the order of the names.
std::map<std::string, std::int64_t> counts(const SweepResult& result) {
  std::map<std::string, std::int64_t> by_status;
  for (const SweepRow& row : result.rows) ++by_status[row.status];
  return by_status;
}

std::int64_t to_look_at(const SweepResult& result) {
  return std::count_if(result.rows.begin(), result.rows.end(),
                       [](const SweepRow& row) { return row.status == "done" && !row.ok; });
}

}  // namespace

std::string sweep_csv(const SweepResult& result) {
  std::string text = "case,method";
  for (const std::string& name : result.varied) text += "," + cell(name);
  text += ",status,ok";
  for (const std::string& name : result.columns) text += "," + cell(name);
  text += ",reason\n";
  for (std::size_t i = 0; i < result.rows.size(); ++i) {
    const SweepCase& sweep_case = result.cases[i];
    const SweepRow& row = result.rows[i];
    text += fmt::format("{},{}", sweep_case.number, cell(method_of(sweep_case)));
    for (const double value : sweep_case.values) text += "," + cell(value);
    text += fmt::format(",{},{}", row.status, row.ok ? 1 : 0);
    for (const double number : row.numbers) text += "," + cell(number);
    text += "," + cell(row.reason) + "\n";
  }
  return text;
}

void write_sweep_hdf5(const SweepResult& result, const std::string& path) {
  const std::string part = path + ".part";
  std::filesystem::remove(part);
  {
    Hdf5File file = Hdf5File::create(part);
    const auto rows = static_cast<std::int64_t>(result.rows.size());
    std::vector<double> values, numbers;
    std::vector<std::int64_t> cases, ok;
    std::vector<std::string> methods, statuses, reasons;
    for (std::size_t i = 0; i < result.rows.size(); ++i) {
      cases.push_back(result.cases[i].number);
      ok.push_back(result.rows[i].ok ? 1 : 0);
      values.insert(values.end(), result.cases[i].values.begin(), result.cases[i].values.end());
      numbers.insert(numbers.end(), result.rows[i].numbers.begin(), result.rows[i].numbers.end());
      methods.push_back(method_of(result.cases[i]));
      statuses.push_back(result.rows[i].status);
      reasons.push_back(result.rows[i].reason);
    }
    const auto table = [&](const char* name, Scalar scalar, const std::vector<std::string>& columns,
                           const char* meaning) {
      TableShape shape{
          .path = name, .scalar = scalar, .row = {}, .unit = "", .meaning = meaning, .columns = columns, .choices = {}};
      if (!columns.empty()) shape.row = {static_cast<int>(columns.size())};
      return file.make_table(shape);
    };
    file.write_rows(table("/case", Scalar::integer, {}, "number of the case"), 0, cases.data(), rows);
    file.write_rows(table("/ok", Scalar::integer, {}, "1: done, and nothing stands out"), 0, ok.data(), rows);
    if (!result.varied.empty()) {
      file.write_rows(table("/varied", Scalar::real, result.varied, "numbers of the scene"), 0, values.data(), rows);
    }
    file.write_rows(table("/numbers", Scalar::real, result.columns, "outputs, certificate and ledger at the end"), 0,
                    numbers.data(), rows);
    file.write_texts("/method", methods);
    file.write_texts("/status", statuses);
    file.write_texts("/reason", reasons);
    file.close();
  }
  std::filesystem::rename(part, path);
}

std::vector<Distribution> distributions(const SweepResult& result) {
  std::vector<std::string> names = result.outputs;
  if (names.empty()) names = {"steps", "unsolved_steps", "iterations", "penetration", "free_motion_error"};
  std::vector<Distribution> all;
  for (const std::string& name : names) {
    const auto column = static_cast<std::size_t>(std::find(result.columns.begin(), result.columns.end(), name) -
                                                 result.columns.begin());
    std::vector<double> numbers;
    for (const SweepRow& row : result.rows) {
      if (row.status == "done" && std::isfinite(row.numbers[column])) numbers.push_back(row.numbers[column]);
    }
    std::sort(numbers.begin(), numbers.end());
    Distribution told{.name = name, .count = std::ssize(numbers)};
    if (!numbers.empty()) {
      for (const double number : numbers) told.mean += number / static_cast<double>(numbers.size());
      for (const double number : numbers) told.deviation += (number - told.mean) * (number - told.mean);
      told.deviation = numbers.size() > 1 ? std::sqrt(told.deviation / static_cast<double>(numbers.size() - 1)) : 0;
      told.least = numbers.front();
      told.low = quantile(numbers, 0.05);
      told.median = quantile(numbers, 0.5);
      told.high = quantile(numbers, 0.95);
      told.greatest = numbers.back();
    }
    all.push_back(std::move(told));
  }
  return all;
}

std::string sweep_text(const SweepResult& result, const SweepFiles& files) {
  std::string text = fmt::format("{} of {}", counted(std::ssize(result.rows), "case"), result.count);
  if (result.earlier > 0) text += fmt::format(", {} of them from an earlier run", result.earlier);
  text += "\n";
  for (const auto& [status, count] : counts(result)) {
    text += fmt::format("  {:<10} {}", status, count);
    if (status == "done" && to_look_at(result) > 0)
      text += fmt::format(", of which {} need a look (ok = 0)", to_look_at(result));
    for (std::size_t i = 0; status != "done" && i < result.rows.size(); ++i) {
      if (result.rows[i].status != status) continue;
      text += fmt::format("; case {}: {}", result.cases[i].number, result.rows[i].reason);
      break;
    }
    text += "\n";
  }
  text += fmt::format("{:<24} {:>12} {:>12} {:>12} {:>12} {:>12} {:>12} {:>12}\n", "at the end", "mean", "deviation",
                      "least", "5 %", "median", "95 %", "greatest");
  for (const Distribution& d : distributions(result)) {
    if (d.count == 0) {
      text += fmt::format("{:<24} no number in any case\n", d.name);
    } else {
      text += fmt::format("{:<24} {:>12.5g} {:>12.5g} {:>12.5g} {:>12.5g} {:>12.5g} {:>12.5g} {:>12.5g}\n", d.name,
                          d.mean, d.deviation, d.least, d.low, d.median, d.high, d.greatest);
    }
  }
  if (!files.csv.empty()) text += "table       " + files.csv + "\n";
  if (!files.hdf5.empty()) text += "as HDF5     " + files.hdf5 + "\n";
  if (!files.page.empty()) text += "page        " + files.page + "\n";
  return text;
}

std::string sweep_json(const SweepResult& result, const SweepFiles& files) {
  Json by_status = Json::object(), outputs = Json::array();
  for (const auto& [status, count] : counts(result)) by_status[status] = count;
  for (const Distribution& d : distributions(result)) {
    const auto number = [&](double value) { return d.count == 0 ? Json() : json_number(value); };
    outputs.push_back({{"name", d.name},
                       {"count", d.count},
                       {"mean", number(d.mean)},
                       {"deviation", number(d.deviation)},
                       {"min", number(d.least)},
                       {"q05", number(d.low)},
                       {"median", number(d.median)},
                       {"q95", number(d.high)},
                       {"max", number(d.greatest)}});
  }
  const Json object{{"cases", result.count},
                    {"finished", std::ssize(result.rows)},
                    {"earlier", result.earlier},
                    {"status", std::move(by_status)},
                    {"not_ok", to_look_at(result)},
                    {"outputs", std::move(outputs)},
                    {"csv", files.csv.empty() ? Json() : Json(files.csv)},
                    {"hdf5", files.hdf5.empty() ? Json() : Json(files.hdf5)},
                    {"page", files.page.empty() ? Json() : Json(files.page)}};
  return object.dump(2);
}

}  // namespace carom
