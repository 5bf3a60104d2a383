#include "carom/record/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "carom/model/contact_name.h"
#include "carom/record/certificate_json.h"
#include "carom/record/curve.h"
#include "carom/record/page_text.h"
#include "carom/record/report_data.h"
#include "carom/record/report_page.h"
#include "carom/record/runs_page.h"
#include "carom/record/summary.h"

namespace carom {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t largest_event_count = 500;

std::string event_text(const Model& model, const Event& event) {
  const auto body = [&](int i) { return i < 0 ? "world" : model.bodies()[static_cast<std::size_t>(i)].name; };
  if (event.kind == EventKind::unsolved) return "the contact problem of this step was not solved";
  if (event.kind == EventKind::impact) {
    const std::string a = body(event.body_a), b = body(event.body_b);
    if (event.id.is_limit()) return fmt::format("{} strikes its {}", a, limit_name(event.id));
    if (event.id.is_tendon()) {
      return fmt::format("{} strikes", contact_name(model, event.id, event.body_a, event.body_b));
    }
    return event.id.is_rope() ? fmt::format("the rope of {} and {} strikes", a, b) : fmt::format("{} strikes {}", a, b);
  }
  if (event.id.is_limit()) return fmt::format("{}, {}", body(event.body_a), limit_name(event.id));
  if (event.id.is_tendon()) return contact_name(model, event.id, event.body_a, event.body_b);
  return fmt::format("{} – {}", body(event.body_a), body(event.body_b));
}

Json facts(const Record& record) {
  const Method& method = record.scene.method;
  const auto fact = [](const char* label, const std::string& value) {
    return Json{{"label", label}, {"value", value}};
  };
  const State& state = record.frames.back().state;
  return {fact("motion", accuracy_words(record.accuracy)),
          fact("stepper", stepper_name(method.stepper)),
          fact("impact law", law_name(method.law)),
          fact("dynamics", dynamics_name(method.dynamics)),
          fact("step", method.accuracy > 0
                           ? fmt::format("{:g} s, in parts for an accuracy of {:g}", method.step, method.accuracy)
                           : fmt::format("{:g} s", method.step)),
          fact("steps", std::to_string(state.step)),
          fact("simulated", fmt::format("{:g} s", state.time)),
          fact("computed in", fmt::format("{:.2f} s", record.wall_seconds)),
          fact("friction cone", cone_text(method))};
}

}  // namespace

Json report_data(const Record& record) {
  const std::vector<Verdict> lines = verdicts(record);
  Json table = Json::array();
  for (const Verdict& line : lines) {
    table.push_back(
        {{"meaning", line.meaning}, {"value", line.value}, {"good", line.good}, {"judged", line.judged || !line.good}});
  }
  Json events = Json::array();
  for (std::size_t i = 0; i < std::min(largest_event_count, record.events.size()); ++i) {
    const Event& event = record.events[i];
    events.push_back({{"time", json_number(event.time)},
                      {"kind", event_name(event.kind)},
                      {"what", event_text(*record.scene.model, event)}});
  }
  std::vector<double> times;
  for (const Frame& frame : record.frames) times.push_back(frame.state.time);
  const std::string end = record.end == "done" ? "" : " The run ended: " + record.end + ".";
  return {{"title", record.scene.name.empty() ? "A run" : record.scene.name},
          {"lead", record.scene.file.empty() ? "A model that a program built" : without_folders(record.scene.file)},
          {"facts", facts(record)},
          {"verdict", conclusion(record, lines) + end + " Computed from the result alone, not by the solver."},
          {"verdicts", std::move(table)},
          {"events", std::move(events)},
          {"event_count", record.events.size()},
          {"bodies",
           [&] {
             Json names = Json::array();
             for (const Body& body : record.scene.model->bodies()) names.push_back(body.name);
             return names;
           }()},
          {"times", base64(thin_times(times))},
          {"sections", report_sections(record)},
          {"scene", without_folders(record.scene.text)},
          {"footer", fmt::format("Carom {} · record {}", record.version, without_folders(record.path))}};
}

bool has_player() { return !runs_script().empty(); }

void write_report(const Record& record, const std::string& path) {
  const std::string name = record.scene.name.empty() ? "A run" : record.scene.name;
  write_runs_page(name, {{name, &record}}, nullptr, nullptr, path);
}

}  // namespace carom
