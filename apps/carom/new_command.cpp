#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "carom/error.h"
#include "carom/import/imported_model.h"
#include "commands.h"
#include "output_file.h"

// Scenes to begin with: each runs as it is, and its comments say what to change first.
namespace carom {
namespace {

constexpr const char* mechanism_scene =
    R"(# A motor swings a lever against a spring; a pin that has play in the lever strikes a stop of the frame.
# (What a joint connects does not collide, so the lever itself passes the stop, and the pin meets it.)
# Run it:       carom run {file}
# Compare laws: carom compare {file}
carom: 1
name: {name}
gravity: [0, 0, -9.81]
materials:
  - {{name: steel, friction: 0.2, restitution: 0.3}}
world:
  shapes:
    - {{type: box, name: stop, size: [0.1, 0.1, 0.04], position: [0.2, 0, -0.13], material: steel}}
bodies:
  - name: lever
    density: 7800
    shapes: [{{type: box, name: arm, size: [0.3, 0.03, 0.02], position: [0.15, 0, 0], material: steel}}]
  - name: slider
    density: 7800
    shapes: [{{type: sphere, name: nose, radius: 0.02, material: steel}}]
joints:
  # Positions are in rad or m; `limits` are the ends of the way, and a part that moves between them has play.
  - {{name: pivot, type: revolute, parent: world, child: lever, axis: [0, 1, 0], position: -0.1,
     spring: {{stiffness: 10, rest: -0.3}}, damping: 0.02}}
  - {{name: slot, type: prismatic, parent: lever, child: slider, axis: [0, 0, 1], on_parent: {{position: [0.2, 0, -0.05]}},
     limits: {{lower: -0.005, upper: 0.005, restitution: 0.3}}}}
drives:
  # A torque over time; `type: servo` with target, stiffness and damping follows a motion instead.
  - {{name: motor, type: force, joint: pivot, force: {{sine: {{amplitude: 3, frequency: 4}}}}}}
# Outputs are recorded beside all motions and forces: formulas over names of the record (carom export RUN.h5 --list).
# (The greatest force of a strike would not do: it is an impulse over a step, and grows as steps shrink.)
outputs: {{fastest_turn: max(abs(pivot.rate))}}
# A row of the record every 2 ms; within it steps as short as an accuracy of 3e-4 of the way asks for.
method: {{stepper: stewart-trinkle, law: newton, cone: exact, step: 0.002, accuracy: 3e-4}}
duration: 1
)";

constexpr const char* impact_scene =
    R"(# A rod falls on its end while a ball rolls into it: one moment at which several contacts strike.
# Its outcome by each law:   carom impact {file}
# The motion after it:       carom compare {file}
carom: 1
name: {name}
gravity: [0, 0, -9.81]
materials:
  - {{name: steel, friction: 0.3, restitution: 0.5}}
  - {{name: ground, friction: 0.5, restitution: 0.6}}
# Two materials that meet combine so. A pair may have numbers of its own:
#   pairs: [{{materials: [steel, ground], friction: 0.2, restitution: 0.4}}]
combination: {{friction: minimum, restitution: minimum}}
world:
  shapes: [{{type: half-space, name: floor, material: ground}}]
bodies:
  # Both touch the floor and one another at the start, with the velocities of the moment before the impact.
  - name: rod
    density: 7800
    shapes: [{{type: capsule, name: rod, radius: 0.01, length: 0.4, material: steel}}]
    position: [0, 0, 0.15142135623730951]
    orientation: {{axis: [0, 1, 0], angle: 45 deg}}
    velocity: [0, 0, -2]
  - name: ball
    density: 7800
    shapes: [{{type: sphere, name: ball, radius: 0.03, material: steel}}]
    position: [-0.17606237240377766, 0, 0.03]
    velocity: [1.5, 0, 0]
method: {{stepper: event-driven, law: newton, step: 0.005}}
duration: 0.5
)";

constexpr const char* robot_head = R"(# {model}{what}.
# Run it:       carom run {file}
# Its contents: carom inspect {path}
carom: 1
name: {name}
gravity: [0, 0, -9.81]
{ground}models:
{start})";

constexpr const char* ground = R"(materials:
  - {name: ground, friction: 0.8}
# Friction of the ground and of the model's own surfaces combine so.
combination: {friction: geometric-mean, restitution: maximum}
world:
  # A slope: add orientation: {axis: [0, 1, 0], angle: 5 deg} here, and to the model below.
  shapes: [{type: half-space, name: floor, material: ground}]
)";

constexpr const char* robot_drives = R"(parameters:
  # {mass:.4g} kg: raise the stiffness until the joints hold, and the damping until they do not swing.
  stiffness: {stiffness:.3g}
  damping: {damping:.3g}
{loose}drives:
{servos})";

constexpr const char* robot_tail = R"(method: {{stepper: stewart-trinkle, law: {law}, cone: exact, step: 0.001}}
duration: 2
record: {{every: 10}}
)";

/// True if another joint moves the link's own, by a coupler.
bool follows(const ImportedModel& model, int link) {
  return std::any_of(model.constraints.begin(), model.constraints.end(), [&](const Constraint& constraint) {
    return constraint.kind == ConstraintKind::coupler && constraint.body_a == link;
  });
}

/// True if the file has a ground of its own.
bool has_ground(const ImportedModel& model) {
  return std::any_of(model.colliders.begin(), model.colliders.end(), [](const Collider& collider) {
    return collider.body < 0 && std::holds_alternative<HalfSpace>(collider.shape);
  });
}

/// The ground, where the file has none, and a material for shapes to which it gives none.
std::string surroundings(const ImportedModel& model) {
  if (!has_ground(model)) return ground;
  const bool has_bare_shapes = std::any_of(model.colliders.begin(), model.colliders.end(),
                                           [](const Collider& collider) { return collider.material < 0; });
  const std::string combination =
      "# Frictions of the file's surfaces combine so.\n"
      "combination: {friction: geometric-mean, restitution: maximum}\n";
  if (has_bare_shapes) return "materials:\n  - {name: surface, friction: 0.8}\n" + combination;
  return model.materials.size() > 1 ? combination : "";
}

/// A joint of one coordinate with a name that scenes can have, which a servo can hold.
bool can_be_held(const Joint& joint) {
  const bool has_one = joint.type == JointType::revolute || joint.type == JointType::prismatic;
  return has_one && joint.name.find('/') == std::string::npos && joint.name.front() != '=';
}

bool rebounds(const ImportedModel& model) {
  return std::any_of(model.materials.begin(), model.materials.end(),
                     [](const Material& material) { return may_bounce(material.restitution); });
}

/// The place within its limits that is nearest to zero.
double place_of(const Joint& joint) {
  const double lower = joint.lower.size() > 0 ? joint.lower[0] : -INFINITY;
  const double upper = joint.upper.size() > 0 ? joint.upper[0] : INFINITY;
  return lower <= upper ? std::clamp(0.0, lower, upper) : 0.0;
}

/// A name as YAML has it, whatever is in it.
std::string quoted(const std::string& name) {
  std::string text = "\"";
  for (const char c : name) text += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return text + "\"";
}

/// The file as seen from the folder of the scene, so that both can be moved together.
std::string seen_from(const std::filesystem::path& folder, const std::string& file) {
  std::error_code failed;
  const std::filesystem::path path =
      std::filesystem::proximate(file, std::filesystem::absolute(folder.empty() ? "." : folder), failed);
  return failed ? file : path.string();
}

std::string robot_scene(const NewOptions& options, const std::string& name) {
  const ImportedModel model = import_model(options.model, {});
  std::string places, servos, loose;
  double mass = 0, reach = 0.1;
  bool moves_freely = false;
  for (int i = 0; i < std::ssize(model.links); ++i) {
    const ImportedModel::Link& link = model.links[static_cast<std::size_t>(i)];
    mass += link.inertia.mass;
    moves_freely = moves_freely || !link.joint;
    if (!link.joint || follows(model, i)) continue;
    if (!can_be_held(*link.joint)) {
      loose += (loose.empty() ? "" : ", ") + link.joint->name;
      continue;
    }
    reach = std::max(reach, link.joint->X_PF.p.norm() + link.inertia.center.norm());
    const std::string joint = quoted(link.joint->name);
    const double place = place_of(*link.joint);
    places += fmt::format("{}{}: {:.4g}", places.empty() ? "" : ", ", joint, place);
    servos += fmt::format(
        "  - {{name: {}, type: servo, joint: {}, target: {:.4g}, stiffness: =stiffness, damping: =damping}}\n",
        quoted("hold " + link.joint->name), joint, place);
  }
  const std::string path = quoted(seen_from(std::filesystem::path(options.file).parent_path(), options.model));
  const bool own_ground = has_ground(model);
  std::string start;
  if (moves_freely && !own_ground) {
    start += "  # The base falls from `drop`, m above the ground, with the joints at these places, rad or m.\n";
  }
  start += "  - file: " + path + "\n";
  if (moves_freely && !own_ground) start += "    drop: 0.01\n";
  if (!places.empty()) start += "    joints: {" + places + "}\n";
  const std::string what = std::string(own_ground || !moves_freely ? "" : " on the ground") +
                           (servos.empty() ? "" : ", its joints held by servos");
  std::string text = fmt::format(robot_head, fmt::arg("model", model.name), fmt::arg("what", what),
                                 fmt::arg("file", options.file), fmt::arg("path", path), fmt::arg("name", quoted(name)),
                                 fmt::arg("ground", surroundings(model)), fmt::arg("start", start));
  if (!servos.empty()) {
    const double stiffness = 10 * std::max(mass, 1e-3) * 9.81 * reach;  // 0.1 rad under the weight at the longest arm
    if (!loose.empty()) loose = "# No servo holds joints of several coordinates or of names with a /: " + loose + ".\n";
    text += fmt::format(robot_drives, fmt::arg("mass", mass), fmt::arg("stiffness", stiffness),
                        fmt::arg("damping", stiffness / 20), fmt::arg("loose", loose), fmt::arg("servos", servos));
  }
  return text + fmt::format(robot_tail, fmt::arg("law", rebounds(model) ? "newton" : "none"));
}

std::string scene_text(const NewOptions& options, const std::string& name) {
  if (options.kind == "robot") {
    if (options.model.empty()) {
      throw Error("a robot needs its model: carom new robot " + options.file + " --model ROBOT.urdf (or .sdf, .xml)");
    }
    return robot_scene(options, name);
  }
  if (!options.model.empty()) {
    throw Error("--model is of `carom new robot`; a " + options.kind + " is written without a model file");
  }
  return fmt::format(fmt::runtime(options.kind == "mechanism" ? mechanism_scene : impact_scene),
                     fmt::arg("file", options.file), fmt::arg("name", quoted(name)));
}

}  // namespace

const std::vector<std::string>& new_kinds() {
  static const std::vector<std::string> kinds{"robot", "mechanism", "impact"};
  return kinds;
}

int new_command(const NewOptions& options) {
  const std::vector<std::string>& kinds = new_kinds();
  if (std::find(kinds.begin(), kinds.end(), options.kind) == kinds.end()) {
    throw Error("carom new knows no '" + options.kind + "'; write robot, mechanism or impact");
  }
  const std::filesystem::path path(options.file);
  if (path.extension() != ".yaml") throw Error(options.file + ": a scene's name ends in .yaml");
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) throw Error(options.file + " exists; name another file");
  const std::string text = scene_text(options, path.stem().string());
  make_folder_of(path);
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) throw Error("can't write " + options.file);
  fmt::print("{0} is written; run it: carom run {0}\n", options.file);
  return 0;
}

}  // namespace carom
