#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "carom/contact/contact_finder.h"
#include "carom/dynamics/recursions.h"
#include "carom/error.h"
#include "carom/import/imported_model.h"
#include "carom/record/report.h"
#include "carom/record/summary.h"
#include "carom/scene/model_scene.h"
#include "carom/stepper/simulation.h"
#include "commands.h"
#include "interrupt.h"
#include "output_file.h"
#include "progress.h"

namespace carom {
namespace {

namespace fs = std::filesystem;

/// What the options ask for in place of the scene's own.
SceneOverrides overrides_of(const RunOptions& options) {
  const auto check = [](const char* option, const std::optional<double>& seconds) {
    if (seconds && !(std::isfinite(*seconds) && *seconds > 0)) {
      throw Error(fmt::format("{} {}: it must be a positive time in seconds", option, *seconds));
    }
  };
  check("--step", options.step);
  check("--until", options.until);
  SceneOverrides overrides;
  if (options.stepper) overrides.stepper = parse_stepper(*options.stepper);
  if (options.law) overrides.law = parse_law(*options.law);
  if (options.dynamics) overrides.dynamics = parse_dynamics(*options.dynamics);
  if (options.cone) overrides.cone = parse_cone(*options.cone);
  overrides.step = options.step;
  overrides.duration = options.until;
  return overrides;
}

/// The page beside a record: its name with .html in place of .h5.
std::string report_path(const std::string& record) {
  fs::path path(record);
  return path.extension() == ".h5" ? path.replace_extension(".html").string() : record + ".html";
}

/// Refuses to write over what does not begin like the file that is to stand there.
void check_overwrite(const fs::path& path, const std::string& what, const std::string& beginning) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return;
  if (!fs::is_regular_file(path, ignored)) {
    throw Error(path.string() + " is no ordinary file; name another record with --out");
  }
  std::string head(beginning.size(), '\0');
  std::ifstream(path, std::ios::binary).read(head.data(), static_cast<std::streamsize>(head.size()));
  if (fs::file_size(path, ignored) > 0 && head != beginning) {
    throw Error(path.string() + " exists and is no " + what + "; name another record with --out, or move it away");
  }
}

std::string record_path(const RunOptions& options, const Scene& scene) {
  const fs::path path =
      options.out.empty() ? fs::path("runs") / (fs::path(scene.file).stem().string() + ".h5") : fs::path(options.out);
  // First the folder: in NEW/../FILE no file is seen until there is one.
  make_folder_of(path);
  check_overwrite(path, "record", "\x89HDF");
  check_overwrite(report_path(path.string()), "report", "<!doctype html>");
  return path.string();
}

/// A run about to start or to go on.
struct Start {
  Scene scene;
  State state;
  std::string path;  ///< of the record
};

/// NAME=VALUE
std::pair<std::string, double> joint_setting(const std::string& text) {
  const std::size_t sign = text.rfind('=');
  char* end = nullptr;
  const double value = sign == std::string::npos ? 0 : std::strtod(text.c_str() + sign + 1, &end);
  if (sign == 0 || sign == std::string::npos || sign + 1 == text.size() || *end != '\0' || !std::isfinite(value)) {
    throw Error(fmt::format("--joint {}: write NAME=VALUE, as in --joint knee=-1.2 (rad or m)", text));
  }
  return {text.substr(0, sign), value};
}

/// A scene around a model file, as the options place it.
Scene model_scene(const RunOptions& options) {
  if (options.drop && !(std::isfinite(*options.drop) && *options.drop >= 0)) {
    throw Error(fmt::format("--drop {}: it must be a height in metres, 0 or more", *options.drop));
  }
  if (options.friction && !(std::isfinite(*options.friction) && *options.friction >= 0)) {
    throw Error(fmt::format("--friction {}: it must be a coefficient of at least 0", *options.friction));
  }
  ImportOptions import;
  import.fixed_base = options.fixed;
  // Told as the scene will find them from wherever it is read.
  for (const std::string& folder : options.search_path) import.search_path.push_back(fs::absolute(folder).string());
  const ImportedModel model = import_model(options.scene, import);
  ModelPlacement placement;
  placement.drop = options.drop;
  placement.fixed = options.fixed;
  placement.search_path = import.search_path;
  placement.keyframe = options.keyframe;
  placement.friction = options.friction.value_or(placement.friction);
  placement.gravity = model.gravity.value_or(placement.gravity);
  for (const Collider& collider : model.colliders) {
    const bool is_ground =
        std::holds_alternative<HalfSpace>(collider.shape) || std::holds_alternative<HeightField>(collider.shape);
    if (is_ground) placement.ground = false;
  }
  for (const std::string& joint : options.joints) placement.joints.push_back(joint_setting(joint));
  // The record is to find the model from whatever folder the run is resumed in.
  const std::string path = fs::absolute(options.scene).lexically_normal().string();
  try {
    return parse_scene(scene_of_model(path, placement), path, overrides_of(options));
  } catch (const SceneError& error) {
    // Nobody has seen the lines of that text.
    std::string sentences;
    for (const Diagnostic& fault : error.diagnostics()) {
      sentences += (sentences.empty() ? "" : "\n") + options.scene + ": " + fault.message;
    }
    throw Error(sentences);
  }
}

void check_model_options(const RunOptions& options) {
  const bool any = options.drop || options.friction || options.fixed || !options.keyframe.empty() ||
                   !options.joints.empty() || !options.search_path.empty();
  if (any) {
    throw Error(
        "--drop, --friction, --fixed, --keyframe, --joint and --search-path are for model files (URDF, SDFormat, "
        "MJCF); a scene "
        "says these itself");
  }
}

Start fresh_start(const RunOptions& options) {
  if (options.scene.empty()) throw Error("name a scene file, or a record with --resume");
  if (fs::path(options.scene).extension() == ".h5") {
    throw Error(options.scene + " looks like a record, not a scene; go on with it by --resume " + options.scene);
  }
  const bool model = is_model_file(options.scene);
  if (!model) check_model_options(options);
  Start start{.scene = model ? model_scene(options) : load_scene(options.scene, overrides_of(options)),
              .state = {},
              .path = {}};
  start.state = start.scene.initial;
  start.path = record_path(options, start.scene);
  return start;
}

Start resumed_start(const RunOptions& options) {
  check_model_options(options);
  std::error_code ignored;
  if (!fs::is_regular_file(options.resume, ignored)) {
    throw Error("--resume " + options.resume + ": there is no such record");
  }
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
  if (!overrides.cone) overrides.cone = recorded.method.cone;
  if (!overrides.step) overrides.step = recorded.method.step;
  if (!overrides.duration) overrides.duration = recorded.duration;
  Start start{.scene = parse_scene(recorded.text, recorded.file, overrides),
              .state = record.frames.back().state,
              .path = options.resume};
  if (!options.out.empty() && !fs::equivalent(options.out, options.resume, ignored)) {
    start.path = record_path(options, start.scene);
    fs::copy_file(options.resume, start.path, fs::copy_options::overwrite_existing);
  }
  return start;
}

/// Tells of shapes that overlap at the start: position-level steppers drive them apart within one step, compliant
/// layers throw them.
void warn_of_overlap(const Start& start) {
  const Model& model = *start.scene.model;
  DynamicsWorkspace workspace(model);
  forward_kinematics(model, start.state.q, workspace);
  ContactFinder finder(model);
  double deepest = 1e-6;
  std::string pair;
  for (const Contact& contact : finder.find(model, start.state.q, workspace.X_WB, 0)) {
    if (!contact.id.is_surface() || -contact.gap <= deepest) continue;
    deepest = -contact.gap;
    const auto name = [&](int body) { return body < 0 ? std::string("the world") : model.bodies()[body].name; };
    pair = name(contact.body_a) + " and " + name(contact.body_b);
  }
  if (pair.empty()) return;
  const bool springs = start.scene.method.stepper == StepperKind::compliant;
  fmt::print(stderr, "warning: shapes overlap at the start, deepest {} by {:.3g} m; {}\n", pair, deepest,
             springs ? "their layers are compressed by that" : "the first step drives them apart");
}

/// Steps until the last one, an interrupt or a state that is no number any more. Why it ended, as the record says it.
std::string advance(Simulation& simulation, std::int64_t last, RecordWriter& writer, const std::string& name) {
  Progress progress(name);
  const double first = static_cast<double>(simulation.state().step);
  while (simulation.state().step < last) {
    if (interrupted()) return "interrupted";
    const StepReport& report = simulation.step();
    if (!simulation.state().q.allFinite() || !simulation.state().v.allFinite()) return "failed";
    writer.append(simulation.state(), report);
    progress.show((static_cast<double>(report.step) - first) / (static_cast<double>(last) - first));
  }
  return "done";
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

  if (!resuming) {
    for (const std::string& warning : start.scene.warnings) fmt::print(stderr, "warning: {}\n", warning);
    warn_of_overlap(start);
  }
  catch_interrupts();
  const auto began = std::chrono::steady_clock::now();
  const std::string end = advance(simulation, last, writer, start.scene.name);
  writer.finish(end, std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());

  const Record record = read_record(start.path);
  const std::string page = report_path(start.path);
  write_report(record, page);
  fmt::print("{}\n", options.json ? run_json(record, page) : run_text(record, page));
  if (end == "interrupted") {
    fmt::print(stderr, "stopped at {} s; go on with: carom run --resume {}\n", record.frames.back().state.time,
               start.path);
  } else if (end == "failed") {
    fmt::print(stderr,
               "the run failed in step {}: a number of the state is no longer finite; the record ends before it\n",
               simulation.state().step);
  }
  return end != "done" || record.certificate.unsolved_steps > 0 ? 1 : 0;
}

}  // namespace carom
