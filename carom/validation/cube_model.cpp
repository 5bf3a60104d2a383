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

/// The value of `restitution`.
std::string restitution(const CubeParameters& cube) {
  if (cube.slow_restitution < 0) return fmt::format("{:.6g}", cube.restitution);
  return fmt::format("{{table: [[{:g}, {:.6g}], [{:g}, {:.6g}]]}}", CubeParameters::slow_approach,
                     cube.slow_restitution, CubeParameters::fast_approach, cube.restitution);
}

std::string material(const CubeParameters& cube) {
  std::string text = fmt::format("{{name: plastic, friction: {:.6g}", cube.friction);
  if (cube.impact_friction >= 0) text += fmt::format(", impact_friction: {:.6g}", cube.impact_friction);
  return text + (cube.slow_restitution < 0 ? ", " : ",\n     ") + "restitution: " + restitution(cube) + "}";
}

/// The part of a scene that says what its material does to itself, where that is more than a material can say.
std::string pair(const CubeParameters& cube) {
  if (cube.friction_slope == 0 && cube.spring_restitution < 0) return "";
  const double impact_friction = cube.impact_friction < 0 ? cube.friction : cube.impact_friction;
  std::string text = fmt::format(
      "pairs:\n"
      "  - materials: [plastic, plastic]\n"
      "    friction: {:.6g}\n"
      "    impact_friction: {:.6g}\n"
      "    impact_friction_slope: {:.6g}\n"
      "    restitution: {}\n",
      cube.friction, std::max(0.0, impact_friction - CubeParameters::fast_approach * cube.friction_slope),
      cube.friction_slope, restitution(cube));
  if (cube.spring_restitution >= 0) {
    text += fmt::format("    tangential_spring: {{stiffness: {:.6g}, restitution: {:.6g}}}\n", cube.spring_stiffness,
                        cube.spring_restitution);
  }
  return text + "\n";
}

/// The end of the board's line: restitution that changes along the board, as straight as its axis.
std::string board_change(const CubeParameters& cube) {
  const double slope = std::hypot(cube.restitution_by_x, cube.restitution_by_y);
  if (slope == 0) return "";
  return fmt::format(",\n       restitution_change: {{along: [{:.8g}, {:.8g}, 0], table: [[-1, {:.6g}], [1, {:.6g}]]}}",
                     cube.restitution_by_x / slope, cube.restitution_by_y / slope, -slope, slope);
}

std::string cone(const Method& method) {
  if (method.cone == FrictionCone::exact) return "cone: exact";
  return fmt::format("directions: {}", method.directions);
}

std::string corners(const CubeParameters& cube) {
  const double at = cube.half_width - cube.corner_radius;
  std::string text;
  for (int i = 0; i < 8; ++i) {
    text += fmt::format("      - {{type: sphere, radius: {:.8g}, position: [{:.8g}, {:.8g}, {:.8g}]}}\n",
                        cube.corner_radius, i & 1 ? at : -at, i & 2 ? at : -at, i & 4 ? at : -at);
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

std::string cube_scene(const CubeParameters& cube, const Method& method, const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line.empty() ? "#\n" : "# " + line + "\n";
  const double moment = cube.inertia * mass * cube.half_width * cube.half_width;
  text += fmt::format(
      "carom: 1\n"
      "name: measured toss\n"
      "gravity: [0, 0, {:g}]\n\n"
      "materials:\n"
      "  - {}\n\n{}"
      "world:\n"
      "  shapes:\n"
      "    - {{type: half-space, name: board, normal: [0, 0, 1], point: [0, 0, {:.8g}]{}}}\n\n"
      "bodies:\n"
      "  - name: cube\n"
      "    inertia: {{mass: {:g}, center: [0, 0, {:.8g}], moments: [{:.8g}, {:.8g}, {:.8g}]}}\n"
      "    shapes:\n{}"
      "    position: [0, 0, 0.2]\n"
      "    orientation: {{roll_pitch_yaw: [35 deg, 20 deg, 10 deg]}}\n"
      "    velocity: [1.1, 0.2, 0.1]\n"
      "    angular_velocity: [-2, 5, 1.5]\n\n"
      "method: {{stepper: {}, law: {}, step: {:.10g}, {}}}\n"
      "duration: {:.12g}\n",
      -gravity, material(cube), pair(cube), cube.floor, board_change(cube), mass, cube.mass_centre, moment, moment,
      moment, corners(cube), stepper_name(method.stepper), law_name(method.law), method.step, cone(method),
      1000 * method.step);
  return text;
}

}  // namespace carom
