#include "scene_options.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <utility>

#include "carom/contact/contact_finder.h"
#include "carom/dynamics/recursions.h"
#include "carom/error.h"
#include "carom/import/imported_model.h"
#include "carom/record/record.h"
#include "carom/scene/model_scene.h"
#include "carom/scene/scene_text.h"
#include "progress.h"

namespace carom {
namespace {

namespace fs = std::filesystem;

/// NAME=VALUE of an option, such as "--joint knee=-1.2 (rad or m)".
std::pair<std::string, double> setting(const std::string& option, const std::string& text, const char* example) {
  const std::size_t sign = text.rfind('=');
  char* end = nullptr;
  const double value = sign == std::string::npos ? 0 : std::strtod(text.c_str() + sign + 1, &end);
  if (sign == 0 || sign == std::string::npos || sign + 1 == text.size() || *end != '\0' || !std::isfinite(value)) {
    throw Error(fmt::format("{} {}: write NAME=VALUE, as in {} {}", option, text, option, example));
  }
  return {text.substr(0, sign), value};
}

/// Placement of a model, as the options say.
ModelPlacement placement_of(const SceneOptions& options) {
  if (options.drop && !(std::isfinite(*options.drop) && *options.drop >= 0)) {
    throw Error(fmt::format("--drop {}: it must be a height in metres, 0 or more", *options.drop));
  }
  if (options.friction && !(std::isfinite(*options.friction) && *options.friction >= 0)) {
    throw Error(fmt::format("--friction {}: it must be a coefficient of at least 0", *options.friction));
  }
  ModelPlacement placement;
  placement.drop = options.drop;
  placement.fixed = options.fixed;
  placement.relax_inertia = options.relax_inertia;
  placement.search_path = options.search_path;
  placement.keyframe = options.keyframe;
  placement.self_collision = options.self_collision;
  placement.meshes = asked_meshes(options.meshes, options.parts_folder);
  placement.parts_folder = options.parts_folder;
  placement.friction = options.friction.value_or(placement.friction);
  for (const std::string& joint : options.joints)
    placement.joints.push_back(setting("--joint", joint, "knee=-1.2 (rad or m)"));
  return placement;
}

/// The scene's text with the numbers that --set asks for.
std::string scene_text(const SceneOptions& options) {
  std::string text = read_scene_text(options.scene, options.wanted);
  if (options.settings.empty()) return text;
  std::vector<std::pair<std::string, std::string>> values;
  for (const std::string& each : options.settings) {
    const std::size_t sign = each.rfind('=');
    if (sign == 0 || sign == std::string::npos || sign + 1 == each.size()) {
      throw Error("--set " + each + ": write NAME=VALUE, as in --set radius=0.12, tilt=20deg or method/overlap=push");
    }
    values.emplace_back(each.substr(0, sign), each.substr(sign + 1));
  }
  return SceneText(std::move(text), options.scene).with_written(values);
}

/// The scene that a record is of, from its start.
SceneSource recorded_source(const SceneOptions& options, const SceneOverrides& overrides) {
  check_no_model_options(options);
  if (!options.settings.empty()) {
    throw Error("--set changes the text of a scene; " + options.scene + " is a record, which keeps the model itself");
  }
  SceneSource source = source_of(read_record(options.scene).scene);
  if (source.file.empty()) source.file = options.scene;  // for names of pages
  source.overrides = overrides;
  return source;
}

}  // namespace

SceneSource scene_source(const SceneOptions& options, const SceneOverrides& overrides) {
  const Working reading("reading " + options.scene);
  if (fs::path(options.scene).extension() == ".h5") return recorded_source(options, overrides);
  if (is_model_file(options.scene)) {
    if (!options.settings.empty()) throw Error("--set is for the parameters of a scene; a model file has none");
    // The record is to find the model from whatever folder the run is resumed in.
    const std::string path = fs::absolute(options.scene).lexically_normal().string();
    const ModelPlacement placement = placement_of(options);
    SceneOverrides with_model = overrides;
    with_model.read_before = read_model(options.scene, placement);
    return {scene_of_model(path, placed_as_file_says(with_model.read_before->model, placement)), path, with_model};
  }
  check_no_model_options(options);
  const Scene scene = parse_scene(scene_text(options), options.scene, overrides);
  return {scene.text, scene.file, overrides};
}

std::string asked_meshes(const std::string& meshes, const std::string& parts_folder) {
  if (parts_folder.empty()) return meshes;
  if (meshes == "hulls") throw Error("--decompose-to keeps convex parts, and --meshes hulls makes none; leave one out");
  return "parts";
}

std::vector<std::string> variation(const SceneOptions& options) {
  std::vector<std::string> parts = options.settings;
  parts.insert(parts.end(), options.joints.begin(), options.joints.end());
  if (options.drop) parts.push_back(fmt::format("drop={}", *options.drop));
  if (options.friction) parts.push_back(fmt::format("friction={}", *options.friction));
  if (!options.keyframe.empty()) parts.push_back(options.keyframe);
  if (options.fixed) parts.emplace_back("fixed");
  if (options.relax_inertia) parts.emplace_back("relax-inertia");
  if (!options.self_collision.empty()) parts.push_back("self-collision=" + options.self_collision);
  if (options.meshes == "parts" || !options.parts_folder.empty()) parts.emplace_back("meshes=parts");
  return parts;
}

void check_no_model_options(const SceneOptions& options) {
  const bool any = options.drop || options.friction || options.fixed || !options.keyframe.empty() ||
                   !options.joints.empty() || !options.search_path.empty() || !options.self_collision.empty() ||
                   !options.meshes.empty() || !options.parts_folder.empty() || options.relax_inertia;
  if (any) {
    throw Error(
        "--drop, --friction, --fixed, --keyframe, --joint, --self-collision, --meshes, --decompose-to, --relax-inertia "
        "and --search-path are for model files (URDF, SDFormat, MJCF); a scene says these itself");
  }
}

void tell_faults(const SceneOptions& options, const SceneError& error) {
  if (!is_model_file(options.scene)) throw error;
  std::string sentences;
  for (const Diagnostic& fault : error.diagnostics()) {
    sentences += (sentences.empty() ? "" : "\n") + options.scene + ": " + fault.message;
  }
  throw Error(sentences);
}

/// Depth by which two colliders may overlap before they are driven apart, m.
double depth_of_layers(const Scene& scene, const ContactId& pair) {
  if (scene.method.stepper->layers == LayerUse::everywhere) return std::numeric_limits<double>::infinity();
  if (scene.method.stepper->layers == LayerUse::none) return 0;
  double depth = 0;
  for (const int collider : {pair.a, pair.b}) {
    const auto& layer = scene.model->materials()[scene.model->colliders()[collider].material].layer;
    if (layer) depth += layer->thickness;
  }
  return depth;
}

void warn_of_overlap(const Scene& scene) {
  const Model& model = *scene.model;
  DynamicsWorkspace workspace(model);
  forward_kinematics(model, scene.initial.q, workspace);
  ContactFinder finder(model);
  double deepest = 1e-6;
  std::string pair;
  bool springs = false;
  for (const Contact& contact : finder.find(model, scene.initial.q, workspace.X_WB, 0)) {
    if (!contact.id.is_surface() || -contact.gap <= deepest) continue;
    deepest = -contact.gap;
    springs = deepest <= depth_of_layers(scene, contact.id);
    const auto name = [&](int body) { return body < 0 ? std::string("the world") : model.bodies()[body].name; };
    pair = name(contact.body_a) + " and " + name(contact.body_b);
  }
  if (pair.empty()) return;
  const char* own = scene.method.stepper->overlap_at_start;
  fmt::print(stderr, "warning: shapes overlap at the start, deepest {} by {:.3g} m; {}\n", pair, deepest,
             own       ? own
             : springs ? "their layers are compressed by that"
             : is_at_position_level(scene.method) && scene.method.overlap == OverlapRemedy::push
                 ? "the first step drives them apart, at that over its length"
                 : "the first step moves them apart, without velocity, unless their joints hold them there");
}

void check_seconds(const char* option, const std::optional<double>& seconds) {
  if (seconds && !(std::isfinite(*seconds) && *seconds > 0)) {
    throw Error(fmt::format("{} {}: it must be a positive time in seconds", option, *seconds));
  }
}

}  // namespace carom
