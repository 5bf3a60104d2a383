#include <fmt/format.h>

#include <chrono>
#include <cmath>
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

void override_method(const RunOptions& options, Scene& scene) {
  if (options.stepper) scene.method.stepper = parse_stepper(*options.stepper);
  if (options.law) scene.method.law = parse_law(*options.law);
  if (options.dynamics) scene.method.dynamics = parse_dynamics(*options.dynamics);
  if (options.step) scene.method.step = *options.step;
  if (options.until) scene.duration = *options.until;
  if (!(std::isfinite(scene.duration) && scene.duration > 0)) {
    throw Error(fmt::format("--until {}: the end of a run must be a positive time in seconds", scene.duration));
  }
}

/// How many steps make the duration; refuses one that is no whole number of steps.
std::int64_t step_count(const Scene& scene) {
  const double steps = scene.duration / scene.method.step;
  const double whole = std::round(steps);
  if (whole < 1 || std::abs(steps - whole) > 1e-6 * whole) {
    throw Error(fmt::format("a run of {} s is not a whole number of steps of {} s; {} or {} s would be", scene.duration,
                            scene.method.step, std::max(1.0, std::floor(steps)) * scene.method.step,
                            std::ceil(steps) * scene.method.step));
  }
  return static_cast<std::int64_t>(whole);
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
  Start start{.scene = load_scene(options.scene), .state = {}, .path = {}};
  override_method(options, start.scene);
  start.state = start.scene.initial;
  start.path = record_path(options, start.scene);
  return start;
}

Start resumed_start(const RunOptions& options) {
  Record record = read_record(options.resume);
  if (!options.scene.empty() && load_scene(options.scene).text != record.scene.text) {
    throw Error(
        fmt::format("{} is not a record of {}: its scene has another text; leave the scene out to go on with "
                    "the record's own",
                    options.resume, options.scene));
  }
  Start start{.scene = record.scene, .state = record.frames.back().state, .path = options.resume};
  override_method(options, start.scene);
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
  const std::int64_t last = step_count(start.scene);
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
