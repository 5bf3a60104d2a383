#include "benchmarks/impact_cases.h"

#include "carom/scene/scene.h"
#include "carom/validation/first_touch.h"

namespace carom::bench {
namespace {

constexpr double modulus = 10e9;  // Pa

ImpactCase make_case(const std::string& name, const Scene& scene, const State& at, double radius, double restitution,
                     double dissipation) {
  ImpactSurface surface;
  surface.restitution = Restitution(ConstantRestitution{restitution});
  surface.stiffness = hertz_stiffness(radius, modulus);
  ImpactCase result{name, scene.model, at.q, at.v, MechanismImpact(scene.model), surface, dissipation};
  result.impact.find(at.q, at.v, 1e-9);
  result.impact.set_surface(surface);
  return result;
}

/// Balls of 1 kg and 0.25 m that touch, the first coming with 2 m/s.
Scene row_of_balls(int count) {
  std::string text =
      "carom: 1\n"
      "gravity: [0, 0, 0]\n"
      "materials: [{name: all, friction: 0}]\n"
      "method: {stepper: stewart-trinkle, step: 0.001}\n"
      "duration: 1\n"
      "bodies:\n";
  for (int i = 0; i < count; ++i) {
    text +=
        "  - {name: ball " + std::to_string(i) +
        ", shapes: [{type: sphere, radius: 0.25}], inertia: {mass: 1, moments: [0.025, 0.025, 0.025]}, position: [" +
        std::to_string(-0.5 * i) + ", 0, 0], velocity: [" + (i == 0 ? "-2" : "0") + ", 0, 0]}\n";
  }
  return parse_scene(text, "a row of balls");
}

}  // namespace

std::vector<ImpactCase> impact_cases(const std::string& scenes) {
  const Scene pendulum = load_scene(scenes + "/uchida2015/triple_pendulum.yaml");
  const Scene brick = load_scene(scenes + "/uchida2015/brick_on_face.yaml");
  std::vector<ImpactCase> cases;
  cases.push_back(make_case("pendulum", pendulum, first_touch(pendulum, pendulum.initial, 5), 0.25, 1, 0));
  cases.push_back(make_case("brick", brick, brick.initial, 0.1, 0.414, 0.15));
  for (const int count : {2, 5, 10}) {
    const Scene row = row_of_balls(count);
    cases.push_back(make_case(std::to_string(count) + " balls", row, row.initial, 0.125, 1, 0));
  }
  return cases;
}

}  // namespace carom::bench
