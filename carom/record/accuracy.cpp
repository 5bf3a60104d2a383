#include "carom/record/accuracy.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "carom/record/hdf5_file.h"

namespace carom {
namespace {

constexpr const char* group = "/accuracy";

/// Metres, in a unit that a reader needs no power of ten for.
std::string length_text(double metres) {
  if (metres == 0) return "0 m";
  if (metres >= 0.1) return fmt::format("{:.2g} m", metres);
  if (metres >= 1e-4) return fmt::format("{:.2g} mm", metres * 1e3);
  return metres >= 1e-7 ? fmt::format("{:.2g} µm", metres * 1e6) : fmt::format("{:.1e} m", metres);
}

/// Calls visit(name, field) for every number but the flags and counts: one list for writing, reading and JSON.
template <class Values, class Visit>
void visit_numbers(Values&& accuracy, Visit&& visit) {
  visit("largest", accuracy.largest);
  visit("at_end", accuracy.at_end);
  visit("extent", accuracy.extent);
  visit("enough", accuracy.enough);
  visit("worst_time", accuracy.worst_time);
  visit("known_until", accuracy.known_until);
  visit("part_until", accuracy.part_until);
  visit("windows_error", accuracy.windows_error);
}

}  // namespace

bool tolerable(const Accuracy& accuracy) {
  if (accuracy.known) return accuracy.largest <= accuracy.enough;
  return !(accuracy.windows_error > Accuracy::tolerable_part);
}

std::string accuracy_words(const Accuracy& accuracy) {
  return accuracy.known ? "accurate to ± " + length_text(accuracy.largest) : "not checked";
}

std::string accuracy_details(const Accuracy& accuracy) {
  if (!accuracy.known) {
    std::string text = accuracy.reason.empty() ? "nobody asked for it" : accuracy.reason;
    if (std::isfinite(accuracy.windows_error)) {
      text += fmt::format("; {} steps, taken again more finely, differ by {:.2g} % of the way that bodies went in them",
                          accuracy.steps_checked, 100 * accuracy.windows_error);
    }
    return text;
  }
  std::string text = fmt::format("the end is known to ± {}; bodies moved up to {}", length_text(accuracy.at_end),
                                 length_text(accuracy.extent));
  if (!accuracy.worst.empty()) {
    text += fmt::format("; the worst is {}, at {:.4g} s", accuracy.worst, accuracy.worst_time);
  }
  if (!tolerable(accuracy)) {
    text += fmt::format("; known to {} until t = {:.4g} s", length_text(accuracy.enough), accuracy.known_until);
  }
  if (accuracy.chaotic) {
    text += fmt::format("; starts 1e-9 apart are further apart than that from t = {:.4g} s, so no step gives the end",
                        accuracy.part_until);
  }
  return text + "; judged by " + accuracy.way;
}

nlohmann::ordered_json accuracy_object(const Accuracy& accuracy, bool solved) {
  using Json = nlohmann::ordered_json;
  Json object{{"verdict", accuracy.known ? "accurate" : "not checked"},
              {"solved", solved},
              {"good", accuracy.known ? Json(tolerable(accuracy)) : Json()}};
  visit_numbers(accuracy,
                [&](const char* name, double value) { object[name] = std::isfinite(value) ? Json(value) : Json(); });
  object["worst"] = accuracy.worst.empty() ? Json() : Json(accuracy.worst);
  object["chaotic"] = accuracy.known ? Json(accuracy.chaotic) : Json();
  object["steps_checked"] = accuracy.steps_checked;
  object["way"] = accuracy.way.empty() ? Json() : Json(accuracy.way);
  object["reason"] = accuracy.known ? Json() : Json(accuracy_details(accuracy));
  return object;
}

void write_accuracy(Hdf5File& file, const Accuracy& accuracy) {
  if (!file.has(group)) file.make_group(group);
  file.set(group, "verdict", std::string(accuracy.known ? "accurate" : "not checked"));
  file.set(group, "reason", accuracy.reason);
  file.set(group, "way", accuracy.way);
  file.set(group, "worst", accuracy.worst);
  visit_numbers(accuracy, [&](const char* name, double value) { file.set(group, name, value); });
  file.set(group, "chaotic", std::int64_t{accuracy.chaotic});
  file.set(group, "steps_checked", accuracy.steps_checked);
}

Accuracy read_accuracy(const Hdf5File& file) {
  Accuracy accuracy;
  if (!file.has(group)) return accuracy;
  accuracy.known = file.text(group, "verdict") == "accurate";
  accuracy.reason = file.text(group, "reason");
  accuracy.way = file.text(group, "way");
  accuracy.worst = file.text(group, "worst");
  visit_numbers(accuracy, [&](const char* name, double& value) { value = file.real(group, name); });
  accuracy.chaotic = file.integer(group, "chaotic") != 0;
  accuracy.steps_checked = file.integer(group, "steps_checked");
  return accuracy;
}

}  // namespace carom
