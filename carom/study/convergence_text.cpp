#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "carom/record/certificate_json.h"
#include "carom/study/convergence.h"

namespace carom {
namespace {

using Json = nlohmann::ordered_json;

std::string number(double value, const char* format) {
  return std::isfinite(value) ? fmt::format(fmt::runtime(format), value) : "–";
}

/// True if the runs near the reference: the distance falls with the last steps, or is what the estimate says.
bool nears_reference(const MethodConvergence& method) {
  const StepRun& last = method.runs.back();
  const double seen = method.runs[method.runs.size() - 2].error_order;
  return last.error <= 3 * method.estimate || seen >= 0.5;
}

Json json_or_null(double value) { return std::isnan(value) ? Json() : json_number(value); }

}  // namespace

std::string convergence_words(const MethodConvergence& method) {
  const std::string name = method.choice.name();
  if (method.runs.size() < 3) return name + ": too few runs to see an order.";
  const auto moves = [](const StepRun& run) { return run.change > 0; };
  if (std::none_of(method.runs.begin(), method.runs.end(), moves)) return name + ": no step changes anything.";
  if (std::isnan(method.estimate)) {
    return fmt::format(
        "{}: no order is seen ({:.2f} fitted): halving the step does not bring the motion closer to one, as "
        "where tiny differences grow.",
        name, method.order);
  }
  std::string text = fmt::format("{}: order {:.2f}; at its smallest step it is off by about {:.2g} m.", name,
                                 method.order, method.estimate);
  if (method.reference.empty()) return text;
  text += nears_reference(method)
              ? fmt::format(" It nears the motion of {}, from which it is {:.2g} m away.", method.reference,
                            method.runs.back().error)
              : fmt::format(
                    " It is {:.2g} m from the motion of {}, and its last steps come no closer: another motion, or "
                    "steps still too long to tell.",
                    method.runs.back().error, method.reference);
  return text;
}

std::string convergence_text(const Convergence& convergence) {
  std::string text = fmt::format("{}: to {:g} s\n", convergence.scene.name, convergence.scene.duration);
  for (const MethodConvergence& method : convergence.methods) {
    text += fmt::format("\n{}\n\n", convergence_words(method));
    text += fmt::format("  {:>12} {:>9} {:>9} {:>13} {:>13} {:>7} {:>15} {:>7} {:>11} {:>9}\n", "step (s)", "steps",
                        "time (s)", "off by (m)", "change (m)", "order", "from reference", "order", "at the end",
                        "unsolved");
    for (const StepRun& run : method.runs) {
      text += fmt::format("  {:>12.6g} {:>9} {:>9.3f} {:>13} {:>13} {:>7} {:>15} {:>7} {:>11} {:>9}\n", run.step,
                          run.steps, run.seconds, number(run.own_error, "{:.3e}"), number(run.change, "{:.3e}"),
                          number(run.change_order, "{:.2f}"), number(run.error, "{:.3e}"),
                          number(run.error_order, "{:.2f}"), number(run.end_error, "{:.3e}"), run.unsolved_steps);
    }
    if (!method.accuracy_runs.empty()) {
      text += fmt::format("\n  {:>12} {:>9} {:>9} {:>13} {:>15} {:>9}\n", "accuracy", "trials", "time (s)",
                          "off by (m)", "from reference", "unsolved");
    }
    for (const AccuracyRun& run : method.accuracy_runs) {
      text += fmt::format("  {:>12g} {:>9} {:>9.3f} {:>13} {:>15} {:>9}\n", run.accuracy, run.trials, run.seconds,
                          number(run.own_error, "{:.3e}"), number(run.error, "{:.3e}"), run.unsolved_steps);
    }
    if (!method.reference.empty()) text += fmt::format("  reference: {}\n", method.reference);
    if (!method.trouble.empty()) text += fmt::format("  note: {}\n", method.trouble);
  }
  return text;
}

std::string convergence_json(const Convergence& convergence) {
  Json methods = Json::array();
  for (const MethodConvergence& method : convergence.methods) {
    Json runs = Json::array();
    for (const StepRun& run : method.runs) {
      runs.push_back({{"step", run.step},
                      {"steps", run.steps},
                      {"seconds", run.seconds},
                      {"change", json_or_null(run.change)},
                      {"change_order", json_or_null(run.change_order)},
                      {"error", json_or_null(run.error)},
                      {"error_order", json_or_null(run.error_order)},
                      {"end_error", json_or_null(run.end_error)},
                      {"own_error", json_or_null(run.own_error)},
                      {"trials", run.trials},
                      {"unsolved_steps", run.unsolved_steps}});
    }
    Json by_accuracy = Json::array();
    for (const AccuracyRun& run : method.accuracy_runs) {
      by_accuracy.push_back({{"accuracy", run.accuracy},
                             {"parts", run.parts},
                             {"trials", run.trials},
                             {"seconds", run.seconds},
                             {"own_error", json_or_null(run.own_error)},
                             {"error", json_or_null(run.error)},
                             {"unsolved_steps", run.unsolved_steps}});
    }
    methods.push_back({{"method", method.choice.name()},
                       {"order", json_or_null(method.order)},
                       {"estimate", json_or_null(method.estimate)},
                       {"reference", method.reference.empty() ? Json() : Json(method.reference)},
                       {"note", method.trouble.empty() ? Json() : Json(method.trouble)},
                       {"runs", std::move(runs)},
                       {"accuracy_runs", std::move(by_accuracy)}});
  }
  const Json object{{"scene", convergence.scene.file.empty() ? convergence.scene.name : convergence.scene.file},
                    {"duration", convergence.scene.duration},
                    {"methods", std::move(methods)}};
  return object.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace carom
