// A body turns many times within a step. The step finds what its corners touch between its ends, or is not called
// solved.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "experiment.h"
#include "mechanisms.h"

namespace carom::fast_spin_test {
namespace {

class FastSpin : public testing::TestWithParam<StepperKind> {};

/// A brick whose corners reach below a floor, and which lies level over it at the ends of all steps.
TEST_P(FastSpin, CornersThatTouchBetweenEndsAreNotPassedOver) {
  constexpr double step = 1e-3, reach = 0.2;
  for (const Shape& floor : {Shape(HalfSpace{}), Shape(Box{Vec3(1, 1, 0.05)})}) {
    const double top = std::holds_alternative<Box>(floor) ? 0.05 : 0;
    for (const double turns : {1.0, 16.0, 200.0}) {
      if (turns > 100 && GetParam() == StepperKind::compliant) continue;  // takes seconds for each touch
      test::SceneMaker scene(0.3, 0, Vec3::Zero());
      scene.builder = ModelBuilder();
      Material material{"surface", Vec2(0.3, 0.3), 0.0};
      material.youngs_modulus = 1e9;
      scene.material = scene.builder.add_material(material);
      scene.add_static(floor);
      const Vec3 spin(0, turns * 2 * std::numbers::pi / step, 0);
      scene.add(Box{Vec3(reach, 0.1, 0.05)}, 1, Vec3(0, 0, top + 0.15), Vec3::Zero(), Quaternion::Identity(), spin);
      Method method = test::with_step(step, GetParam());
      if (has_impacts(method)) method.law = LawKind::plastic;
      Simulation simulation = scene.simulation(method);
      bool told = false;
      for (int i = 0; i < 3 && !told; ++i) {
        const StepReport& report = simulation.step();
        const double left = simulation.state().v.head<3>().norm();
        told = report.status != SolveStatus::solved || left < (1 - 1e-3) * spin.norm();
      }
      EXPECT_TRUE(told) << turns << " turns, " << shape_name(floor);
    }
  }
}

/// A body that turns as fast and reaches nothing is left alone, and so is a ball.
TEST_P(FastSpin, WhatReachesNothingIsSolved) {
  constexpr double step = 1e-3;
  test::SceneMaker scene(0.3, 0, Vec3::Zero());
  scene.builder = ModelBuilder();
  Material material{"surface", Vec2(0.3, 0.3), 0.0};
  material.youngs_modulus = 1e9;
  scene.material = scene.builder.add_material(material);
  scene.add_static(HalfSpace{});
  const Vec3 spin(0, 1e4, 0);
  scene.add(Box{Vec3(0.2, 0.1, 0.05)}, 1, Vec3(0, 0, 0.25), Vec3::Zero(), Quaternion::Identity(), spin);
  scene.add(Sphere{0.1}, 1, Vec3(2, 0, 0.11), Vec3::Zero(), Quaternion::Identity(), spin);
  Method method = test::with_step(step, GetParam());
  if (has_impacts(method)) method.law = LawKind::plastic;
  Simulation simulation = scene.simulation(method);
  test::run(simulation, 3 * step);
  EXPECT_NEAR(simulation.state().v[1], spin.y(), 1e-6);
  EXPECT_NEAR(simulation.state().v[7], spin.y(), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(AllSteppers, FastSpin, testing::ValuesIn(all_steppers()),
                         [](const auto& kind) { return test::label(kind.param); });

}  // namespace
}  // namespace carom::fast_spin_test
