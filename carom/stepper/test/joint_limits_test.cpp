#include <gtest/gtest.h>

#include <cmath>

#include "carom/error.h"
#include "carom/stepper/assembly.h"
#include "experiment.h"

namespace carom::test {
namespace {

class LimitsByStepper : public testing::TestWithParam<StepperKind> {};
INSTANTIATE_TEST_SUITE_P(JointLimits, LimitsByStepper, testing::ValuesIn(steppers),
                         [](const auto& info) { return label(info.param); });
INSTANTIATE_TEST_SUITE_P(ImplicitInGeometry, LimitsByStepper,
                         testing::Values(StepperKind::implicit_geometry, StepperKind::quasi_rigid),
                         [](const auto& info) { return label(info.param); });

TEST_P(LimitsByStepper, DryFrictionStopsASliderAfterItsWayAndHoldsIt) {
  // m v̇ = −f: it comes to rest after v²/(2 f/m), at t = v m/f, and stays.
  const double h = 1e-3, friction = 3, speed = 1.2, mass = 2;
  Experiment run(slider([&](Joint& joint, ModelBuilder&, int) { joint.friction = one(friction); }),
                 with_step(h, GetParam()), one(0), one(speed));
  const double way = speed * speed * mass / (2 * friction), time = speed * mass / friction;
  run.steps(static_cast<int>(time / h) + 2);
  EXPECT_NEAR(run.v(), 0, 1e-12);
  EXPECT_NEAR(run.q(), way, speed * h);
  const double stopped = run.q();
  run.steps(200);
  EXPECT_NEAR(run.q(), stopped, 1e-12);
  EXPECT_NEAR(-run.energy().joint_friction, 0.5 * mass * speed * speed, 1e-9);
  EXPECT_NEAR(run.energy().free_motion_error, 0, 1e-12);
}

TEST_P(LimitsByStepper, DryFrictionHoldsWhatItCanAndLetsGoBeyond) {
  for (const double push : {2.9, 3.1}) {
    const auto complete = [&](Joint& joint, ModelBuilder& builder, int block) {
      joint.friction = one(3);
      builder.add_drive({"push", DriveKind::force, block, 0, TimeFunction::constant(push)});
    };
    Experiment run(slider(complete), with_step(1e-3, GetParam()), one(0), one(0));
    run.steps(1000);
    EXPECT_NEAR(run.v(), std::max(push - 3, 0.0) / 2, 1e-12) << push;
    EXPECT_LE(run.energy().joint_friction, 1e-15);
    EXPECT_NEAR(run.energy().kinetic, run.energy().drive_work + run.energy().joint_friction + run.energy().opposed_work,
                1e-12);
  }
}

TEST(JointLimits, FrictionSharesItsBoundBetweenTheTwoPhasesOfPoissonsLaw) {
  // A sledge slides with friction; a block on it strikes its joint limit. In the step of the impact friction takes h f
  // from the momentum of both, compression and expansion together.
  const double h = 1e-3, friction = 40, speed = 5;
  ModelBuilder builder;
  const int sledge = builder.add_body("sledge", box(3, 0.3)), block = builder.add_body("block", box(1, 0.1));
  Joint slide = coordinate_joint(JointType::prismatic, Vec3::UnitX());
  slide.friction = one(friction);
  builder.add_joint(sledge, slide);
  Joint on_sledge = coordinate_joint(JointType::prismatic, Vec3::UnitX());
  on_sledge.parent = sledge;
  on_sledge.upper = one(0);
  on_sledge.limit_restitution = one(0.5);
  builder.add_joint(block, on_sledge);
  const Vec2 q(0, 0), v(speed, 1);
  Experiment run(builder.build(), with_step(h, StepperKind::stewart_trinkle, LawKind::poisson), q, v);
  run.steps(1);
  const double momentum = 3 * run.v(0) + (run.v(0) + run.v(1));
  EXPECT_NEAR(momentum, 3 * speed + (speed + 1) - h * friction, 1e-10);
  EXPECT_LT(run.v(1), -0.4);
}

TEST_P(LimitsByStepper, LimitsBounceByTheirOwnRestitution) {
  if (GetParam() == StepperKind::stewart_trinkle_nonlinear) return;  // knows no restitution, and says so
  if (is_implicit_in_geometry(with_step(1e-3, GetParam()))) return;  // likewise
  for (const LawKind law : {LawKind::newton, LawKind::poisson}) {
    for (const double e : {0.0, 0.3, 0.8, 1.0}) {
      const auto complete = [&](Joint& joint, ModelBuilder&, int) {
        joint.lower = one(-0.2);
        joint.upper = one(0.1);
        joint.limit_restitution = one(e);
      };
      Experiment run(slider(complete), with_step(1e-3, GetParam(), law), one(0), one(1.5));
      run.steps(120);
      EXPECT_NEAR(run.v(), -e * 1.5, 1e-10) << e;
    }
  }
}

TEST(JointLimits, ARestitutionOfLimitsThatNoLawReadsIsRefused) {
  const auto complete = [&](Joint& joint, ModelBuilder&, int) {
    joint.lower = one(-0.2);
    joint.limit_restitution = one(0.5);
  };
  EXPECT_THROW(Experiment(slider(complete), with_step(1e-3), one(0), one(0)), Error);
}

TEST_P(LimitsByStepper, ARatchetTurnsOneWayOnly) {
  // A pendulum on a ratchet swings up once and stays at its turning point.
  for (const Ratchet way : {Ratchet::forward, Ratchet::backward}) {
    const double sign = way == Ratchet::forward ? 1 : -1;
    ModelBuilder builder;
    builder.set_gravity({0, 0, -9.81});
    SpatialInertia bob = box(1, 0.1);
    bob.center = Vec3(0, 0, -0.5);
    const int body = builder.add_body("bob", bob);
    Joint joint = coordinate_joint(JointType::revolute, Vec3::UnitY());
    joint.ratchet = {way};
    builder.add_joint(body, joint);
    Experiment run(builder.build(), with_step(1e-3, GetParam()), one(0), one(2 * sign));
    double last = 0, highest = 0;
    for (int i = 0; i < 3000; ++i) {
      run.steps(1);
      ASSERT_GE(sign * (run.q() - last), -1e-13) << i;
      last = run.q();
      highest = std::max(highest, sign * last);
    }
    EXPECT_GT(highest, 0.2);
    EXPECT_NEAR(run.v(), 0, 1e-12);
    // Turning point by the energy of the start, ½ I ω² = m g l (1 − cos θ), to first order in h.
    const double I = 1.0 / 600 + 0.25;
    EXPECT_NEAR(highest, std::acos(1 - 0.5 * I * 4 / (9.81 * 0.5)), 5e-3);
  }
}

Model on_a_rope(double restitution) {
  ModelBuilder builder;
  builder.set_gravity({0, 0, -9.81});
  const int ball = builder.add_body("ball", box(1, 0.1));
  Constraint rope;
  rope.name = "rope";
  rope.kind = ConstraintKind::rope;
  rope.body_a = ball;
  rope.length = 1;
  rope.restitution = restitution;
  builder.add_constraint(rope);
  return builder.build();
}

TEST_P(LimitsByStepper, ABallOnARopeFallsFreelyThenHangs) {
  Experiment run(on_a_rope(0), with_step(1e-3, GetParam()), free_pose({0, 0, -0.5}), VectorX::Zero(6));
  const double fall = std::sqrt(2 * 0.5 / 9.81);
  run.steps(static_cast<int>(fall / 1e-3) - 1);
  EXPECT_NEAR(run.v(5), -9.81 * run.simulation.state().time, 1e-9);  // nothing holds it yet
  run.steps(200);
  EXPECT_NEAR(run.q(6), -1, 1e-6);
  EXPECT_NEAR(run.v(5), 0, 1e-9);
  EXPECT_LT(run.simulation.certificate().constraint_drift, 1e-2 * 9.81 * fall);
}

TEST(JointLimits, ARopeThatTightensThrowsBackByItsRestitution) {
  Experiment run(on_a_rope(0.5), with_step(1e-4, StepperKind::stewart_trinkle, LawKind::newton),
                 free_pose({0, 0, -0.5}), VectorX::Zero(6));
  double lowest = 0;
  while (run.v(5) <= 0) {
    run.steps(1);
    lowest = std::min(lowest, run.v(5));
    ASSERT_LT(run.simulation.state().time, 1);
  }
  EXPECT_NEAR(run.v(5), 0.5 * std::sqrt(2 * 9.81 * 0.5), 2e-3);
}

TEST(JointLimits, ASwingingRopeIsAPendulumWhileItIsTight) {
  const auto angle_of = [](const VectorX& p) { return std::atan2(p[p.size() - 3], -p[p.size() - 1]); };
  Experiment rope(on_a_rope(0), with_step(1e-4), free_pose({std::sin(0.6), 0, -std::cos(0.6)}), VectorX::Zero(6));
  ModelBuilder builder;
  builder.set_gravity({0, 0, -9.81});
  SpatialInertia point = box(1, 0.1);  // hung by a pin at its centre, so that it does not turn with the rod
  const int ball = builder.add_body("ball", point);
  Constraint rod;
  rod.name = "rod";
  rod.kind = ConstraintKind::rod;
  rod.body_a = ball;
  rod.length = 1;
  builder.add_constraint(rod);
  Experiment stiff(builder.build(), with_step(1e-4), free_pose({std::sin(0.6), 0, -std::cos(0.6)}), VectorX::Zero(6));
  rope.steps(10000);
  stiff.steps(10000);
  EXPECT_NEAR(angle_of(rope.simulation.state().q), angle_of(stiff.simulation.state().q), 2e-3);
}

TEST_P(LimitsByStepper, FrictionNeitherPressesNorWorksOnWhatRests) {
  // At rest at its joint limit and on its ratchet, pulled by nothing.
  const auto complete = [&](Joint& joint, ModelBuilder&, int) {
    joint.lower = one(0);
    joint.friction = one(0.5);
    joint.ratchet = {Ratchet::forward};
  };
  for (const FrictionCone cone : {FrictionCone::polyhedral, FrictionCone::exact}) {
    Method method = with_step(1e-3, GetParam());
    if (cone == FrictionCone::exact && GetParam() == StepperKind::stewart_trinkle_nonlinear) continue;
    method.cone = cone;
    Experiment run(slider(complete), method, one(0), one(0));
    for (int i = 0; i < 20; ++i) {
      const StepReport& report = run.simulation.step();
      EXPECT_TRUE(report.events.empty()) << i;
      for (const ContactReport& contact : report.contacts) EXPECT_EQ(contact.impulse.z(), 0) << i;
    }
    EXPECT_EQ(run.energy().joint_friction, 0);
  }
}

TEST(JointLimits, ARopeStrikesAlikeFromEitherSide) {
  for (const LawKind law : {LawKind::newton, LawKind::poisson}) {
    for (const bool swapped : {false, true}) {
      ModelBuilder builder;
      const int ball = builder.add_body("ball", box(1, 0.1));
      Constraint rope;
      rope.name = "rope";
      rope.kind = ConstraintKind::rope;
      rope.body_a = swapped ? -1 : ball;
      rope.body_b = swapped ? ball : -1;
      rope.length = 1;
      rope.restitution = 0.5;
      builder.add_constraint(rope);
      VectorX v = VectorX::Zero(6);
      v[3] = 2;
      Experiment run(builder.build(), with_step(1e-3, StepperKind::stewart_trinkle, law), free_pose({0.99, 0, 0}), v);
      run.steps(20);
      EXPECT_NEAR(run.v(3), -1, 1e-10) << swapped;
    }
  }
}

TEST(JointLimits, ARopeThatStartsTooLongIsDrawnInAndNotStruck) {
  const auto model = std::make_shared<const Model>(on_a_rope(0));
  State state = Experiment::start(free_pose({0, 0, -1.3}), VectorX::Zero(6));
  EXPECT_THROW(Simulation(model, with_step(1e-3), state), Error);
  EXPECT_NEAR(assemble_constraints(*model, state).position, 0.3, 1e-12);
  EXPECT_NEAR(state.q[6], -1, 1e-12);
  Simulation simulation(model, with_step(1e-3), state);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(simulation.step().status, SolveStatus::solved);
  EXPECT_LT(simulation.certificate().energy.kinetic, 1e-12);
}

TEST(JointLimits, ALimitThatStrikesBackAgainstItsRatchetIsRefused) {
  const auto with = [](Ratchet way) {
    return slider([&](Joint& joint, ModelBuilder&, int) {
      joint.upper = one(1);
      joint.limit_restitution = one(0.5);
      joint.ratchet = {way};
    });
  };
  EXPECT_THROW(with(Ratchet::forward), Error);
  EXPECT_NO_THROW(with(Ratchet::backward));
}

}  // namespace
}  // namespace carom::test
