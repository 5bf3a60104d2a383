// Steps that are implicit in the geometry with what mechanisms have beside contacts: ropes, blades, rolling discs, and
// the velocities of loops. Tests of all steppers cover drives, joint limits, ratchets and joints' friction (drives_test
// and joint_limits_test).

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "carom/stepper/assembly.h"
#include "carom/stepper/test/experiment.h"
#include "carom/stepper/test/mechanisms.h"

namespace carom::test {
namespace {

constexpr double g = 9.81;

class Parts : public testing::TestWithParam<StepperKind> {};
INSTANTIATE_TEST_SUITE_P(QuasiRigid, Parts, testing::Values(StepperKind::implicit_geometry, StepperKind::quasi_rigid),
                         [](const auto& info) { return label(info.param); });

Constraint tie(ConstraintKind kind) {
  Constraint constraint;
  constraint.name = "tie";
  constraint.kind = kind;
  constraint.body_a = 0;
  return constraint;
}

/// A ball on a rope of 1 m, from (x, 0, 0) at rest.
Simulation hanging(double x, StepperKind stepper, double h) {
  ModelBuilder builder;
  builder.set_gravity({0, 0, -g});
  builder.add_body("ball", box(2, 0.1));
  Constraint rope = tie(ConstraintKind::rope);
  rope.length = 1;
  builder.add_constraint(rope);
  State state;
  state.q = free_pose({x, 0, 0});
  state.v = VectorX::Zero(6);
  return {std::make_shared<const Model>(builder.build()), with_step(h, stepper), state};
}

/// Angle below the horizontal of a pendulum of 1 m that starts there at rest, by the classical method of Runge and
/// Kutta.
double swung(double time) {
  constexpr int steps = 4000;
  const double dt = time / steps;
  double a = 0, w = 0;
  const auto pull = [](double angle) { return g * std::cos(angle); };
  for (int k = 0; k < steps; ++k) {
    const double k1 = pull(a), k2 = pull(a + dt / 2 * w), k3 = pull(a + dt / 2 * w + dt * dt / 4 * k1),
                 k4 = pull(a + dt * w + dt * dt / 2 * k2);
    a += dt * w + dt * dt / 6 * (k1 + k2 + k3);
    w += dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return a;
}

TEST_P(Parts, ATautRopeSwingsAsAPendulumAndIsNeverTooLong) {
  constexpr double time = 0.6;
  const Vec3 exact(std::cos(swung(time)), 0, -std::sin(swung(time)));
  std::vector<double> errors;
  for (const double h : {4e-3, 2e-3, 1e-3}) {
    Simulation simulation = hanging(1, GetParam(), h);
    for (long k = 0; k < std::lround(time / h); ++k) {
      ASSERT_EQ(simulation.step().status, SolveStatus::solved) << k;
      ASSERT_LT(position(simulation, 0).norm(), 1 + 1e-12) << k;
    }
    errors.push_back((position(simulation, 0) - exact).norm());
  }
  EXPECT_NEAR(errors[0] / errors[1], 2, 0.2);
  EXPECT_NEAR(errors[1] / errors[2], 2, 0.2);
}

TEST_P(Parts, ASlackRopeTightensAndHolds) {
  // From the middle it falls freely until the rope is taut, which takes the speed along it and leaves the rest.
  constexpr double h = 1e-3;
  Simulation simulation = hanging(0.6, GetParam(), h);
  bool taut = false;
  for (int k = 0; k < 2000; ++k) {
    const StepReport& report = simulation.step();
    ASSERT_EQ(report.status, SolveStatus::solved) << k;
    ASSERT_LE(report.energy.contact_work, 1e-12) << k;
    const Vec3 at = position(simulation, 0);
    ASSERT_LT(at.norm(), 1 + 1e-12) << k;
    if (!taut && at.norm() > 1 - 1e-12) {
      taut = true;
      EXPECT_NEAR(simulation.state().time, std::sqrt(2 * 0.8 / g), h);
      // Straight down with v = √(2 g 0.8): along the rope 0.8 v, across it 0.6 v. The step that lands ends on the way.
      EXPECT_EQ(simulation.step().status, SolveStatus::solved);
      EXPECT_NEAR(velocity(simulation, 0).norm(), 0.6 * std::sqrt(2 * g * 0.8), 10 * g * h);
    }
  }
  EXPECT_TRUE(taut);
}

Simulation from(ModelBuilder& builder, const VectorX& q, const VectorX& v, const Method& method) {
  return {std::make_shared<const Model>(builder.build()), method, Experiment::start(q, v)};
}

TEST_P(Parts, ADiscThatIsToldToRollObeysTheClosedFormOnASlope) {
  const double slope = 0.3, r = 0.25, m = 2, I = 0.5 * m * r * r, h = 1e-3;
  ModelBuilder builder;
  builder.set_gravity(g * Vec3(std::sin(slope), 0, -std::cos(slope)));
  builder.add_body("disc", {m, Vec3::Zero(), Vec3(0.5 * I, I, 0.5 * I).asDiagonal()});
  Constraint rolling = tie(ConstraintKind::rolling);
  rolling.X_AF.R = contact_frame(Vec3::UnitY());
  rolling.radius = r;
  builder.add_constraint(rolling);
  Simulation simulation = from(builder, free_pose({0, 0, r}), VectorX::Zero(6), with_step(h, GetParam()));
  for (int k = 0; k < 500; ++k) ASSERT_EQ(simulation.step().status, SolveStatus::solved) << k;
  const double a = g * std::sin(slope) / (1 + I / (m * r * r));
  EXPECT_NEAR(velocity(simulation, 0).x(), 0.5 * a, 1e-9);
  EXPECT_NEAR(position(simulation, 0).x(), 0.125 * a, 0.26 * a * h);
  EXPECT_NEAR(simulation.state().v[1], 0.5 * a / r, 1e-8);
  EXPECT_NEAR(position(simulation, 0).z(), r, 1e-12);
}

TEST_P(Parts, ADiscThatIsToldToRollAndWobblesMovesAsWithTheOtherStepper) {
  const auto end = [](StepperKind stepper, double h) -> VectorX {
    ModelBuilder builder;
    builder.set_gravity({0, 0, -g});
    builder.add_body("disc", {2, Vec3::Zero(), Vec3(0.03, 0.06, 0.03).asDiagonal()});
    Constraint rolling = tie(ConstraintKind::rolling);
    rolling.X_AF.R = contact_frame(Vec3::UnitY());
    rolling.radius = 0.25;
    builder.add_constraint(rolling);
    const Quaternion lean = exponential(0.2 * Vec3::UnitX());
    State state;
    state.q = free_pose({0, 0, 0.25 * std::cos(0.2)});
    state.q.head<4>() << lean.w(), lean.x(), lean.y(), lean.z();
    state.v = VectorX::Zero(6);
    state.v.head<3>() << 0, 6, 0.5;
    const auto model = std::make_shared<const Model>(builder.build());
    assemble_constraints(*model, state);
    Simulation simulation(model, with_step(h, stepper), state);
    for (long k = 0; k < std::lround(0.5 / h); ++k) EXPECT_EQ(simulation.step().status, SolveStatus::solved);
    return simulation.state().q;
  };
  std::vector<double> apart;
  for (const double h : {2e-3, 1e-3}) {
    apart.push_back((end(GetParam(), h) - end(StepperKind::stewart_trinkle, h)).norm());
  }
  EXPECT_LT(apart[1], 0.6 * apart[0]);
  EXPECT_LT(apart[1], 5e-3);
}

TEST_P(Parts, ASkateDriftsInACycloidAcrossTheSlope) {
  // As of the other steppers (Neimark and Fufaev, chapter I).
  const double slope = 0.2, rate = 2, strength = g * std::sin(slope) / (rate * rate);
  std::vector<double> errors;
  for (const double h : {4e-3, 2e-3}) {
    ModelBuilder builder;
    builder.set_gravity(g * Vec3(std::sin(slope), 0, -std::cos(slope)));
    builder.add_body("skate", {1.5, Vec3::Zero(), Vec3(0.1, 0.1, 0.2).asDiagonal()});
    Joint planar;
    planar.type = JointType::planar;
    builder.add_joint(0, planar);
    builder.add_constraint(tie(ConstraintKind::blade));
    Simulation simulation = from(builder, VectorX::Zero(3), Vec3(0, 0, rate), with_step(h, GetParam()));
    double worst = 0;
    for (int k = 0; k < std::lround(3 / h); ++k) {
      ASSERT_EQ(simulation.step().status, SolveStatus::solved) << k;
      const double angle = rate * simulation.state().time;
      const Vec2 exact(0.5 * strength * std::sin(angle) * std::sin(angle),
                       0.5 * strength * (angle - 0.5 * std::sin(2 * angle)));
      worst = std::max(worst, (simulation.state().q.head<2>() - exact).norm());
    }
    errors.push_back(worst);
  }
  EXPECT_NEAR(errors[0] / errors[1], 2, 0.3);
  EXPECT_LT(errors[1], 0.02);
}

/// Positions of loops hold at the end of a step, and velocities are the steps' quotients: along the way, not at its
/// end. So J v at the end is of first order in the step.
TEST_P(Parts, VelocitiesOfLoopsAreThoseOfTheirWay) {
  std::vector<double> errors;
  for (const double h : {2e-3, 1e-3, 5e-4}) {
    ModelBuilder builder;
    builder.set_gravity({0, 0, -g});
    const int body = builder.add_body("bob", box(1, 0.1));
    Constraint rod = tie(ConstraintKind::rod);
    rod.length = 1;
    builder.add_constraint(rod);
    ASSERT_EQ(body, 0);
    Simulation simulation = from(builder, free_pose({1, 0, 0}), VectorX::Zero(6), with_step(h, GetParam()));
    double worst = 0;
    for (long k = 0; k < std::lround(0.5 / h); ++k) {
      ASSERT_EQ(simulation.step().status, SolveStatus::solved) << k;
      const ConstraintViolation violation = constraint_violation(simulation.model(), simulation.state());
      ASSERT_LT(violation.position, 1e-13) << k;
      worst = std::max(worst, violation.velocity);
    }
    errors.push_back(worst);
  }
  EXPECT_NEAR(errors[0] / errors[1], 2, 0.1);
  EXPECT_NEAR(errors[1] / errors[2], 2, 0.1);
}

}  // namespace
}  // namespace carom::test
