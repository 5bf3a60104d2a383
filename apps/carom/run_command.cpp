#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>

#include "carom/output_error.h"
#include "carom/record/copied_file.h"
#include "carom/record/output_formulas.h"
#include "carom/record/report.h"
#include "carom/record/summary.h"
#include "carom/record/visual_meshes.h"
#include "carom/run_failure.h"
#include "carom/stepper/finite_step.h"
#include "carom/stepper/simulation.h"
#include "carom/stop_signal.h"
#include "carom/study/accuracy_check.h"
#include "commands.h"
#include "interrupt.h"
#include "memory_end.h"
#include "output_file.h"
#include "progress.h"
#include "record_names.h"
#include "scene_options.h"
#include "work_folder.h"

namespace carom {
namespace {

namespace fs = std::filesystem;

/// Values that the options ask for in place of the scene's own.
SceneOverrides overrides_of(const RunOptions& options) {
  check_seconds("--step", options.step);
  check_seconds("--until", options.until);
  if (options.accuracy && !(*options.accuracy > 0)) {
    throw Error(fmt::format("--accuracy {}: give a part of the way that bodies go in a step, between 1e-8 and 0.1",
                            *options.accuracy));
  }
  SceneOverrides overrides =
      overrides_from({options.stepper, options.law, options.dynamics, options.cone, options.smooth});
  overrides.step = options.step;
  overrides.accuracy = options.accuracy;
  overrides.contact_tolerance = options.contact_tolerance;
  overrides.duration = options.until;
  return overrides;
}

/// Changes by the options in the scene's run, for the record's name.
std::vector<std::string> variation_of(const RunOptions& options) {
  std::vector<std::string> parts = variation(options.source);
  for (const auto& choice : {options.stepper, options.law, options.dynamics, options.cone, options.smooth}) {
    if (choice) parts.push_back(*choice);
  }
  if (options.step) parts.push_back(fmt::format("step={}", *options.step));
  if (options.accuracy) parts.push_back(fmt::format("accuracy={}", *options.accuracy));
  if (options.contact_tolerance) parts.push_back(fmt::format("contact_tolerance={}", *options.contact_tolerance));
  if (options.until) parts.push_back(fmt::format("until={}", *options.until));
  return parts;
}

std::string record_path(const RunOptions& options, const Scene& scene) {
  const bool named = !options.out.empty();
  if (named) check_hdf5_name(options.out, "a run's record");
  const fs::path path =
      named ? fs::path(options.out) : fs::path("runs") / (varied_name(scene.file, variation_of(options)) + ".h5");
  // First the folder: in NEW/../FILE no file is seen until there is one.
  make_folder_of(path);
  check_overwrite(path, "record", "\x89HDF");
  check_overwrite(report_path(path.string()), "report", "<!doctype html>");
  if (!options.force) refuse_record_of_another(path.string(), scene.file, scene.text);
  return path.string();
}

/// NAME and FORMULA of every --output.
std::vector<std::pair<std::string, std::string>> asked_outputs(const RunOptions& options) {
  std::vector<std::pair<std::string, std::string>> outputs;
  for (const std::string& text : options.outputs) {
    const std::size_t sign = text.find('=');
    if (sign == std::string::npos || sign == 0 || sign + 1 == text.size()) {
      throw Error(fmt::format("--output {}: write NAME=FORMULA, as in --output height=ball.position.z", text));
    }
    outputs.emplace_back(text.substr(0, sign), text.substr(sign + 1));
  }
  return outputs;
}

/// Throws Error if a formula says nothing; outputs of the command line are told without a line of the scene.
void check_outputs(const Scene& scene, const RunOptions& options) {
  try {
    static_cast<void>(OutputFormulas(scene));
  } catch (const SceneError& error) {
    std::string sentences;
    for (const Diagnostic& fault : error.diagnostics()) {
      const bool asked = std::any_of(options.outputs.begin(), options.outputs.end(), [&](const std::string& text) {
        const std::string told = "output '" + text.substr(0, text.find('='));
        return fault.message.starts_with(told + "'") || fault.message.starts_with(told + ".");  // a component
      });
      if (!asked) tell_faults(options.source, error);
      sentences += (sentences.empty() ? "--" : "\n--") + fault.message;
    }
    throw Error(sentences);
  }
}

/// Copies a record. A file that is already at `to` stays until the copy is whole.
void copy_whole(const fs::path& from, const fs::path& to) {
  const fs::path part = to.string() + ".copy";
  std::string error = copy_bytes(from, part);
  std::error_code failed, ignored;
  if (error.empty()) {
    fs::rename(part, to, failed);
    if (failed) error = failed.message();
  }
  if (error.empty()) return;
  fs::remove(part, ignored);
  throw OutputError(to.string() + ": can't copy the record " + from.string() + " to here", error);
}

/// A run about to start or to go on.
struct Start {
  Scene scene;
  State state;
  std::string path;                     ///< of the record
  std::unique_ptr<WorkFolder> passing;  ///< where a record lies that is not kept
};

Start fresh_start(const RunOptions& options) {
  const std::string& named = options.source.scene;
  if (named.empty()) throw Error("name a scene file, or a record with --resume");
  if (fs::path(named).extension() == ".h5") {
    throw Error(named + " looks like a record, not a scene; go on with it by carom run --resume " + named);
  }
  SceneSource source = scene_source(options.source, overrides_of(options));
  if (!options.outputs.empty()) source.text = with_outputs(source.text, source.file, asked_outputs(options));
  Start start{.scene = telling_faults(options.source, [&] { return source.scene(); }),
              .state = {},
              .path = {},
              .passing = options.keep_record ? nullptr : std::make_unique<WorkFolder>()};
  check_outputs(start.scene, options);
  start.state = start.scene.initial;
  start.path = start.passing ? *start.passing / "run.h5" : record_path(options, start.scene);
  return start;
}

Start resumed_start(const RunOptions& options) {
  check_no_model_options(options.source);
  if (!options.source.settings.empty()) {
    throw Error("--set can't change the scene of a run that goes on; begin a new run, without --resume");
  }
  if (!options.outputs.empty()) {
    throw Error("--output can't change what a run that goes on records; begin a new run, without --resume");
  }
  std::error_code ignored;
  if (!fs::is_regular_file(options.resume, ignored)) {
    throw Error("--resume " + options.resume + ": there is no such record");
  }
  const Record record = read_record(options.resume);
  const Scene& recorded = record.scene;
  const std::string& scene = options.source.scene;
  if (!scene.empty() && recorded.text.empty()) {
    throw Error(options.resume + " is the record of a model that a program built, and of no scene file; leave " +
                scene + " out to go on with it");
  }
  if (!scene.empty() && load_scene(scene, overrides_of(options)).text != recorded.text) {
    throw Error(
        fmt::format("{} is not a record of {}: its scene has another text; leave the scene out to go on with "
                    "the record's own",
                    options.resume, scene));
  }
  if (const std::optional<double> step = overrides_of(options).step; step && *step != recorded.method.step) {
    throw Error(fmt::format("{} holds steps of {} s, and a record has one step; leave --step out, or begin a new run",
                            options.resume, recorded.method.step));
  }
  Start start{.scene = with_overrides(recorded, overrides_of(options)),
              .state = record.frames.back().state,
              .path = options.resume,
              .passing = nullptr};
  if (!options.out.empty() && !fs::equivalent(options.out, options.resume, ignored)) {
    start.path = record_path(options, start.scene);
    copy_whole(options.resume, start.path);
  }
  return start;
}

/// A step or an end that is mistyped is seen before a day has passed.
void warn_of_many_steps(const Start& start) {
  constexpr double many = 1e7;
  const Scene& scene = start.scene;
  const double steps = (scene.duration - start.state.time) / scene.method.step;
  if (steps <= many) return;
  fmt::print(stderr, "warning: {:.3g} steps of {:g} s lead to {:g} s; --step and --until change that\n", steps,
             scene.method.step, scene.duration);
}

/// Files of a record that a signal takes along which ends the program at once.
class BegunRecord {
 public:
  BegunRecord(const Start& start, bool resuming) {
    if (start.passing) record_.emplace(start.path);
    const std::string hidden = RecordWriter::hidden_name(start.path);
    std::error_code ignored;
    if (fs::exists(hidden, ignored)) return;  // may be another program's, which the writer refuses to share
    if (!resuming) replaced_.emplace(RecordWriter::replaced_name(start.path), start.path);
    hidden_.emplace(hidden);
  }
  /// The record is whole: what has its hidden name now is another program's.
  void finish() {
    hidden_.reset();
    replaced_.reset();
  }

 private:
  std::optional<GoneOnSignal> record_, replaced_, hidden_;
};

/// A run on its way. Shared with the thread that takes its steps, which may be left in the middle of one.
struct Going {
  explicit Going(const Start& start) : simulation(start.scene.model, start.scene.method, start.state) {
    simulation.set_controller(start.scene.controller());
  }

  Simulation simulation;
  std::optional<RecordWriter> writer;
  std::optional<Progress> progress;
  std::mutex adding;  ///< held by whoever adds to the record or shows how far the run is
  bool over = false;  ///< nothing more is added
};

/// The check of the motion that the options ask for.
AccuracyCheck accuracy_check(const RunOptions& options) {
  using Extent = AccuracyCheck::Extent;
  AccuracyCheck how;
  how.stop = interrupted;
  if (options.require_accuracy && !(*options.require_accuracy > 0)) {
    throw Error(fmt::format("--require-accuracy {}: give a length in metres, above 0", *options.require_accuracy));
  }
  const std::string& asked = options.check_step;
  const bool number = !asked.empty() && asked.size() < 7 && asked.find_first_not_of("0123456789") == std::string::npos;
  if (asked == "on") {
    how.extent = Extent::whole;
  } else if (asked == "off") {
    how.extent = Extent::off;
  } else if (number && std::stoi(asked) > 0) {
    how.extent = Extent::windows;
    how.windows = std::stoi(asked);
  } else if (asked != "auto") {
    throw Error(
        fmt::format("--check-step {}: write auto, on, off or a number of windows, as in --check-step 20", asked));
  }
  if (!options.require_accuracy) return how;
  if (asked != "auto" && asked != "on") {
    throw Error(fmt::format("--require-accuracy needs the whole motion checked; leave --check-step {} out", asked));
  }
  how.extent = Extent::whole;
  return how;
}

/// True if the motion is known as well as is asked for; a sentence is printed if it is not.
bool is_accurate_enough(const RunOptions& options, const Accuracy& accuracy) {
  if (!options.require_accuracy) return true;
  if (accuracy.known && accuracy.largest <= *options.require_accuracy) return true;
  fmt::print(stderr, "the motion is not known to {:g} m, as --require-accuracy asks: {}: {}\n",
             *options.require_accuracy, accuracy_words(accuracy), accuracy_details(accuracy));
  return false;
}

/// Steps until the last step, an interrupt, or a state that is not finite. An interrupt ends a long step on its way,
/// and the run can go on from the step before. Returns why it ended, in the record's words.
std::string advance(Going& run, std::int64_t last) {
  std::int64_t events = 0;
  const double first = static_cast<double>(run.simulation.state().step);
  while (run.simulation.state().step < last) {
    if (interrupted()) return "interrupted";
    const StepReport* report = nullptr;
    try {
      report = &run.simulation.step();
    } catch (const Stopped&) {
      return "interrupted";
    } catch (const RunFailure& failure) {
      fmt::print(stderr, "carom: {}\n", failure.what());
      return "failed";
    }
    if (!is_finite(run.simulation.state(), *report)) return "failed";
    const std::lock_guard<std::mutex> lock(run.adding);
    if (run.over) return "interrupted";
    run.writer->append(run.simulation.state(), *report);
    events += std::ssize(report->events);
    if (!run.progress) continue;
    run.progress->count_events(events);
    run.progress->show((static_cast<double>(report->step) - first) / (static_cast<double>(last) - first));
  }
  return "done";
}

/// Takes the steps of a run, and of an interrupted one no more than its record waits for. Why it ended.
std::string advance_unless_left(const std::shared_ptr<Going>& run, std::int64_t last) {
  constexpr auto patience = std::chrono::seconds(1);
  const std::optional<std::string> end = unless_left(
      [run, last] {
        try {
          return advance(*run, last);
        } catch (const std::exception&) {
          give_memory_back();  // if there is too little, the record is closed with it
          throw;
        }
      },
      patience);
  // A step that was left may end yet, and what is being written is written first.
  const std::lock_guard<std::mutex> lock(run->adding);
  run->over = true;
  run->progress.reset();
  return end.value_or("interrupted");
}

}  // namespace

int run_command(const RunOptions& options) {
  const bool resuming = !options.resume.empty();
  const AccuracyCheck check = accuracy_check(options);
  Start start = resuming ? resumed_start(options) : fresh_start(options);
  const std::int64_t last = start.scene.steps();
  if (start.state.step >= last) {
    throw Error(
        fmt::format("{} has reached {} s already; say how far to go on with --until", start.path, start.state.time));
  }
  warn_of_many_steps(start);
  const bool has_page = options.keep_record && options.write_report && has_player();
  // A run that nobody draws opens no mesh; its record then names the files.
  if (has_page) start.scene.appearance = with_surfaces(std::move(start.scene.appearance));
  const auto run = std::make_shared<Going>(start);
  BegunRecord begun(start, resuming);
  run->writer = resuming        ? RecordWriter::resume(start.path, start.scene)
                : start.passing ? RecordWriter::create_passing(start.path, start.scene)
                                : RecordWriter::create(start.path, start.scene);
  // Until here no step is lost, and a signal ends the program at once; from here the record is closed first.
  catch_interrupts();

  if (!resuming) {
    for (const std::string& warning : start.scene.warnings) fmt::print(stderr, "warning: {}\n", warning);
    warn_of_overlap(start.scene);
  }
  run->simulation.set_stop(interrupted);
  const auto began = std::chrono::steady_clock::now();
  if (!options.quiet) run->progress.emplace(start.scene.name);
  const std::string end = advance_unless_left(run, last);
  run->writer->finish_steps(end, std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
  Record record = read_record(start.path, start.scene);
  record.accuracy = check_accuracy(record, check);
  run->writer->finish_accuracy(record.accuracy);
  begun.finish();
  release_interrupts();

  const std::string page = has_page ? report_path(start.path) : "";
  if (!page.empty()) write_report(record, page);
  if (!options.keep_record) record.path.clear();
  if (!options.quiet) fmt::print("{}\n", options.json ? run_json(record, page) : run_text(record, page));
  if (record.certificate.unsolved_steps > 0 && !is_integrated(start.scene.method)) {
    const std::int64_t step = record.certificate.first_unsolved_step;
    fmt::print(stderr, "step {} was not solved; take its problem out with: carom problem {} --step {}\n", step,
               record.path.empty() ? "RECORD (of a run that keeps one)" : record.path, step);
  }
  if (end == "interrupted") {
    const double time = record.frames.back().state.time;
    fmt::print(stderr, "stopped at {:.6g} s; {}\n", time,
               record.path.empty() ? "no record was kept" : "go on with: carom run --resume " + record.path);
  } else if (end == "failed") {
    fmt::print(
        stderr,
        "the run failed in step {}: a number of the state or the energy is no longer finite; the record ends before "
        "it\n",
        run->simulation.state().step);
  }
  const bool accurate = is_accurate_enough(options, record.accuracy);
  return end != "done" || record.certificate.unsolved_steps > 0 || !accurate ? 1 : 0;
}

}  // namespace carom
