#include "carom/validation/cube_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/error.h"

namespace carom {
namespace {

constexpr double mass = 0.37;      // kg, stated by the source
constexpr double gravity = 9.613;  // m/s², free fall in tracked lengths at 148 frames a second

const std::array<CubeParameter, 14> parameters{{
    {"half_width", &CubeParameters::half_width, 0.050, 0.053},
    {"floor", &CubeParameters::floor, -0.0025, 0.0025},
    {"friction", &CubeParameters::friction, 0.03, 0.6},
    {"restitution", &CubeParameters::restitution, 0, 0.5},
    {"corner_radius", &CubeParameters::corner_radius, 0.0001, 0.015},
    {"inertia", &CubeParameters::inertia, 0.5, 1.2},
    {"mass_centre", &CubeParameters::mass_centre, -0.01, 0.01},
    {"impact_friction", &CubeParameters::impact_friction, 0.03, 0.6},
    {"slow_restitution", &CubeParameters::slow_restitution, 0, 0.5},
    {"friction_slope", &CubeParameters::friction_slope, -0.1, 0.1},
    {"restitution_by_x", &CubeParameters::restitution_by_x, -0.5, 0.5},
    {"restitution_by_y", &CubeParameters::restitution_by_y, -0.5, 0.5},
    {"spring_restitution", &CubeParameters::spring_restitution, 0, 1},
    {"spring_stiffness", &CubeParameters::spring_stiffness, 0.1, 4},
}};

/// Writes numbers of the cube: those with a name as formulas of the scene's parameters, the others as they are.
class Words {
 public:
  Words(const CubeParameters& cube, const std::vector<std::string>& named) : cube_(cube), named_(named) {}

  bool is_named(const std::string& name) const { return std::find(named_.begin(), named_.end(), name) != named_.end(); }
  /// Its name or its number, as a term of a formula.
  std::string term(const std::string& name) const {
    return is_named(name) ? name : fmt::format("{:.8g}", cube_.*cube_parameter(name).value);
  }
  /// The same as a value.
  std::string value(const std::string& name) const { return (is_named(name) ? "=" : "") + term(name); }
  /// True if it is given: it has a name, or its number is not that of a cube without it.
  bool has(const std::string& name, double without) const {
    return is_named(name) || cube_.*cube_parameter(name).value != without;
  }

 private:
  const CubeParameters& cube_;
  const std::vector<std::string>& named_;
};

/// The named numbers, the two that follow from them, and those of a release.
std::string parameters_block(const CubeParameters& cube, const std::vector<std::string>& named, CubeRelease release) {
  const Words words(cube, named);
  std::string text = "parameters:\n";
  for (const std::string& name : named) text += fmt::format("  {}: {:.8g}\n", name, cube.*cube_parameter(name).value);
  text += fmt::format("  corner: ={} - {}\n", words.term("half_width"), words.term("corner_radius"));
  text += fmt::format("  moment: ={} * {:g} * {}^2\n", words.term("inertia"), mass, words.term("half_width"));
  if (release == CubeRelease::parameters) {
    for (const char* quantity : release_quantities) text += fmt::format("  {0}: 0\n  {0}_by_centre: 0\n", quantity);
  }
  return text + "\n";
}

/// The release: place, turn and velocities at the start.
std::string thrown(const Words& words, CubeRelease release) {
  if (release == CubeRelease::example) {
    return "    position: [0, 0, 0.2]\n"
           "    orientation: {roll_pitch_yaw: [35 deg, 20 deg, 10 deg]}\n"
           "    velocity: [1.1, 0.2, 0.1]\n"
           "    angular_velocity: [-2, 5, 1.5]\n";
  }
  std::vector<std::string> parts;
  parts.reserve(release_quantities.size());
  for (const char* quantity : release_quantities) {
    parts.push_back(fmt::format("={0} + {0}_by_centre * ({1})", quantity, words.term("mass_centre")));
  }
  return fmt::format(
      "    position: [{}, {}, {}]\n"
      "    orientation: [1, 0, 0, 0]\n"
      "    velocity: [{}, {}, {}]\n"
      "    angular_velocity: [0, 0, 0]\n",
      parts[0], parts[1], parts[2], parts[3], parts[4], parts[5]);
}

/// The value of `restitution`.
std::string restitution(const Words& words) {
  if (!words.has("slow_restitution", -1)) return words.value("restitution");
  return fmt::format("{{table: [[{:g}, {}], [{:g}, {}]]}}", CubeParameters::slow_approach,
                     words.value("slow_restitution"), CubeParameters::fast_approach, words.value("restitution"));
}

std::string material(const Words& words) {
  std::string text = "{name: plastic, friction: " + words.value("friction");
  if (words.has("impact_friction", -1)) text += ", impact_friction: " + words.value("impact_friction");
  return text + (words.has("slow_restitution", -1) ? ",\n     " : ", ") + "restitution: " + restitution(words) + "}";
}

/// The part of a scene that says what its material does to itself, where that is more than a material can say.
std::string pair(const Words& words) {
  const bool sprung = words.has("spring_restitution", -1);
  if (!words.has("friction_slope", 0) && !sprung) return "";
  const std::string impact_friction = words.has("impact_friction", -1) ? "impact_friction" : "friction";
  std::string text = "pairs:\n  - materials: [plastic, plastic]\n    friction: " + words.value("friction");
  if (words.has("friction_slope", 0)) {
    text += fmt::format(
        "\n    impact_friction: \"=max(0, {} - {:g} * ({}))\""
        "\n    impact_friction_slope: {}",
        words.term(impact_friction), CubeParameters::fast_approach, words.term("friction_slope"),
        words.value("friction_slope"));
  } else {
    text += "\n    impact_friction: " + words.value(impact_friction);
  }
  text += "\n    restitution: " + restitution(words) + "\n";
  if (sprung) {
    text += fmt::format("    tangential_spring: {{stiffness: {}, restitution: {}}}\n", words.value("spring_stiffness"),
                        words.value("spring_restitution"));
  }
  return text + "\n";
}

/// The end of the board's line: restitution that changes along the board, as straight as its axis. The axis of a change
/// of zero is y.
std::string board_change(const Words& words) {
  if (!words.has("restitution_by_x", 0) && !words.has("restitution_by_y", 0)) return "";
  const std::string x = words.term("restitution_by_x"), y = words.term("restitution_by_y");
  const std::string slope = fmt::format("sqrt(({})^2 + ({})^2)", x, y);
  return fmt::format(",\n       restitution_change: {{along: [{}, =({}) + 1e-9, 0], table: [[-1, =-{}], [1, ={}]]}}",
                     words.value("restitution_by_x"), y, slope, slope);
}

std::string cone(const Method& method) {
  if (method.cone == FrictionCone::exact) return "cone: exact";
  return fmt::format("cone: polyhedral, directions: {}", method.directions);
}

std::string corners(const Words& words) {
  std::string text;
  for (int i = 0; i < 8; ++i) {
    const auto side = [i](int bit) { return i & bit ? "=corner" : "=-corner"; };
    text += fmt::format("      - {{type: sphere, radius: {}, position: [{}, {}, {}]}}\n", words.value("corner_radius"),
                        side(1), side(2), side(4));
  }
  return text;
}

}  // namespace

std::span<const CubeParameter> cube_parameters() { return parameters; }

const CubeParameter& cube_parameter(const std::string& name) {
  const auto found =
      std::find_if(parameters.begin(), parameters.end(), [&](const auto& one) { return one.name == name; });
  if (found != parameters.end()) return *found;
  std::string known;
  for (const CubeParameter& one : parameters) known += (known.empty() ? "" : ", ") + one.name;
  throw Error("a cube has no parameter '" + name + "'; there are: " + known);
}

std::string cube_scene(const CubeParameters& cube, const std::vector<std::string>& named, const Method& method,
                       const std::vector<std::string>& lines, CubeRelease release) {
  const Words words(cube, named);
  std::string text;
  for (const std::string& line : lines) text += line.empty() ? "#\n" : "# " + line + "\n";
  text += fmt::format(
      "carom: 1\n"
      "name: measured toss\n"
      "gravity: [0, 0, {:g}]\n\n{}"
      "materials:\n"
      "  - {}\n\n{}"
      "world:\n"
      "  shapes:\n"
      "    - {{type: half-space, name: board, normal: [0, 0, 1], point: [0, 0, {}]{}}}\n\n"
      "bodies:\n"
      "  - name: cube\n"
      "    inertia:\n"
      "      mass: {:g}\n"
      "      center: [0, 0, {}]\n"
      "      moments: [=moment, =moment, =moment]\n"
      "    shapes:\n{}{}\n"
      "method: {{stepper: {}, law: {}, smooth: {}, step: {:.10g}, {}}}\n"
      "duration: {:.12g}\n",
      -gravity, parameters_block(cube, named, release), material(words), pair(words), words.value("floor"),
      board_change(words), mass, words.value("mass_centre"), corners(words), thrown(words, release),
      stepper_name(method.stepper), law_name(method.law), smooth_name(method.smooth), method.step, cone(method),
      1000 * method.step);
  return text;
}

}  // namespace carom
