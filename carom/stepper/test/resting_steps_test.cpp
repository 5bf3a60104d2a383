// A body at rest stays where it is and is solved in every step, whatever the stepper and however short the step. Below
// some length of step all its velocities are round-off of its gaps.

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "experiment.h"
#include "mechanisms.h"

namespace carom::resting_steps_test {
namespace {

enum class Resting { sphere, box, pile, far_box };

struct Case {
  StepperKind stepper;
  LawKind law;
};

const char* name_of(Resting what) {
  switch (what) {
    case Resting::sphere:
      return "sphere";
    case Resting::box:
      return "box";
    case Resting::pile:
      return "pile";
    case Resting::far_box:
      return "far_box";
  }
  return "";
}

test::SceneMaker scene_of(Resting what) {
  test::SceneMaker scene(0.5);
  scene.add_static(HalfSpace{});
  const Box brick{Vec3(0.1, 0.05, 0.03)};
  switch (what) {
    case Resting::sphere:
      scene.add(Sphere{0.07}, 1, Vec3(0.3, 0.1, 0.07));
      break;
    case Resting::box:
      scene.add(brick, 1, Vec3(0.1, 0.2, 0.03), Vec3::Zero(), Quaternion(0.9, 0, 0, std::sqrt(1 - 0.81)));
      break;
    case Resting::pile:
      for (int i = 0; i < 3; ++i) scene.add(brick, 1 + i, Vec3(0.01 * i, 0, 0.03 + 0.06 * i));
      break;
    case Resting::far_box:
      scene.add(brick, 1, Vec3(7, -3, 0.03), Vec3::Zero(), Quaternion(0.8, 0, 0, 0.6));
      break;
  }
  return scene;
}

class RestingSteps : public ::testing::TestWithParam<std::tuple<Case, Resting, double>> {};

TEST_P(RestingSteps, AreSolvedAndMoveNothing) {
  const auto [how, what, step] = GetParam();
  Method method = test::with_step(step, how.stepper, how.law);
  method.cone = FrictionCone::polyhedral;  // solved to round-off, where the steppers have it
  const test::SceneMaker scene = scene_of(what);
  Simulation simulation = scene.simulation(method);
  for (int i = 0; i < 200; ++i) {
    const StepReport& report = simulation.step();
    ASSERT_EQ(report.status, SolveStatus::solved) << "step " << report.step;
  }
  const State& state = simulation.state();
  // Steppers take gaps below 1e-10 m for zero, and solve to 1e-9 of what gravity makes in a step. They correct a gap of
  // round-off within a step.
  EXPECT_LE((state.q - scene.q).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LE(state.v.cwiseAbs().maxCoeff(), 1e-8 * 9.81 * step + 1e-13 / step);
}

std::string label_of(const ::testing::TestParamInfo<RestingSteps::ParamType>& info) {
  const auto& [how, what, step] = info.param;
  return test::label(how.stepper) + "_" + name_of(what) + "_1e" + std::to_string(static_cast<int>(-std::log10(step)));
}

INSTANTIATE_TEST_SUITE_P(
    Steppers, RestingSteps,
    ::testing::Combine(::testing::Values(Case{StepperKind::stewart_trinkle, LawKind::none},
                                         Case{StepperKind::anitescu_potra, LawKind::none},
                                         Case{StepperKind::stewart_trinkle_nonlinear, LawKind::none},
                                         Case{StepperKind::hybrid_dca, LawKind::none},
                                         Case{StepperKind::semi_explicit, LawKind::newton},
                                         Case{StepperKind::event_driven, LawKind::newton},
                                         Case{StepperKind::variational, LawKind::newton},
                                         Case{StepperKind::implicit_geometry, LawKind::none}),
                       ::testing::Values(Resting::sphere, Resting::box, Resting::pile, Resting::far_box),
                       ::testing::Values(1e-2, 1e-3, 1e-4, 1e-5)),
    label_of);

}  // namespace
}  // namespace carom::resting_steps_test
