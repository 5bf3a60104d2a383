#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "carom/error.h"
#include "carom/import/imported_model.h"
#include "carom/scene/diagnostics.h"
#include "carom/scene/model_scene.h"
#include "carom/scene/scene.h"
#include "carom/stepper/simulation.h"
#include "commands.h"
#include "inspect_drives.h"
#include "model_advice.h"
#include "progress.h"
#include "scene_options.h"

namespace carom {
namespace {

using Json = nlohmann::ordered_json;

std::string link_name(const ImportedModel& model, int link) { return link < 0 ? "world" : model.links[link].name; }

Json numbers(const VectorX& values) {
  Json list = Json::array();
  for (const double value : values) {
    // JSON has no infinity: what has no limit is null.
    list.push_back(std::isfinite(value) ? Json(value) : Json());
  }
  return list;
}

Json links_json(const ImportedModel& model) {
  Json links = Json::array();
  for (const ImportedModel::Link& link : model.links) {
    Json told = {{"name", link.name},
                 {"line", link.line},
                 {"mass", link.inertia.mass},
                 {"center", numbers(link.inertia.center)},
                 {"parent", link.joint ? Json(link_name(model, link.joint->parent)) : Json()},
                 {"joint", link.joint ? Json(link.joint->name) : Json()},
                 {"type", joint_name(link.joint ? link.joint->type : JointType::free)}};
    if (link.joint) {
      told["lower"] = numbers(link.joint->lower);
      told["upper"] = numbers(link.joint->upper);
      if (link.joint->effort.size() > 0) told["effort"] = numbers(link.joint->effort);
    }
    links.push_back(std::move(told));
  }
  return links;
}

Json shapes_json(const ImportedModel& model) {
  Json shapes = Json::array();
  for (std::size_t i = 0; i < model.colliders.size(); ++i) {
    const Collider& collider = model.colliders[i];
    shapes.push_back({{"name", collider.name},
                      {"line", i < model.collider_lines.size() ? model.collider_lines[i] : 0},
                      {"link", link_name(model, collider.body)},
                      {"type", shape_name(collider.shape)},
                      {"material", collider.material < 0 ? Json() : Json(model.materials[collider.material].name)}});
  }
  return shapes;
}

/// A number, or a map as scene files write it.
Json restitution_json(const Restitution& restitution) {
  struct Visitor {
    Json operator()(const ConstantRestitution& law) const { return law.e; }
    Json operator()(const CaptureRestitution& law) const {
      return {{"capture", law.capture}, {"plastic", law.plastic}, {"minimum", law.minimum}};
    }
    Json operator()(const LineRestitution& law) const { return Json::object({{"slope", law.slope}}); }
    Json operator()(const TableRestitution& law) const {
      Json table = Json::array();
      for (const auto& [speed, e] : law.points) table.push_back(Json::array({speed, e}));
      return Json::object({{"table", table}});
    }
  };
  return std::visit(Visitor{}, restitution);
}

/// The link that the sensor is fixed to, or the shapes that it reads.
std::string place_of(const Sensor& sensor, const ImportedModel& model) {
  if (sensor.kind != SensorKind::contact) return link_name(model, sensor.body);
  std::string shapes;
  for (const int number : sensor.colliders) {
    shapes += (shapes.empty() ? "" : ", ") + model.colliders[static_cast<std::size_t>(number)].name;
  }
  return shapes;
}

Json sensors_json(const ImportedModel& model) {
  Json sensors = Json::array();
  for (std::size_t i = 0; i < model.sensors.size(); ++i) {
    const Sensor& sensor = model.sensors[i];
    Json told = {{"name", sensor.name}, {"line", model.sensor_lines[i]}, {"type", sensor_kind_name(sensor.kind)}};
    if (sensor.kind == SensorKind::contact) {
      told["shapes"] = Json::array();
      for (const int number : sensor.colliders) {
        told["shapes"].push_back(model.colliders[static_cast<std::size_t>(number)].name);
      }
    } else {
      told["link"] = link_name(model, sensor.body);
      told["position"] = numbers(sensor.X_BS.p);
    }
    sensors.push_back(std::move(told));
  }
  return sensors;
}

Json notes_json(const std::vector<ImportNote>& notes) {
  Json list = Json::array();
  for (const ImportNote& note : notes) list.push_back({{"file", note.file}, {"line", note.line}, {"what", note.text}});
  return list;
}

/// Faults for which `carom run MODEL` refuses a model that loads: as a scene it may make no sense.
std::vector<ImportNote> faults_of_run(const ImportedModel& model, const InspectOptions& options) {
  ModelPlacement placement;
  placement.fixed = options.fixed;
  placement.relax_inertia = options.relax_inertia;
  placement.search_path = options.search_path;
  placement.meshes = asked_meshes(options.meshes, options.parts_folder);
  placement.parts_folder = options.parts_folder;
  const std::string path = std::filesystem::absolute(options.model).lexically_normal().string();
  std::vector<ImportNote> faults;
  try {
    SceneOverrides overrides;
    overrides.read_before = read_model(path, placement, model);
    const Scene scene = parse_scene(scene_of_model(path, placed_as_file_says(model, placement)), path, overrides);
    static_cast<void>(Simulation(scene.model, scene.method, scene.initial));
  } catch (const SceneError& error) {
    for (const Diagnostic& fault : error.diagnostics()) faults.push_back({options.model, 0, fault.message});
  } catch (const Error& error) {
    faults.push_back({options.model, 0, error.what()});
  }
  return faults;
}

Json inspection_json(const ImportedModel& model, const std::vector<ImportNote>& faults) {
  Json frames = Json::array(), materials = Json::array(), constraints = Json::array(), keyframes = Json::array();
  for (const ImportedModel::Frame& frame : model.frames) {
    frames.push_back({{"name", frame.name},
                      {"line", frame.line},
                      {"link", link_name(model, frame.link)},
                      {"position", numbers(frame.X_BF.p)},
                      {"mass", frame.inertia.mass}});
  }
  for (const Material& material : model.materials) {
    materials.push_back({{"name", material.name},
                         {"friction", numbers(material.friction)},
                         {"restitution", restitution_json(material.restitution)}});
  }
  for (const Constraint& constraint : model.constraints) {
    constraints.push_back({{"name", constraint.name}, {"type", constraint_name(constraint.kind)}});
  }
  for (const ImportedModel::Keyframe& keyframe : model.keyframes) keyframes.push_back(keyframe.name);
  return {{"name", model.name},
          {"file", model.file},
          {"runs", faults.empty()},
          {"faults", notes_json(faults)},
          {"warnings", notes_json(model.warnings)},
          {"advice", advice_for(model)},
          {"gravity", model.gravity ? numbers(*model.gravity) : Json()},
          {"links", links_json(model)},
          {"frames", frames},
          {"shapes", shapes_json(model)},
          {"materials", materials},
          {"constraints", constraints},
          {"drives", drives_json(model)},
          {"sensors", sensors_json(model)},
          {"keyframes", keyframes},
          {"unused", notes_json(model.unused)}};
}

std::string range_text(const Joint& joint) {
  std::string text;
  for (int k = 0; k < joint.lower.size() && k < joint.upper.size(); ++k) {
    if (std::isfinite(joint.lower[k]) || std::isfinite(joint.upper[k])) {
      text += fmt::format(" [{:.4g}, {:.4g}]", joint.lower[k], joint.upper[k]);
    }
  }
  return text;
}

/// "12 N m at most" of the joint's motor.
std::string effort_text(const Joint& joint) {
  std::string text;
  for (int k = 0; k < joint.effort.size(); ++k) {
    if (!std::isfinite(joint.effort[k])) continue;
    text += fmt::format(", {:.4g} {} at most", joint.effort[k], is_angle(joint, k) ? "N m" : "N");
  }
  return text;
}

void print_links(const ImportedModel& model, const std::vector<ImportNote>& faults) {
  double mass = 0;
  for (const ImportedModel::Link& link : model.links) mass += link.inertia.mass;
  const std::size_t count = model.links.size();
  fmt::print("{}: {} moving link{}, {:.6g} kg\n", model.name, count, count == 1 ? "" : "s", mass);
  const std::vector<std::string> advice = advice_for(model);
  const std::size_t notes = model.warnings.size() + advice.size();
  fmt::print("{}{}\n", faults.empty() ? "It runs" : "It does not run",
             faults.empty() && notes == 0 ? " as it is." : ":");
  for (const ImportNote& fault : faults) fmt::print("  fault    {}: {}\n", fault.file, fault.text);
  for (const ImportNote& warning : model.warnings) {
    fmt::print("  warning  {}:{}: {}\n", warning.file, warning.line, warning.text);
  }
  for (const std::string& sentence : advice) fmt::print("  note     {}\n", sentence);
  fmt::print("links\n");
  for (const ImportedModel::Link& link : model.links) {
    if (link.joint) {
      fmt::print("  {:5}  {}: {:.4g} kg, on {} by {} {}{}{}\n", link.line, link.name, link.inertia.mass,
                 link_name(model, link.joint->parent), joint_name(link.joint->type), link.joint->name,
                 range_text(*link.joint), effort_text(*link.joint));
    } else {
      fmt::print("  {:5}  {}: {:.4g} kg, moves freely\n", link.line, link.name, link.inertia.mass);
    }
  }
}

/// Equal notes of one file in one line, where the first stands: "robot.urdf:12: <visual>, 13 times: lines 12, 40, …".
void print_unused(const std::vector<ImportNote>& notes) {
  constexpr std::size_t most_lines = 12;
  std::map<std::pair<std::string, std::string>, std::vector<int>> lines;
  for (const ImportNote& note : notes) lines[{note.file, note.text}].push_back(note.line);
  for (const ImportNote& note : notes) {
    std::vector<int>& of_text = lines[{note.file, note.text}];
    if (of_text.empty()) continue;  // told
    const std::size_t count = of_text.size(), shown = std::min(count, most_lines);
    std::string where;
    for (std::size_t i = 0; i < shown && count > 1; ++i) where += fmt::format("{} {}", i > 0 ? "," : "", of_text[i]);
    fmt::print("  {}:{}: {}{}{}{}\n", note.file, note.line, note.text,
               count > 1 ? fmt::format(", {} times: lines", count) : "", where,
               shown < count && count > 1 ? ", …" : "");
    of_text.clear();
  }
}

void print_rest(const ImportedModel& model) {
  if (!model.frames.empty()) fmt::print("frames, links welded to others among them\n");
  for (const ImportedModel::Frame& frame : model.frames) {
    fmt::print("  {:5}  {} on {}{}\n", frame.line, frame.name, link_name(model, frame.link),
               frame.inertia.mass > 0 ? fmt::format(", {:.4g} kg", frame.inertia.mass) : "");
  }
  if (!model.colliders.empty()) fmt::print("shapes\n");
  for (std::size_t i = 0; i < model.colliders.size(); ++i) {
    const Collider& collider = model.colliders[i];
    const std::string friction = collider.material < 0
                                     ? "friction not given"
                                     : fmt::format("friction {:.4g}", model.materials[collider.material].friction.x());
    fmt::print("  {:5}  {}: {} on {}, {}\n", i < model.collider_lines.size() ? model.collider_lines[i] : 0,
               collider.name, shape_name(collider.shape), link_name(model, collider.body), friction);
  }
  if (!model.sensors.empty()) fmt::print("sensors\n");
  for (std::size_t i = 0; i < model.sensors.size(); ++i) {
    const Sensor& sensor = model.sensors[i];
    fmt::print("  {:5}  {}: {} on {}\n", model.sensor_lines[i], sensor.name, sensor_kind_name(sensor.kind),
               place_of(sensor, model));
  }
  for (const std::string& line : drive_lines(model)) fmt::print("{}\n", line);
  for (const Constraint& constraint : model.constraints) {
    if (constraint.kind == ConstraintKind::motion) continue;  // among the drives
    fmt::print("constraint {}: {}\n", constraint.name, constraint_name(constraint.kind));
  }
  for (const ImportedModel::Keyframe& keyframe : model.keyframes) fmt::print("keyframe {}\n", keyframe.name);
  fmt::print("{}\n", model.unused.empty() ? "everything in the file is used"
                                          : fmt::format("not used: {}", model.unused.size()));
  print_unused(model.unused);
}

}  // namespace

int inspect_command(const InspectOptions& options) {
  ImportOptions import;
  import.search_path = options.search_path;
  import.fixed_base = options.fixed;
  import.relax_inertia = options.relax_inertia;
  if (asked_meshes(options.meshes, options.parts_folder) == "parts") import.meshes = MeshUse::parts;
  import.parts_folder = options.parts_folder;
  const ImportedModel model = [&] {
    try {
      const Working reading("reading " + options.model);
      return import_model(options.model, import);
    } catch (const ImportError& error) {
      const Json refused = {{"file", options.model}, {"runs", false}, {"faults", notes_json(error.faults())}};
      if (options.json) fmt::print("{}\n", refused.dump(2));
      throw;
    }
  }();
  const std::vector<ImportNote> faults = faults_of_run(model, options);
  if (options.json) {
    fmt::print("{}\n", inspection_json(model, faults).dump(2));
  } else {
    print_links(model, faults);
    print_rest(model);
  }
  return faults.empty() ? 0 : 2;
}

}  // namespace carom
