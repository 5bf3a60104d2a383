#include "carom/study/sweep_run.h"

#include <array>
#include <cmath>
#include <optional>

#include "carom/output_error.h"
#include "carom/record/live_columns.h"
#include "carom/record/summary.h"
#include "carom/run_failure.h"
#include "carom/stepper/finite_step.h"
#include "carom/stepper/simulation.h"
#include "carom/stop_signal.h"
#include "carom/study/no_number.h"

namespace carom {
namespace {

/// Counts and energies of a run, after its outputs.
struct RunNumbers {
  double time = 0, steps = 0, iterations = 0, events = 0;
  RunCertificate certificate;
};

struct RunNumber {
  const char* name;
  double (*of)(const RunNumbers&);
};

constexpr std::array<RunNumber, 11> run_numbers{{
    {"time", [](const RunNumbers& run) { return run.time; }},
    {"steps", [](const RunNumbers& run) { return run.steps; }},
    {"unsolved_steps", [](const RunNumbers& run) { return static_cast<double>(run.certificate.unsolved_steps); }},
    {"iterations", [](const RunNumbers& run) { return run.iterations; }},
    {"impacts", [](const RunNumbers& run) { return static_cast<double>(run.certificate.impacts); }},
    {"events", [](const RunNumbers& run) { return run.events; }},
    {"largest_energy", [](const RunNumbers& run) { return run.certificate.largest_energy; }},
    {"contact_work", [](const RunNumbers& run) { return run.certificate.energy.contact_work; }},
    {"push_out", [](const RunNumbers& run) { return run.certificate.energy.push_out; }},
    {"projection", [](const RunNumbers& run) { return run.certificate.energy.projection; }},
    {"free_motion_error", [](const RunNumbers& run) { return run.certificate.energy.free_motion_error; }},
}};

/// The names of the certificate's lines that need a look.
std::string lines_to_look_at(const Scene& scene, const RunCertificate& certificate) {
  Record judged;
  judged.scene = scene;
  judged.certificate = certificate;
  std::string names;
  for (const Verdict& line : verdicts(judged)) {
    if (!line.good) names += (names.empty() ? "" : " ") + line.name;
  }
  return names;
}

class CaseRun {
 public:
  CaseRun(const Scene& scene, const SweepStudy& study, const std::vector<std::string>& outputs,
          const std::string& record)
      : scene_(scene), study_(study), simulation_(scene.model, scene.method, scene.initial) {
    if (!outputs.empty()) live_.emplace(scene);
    simulation_.set_controller(scene.controller());
    if (!record.empty()) writer_ = RecordWriter::create(record, scene);
  }

  SweepRow take(const std::function<bool()>& stop) {
    if (stop) simulation_.set_stop(stop);
    SweepRow row{.status = "done", .reason = "", .ok = false, .numbers = {}};
    while (simulation_.state().step < scene_.steps()) {
      if (stop && stop()) throw Stopped();
      try {
        const StepReport& report = simulation_.step();
        if (!is_finite(simulation_.state(), report)) {
          fail(row, "a number of the state or the energy is no longer finite");
          break;
        }
        run_.iterations += report.iterations;
        run_.events += static_cast<double>(report.events.size());
        if (live_) live_->add(simulation_.state(), report);
        if (writer_) writer_->append(simulation_.state(), report);
      } catch (const RunFailure& failure) {
        fail(row, failure.what());
        break;
      }
      if (study_.iterations > 0 && run_.iterations > static_cast<double>(study_.iterations)) {
        row.status = "stopped";
        row.reason = "more than " + std::to_string(study_.iterations) + " iterations";
        break;
      }
    }
    if (writer_) writer_->finish(row.status, 0);
    run_.time = simulation_.state().time;
    run_.steps = static_cast<double>(simulation_.state().step);
    run_.certificate = simulation_.certificate();
    if (row.status == "done") {
      row.reason = lines_to_look_at(scene_, run_.certificate);
      row.ok = row.reason.empty();
    }
    if (live_) {
      for (const double number : live_->outputs()) row.numbers.push_back(number);
    }
    for (const RunNumber& number : run_numbers) row.numbers.push_back(number.of(run_));
    for (const JudgedNumber& number : judged_numbers) {
      row.numbers.push_back(number.value(run_.certificate, run_.certificate.contact));
    }
    return row;
  }

 private:
  void fail(SweepRow& row, const std::string& why) const {
    row.status = "failed";
    row.reason = "step " + std::to_string(simulation_.state().step + 1) + ": " + why;
  }

  const Scene& scene_;
  const SweepStudy& study_;
  Simulation simulation_;
  std::optional<LiveColumns> live_;
  std::optional<RecordWriter> writer_;
  RunNumbers run_;
};

}  // namespace

std::vector<std::string> sweep_columns(const std::vector<std::string>& outputs) {
  std::vector<std::string> columns = outputs;
  for (const RunNumber& number : run_numbers) columns.emplace_back(number.name);
  for (const JudgedNumber& number : judged_numbers) columns.emplace_back(number.name);
  return columns;
}

SweepRow run_case(const SweepCases& cases, const SweepCase& sweep_case, const SweepStudy& study,
                  const std::vector<std::string>& outputs, const std::string& record,
                  const std::function<bool()>& stop) {
  const auto nothing = [&](const char* status, const Error& error) {
    return SweepRow{status, error.what(), false, std::vector<double>(sweep_columns(outputs).size(), none)};
  };
  Scene scene;
  try {
    scene = cases.source(sweep_case).scene();
  } catch (const Error& error) {
    return nothing("refused", error);
  }
  try {
    return CaseRun(scene, study, outputs, record).take(stop);
  } catch (const OutputError&) {
    throw;  // a fault of the disk is not one of the case
  } catch (const Error& error) {
    return nothing("refused", error);
  }
}

}  // namespace carom
