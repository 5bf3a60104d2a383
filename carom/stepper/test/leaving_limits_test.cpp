// A body that rests at a joint limit and leaves it: the forces that the stepper tells are those that moved it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "experiment.h"

namespace carom::leaving_limits_test {
namespace {

using test::one;

/// A sledge that a motion moves as x = −amplitude cos(rate t), and a block on it with a play between two limits. Beside
/// them a light body is shaken far more, and most where the sledge is not accelerated.
Model shaken_block(double amplitude, double rate, double play) {
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  const double frequency = rate / (2 * std::numbers::pi);
  const int sledge = builder.add_body("sledge", test::box(3, 0.3)),
            block = builder.add_body("block", test::box(1, 0.1));
  builder.add_joint(sledge, test::coordinate_joint(JointType::prismatic, Vec3::UnitX()));
  Joint on_sledge = test::coordinate_joint(JointType::prismatic, Vec3::UnitX());
  on_sledge.parent = sledge;
  on_sledge.lower = one(0);
  on_sledge.upper = one(play);
  builder.add_joint(block, on_sledge);
  const int light = builder.add_body("light", test::box(1e-3, 0.1));
  builder.add_joint(light, test::coordinate_joint(JointType::prismatic, Vec3::UnitY()));
  const auto shake = [&](int body, const Sinusoid& sinusoid) {
    Constraint motion;
    motion.kind = ConstraintKind::motion;
    motion.body_a = body;
    motion.target.sinusoids = {sinusoid};
    builder.add_constraint(motion);
  };
  shake(sledge, {amplitude, frequency, -std::numbers::pi / 2});
  shake(light, {1000 * amplitude, frequency, 0});
  return builder.build();
}

/// The lower limit pushes the block until the sledge slows down, at rate t = π/2. Then the block flies on as fast as
/// the sledge was.
TEST(LeavingLimits, EventDrivenStepsTellTheForcesThatMovedTheBlock) {
  for (const double rate : {1.0, 20.0, 300.0}) {
    for (const double step : {0.31, 0.0173}) {  // of 1 / rate: no step begins where the block leaves
      SCOPED_TRACE(::testing::Message() << rate << " rad/s by " << step);
      constexpr double amplitude = 0.05;
      Method method = test::with_step(step / rate, StepperKind::event_driven, LawKind::newton);
      test::Experiment run(shaken_block(amplitude, rate, 10), method, Vec3(-amplitude, 0, 0),
                           Vec3(0, 0, 1000 * amplitude * rate));
      double worst = 0, conditions = 0;
      while (run.simulation.state().time * rate < 2.5) {
        const StepReport& report = run.simulation.step();
        ASSERT_EQ(report.status, SolveStatus::solved);
        worst = std::max(worst, report.momentum_residual);
        conditions = std::max(conditions, report.contact_certificate.normal_complementarity);
      }
      EXPECT_LT(worst, 1e-10);
      EXPECT_LT(conditions, 1e-10);
      const double phase = run.simulation.state().time * rate, leaves = std::numbers::pi / 2;
      const double way = amplitude * (phase - leaves), of_sledge = -amplitude * std::cos(phase);
      EXPECT_NEAR(run.q(0), of_sledge, 1e-8 * amplitude);
      EXPECT_NEAR(run.q(1), way - of_sledge, 1e-6 * amplitude);
    }
  }
}

}  // namespace
}  // namespace carom::leaving_limits_test
