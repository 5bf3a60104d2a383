// Scenes with friction along axes of a body, layers over patches, and a surface by parameters.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "carom/dynamics/recursions.h"
#include "carom/scene/scene.h"
#include "carom/stepper/simulation.h"
#include "carom/stepper/test/mechanisms.h"
#include "testing/folders.h"

namespace carom::patch_and_surface_scenes_test {
namespace {

using test::energy;

Scene scene_of(const std::string& name) {
  return load_scene(source_folder() + "/scenes/quasi_rigid/" + name + ".yaml");
}

TEST(PatchAndSurfaceScenes, TheSkaterGlidesInACircle) {
  const Scene scene = scene_of("skater");
  Simulation simulation(scene.model, scene.method, scene.initial);
  for (int step = 0; step < 1000; ++step) ASSERT_EQ(simulation.step().status, SolveStatus::solved) << step;
  // It goes where it points: the blade prevents sideways slip.
  const State& state = simulation.state();
  EXPECT_GT(state.v[3], 1.5);
  EXPECT_LT(std::abs(state.v[4]), 0.05 * state.v[3]);
  const Quaternion turned(state.q[0], state.q[1], state.q[2], state.q[3]);
  EXPECT_GT((turned * Vec3::UnitX()).y(), 0.7);
}

TEST(PatchAndSurfaceScenes, BoxAndDrumRestOnTheirPressure) {
  const Scene scene = scene_of("foam");
  Simulation simulation(scene.model, scene.method, scene.initial);
  int unsolved = 0;
  for (int step = 0; step < 450; ++step) {
    const StepReport& report = simulation.step();
    unsolved += report.status != SolveStatus::solved;
    ASSERT_LT(report.penetration, 1e-9) << step << ": cores";
  }
  EXPECT_EQ(unsolved, 0);
  // Weight over area: 400 kg/m³ · g · height over K.
  const double sunk = 400 * 9.81 * 0.16 / 8e5;
  for (int body = 0; body < 2; ++body) {
    EXPECT_NEAR(simulation.state().q[7 * body + 6], 0.04 + 0.08 - sunk, 1e-5) << body;
  }
}

TEST(PatchAndSurfaceScenes, TheEggRocksAndItsContactGivesNothing) {
  const Scene scene = scene_of("egg");
  Simulation simulation(scene.model, scene.method, scene.initial);
  const double round_off = 1e-12 * std::abs(energy(*scene.model, simulation.state()));
  for (int step = 0; step < 300; ++step) {
    const StepReport& report = simulation.step();
    ASSERT_EQ(report.status, SolveStatus::solved) << step;
    ASSERT_LT(report.penetration, 1e-9) << step;
    ASSERT_LE(report.energy.contact_work, round_off) << step;
  }
}

std::string ellipsoid_scene(bool by_parameters, const std::string& method) {
  const std::string shape =
      by_parameters ? "{type: parametric, x: \"0.12*cos(v)*cos(u)\", y: \"0.1*cos(v)*sin(u)\", z: \"0.08*sin(v)\", u: "
                      "[0, \"=2*pi\"], v: [\"=-pi/2\", \"=pi/2\"]}"
                    : "{type: ellipsoid, semi_axes: [0.12, 0.1, 0.08]}";
  return "carom: 1\ngravity: [0, 0, -9.81]\nmaterials: [{name: stone, friction: 0.5}]\nworld: {shapes: [{type: "
         "half-space}]}\nbodies:\n  - name: pebble\n    density: 2500\n    shapes: [" +
         shape +
         "]\n    position: [0, 0, 0.15]\n    orientation: {axis: [1, 2, 0.5], angle: 0.7}\n    angular_velocity: "
         "[1, 2, 3]\nmethod: {" +
         method + "}\nduration: 1\n";
}

TEST(PatchAndSurfaceScenes, AnEllipsoidByItsParametersFallsAsTheEllipsoid) {
  for (const std::string method : {"stepper: implicit-geometry, step: 0.002", "stepper: stewart-trinkle, step: 0.002",
                                   "stepper: semi-explicit, law: newton, step: 0.002"}) {
    const Scene known = parse_scene(ellipsoid_scene(false, method), "known.yaml"),
                other = parse_scene(ellipsoid_scene(true, method), "other.yaml");
    Simulation one(known.model, known.method, known.initial), two(other.model, other.method, other.initial);
    for (int step = 0; step < 200; ++step) {
      one.step();
      two.step();
      ASSERT_LT((one.state().q - two.state().q).norm(), 1e-6) << method << ' ' << step;
    }
    EXPECT_LT(one.state().q[6], 0.13) << "it has met the floor";
  }
}

}  // namespace
}  // namespace carom::patch_and_surface_scenes_test
