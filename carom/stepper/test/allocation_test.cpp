#include <gtest/gtest.h>

#include "random_scenes.h"
#include "testing/allocation_count.h"

namespace carom {
namespace {

/// Counts allocations of steps that consider no more contacts than an earlier step of the run did.
void expect_no_allocation(const test::SceneMaker& scene, const Method& method, const char* name) {
  Simulation simulation = scene.simulation(method);
  int most = -1, watched = 0;
  for (int i = 0; i < 400; ++i) {
    const long before = allocation_count();
    const StepReport& report = simulation.step();
    const long made = allocation_count() - before;
    if (report.contacts_considered <= most) {
      ASSERT_EQ(made, 0) << name << ", step " << i << ", " << report.contacts_considered << " contacts";
      ++watched;
    }
    most = std::max(most, report.contacts_considered);
  }
  EXPECT_GT(watched, 200) << name;
}

TEST(Allocation, NoneInAStepWithNoMoreContactsThanBefore) {
  test::SceneMaker scene(0.4);
  scene.add_static(HalfSpace{});
  for (int i = 0; i < 6; ++i) {
    scene.add(Sphere{0.1}, 1, Vec3(0.25 * i, 0.02 * i * i, 0.3 + 0.1 * i), Vec3(0.5, 0, 0));
  }
  scene.add(Box{Vec3(0.1, 0.2, 0.1)}, 3, Vec3(2, 0, 0.3));
  Method method;
  method.step = 0.005;
  for (const StepperKind stepper :
       {StepperKind::stewart_trinkle, StepperKind::anitescu_potra, StepperKind::stewart_trinkle_nonlinear}) {
    method.stepper = stepper;
    expect_no_allocation(scene, method, stepper_name(stepper).c_str());
  }
  method.stepper = StepperKind::stewart_trinkle;
  method.law = LawKind::poisson;
  expect_no_allocation(scene, method, "poisson");
}

TEST(Allocation, NoneWithJointsAndLimits) {
  Method method;
  method.step = 0.002;
  for (const unsigned seed : {3u, 17u, 40u}) {
    expect_no_allocation(test::random_scene(seed), method, "random scene");
  }
}

}  // namespace
}  // namespace carom
