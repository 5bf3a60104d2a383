#include <cmath>
#include <nlohmann/json.hpp>

#include "carom/record/certificate_json.h"
#include "carom/study/comparison_page.h"
#include "carom/study/comparison_text.h"
#include "carom/study/comparison_verdict.h"

namespace carom {
namespace {

using Json = nlohmann::ordered_json;

Json number_list(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(json_number(value));
  return list;
}

Json trials_json(const RefinedRun& refined) {
  Json trials = Json::array();
  for (const StepTrial& trial : refined.trials) {
    trials.push_back({{is_integrated(refined.run.method) ? "tolerance" : "step", trial.accuracy},
                      {"change", std::isnan(trial.change) ? Json() : Json(trial.change)},
                      {"seconds", trial.seconds}});
  }
  return trials;
}

Json run_object(const Comparison& comparison, std::size_t i) {
  const RefinedRun& refined = comparison.runs[i];
  Record record;
  record.scene = comparison.scene;
  record.scene.method = refined.run.method;
  record.certificate = refined.run.certificate;
  return {{"method", run_name(comparison, i)},
          {"stepper", stepper_name(refined.choice.stepper)},
          {"law", law_name(refined.choice.law)},
          {"step", refined.run.method.step},
          {"scene_step", refined.scene_step},
          {"scene_step_error", json_number(refined.scene_step_error)},
          {"trials", trials_json(refined)},
          {"settled", refined.settled},
          {"error", refined.error.empty() ? Json() : json_number(largest_error(refined))},
          {"trouble", refined.run.trouble.empty() ? Json() : Json(refined.run.trouble)},
          {"warnings", refined.warnings},
          {"distance", number_list(comparison.from_reference[i].distance)},
          {"energy", number_list(refined.run.energy)},
          {"certificate", certificate_object(record)},
          {"record", refined.record.empty() ? Json() : Json(refined.record)}};
}

Json parting_json(const Comparison& comparison, const Parting& parting) {
  const bool parted = parting.parted();
  Json object{{"methods", {run_name(comparison, parting.first), run_name(comparison, parting.second)}},
              {"largest", json_number(parting.largest)},
              {"time", parted ? Json(parting.time) : Json()}};
  if (!parted || !parting.has_cause) return object;
  object["cause"] = {{"from", parting.from},
                     {"to", parting.to},
                     {"bodies", pair_name(*comparison.scene.model, parting.pair)},
                     {"strikes", parting.strikes},
                     {"impulses", {json_number(parting.first_impulse), json_number(parting.second_impulse)}}};
  return object;
}

Json verdict_json(const Comparison& comparison) {
  const ComparisonVerdict verdict = verdict_of(comparison);
  return {{"words", verdict.words},
          {"decided_by", decisive_name(verdict.decisive)},
          {"between_methods", verdict.decisive == Decisive::unknown ? Json() : json_number(verdict.between_methods)},
          {"step_error", json_number(verdict.step_error)}};
}

}  // namespace

std::string comparison_json(const Comparison& comparison, const std::string& page) {
  Json runs = Json::array(), partings = Json::array(), groups = Json::array(), left_out = Json::array();
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) runs.push_back(run_object(comparison, i));
  for (const Parting& parting : comparison.partings) partings.push_back(parting_json(comparison, parting));
  for (const auto& group : comparison.groups) {
    Json names = Json::array();
    for (const std::size_t run : group) names.push_back(run_name(comparison, run));
    groups.push_back(std::move(names));
  }
  for (const LeftOut& left : comparison.left_out) {
    left_out.push_back({{"method", left.choice.name()}, {"reason", left.reason}});
  }
  Json assumptions = Json::object();
  for (const auto& row : assumption_table(comparison).rows) assumptions[row[0]] = row[1];
  const SampledRun& reference = comparison.runs[comparison.reference].run;
  const Json object{{"scene", comparison.scene.file.empty() ? comparison.scene.name : comparison.scene.file},
                    {"duration", comparison.scene.duration},
                    {"tolerance", comparison.tolerance},
                    {"extent", comparison.extent},
                    {"reference", run_name(comparison, comparison.reference)},
                    {"verdict", verdict_json(comparison)},
                    {"words", comparison_words(comparison)},
                    {"assumptions", std::move(assumptions)},
                    {"groups", std::move(groups)},
                    {"partings", std::move(partings)},
                    {"times", number_list(reference.times)},
                    {"runs", std::move(runs)},
                    {"left_out", std::move(left_out)},
                    {"page", page.empty() ? Json() : Json(page)}};
  return object.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace carom
