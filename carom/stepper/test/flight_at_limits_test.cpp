// A limp mechanism in flight, its light joints at their limits and rubbing a little. All parts fall alike, so that
// every row asks for nothing. Round-off of the fall must not be judged as a motion of its own.

#include <gtest/gtest.h>

#include <cmath>

#include "experiment.h"
#include "mechanisms.h"

namespace carom::flight_at_limits_test {
namespace {

/// A trunk of 10 kg with four legs of two links, each of some hundred grams, at limits; in general position.
Model limp_quadruped() {
  ModelBuilder builder;
  builder.set_gravity(Vec3(0, 0, -9.81));
  const int trunk = builder.add_body("trunk", {10, Vec3(0.01, 0, 0.02), Vec3(0.1, 0.3, 0.35).asDiagonal()});
  Joint free;
  free.name = "free";
  free.type = JointType::free;
  builder.add_joint(trunk, free);
  for (int leg = 0; leg < 4; ++leg) {
    const Vec3 hip(leg < 2 ? 0.2 : -0.2, leg % 2 == 0 ? 0.1 : -0.1, 0);
    int parent = trunk;
    for (int link = 0; link < 2; ++link) {
      const std::string name = "leg" + std::to_string(leg) + std::to_string(link);
      const int body = builder.add_body(name, {0.3, Vec3(0, 0.003, -0.1), Vec3(2e-3, 2e-3, 1e-4).asDiagonal()});
      Joint joint = test::hinge_about_y(parent, link == 0 ? hip : Vec3(0, 0, -0.2), name);
      joint.lower = test::one(link == 0 ? -1 : 0);
      joint.upper = test::one(link == 0 ? 1 : 2);
      joint.friction = test::one(0.01);
      builder.add_joint(body, joint);
      parent = body;
    }
  }
  return builder.build();
}

/// Thrown across its weight a mechanism that does not turn must not begin to: in no frame that moves along does it.
class ThrownLevel : public testing::TestWithParam<StepperKind> {};

TEST_P(ThrownLevel, DoesNotBeginToSpin) {
  for (const double step : {1e-2, 1e-3}) {
    for (const double speed : {0.0, 1.0, 30.0}) {
      const Model model = limp_quadruped();
      VectorX q = model.neutral_position(), v = VectorX::Zero(model.velocity_count());
      q.tail(8).setConstant(0.5);  // away from all limits
      q.segment<3>(4) = Vec3(3, -2, 100);
      v.segment<3>(3) = Vec3(0.8, 0.6, 0) * speed;
      Method method = test::with_step(step, GetParam());
      if (has_impacts(method)) method.law = LawKind::plastic;
      test::Experiment flight(limp_quadruped(), method, q, v);
      for (int i = 0; i < 50; ++i) flight.simulation.step();
      EXPECT_LT(flight.simulation.state().v.head<3>().norm(), 1e-9 * (1 + speed)) << step << " " << speed;
      EXPECT_LT(flight.simulation.state().v.tail(8).norm(), 1e-9 * (1 + speed)) << step << " " << speed;
    }
  }
}

std::vector<StepperKind> all_but_compliant_ones() {
  std::vector<StepperKind> kinds = all_steppers();
  std::erase(kinds, StepperKind::compliant);  // wants a stiffness for limits
  return kinds;
}
INSTANTIATE_TEST_SUITE_P(AllSteppers, ThrownLevel, testing::ValuesIn(all_but_compliant_ones()),
                         [](const auto& kind) { return test::label(kind.param); });

class FlightAtLimits : public testing::TestWithParam<StepperKind> {};

TEST_P(FlightAtLimits, IsSolvedAndAsksForNothing) {
  for (const double step : {1e-2, 1e-3, 1e-4}) {
    for (const double speed : {0.0, 1.0, 100.0}) {
      const Model model = limp_quadruped();
      VectorX q = model.neutral_position(), v = VectorX::Zero(model.velocity_count());
      q.head<7>() << 0.9, 0.1, std::sqrt(1 - 0.81 - 0.01 - 0.04), 0.2, 3, -2, 100;
      v.segment<3>(3) = Vec3(0.3, 0.8, 0.5) * speed;
      test::Experiment flight(limp_quadruped(), test::with_step(step, GetParam()), q, v);
      for (int i = 0; i < 60; ++i) {
        const StepReport& report = flight.simulation.step();
        ASSERT_EQ(report.status, SolveStatus::solved) << "step " << i << " of " << step << " s at " << speed << " m/s";
        const double momentum = 12.4 * (speed + 9.81 * step * (i + 1));
        for (const ContactReport& contact : report.contacts) {
          EXPECT_LT(contact.impulse.norm(), 1e-12 * momentum) << report.step;
        }
        EXPECT_LT(report.contact_certificate.normal_complementarity, 1e-8) << report.step;
        EXPECT_LT(report.contact_certificate.bounded_residual, 1e-8) << report.step;
      }
    }
  }
}

/// A trunk tumbles, and throws an arm against its limits and a hand that rubs. What the joints do is slow beside the
/// trunk, and what they bear little beside its momentum. Both are known to their own digits all the same.
TEST_P(FlightAtLimits, WhirledItIsKnownToItsOwnDigits) {
  ModelBuilder builder;
  builder.set_gravity(Vec3(0, 0, -9.81));
  const int trunk = builder.add_body("trunk", {12, Vec3::Zero(), Vec3(0.2, 0.25, 0.13).asDiagonal()});
  Joint free;
  free.name = "free";
  free.type = JointType::free;
  builder.add_joint(trunk, free);
  const int arm = builder.add_body("arm", {1.5, Vec3(0, 0, 0.2), Vec3(0.03, 0.03, 2e-3).asDiagonal()});
  Joint shoulder = test::hinge_about_y(trunk, Vec3(0, 0.2, 0), "shoulder");
  shoulder.lower = test::one(-0.1);
  shoulder.upper = test::one(0.1);
  builder.add_joint(arm, shoulder);
  const int hand = builder.add_body("hand", {0.3, Vec3::Zero(), Vec3::Constant(3e-4).asDiagonal()});
  Joint wrist = test::hinge_about_y(arm, Vec3(0, 0, 0.4), "wrist");
  wrist.X_PF.R = wrist.X_BM.R = contact_frame(Vec3::UnitX());
  wrist.friction = test::one(0.1);
  wrist.lower = test::one(0);
  wrist.upper = test::one(0.5);
  builder.add_joint(hand, wrist);
  const Model model = builder.build();
  VectorX q = model.neutral_position(), v = VectorX::Zero(model.velocity_count());
  q.segment<3>(4) = Vec3(0, 0, 50);
  v.head<8>() << 4, 5, -3, 3, 1, 2, 3, -0.5;
  for (const double step : {1e-3, 2e-5}) {
    SCOPED_TRACE(step);
    test::Experiment flight(model, test::with_step(step, GetParam()), q, v);
    bool struck = false;
    for (int i = 0; i < 500; ++i) {
      const StepReport& report = flight.simulation.step();
      ASSERT_EQ(report.status, SolveStatus::solved) << i;
      ASSERT_LT(report.contact_certificate.normal_complementarity, 1e-9) << i;
      ASSERT_LT(report.contact_certificate.bounded_residual, 1e-9) << i;
      ASSERT_LT(report.momentum_residual, 1e-9) << i;
      for (const ContactReport& contact : report.contacts) struck = struck || contact.impulse.norm() > 0;
    }
    EXPECT_TRUE(struck);
  }
}

INSTANTIATE_TEST_SUITE_P(TimeSteppers, FlightAtLimits,
                         testing::Values(StepperKind::stewart_trinkle, StepperKind::anitescu_potra,
                                         StepperKind::stewart_trinkle_nonlinear, StepperKind::hybrid_dca,
                                         StepperKind::implicit_geometry, StepperKind::quasi_rigid),
                         [](const auto& kind) { return test::label(kind.param); });

}  // namespace
}  // namespace carom::flight_at_limits_test
