// A step that takes long can be stopped on its way.

#include "carom/stop_signal.h"

#include <gtest/gtest.h>

#include <vector>

#include "experiment.h"
#include "mechanisms.h"

namespace carom::stop_test {
namespace {

class LongSteps : public ::testing::TestWithParam<Method> {};

/// A run that is stopped within a step, at any place, has the state before the step. From there it goes on to the same
/// bits.
TEST_P(LongSteps, AreStoppedOnTheWayAndLeaveTheStateBefore) {
  const Method& method = GetParam();
  test::SceneMaker scene(0.4, method.law == LawKind::none ? 0 : 0.3);
  scene.add_static(HalfSpace{});
  scene.add(Sphere{0.1}, 1, Vec3(0, 0, 0.11), Vec3(0.3, 0.1, -2));
  Simulation whole = scene.simulation(method);
  long asked = 0;
  whole.set_stop([&] { return ++asked < 0; });
  for (int i = 0; i < 3; ++i) whole.step();
  ASSERT_GE(asked, 3);
  for (const double part : {0.0, 0.3, 0.9}) {
    Simulation simulation = scene.simulation(method);
    long left = static_cast<long>(part * static_cast<double>(asked));
    simulation.set_stop([&] { return left-- <= 0; });
    State before = simulation.state();
    int taken = 0;
    try {
      for (; taken < 3; ++taken) {
        before = simulation.state();
        simulation.step();
      }
    } catch (const Stopped&) {
    }
    ASSERT_LT(taken, 3);
    ASSERT_TRUE(identical(simulation.state(), before));
    EXPECT_EQ(simulation.certificate().steps, taken);
    Simulation again(scene.model(), method, simulation.state());
    for (; taken < 3; ++taken) again.step();
    EXPECT_TRUE(identical(again.state(), whole.state()));
  }
}

std::vector<Method> one_of_each() {
  std::vector<Method> methods;
  const auto add = [&](StepperKind stepper, LawKind law) {
    Method method;
    method.stepper = stepper;
    method.law = law;
    method.step = 0.02;
    methods.push_back(method);
  };
  add(StepperKind::stewart_trinkle, LawKind::none);
  add(StepperKind::semi_explicit, LawKind::newton);
  add(StepperKind::event_driven, LawKind::newton);
  add(StepperKind::variational, LawKind::newton);
  add(StepperKind::implicit_geometry, LawKind::none);
  return methods;
}

INSTANTIATE_TEST_SUITE_P(Steppers, LongSteps, ::testing::ValuesIn(one_of_each()),
                         [](const auto& info) { return test::label(info.param.stepper); });

}  // namespace
}  // namespace carom::stop_test
