#include "carom/record/kept_step.h"

#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "carom/counted.h"
#include "carom/error.h"
#include "carom/record/array_file.h"
#include "carom/record/certificate_json.h"
#include "carom/record/step_problem.h"
#include "carom/stepper/simulation.h"

namespace carom {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kept = "one step";  // what a record of one says of its end

void check_stepper(const std::string& path, const Method& method) {
  if (is_implicit_in_geometry(method)) return;
  throw Error(path + ": steps of " + stepper_name(method.stepper) +
              " are no problems with their geometry; those of implicit-geometry and quasi-rigid are");
}

bool is_solved(const StepOutcome& outcome) { return outcome.report.status == SolveStatus::solved; }

}  // namespace

Scene step_of_run(const Record& record, std::int64_t step) {
  check_stepper(record.path, record.scene.method);
  Scene scene = record.scene;
  scene.initial = state_before_step(record, step);
  scene.duration = scene.initial.time + scene.method.step;
  return scene;
}

void write_step(const std::string& path, const Scene& step) { RecordWriter::create(path, step).finish(kept, 0); }

void write_step(const std::string& path, const Scene& step, const StepOutcome& outcome) {
  RecordWriter writer = RecordWriter::create(path, step);
  writer.append(outcome.end, outcome.report);
  writer.finish(kept, outcome.seconds);
}

bool is_kept_step(const Record& record) { return record.frames.size() <= 1 || record.end == kept; }

Scene read_step(const std::string& path) {
  const Record record = read_record(path);
  check_stepper(path, record.scene.method);
  if (record.frames.size() > 1) {
    throw Error(path + " is the record of a run with steps; take one out with: carom problem " + path + " --step N");
  }
  Scene scene = record.scene;
  scene.initial = record.frames.front().state;
  return scene;
}

bool is_record(const std::string& path) {
  try {
    return ArrayFile::open(path).has("/scene");
  } catch (const Error&) {
    return false;
  }
}

StepOutcome take_step(const Scene& step) {
  Simulation simulation(step.model, step.method, step.initial);
  simulation.set_controller(step.controller());
  StepOutcome outcome;
  const auto began = std::chrono::steady_clock::now();
  outcome.report = simulation.step();
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  outcome.end = simulation.state();
  return outcome;
}

std::string step_json(const std::string& path, const Scene& step, const StepOutcome& outcome, const std::string& out) {
  const StepReport& report = outcome.report;
  const QuasiRigidSettings& settings = step.method.quasi_rigid;
  const Json certificate{{"status", status_name(report.status)},
                         {"normal_complementarity", json_number(report.contact_certificate.normal_complementarity)},
                         {"cone_violation", json_number(report.contact_certificate.cone_violation)},
                         {"dissipation_residual", json_number(report.contact_certificate.dissipation_residual)},
                         {"solve_residual", is_solved(outcome) ? Json() : Json(json_number(report.solve_residual))},
                         {"momentum_residual", json_number(report.momentum_residual)},
                         {"penetration", json_number(report.penetration)},
                         {"constraint_drift", json_number(report.constraint_drift)}};
  const Json object{{"problem", path},
                    {"title", step.name},
                    {"step", report.step},
                    {"time", json_number(report.time)},
                    {"stepper", stepper_name(step.method.stepper)},
                    {"h", json_number(step.method.step)},
                    {"tolerance", json_number(settings.tolerance)},
                    {"most_iterations", settings.iterations},
                    {"most_halvings", settings.halvings},
                    {"unknowns", report.lcp_size},
                    {"iterations", report.iterations},
                    {"rounds", report.resolves + 1},
                    {"seconds", json_number(outcome.seconds)},
                    {"certificate", certificate},
                    {"out", out.empty() ? Json() : Json(out)}};
  return object.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string step_text(const std::string& path, const Scene& step, const StepOutcome& outcome, const std::string& out) {
  const StepReport& report = outcome.report;
  const SolveCertificate& certificate = report.contact_certificate;
  std::string text = fmt::format("{}: step {} of {}, {} with h = {} s, to {} s\n", path, report.step, step.name,
                                 stepper_name(step.method.stepper), step.method.step, report.time);
  text += fmt::format("problem     {}\n", counted(report.lcp_size, "unknown"));
  text += "status      ";
  if (is_solved(outcome)) {
    text += "solved\n";
  } else {
    text +=
        fmt::format("not solved: residual {:.3e}{}; try more --iterations, more --halvings or another --tolerance\n",
                    report.solve_residual,
                    report.status == SolveStatus::iteration_limit ? " within the iterations allowed"
                                                                  : " and no way to a smaller one");
  }
  text += fmt::format("iterations  {} in {:.2e} s\n", report.iterations, outcome.seconds);
  if (is_solved(outcome)) {
    text += fmt::format("residuals   complementarity {:.1e}, cone {:.1e}, dissipation {:.1e}, momentum {:.1e}\n",
                        certificate.normal_complementarity, certificate.cone_violation,
                        certificate.dissipation_residual, report.momentum_residual);
  }
  if (!out.empty()) text += fmt::format("written     {}\n", out);
  text.pop_back();
  return text;
}

}  // namespace carom
