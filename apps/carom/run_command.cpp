#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "carom/error.h"
#include "carom/record/report.h"
#include "carom/record/summary.h"
#include "carom/stepper/simulation.h"
#include "commands.h"
#include "interrupt.h"
#include "progress.h"

namespace carom {
namespace {

namespace fs = std::filesystem;

/// What the options ask for in place of the scene's own.
SceneOverrides overrides_of(const RunOptions& options) {
  SceneOverrides overrides;
  if (options.stepper) overrides.stepper = parse_stepper(*options.stepper);
  if (options.law) overrides.law = parse_law(*options.law);
  if (options.dynamics) overrides.dynamics = parse_dynamics(*options.dynamics);
  overrides.step = options.step;
  overrides.duration = options.until;
  return overrides;
}

/// The page beside a record: its name with .html in place of .h5.
std::string report_path(const std::string& record) {
  fs::path path(record);
  return path.extension() == ".h5" ? path.replace_extension(".html").string() : record + ".html";
}

std::string record_path(const RunOptions& options, const Scene& scene) {
  const fs::path path =
      options.out.empty() ? fs::path("runs") / (fs::path(scene.file).stem().string() + ".h5") : fs::path(options.out);
  if (path.has_parent_path()) fs::create_directories(path.parent_path());
  return path.string();
}

/// A run about to start or to go on.
struct Start {
  Scene scene;
  State state;
  std::string path;  ///< of the record
};

Start fresh_start(const RunOptions& options) {
  if (options.scene.empty()) throw Error("name a scene file, or a record with --resume");
  Start start{.scene = load_scene(options.scene, overrides_of(options)), .state = {}, .path = {}};
  start.state = start.scene.initial;
  start.path = record_path(options, start.scene);
  return start;
}

Start resumed_start(const RunOptions& options) {
  const Record record = read_record(options.resume);
  const Scene& recorded = record.scene;
  if (!options.scene.empty() && load_scene(options.scene, overrides_of(options)).text != recorded.text) {
    throw Error(
        fmt::format("{} is not a record of {}: its scene has another text; leave the scene out to go on with "
                    "the record's own",
                    options.resume, options.scene));
  }
  SceneOverrides overrides = overrides_of(options);
  if (!overrides.stepper) overrides.stepper = recorded.method.stepper;
  if (!overrides.law) overrides.law = recorded.method.law;
  if (!overrides.dynamics) overrides.dynamics = recorded.method.dynamics;
  if (!overrides.step) overrides.step = recorded.method.step;
  if (!overrides.duration) overrides.duration = recorded.duration;
  Start start{.scene = parse_scene(recorded.text, recorded.file, overrides),
              .state = record.frames.back().state,
              .path = options.resume};
  if (!options.out.empty() && options.out != options.resume) {
    start.path = record_path(options, start.scene);
    fs::copy_file(options.resume, start.path, fs::copy_options::overwrite_existing);
  }
  return start;
}

}  // namespace

int run_command(const RunOptions& options) {
  const bool resuming = !options.resume.empty();
  Start start = resuming ? resumed_start(options) : fresh_start(options);
  const std::int64_t last = start.scene.steps();
  if (start.state.step >= last) {
    throw Error(
        fmt::format("{} has reached {} s already; say how far to go on with --until", start.path, start.state.time));
  }
  Simulation simulation(start.scene.model, start.scene.method, start.state);
  RecordWriter writer =
      resuming ? RecordWriter::resume(start.path, start.scene) : RecordWriter::create(start.path, start.scene);

  catch_interrupts();
  const auto began = std::chrono::steady_clock::now();
  {
    Progress progress(start.scene.name);
    const double first = static_cast<double>(start.state.step);
    while (simulation.state().step < last && !interrupted()) {
      const StepReport& report = simulation.step();
      writer.append(simulation.state(), report);
      progress.show((static_cast<double>(report.step) - first) / (static_cast<double>(last) - first));
    }
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  const bool stopped = simulation.state().step < last;
  writer.finish(stopped ? "interrupted" : "done", seconds);

  const Record record = read_record(start.path);
  const std::string page = report_path(start.path);
  write_report(record, page);
  fmt::print("{}\n", options.json ? run_json(record, page) : run_text(record, page));
  if (stopped)
    fmt::print(stderr, "stopped at {} s; go on with: carom run --resume {}\n", record.frames.back().state.time,
               start.path);
  return stopped || record.certificate.unsolved_steps > 0 ? 1 : 0;
}

}  // namespace carom
