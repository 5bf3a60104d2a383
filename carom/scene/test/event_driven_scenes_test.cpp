// Scenes by event-driven steps and by time stepping, which share neither integrator nor contact problem, come to the
// same.

#include <gtest/gtest.h>

#include "carom/scene/scene.h"
#include "carom/stepper/simulation.h"

namespace carom {
namespace {

State end_of(const std::string& file, StepperKind stepper, LawKind law, double step, double until) {
  SceneOverrides overrides;
  overrides.stepper = stepper;
  overrides.law = law;
  overrides.step = step;
  overrides.cone = FrictionCone::exact;
  overrides.duration = until;
  const Scene scene = load_scene(CAROM_SOURCE_DIR "/scenes/" + file, overrides);
  Simulation simulation(scene.model, scene.method, scene.initial);
  for (std::int64_t i = 0; i < scene.steps(); ++i) {
    EXPECT_EQ(simulation.step().status, SolveStatus::solved) << file << " step " << i;
  }
  return simulation.state();
}

/// A thrown ball lands, slides and rolls, and strikes the first of three: without restitution both methods mean the
/// same motion, and time stepping nears it at its first order.
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

}  // namespace
}  // namespace carom
