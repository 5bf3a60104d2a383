#include "carom/validation/cube_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "carom/error.h"

namespace carom {
namespace {

constexpr double mass = 0.37;      // kg, stated by the source
constexpr double gravity = 9.613;  // m/s², free fall in tracked lengths at 148 frames a second

const std::array<CubeParameter, 9> parameters{{
    {"half_width", &CubeParameters::half_width, 0.050, 0.053},
    {"floor", &CubeParameters::floor, -0.0025, 0.0025},
    {"friction", &CubeParameters::friction, 0.03, 0.6},
    {"restitution", &CubeParameters::restitution, 0, 0.5},
    {"corner_radius", &CubeParameters::corner_radius, 0.0001, 0.015},
    {"inertia", &CubeParameters::inertia, 0.5, 1.2},
    {"mass_centre", &CubeParameters::mass_centre, -0.01, 0.01},
    {"impact_friction", &CubeParameters::impact_friction, 0.03, 0.6},
    {"slow_restitution", &CubeParameters::slow_restitution, 0, 0.5},
}};

std::string material(const CubeParameters& cube) {
  std::string text = fmt::format("{{name: plastic, friction: {:.6g}", cube.friction);
  if (cube.impact_friction >= 0) text += fmt::format(", impact_friction: {:.6g}", cube.impact_friction);
  if (cube.slow_restitution < 0) return text + fmt::format(", restitution: {:.6g}}}", cube.restitution);
  return text + fmt::format(",\n     restitution: {{table: [[{:g}, {:.6g}], [{:g}, {:.6g}]]}}}}",
                            CubeParameters::slow_approach, cube.slow_restitution, CubeParameters::fast_approach,
                            cube.restitution);
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
      "  - {}\n\n"
      "world:\n"
      "  shapes:\n"
      "    - {{type: half-space, name: board, normal: [0, 0, 1], point: [0, 0, {:.8g}]}}\n\n"
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
      -gravity, material(cube), cube.floor, mass, cube.mass_centre, moment, moment, moment, corners(cube),
      stepper_name(method.stepper), law_name(method.law), method.step, cone(method), 1000 * method.step);
  return text;
}

}  // namespace carom
