#include <gtest/gtest.h>

#include <cstdlib>

#include "random_scenes.h"

namespace carom::random_scenes_test {
namespace {

/// 1000 with CAROM_LONG set, an even subset of the same seeds otherwise.
int seed_stride() { return std::getenv("CAROM_LONG") != nullptr ? 1 : 10; }

/// Length scale of a relative energy: what the step moved, at least what is there.
double energy_scale(const StepReport& report) {
  return std::abs(report.energy.kinetic) + std::abs(report.energy.potential_change) +
         std::abs(report.energy.contact_work) + 1e-6;
}

TEST(RandomScenes, AreSolvedWithoutContactWorkAndRepeatToTheBit) {
  for (int seed = 0; seed < 1000; seed += seed_stride()) {
    const test::SceneMaker scene = test::random_scene(seed);
    Method method;
    method.step = 0.005;
    constexpr StepperKind steppers[]{StepperKind::stewart_trinkle, StepperKind::anitescu_potra,
                                     StepperKind::stewart_trinkle};
    method.stepper = steppers[seed / seed_stride() % 3];
    const bool exact = seed / seed_stride() % 3 == 2;
    if (exact) method.cone = FrictionCone::exact;
    if (seed / seed_stride() % 4 >= 2) method.smooth = SmoothParts::second_order;
    Simulation simulation = scene.simulation(method);
    Simulation again = scene.simulation(method);
    for (int i = 0; i < 100; ++i) {
      const StepReport& report = simulation.step();
      ASSERT_EQ(report.status, SolveStatus::solved)
          << "seed " << seed << ", step " << i << ", " << status_name(report.status);
      ASSERT_TRUE(simulation.state().q.allFinite() && simulation.state().v.allFinite()) << "seed " << seed;
      ASSERT_LE(report.energy.contact_work, 1e-9 * energy_scale(report)) << "seed " << seed << ", step " << i;
      ASSERT_LT(report.momentum_residual, 1e-9) << "seed " << seed << ", step " << i;
      const SolveCertificate& contact = report.contact_certificate;
      if (exact) {
        ASSERT_LT(contact.natural_map, 1e-8) << "seed " << seed << ", step " << i;
      } else {
        ASSERT_LT(contact.normal_complementarity, 1e-8) << "seed " << seed << ", step " << i;
        ASSERT_LT(contact.cone_violation, 1e-8) << "seed " << seed << ", step " << i;
        ASSERT_LT(contact.dissipation_residual, 1e-8) << "seed " << seed << ", step " << i;
      }
      again.step();
      ASSERT_TRUE(identical(simulation.state(), again.state())) << "seed " << seed << ", step " << i;
    }
  }
}

TEST(RandomScenes, ThatAreDrivenAreSolvedAndTheirFrictionOnlyTakes) {
  for (int seed = 0; seed < 1000; seed += seed_stride()) {
    const test::SceneMaker scene = test::random_scene(seed, 0, true);
    Method method;
    method.step = 0.005;
    if (seed / seed_stride() % 2 == 1) method.stepper = StepperKind::anitescu_potra;
    if (seed / seed_stride() % 3 == 2) method.cone = FrictionCone::exact;
    if (seed / seed_stride() % 4 >= 2) method.smooth = SmoothParts::second_order;
    Simulation simulation = scene.simulation(method);
    for (int i = 0; i < 100; ++i) {
      const StepReport& report = simulation.step();
      ASSERT_EQ(report.status, SolveStatus::solved)
          << "seed " << seed << ", step " << i << ", " << status_name(report.status);
      ASSERT_TRUE(simulation.state().q.allFinite() && simulation.state().v.allFinite()) << "seed " << seed;
      const double scale = energy_scale(report) + std::abs(report.energy.drive_work);
      ASSERT_LE(report.energy.contact_work, 1e-9 * scale) << "seed " << seed << ", step " << i;
      ASSERT_LE(report.energy.joint_friction, 1e-9 * scale) << "seed " << seed << ", step " << i;
      ASSERT_LT(report.momentum_residual, 1e-9) << "seed " << seed << ", step " << i;
      ASSERT_LT(report.contact_certificate.bounded_residual, 1e-8) << "seed " << seed << ", step " << i;
      ASSERT_LT(report.contact_certificate.bilateral_residual, 1e-8) << "seed " << seed << ", step " << i;
    }
  }
}

}  // namespace
}  // namespace carom::random_scenes_test
