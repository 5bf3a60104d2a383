#include "carom/complementarity/rung_counts.h"

#include <gtest/gtest.h>

#include "carom/spatial/rotation.h"
#include "carom/stepper/test/experiment.h"
#include "carom/stepper/test/mechanisms.h"

// A program that counts the methods of contact solves sees those of every stepper, and changes none of them.
namespace carom::rung_counts_test {
namespace {

class RungCountsOf : public testing::TestWithParam<StepperKind> {};

TEST_P(RungCountsOf, SeeTheSolvesOfABoxThatFallsAndComesToRest) {
  Method method = test::with_step(0.002, GetParam());
  if (has_impacts(method)) method.law = LawKind::plastic;
  test::SceneMaker scene(0.5);
  scene.add_static(HalfSpace{});
  scene.add(Box{{0.1, 0.08, 0.05}}, 1, {0, 0, 0.07}, {0.3, 0, 0}, exponential(Vec3(0.1, 0.2, 0)));
  RungCounts counts;
  Method counted = method;
  counted.rungs = &counts;
  Simulation plain = scene.simulation(method), watched = scene.simulation(counted);
  for (int i = 0; i < 100; ++i) {
    plain.step();
    watched.step();
  }
  EXPECT_TRUE(identical(plain.state(), watched.state()));
  EXPECT_GT(counts.solves, 0);
}

std::vector<StepperKind> steppers_with_contact_problems() {
  std::vector<StepperKind> kinds;
  for (const StepperKind kind : all_steppers()) {
    if (kind != StepperKind::compliant && kind != StepperKind::implicit_geometry) kinds.push_back(kind);
  }
  return kinds;
}

INSTANTIATE_TEST_SUITE_P(Steppers, RungCountsOf, testing::ValuesIn(steppers_with_contact_problems()),
                         [](const auto& kind) { return test::label(kind.param); });

}  // namespace
}  // namespace carom::rung_counts_test
