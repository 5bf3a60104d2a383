// Scenes by event-driven steps and by time stepping, which share neither integrator nor contact problem, come to the
// same.

#include <gtest/gtest.h>

#include <cmath>

#include "carom/scene/scene.h"
#include "carom/stepper/simulation.h"
#include "testing/folders.h"

namespace carom::event_driven_scenes_test {
namespace {

State end_of(const std::string& file, StepperKind stepper, LawKind law, double step, double until) {
  SceneOverrides overrides;
  overrides.stepper = stepper;
  overrides.law = law;
  overrides.step = step;
  overrides.cone = FrictionCone::exact;
  overrides.duration = until;
  const Scene scene = load_scene(source_folder() + "/scenes/" + file, overrides);
  Simulation simulation(scene.model, scene.method, scene.initial);
  for (std::int64_t i = 0; i < scene.steps(); ++i) {
    EXPECT_EQ(simulation.step().status, SolveStatus::solved) << file << " step " << i;
  }
  return simulation.state();
}

/// A thrown ball lands, slides and rolls, and strikes the first of three. Without restitution both methods mean the
/// same motion. Time stepping converges to it at first order.
TEST(EventDrivenScenes, TimeSteppingNearsTheExactMotionOfTheFourBalls) {
  const std::string file = "stewart2000/four_balls.yaml";
  const double until = 0.59;
  const State exact = end_of(file, StepperKind::event_driven, LawKind::plastic, 0.01, until);
  const auto error = [&](double h) {
    const State state = end_of(file, StepperKind::stewart_trinkle, LawKind::none, h, until);
    return (state.q - exact.q).cwiseAbs().maxCoeff();
  };
  const double coarse = error(0.0025), fine = error(0.0025 / 8);
  EXPECT_LT(fine, coarse / 4);
  EXPECT_LT(fine, 0.003);
}

/// The same for the rod that touches beyond the Painlevé limit, slides, and falls flat.
TEST(EventDrivenScenes, TimeSteppingNearsTheExactMotionOfTheRod) {
  const std::string file = "stewart2000/falling_rod.yaml";
  const State exact = end_of(file, StepperKind::event_driven, LawKind::plastic, 0.01, 1);
  const auto error = [&](double h) {
    const State state = end_of(file, StepperKind::stewart_trinkle, LawKind::none, h, 1);
    return (state.q - exact.q).cwiseAbs().maxCoeff();
  };
  const double coarse = error(0.0025), fine = error(0.0025 / 8);
  EXPECT_LT(fine, coarse / 3);
  EXPECT_LT(fine, 0.005);
}

/// Joints that rub, a tip that sticks and slides by turns, servos. While the tip wipes, the arm has one freedom. When
/// it turns back, the frictions of the tip and of the elbow together keep it in place.
TEST(EventDrivenScenes, TimeSteppingNearsTheExactMotionOfTheServoArm) {
  const std::string file = "mechanisms/servo_arm.yaml";
  const State exact = end_of(file, StepperKind::event_driven, LawKind::plastic, 0.01, 2);
  const auto error = [&](double h) {
    const State state = end_of(file, StepperKind::stewart_trinkle, LawKind::none, h, 2);
    return (state.q - exact.q).cwiseAbs().maxCoeff();
  };
  const double coarse = error(0.004), fine = error(0.0005);
  EXPECT_LT(fine, coarse / 4);
  EXPECT_LT(fine, 1e-3);
}

/// The piston rubs with 4 N all the way. A crank of 0.15 m on a rod of 0.45 m goes from 90° on by 20 rad. It passes six
/// dead points, at which friction cannot block what the motor drives.
TEST(EventDrivenScenes, TheDrivenCrankRubsAllTheWay) {
  SceneOverrides overrides;
  overrides.stepper = StepperKind::event_driven;
  overrides.law = LawKind::plastic;
  const Scene scene = load_scene(source_folder() + "/scenes/mechanisms/driven_crank.yaml", overrides);
  Simulation simulation(scene.model, scene.method, scene.initial);
  for (std::int64_t i = 0; i < scene.steps(); ++i) ASSERT_EQ(simulation.step().status, SolveStatus::solved) << i;
  const auto piston = [](double angle) {
    return 0.15 * std::cos(angle) + std::sqrt(0.45 * 0.45 - 0.0225 * std::sin(angle) * std::sin(angle));
  };
  const double from = M_PI / 2, to = from + 20;
  const double way = piston(from) - piston(M_PI) + 5 * 0.3 + piston(6 * M_PI) - piston(to);
  EXPECT_NEAR(simulation.certificate().energy.joint_friction, -4 * way, 1e-5);
  EXPECT_LE(simulation.certificate().constraint_drift, 1e-10);
}

// A body that is welded to the world: no coordinate is left, and every stepper stands still.
TEST(EventDrivenScenes, WhatCannotMoveStays) {
  for (const StepperKind stepper : all_steppers()) {
    SceneOverrides overrides;
    overrides.stepper = stepper;
    overrides.law = go_together(stepper, LawKind::plus) ? LawKind::plus : LawKind::none;
    const Scene scene = parse_scene(
        "carom: 1\ngravity: [0, 0, -9.81]\nmaterials: [{name: m, friction: 0.5, youngs_modulus: 1e9}]\nbodies:\n  - "
        "{name: a, "
        "mass: 1, shapes: [{type: sphere, radius: 0.1, material: m}]}\njoints: [{name: j, type: fixed, parent: world, "
        "child: "
        "a}]\nmethod: {stepper: event-driven, law: plus, step: 0.01}\nduration: 0.1\n",
        "welded.yaml", overrides);
    Simulation simulation(scene.model, scene.method, scene.initial);
    for (int i = 0; i < 10; ++i) EXPECT_EQ(simulation.step().status, SolveStatus::solved) << stepper_name(stepper);
    EXPECT_EQ(simulation.state().v.size(), 0);
    EXPECT_EQ(simulation.certificate().energy.kinetic, 0);
  }
}

}  // namespace
}  // namespace carom::event_driven_scenes_test
