// Friction that sticks. Below Coulomb's bound nothing creeps, however long it lasts and however large the load. Above
// it things slide as the closed form says. Regularised friction creeps at u = W ε / (μ N) under any load W.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "carom/dynamics/motion_observer.h"
#include "carom/scene/model_scene.h"
#include "carom/scene/scene.h"
#include "carom/stepper/simulation.h"
#include "testing/folders.h"

namespace carom::sticking_test {
namespace {

std::string folder() { return source_folder() + "/scenes/stick/"; }

Scene stick_scene(const std::string& name, const SceneOverrides& overrides) {
  if (name != "pinched_capsule") return load_scene(folder() + name + ".yaml", overrides);
  const std::string path = folder() + name + ".xml";
  ModelPlacement asked;
  asked.keyframe = "pressed";
  asked.ground = false;
  return parse_scene(scene_of_model(path, placed_as_file_says(path, asked)), path, overrides);
}

/// Places of all bodies, m.
std::vector<Vec3> places(const Simulation& simulation) {
  const MotionObserver observer(simulation.model(), simulation.state());
  std::vector<Vec3> all;
  for (std::size_t i = 0; i < simulation.model().bodies().size(); ++i) {
    all.push_back(observer.pose(static_cast<int>(i)).p);
  }
  return all;
}

struct Case {
  std::string scene, stepper, law;
};

class Sticking : public testing::TestWithParam<Case> {};

// The first two seconds bring the scene to rest, if it has motors. Any motion after that is creep.
TEST_P(Sticking, NothingCreeps) {
  SceneOverrides overrides;
  overrides.stepper = parse_stepper(GetParam().stepper);
  overrides.law = parse_law(GetParam().law);
  // Four contacts in a plane share the capsule's load as they like. The exact cone spreads it; a vertex of the
  // polyhedral one may load one end alone, about which the capsule then turns.
  overrides.cone = FrictionCone::exact;
  const Scene scene = stick_scene(GetParam().scene, overrides);
  Simulation simulation(scene.model, scene.method, scene.initial);
  const double start = 2, end = std::getenv("CAROM_LONG") != nullptr ? 600 : 6;
  simulation.run_until(start);
  const std::vector<Vec3> before = places(simulation);
  simulation.run_until(end);
  const std::vector<Vec3> after = places(simulation);
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_LE((after[i] - before[i]).norm(), 1e-9 * (end - start)) << scene.model->bodies()[i].name;
  }
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const char* scene : {"ramp", "grasp", "conveyor", "pinched_capsule"}) {
    all.push_back({scene, "stewart-trinkle", "none"});
    all.push_back({scene, "anitescu-potra", "none"});
    all.push_back({scene, "semi-explicit", "plastic"});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Scenes, Sticking, testing::ValuesIn(cases()), [](const auto& info) {
  std::string name = info.param.scene + "_" + info.param.stepper;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

/// A box on a plane whose slope is a part of the friction.
Scene on_slope(double part, const std::string& stepper) {
  const double friction = 0.4, angle = std::atan(part * friction);
  const Vec3 normal(std::sin(angle), 0, std::cos(angle));
  char text[1200];
  std::snprintf(
      text, sizeof text,
      "carom: 1\ngravity: [0, 0, -10]\nmaterials: [{name: wood, friction: %g}]\nworld: {shapes: [{type: half-space, "
      "material: wood, orientation: {axis: [0, 1, 0], angle: %.17g}}]}\nbodies:\n  - {name: box, mass: 2, position: "
      "[%.17g, 0, %.17g], orientation: {axis: [0, 1, 0], angle: %.17g}, shapes: [{type: box, size: [0.3, 0.2, "
      "0.1], material: wood}]}\nmethod: {stepper: %s, cone: exact, step: 0.001}\nduration: 1\n",
      friction, angle, 0.05 * normal.x(), 0.05 * normal.z(), angle, stepper.c_str());
  return parse_scene(text, "slope.yaml");
}

TEST(Slope, HoldsUpToTheFrictionAndSlidesBeyondItByTheClosedForm) {
  for (const char* stepper : {"stewart-trinkle", "anitescu-potra", "event-driven, law: plastic"}) {
    for (const double part : {0.01, 0.5, 0.9, 0.999, 1.001, 1.1, 2.0}) {
      const Scene scene = on_slope(part, stepper);
      Simulation simulation(scene.model, scene.method, scene.initial);
      const Vec3 start = places(simulation).front();
      simulation.run_until(1);
      const double way = (places(simulation).front() - start).norm();
      if (part < 1) {
        EXPECT_LE(way, 1e-9) << stepper << " at " << part;
        continue;
      }
      const double angle = std::atan(0.4 * part), acceleration = 10 * (std::sin(angle) - 0.4 * std::cos(angle));
      // Time steppers put the velocity of a step's end into it: ½ a t h more.
      EXPECT_NEAR(way, 0.5 * acceleration, 0.51 * acceleration * 1e-3) << stepper << " at " << part;
    }
  }
}

}  // namespace
}  // namespace carom::sticking_test
