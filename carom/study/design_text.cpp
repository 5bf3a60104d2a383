#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "carom/study/design.h"
#include "carom/study/text_table.h"

namespace carom {
namespace {

using nlohmann::ordered_json;

std::string word(Unique unique) { return unique == Unique::yes ? "yes" : unique == Unique::no ? "no" : "unknown"; }

std::string bound_of(const DesignedUnknown& unknown) {
  return unknown.at_bound < 0 ? "at lower bound" : unknown.at_bound > 0 ? "at upper bound" : "";
}

using Rows = std::vector<std::vector<std::string>>;

std::string number(const char* format, double value) { return fmt::format(fmt::runtime(format), value); }

std::string unknowns_table(const DesignResult& result) {
  Rows rows;
  for (const DesignedUnknown& unknown : result.unknowns) {
    const double change = unknown.after - unknown.before;
    rows.push_back({unknown.name, number("{:.8g}", unknown.before), number("{:.8g}", unknown.after),
                    number("{:+.4g}", change), number("{:+.4g}", change / unknown.scale),
                    number("{:.1f}%", 100 * unknown.share), bound_of(unknown)});
  }
  return padded({"unknown", "before", "after", "change", "in scales", "gave", ""}, rows);
}

std::string conditions_table(const DesignResult& result) {
  Rows rows;
  for (const DesignedCondition& condition : result.conditions) {
    rows.push_back({condition.told, number("{:.6g}", condition.before), number("{:.6g}", condition.after),
                    number("{:.1e}", condition.miss), condition.met ? "met" : "NOT MET"});
  }
  return padded({"condition", "before", "after", "off by", ""}, rows);
}

std::string outcomes_told(const DesignVerdict& verdict) {
  if (!verdict.approaching) return "no impact";
  return fmt::format("{}{}", verdict.cut ? "at least " : "", verdict.outcomes);
}

std::string verdict_table(const DesignResult& result) {
  const DesignVerdict &before = result.verdict_before, &after = result.verdict_after;
  Rows rows;
  const auto& contacts = result.study.contacts;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    for (std::size_t j = i + 1; j < contacts.size(); ++j) {
      const int a = static_cast<int>(i), b = static_cast<int>(j);
      rows.push_back({"cosine of " + contacts[i].name + " and " + contacts[j].name,
                      number("{:.6g}", result.impact_before.cosine(a, b)),
                      number("{:.6g}", result.impact_after.cosine(a, b))});
    }
  }
  rows.push_back({"outcomes", outcomes_told(before), outcomes_told(after)});
  rows.push_back(
      {"indeterminacy (0 to 2)", number("{:.6g}", before.indeterminacy), number("{:.6g}", after.indeterminacy)});
  rows.push_back({"one outcome, from this velocity", word(before.here), word(after.here)});
  rows.push_back({"one outcome, from any velocity", word(before.always), word(after.always)});
  return padded({"impact of the scene's start", "before", "after"}, rows) +
         fmt::format("before: {}\nafter:  {}\n", before.sentence, after.sentence);
}

/// Line on what a design that meets its conditions lacks of being the nearest, or the cheapest.
std::string nearness_told(const DesignResult& result) {
  using Minimise = DesignStudy::Minimise;
  const Minimise minimise = result.study.minimise;
  if (!result.met || minimise == Minimise::indeterminacy) return {};  // searched, not descended
  const char* best = minimise == Minimise::formula ? "cheapest" : "nearest";
  if (result.stationarity < 0)
    return fmt::format("this is a solution, but perhaps not the {}: the way on from it broke off\n", best);
  if (result.stationarity <= 1e-6 * (1 + result.change)) return {};
  return fmt::format("this is a solution, but not yet the {}: {:.2g} {}, to first order\n", best, result.stationarity,
                     minimise == Minimise::formula ? "of its slope is left" : "away");
}

ordered_json number_or_null(double value) { return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr); }

ordered_json impact_json(const DesignResult& result, const DesignImpact& impact, const DesignVerdict& verdict) {
  ordered_json contacts = ordered_json::array(), cosines = ordered_json::array();
  const auto& named = result.study.contacts;
  for (std::size_t i = 0; i < named.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    contacts.push_back({{"name", named[i].name}, {"gap", impact.gap[k]}, {"velocity", impact.u[k]}});
    for (std::size_t j = i + 1; j < named.size(); ++j) {
      cosines.push_back({{"contacts", {named[i].name, named[j].name}},
                         {"cosine", impact.cosine(static_cast<int>(i), static_cast<int>(j))}});
    }
  }
  return {{"contacts", contacts},
          {"cosines", cosines},
          {"outcomes", verdict.outcomes},
          {"outcomes_cut", verdict.cut},
          {"indeterminacy", verdict.indeterminacy},
          {"unique", word(verdict.here)},
          {"unique_from_any_velocity", word(verdict.always)},
          {"reason", verdict.sentence}};
}

}  // namespace

std::string design_text(const DesignResult& result) {
  std::string text =
      fmt::format("{}: {} of {}\n\n", result.study.file, result.met ? "a design" : "NO design", result.study.scene);
  text += unknowns_table(result) + "\n" + conditions_table(result) + "\n" + verdict_table(result);
  text += fmt::format("\nchange {:.6g} (root of the sum of squares, in scales); {} scenes read\n", result.change,
                      result.evaluations);
  text += nearness_told(result);
  for (const std::string& overlap : result.overlaps) text += "warning: overlap of " + overlap + "\n";
  if (!result.met) text += result.why + "\n";
  if (!result.written.empty()) text += "scene  " + result.written + "\n";
  return text;
}

std::string design_json(const DesignResult& result) {
  ordered_json unknowns = ordered_json::array(), conditions = ordered_json::array();
  for (const DesignedUnknown& unknown : result.unknowns) {
    unknowns.push_back({{"name", unknown.name},
                        {"path", unknown.path},
                        {"before", unknown.before},
                        {"after", unknown.after},
                        {"scale", unknown.scale},
                        {"bounds", {number_or_null(unknown.lower), number_or_null(unknown.upper)}},
                        {"at_bound", unknown.at_bound < 0   ? "lower"
                                     : unknown.at_bound > 0 ? "upper"
                                                            : "none"},
                        {"share", unknown.share}});
  }
  for (const DesignedCondition& condition : result.conditions) {
    conditions.push_back({{"condition", condition.told},
                          {"target", condition.target},
                          {"before", condition.before},
                          {"after", condition.after},
                          {"miss", condition.miss},
                          {"met_before", condition.met_before},
                          {"met", condition.met}});
  }
  const ordered_json json{
      {"study", result.study.file},
      {"scene", result.study.scene},
      {"met", result.met},
      {"why", result.met ? ordered_json(nullptr) : ordered_json(result.why)},
      {"change", result.change},
      {"stationarity", result.stationarity < 0 ? ordered_json(nullptr) : ordered_json(result.stationarity)},
      {"unknowns", unknowns},
      {"conditions", conditions},
      {"before", impact_json(result, result.impact_before, result.verdict_before)},
      {"after", impact_json(result, result.impact_after, result.verdict_after)},
      {"overlaps", result.overlaps},
      {"evaluations", result.evaluations},
      {"written", result.written.empty() ? ordered_json(nullptr) : ordered_json(result.written)}};
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);  // names of files may be no UTF-8
}

}  // namespace carom
