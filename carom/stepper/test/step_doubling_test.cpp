// Steps taken in parts as short as an accuracy asks for. The error follows what is asked for, with every stepper. Quiet
// motion takes long parts. The report of a step is that of all its parts.

#include "carom/stepper/step_doubling.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "experiment.h"
#include "mechanisms.h"

namespace carom::step_doubling_test {
namespace {

std::vector<StepperKind> without_error_control() {
  std::vector<StepperKind> kinds = all_steppers();
  std::erase_if(kinds, [](StepperKind kind) { return kind->is_integrated; });
  return kinds;
}

Method asked_for(StepperKind stepper, double step, double accuracy) {
  Method method = test::with_step(step, stepper);
  if (has_impacts(method)) method.law = LawKind::plastic;
  method.cone = FrictionCone::exact;
  method.accuracy = accuracy;
  return method;
}

class StepsInParts : public testing::TestWithParam<StepperKind> {};

/// A ball without friction is dropped onto a slope, lands at a time that no step ends at, and slides down: all in
/// closed form.
TEST_P(StepsInParts, ErrFromALandingAndASlideByNoMoreThanWasAskedFor) {
  constexpr double g = 9.81, slope = 0.3, radius = 0.1, height = 0.137, until = 0.5;
  test::SceneMaker scene(0, 0.0, Vec3(g * std::sin(slope), 0, -g * std::cos(slope)));
  scene.add_static(HalfSpace{});
  scene.add(Sphere{radius}, 1, Vec3(0, 0, radius + height));
  const double landing = std::sqrt(2 * height / (g * std::cos(slope)));
  ASSERT_LT(landing, until);
  const double x = 0.5 * g * std::sin(slope) * until * until;
  double before = 0;
  for (const double accuracy : {1e-1, 1e-2, 1e-3, 1e-4}) {
    Simulation simulation = scene.simulation(asked_for(GetParam(), 0.05, accuracy));
    EXPECT_EQ(simulation.run_until(until), 10);
    EXPECT_EQ(simulation.state().time, until);
    EXPECT_EQ(simulation.certificate().unsolved_steps, 0);
    const double error = (test::position(simulation, 0) - Vec3(x, 0, radius)).norm();
    EXPECT_LE(error, 3 * accuracy * (x + height)) << accuracy;
    if (before > 0) {
      // A motion that is exact at any step needs no parts.
      EXPECT_TRUE(error < before / 3 || error < 1e-9) << accuracy << ": " << error << " after " << before;
    }
    before = error;
  }
}

/// A body at rest is exact in steps of any length: a part each, which is two halves and three trials.
TEST_P(StepsInParts, LetWhatRestsTakeWholeSteps) {
  test::SceneMaker scene(0.5);
  scene.add_static(HalfSpace{});
  scene.add(Box{Vec3::Constant(0.1)}, 2, Vec3(0, 0, 0.1));
  Simulation simulation = scene.simulation(asked_for(GetParam(), 0.02, 1e-4));
  simulation.step();
  for (int i = 0; i < 20; ++i) {
    const StepReport& report = simulation.step();
    EXPECT_EQ(report.parts, 2);
    EXPECT_EQ(report.trials, 3);
    double weight = 0;
    for (const ContactReport& contact : report.contacts) weight += (contact.R_WC * contact.impulse)[2];
    EXPECT_NEAR(weight, 2 * 9.81 * 0.02, 1e-9);
  }
  EXPECT_EQ(simulation.certificate().shortest_part, 0.01);
}

/// The ledger closes over all parts, and a step says what each of its impacts did.
TEST_P(StepsInParts, ReportAllPartsAsOneStep) {
  test::SceneMaker scene(0.4);
  scene.add_static(HalfSpace{});
  scene.add(Sphere{0.1}, 1, Vec3(0, 0, 0.113), Vec3(1, 0, -0.5), Quaternion::Identity(), Vec3(0, 3, 0));
  Simulation simulation = scene.simulation(asked_for(GetParam(), 0.05, 1e-2));
  for (int i = 0; i < 4; ++i) {
    const Vec3 before = test::velocity(simulation, 0);
    const StepReport& report = simulation.step();
    EXPECT_GE(report.parts, 2) << i;
    EXPECT_GE(report.trials, report.parts);
    EXPECT_EQ(report.step, i + 1);
    const EnergyLedger& e = report.energy;
    const double explained = -e.damping + e.drive_work + e.joint_friction + e.contact_work + e.constraint_work +
                             e.opposed_work + e.push_out + e.projection + e.free_motion_error;
    EXPECT_NEAR(e.kinetic_change + e.potential_change, explained, 1e-12);
    Vec3 impulse(0, 0, -9.81 * 0.05);
    for (const ContactReport& contact : report.contacts) impulse += contact.R_WC * contact.impulse;
    EXPECT_NEAR((test::velocity(simulation, 0) - before - impulse).norm(), 0, 1e-9) << i;
    for (const ImpactReport& impact : report.impacts) {
      EXPECT_EQ(impact.step, report.step);
      ASSERT_LE(impact.first_contact + impact.contacts, report.struck.size());
      EXPECT_GT(impact.contacts, 0u);
    }
    for (const Event& event : report.events) {
      EXPECT_EQ(event.step, report.step);
      EXPECT_GT(event.time, 0.05 * i);
      EXPECT_LE(event.time, 0.05 * (i + 1) + 1e-12);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Steppers, StepsInParts, testing::ValuesIn(without_error_control()),
                         [](const auto& info) { return test::label(info.param); });

TEST(Accuracy, HasNoEffectWhereTheStepperControlsItsError) {
  for (const StepperKind stepper : all_steppers()) {
    const std::vector<std::string> without = fields_without_effect(asked_for(stepper, 0.01, 1e-3));
    EXPECT_EQ(std::find(without.begin(), without.end(), "accuracy") != without.end(), stepper->is_integrated);
  }
}

TEST(Accuracy, MustBeAPartOfTheWay) {
  for (const double wrong : {-1e-3, 1e-20, 0.5, std::nan(""), HUGE_VAL}) {
    EXPECT_EQ(method_faults(asked_for(StepperKind::stewart_trinkle, 0.01, wrong)).size(), 1u) << wrong;
  }
}

}  // namespace
}  // namespace carom::step_doubling_test
