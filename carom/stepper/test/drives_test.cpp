#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "carom/dynamics/recursions.h"
#include "carom/error.h"
#include "carom/stepper/assembly.h"
#include "carom/stepper/constraint_multipliers.h"
#include "experiment.h"

namespace carom::test {
namespace {

Drive servo_to(double target, int body, double stiffness, double damping,
               double limit = std::numeric_limits<double>::infinity()) {
  return {"servo", DriveKind::servo, body, 0, TimeFunction::constant(target), stiffness, damping, limit};
}

class EachStepper : public testing::TestWithParam<StepperKind> {};
INSTANTIATE_TEST_SUITE_P(Drives, EachStepper, testing::ValuesIn(steppers),
                         [](const auto& info) { return label(info.param); });
INSTANTIATE_TEST_SUITE_P(ImplicitInGeometry, EachStepper,
                         testing::Values(StepperKind::implicit_geometry, StepperKind::quasi_rigid),
                         [](const auto& info) { return label(info.param); });

TEST_P(EachStepper, AServoBringsItsJointWhereItShouldBeAndStaysThere) {
  const auto complete = [&](Joint&, ModelBuilder& builder, int block) {
    builder.add_drive(servo_to(0.3, block, 50, 20));
  };
  Experiment run(slider(complete), with_step(1e-3, GetParam()), one(0), one(0));
  // Critically damped: x = r (1 − (1 + w t) e^(−w t)), w = √(k/m) = 5; d = 2 √(k m) = 20.
  run.steps(400);
  EXPECT_NEAR(run.q(), 0.3 * (1 - (1 + 5 * 0.4) * std::exp(-5 * 0.4)), 2e-3);
  run.steps(5000);
  EXPECT_NEAR(run.q(), 0.3, 1e-8);
  EXPECT_NEAR(run.energy().kinetic_change, run.energy().drive_work, 1e-12);
}

TEST_P(EachStepper, AServoPushesWithItsLimitUntilItNeedsLess) {
  const auto complete = [&](Joint&, ModelBuilder& builder, int block) {
    builder.add_drive(servo_to(10, block, 1000, 300, 4));
  };
  Experiment run(slider(complete), with_step(1e-3, GetParam()), one(0), one(0));
  run.steps(500);
  EXPECT_NEAR(run.v(), 4.0 / 2 * 0.5, 1e-9);
  run.steps(20000);
  EXPECT_NEAR(run.q(), 10, 1e-6);
}

TEST_P(EachStepper, StiffServosStayStillAtAnyStep) {
  const auto complete = [&](Joint&, ModelBuilder& builder, int block) {
    builder.add_drive(servo_to(0.1, block, 1e9, 1e5));
  };
  Experiment run(slider(complete), with_step(1e-2, GetParam()), one(0), one(0));
  run.steps(100);
  EXPECT_NEAR(run.q(), 0.1, 1e-5);
  EXPECT_NEAR(run.v(), 0, 1e-2);
}

TEST(Drives, AServoInTheMixedFormIsRefused) {
  const auto complete = [&](Joint&, ModelBuilder& builder, int block) {
    Drive servo{"servo", DriveKind::servo, block, 0, TimeFunction::constant(0.1)};
    servo.stiffness = 1;
    builder.add_drive(servo);
  };
  Method method = with_step(1e-2);
  method.form = ContactForm::mixed;
  method.dynamics = DynamicsKind::dense;
  EXPECT_THROW(Experiment(slider(complete), method, one(0), one(0)), Error);
}

TEST(Drives, ASpringBetweenPointsInTheMixedFormIsRefused) {
  const auto complete = [&](Joint&, ModelBuilder& builder, int block) {
    Constraint spring;
    spring.name = "band";
    spring.kind = ConstraintKind::spring;
    spring.body_a = block;
    spring.stiffness = 1;
    builder.add_constraint(spring);
  };
  Method method = with_step(1e-2);
  method.form = ContactForm::mixed;
  method.cone = FrictionCone::polyhedral;
  method.dynamics = DynamicsKind::dense;
  try {
    Experiment(slider(complete), method, one(0), one(0));
    FAIL() << "it is taken";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("constraint 'band' needs form: pure"), std::string::npos) << error.what();
  }
}

/// Two arms that hang one on the other, the first driven.
Model driven_arms(const TimeFunction& target, bool floating) {
  ModelBuilder builder;
  builder.set_gravity(floating ? Vec3::Zero() : Vec3(0, 0, -9.81));
  SpatialInertia inertia = box(1, 0.2);
  inertia.center = Vec3(0, 0.05, -0.2);
  int base = -1;
  if (floating) base = builder.add_body("base", box(3, 0.3));
  const int upper = builder.add_body("upper", inertia), lower = builder.add_body("lower", inertia);
  Joint shoulder = coordinate_joint(JointType::revolute, Vec3::UnitY());
  shoulder.name = "shoulder";
  shoulder.parent = base;
  builder.add_joint(upper, shoulder);
  Joint elbow = coordinate_joint(JointType::revolute, Vec3::UnitX());
  elbow.name = "elbow";
  elbow.parent = upper;
  elbow.X_PF.p = Vec3(0, 0, -0.4);
  builder.add_joint(lower, elbow);
  Constraint motion;
  motion.name = "drive";
  motion.kind = ConstraintKind::motion;
  motion.body_a = upper;
  motion.target = target;
  builder.add_constraint(motion);
  return builder.build();
}

Simulation assembled_arms(const TimeFunction& target, double h) {
  const auto model = std::make_shared<const Model>(driven_arms(target, false));
  State state = Experiment::start(VectorX::Zero(2), VectorX::Zero(2));
  assemble_constraints(*model, state);
  return Simulation(model, with_step(h), state);
}

TEST_P(EachStepper, APrescribedJointFollowsItsMotionToTheLastDigit) {
  TimeFunction target;
  target.sinusoids = {{0.7, 0.8, 0.3}};
  target.polynomial = {0.1, 0.2};
  const auto model = std::make_shared<const Model>(driven_arms(target, false));
  State state;
  state.q = VectorX::Zero(2);
  state.v = VectorX::Zero(2);
  EXPECT_THROW(Simulation(model, with_step(1e-3, GetParam()), state), Error);  // it does not start there
  assemble_constraints(*model, state);
  EXPECT_NEAR(state.q[0], target.at(0), 1e-13);
  EXPECT_NEAR(state.v[0], target.rate(0), 1e-13);
  Simulation simulation(model, with_step(1e-3, GetParam()), state);
  for (int i = 0; i < 1500; ++i) {
    const StepReport& report = simulation.step();
    ASSERT_EQ(report.status, SolveStatus::solved);
    ASSERT_NEAR(simulation.state().q[0], target.at(report.time), 1e-12);
    // Steps that are implicit in the geometry have the quotient of positions, ½ h q̈ away.
    const double quotient =
        is_implicit_in_geometry(simulation.method()) ? 0.5e-3 * 0.7 * std::pow(2 * M_PI * 0.8, 2) : 0;
    ASSERT_NEAR(simulation.state().v[0], target.rate(report.time), 1e-11 + quotient);
  }
}

/// The passive arm's angle against a run with a tenth of the step: first order at least.
TEST(Drives, TheArmThatAPrescribedJointCarriesConverges) {
  TimeFunction target;
  target.sinusoids = {{0.7, 0.8, 0.3}};
  const auto angle = [&](double h) {
    Simulation simulation = assembled_arms(target, h);
    while (simulation.state().time < 1 - 0.5 * h) static_cast<void>(simulation.step());
    return simulation.state().q[1];
  };
  const double exact = angle(5e-5), coarse = std::abs(angle(4e-3) - exact), fine = std::abs(angle(1e-3) - exact);
  EXPECT_LT(fine, 0.4 * coarse);
  EXPECT_LT(fine, 1e-2);
}

TEST(Drives, PowerOfAPrescribedMotionIsTheEnergyThatTheMechanismGains) {
  TimeFunction target;
  target.sinusoids = {{0.7, 0.8, 0}};
  const auto missing = [&](double h) {
    Simulation simulation = assembled_arms(target, h);
    for (int i = 0; i < std::lround(1 / h); ++i) static_cast<void>(simulation.step());
    const EnergyLedger& energy = simulation.certificate().energy;
    EXPECT_GT(std::abs(energy.drive_work), 0.1);
    return std::abs(energy.kinetic_change + energy.potential_change - energy.drive_work);
  };
  const double coarse = missing(4e-3), fine = missing(1e-3);
  EXPECT_LT(fine, 0.4 * coarse);
  EXPECT_LT(fine, 0.05);
}

/// The falling cat: arms that are driven turn the body, but not the whole's momentum.
TEST(Drives, AMotionInsideAFloatingMechanismKeepsItsMomentum) {
  TimeFunction target;
  target.sinusoids = {{1.5, 1.2, 0}};
  const auto model = std::make_shared<const Model>(driven_arms(target, true));
  State state;
  state.q = model->neutral_position();
  state.v = VectorX::Zero(model->velocity_count());
  state.v.tail<1>()[0] = 2;
  assemble_constraints(*model, state);
  const auto momentum = [&](const State& at) {
    DynamicsWorkspace workspace(*model);
    forward_kinematics(*model, at.q, workspace);
    forward_velocity(*model, at.q, at.v, workspace);
    Vec6 sum = Vec6::Zero();
    for (int i = 0; i < model->body_count(); ++i) {
      sum += workspace.X_WB[i].force(model->bodies()[i].inertia * workspace.V[i]);
    }
    return sum;
  };
  const Vec6 before = momentum(state);
  Simulation simulation(model, with_step(2e-3), state);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(simulation.step().status, SolveStatus::solved);
  EXPECT_LT((momentum(simulation.state()) - before).norm(), 1e-9);
  const Quaternion turned(simulation.state().q[0], simulation.state().q[1], simulation.state().q[2],
                          simulation.state().q[3]);
  EXPECT_GT(logarithm(turned).norm(), 0.05);  // it did move
}

TEST_P(EachStepper, ABodyFollowsAPathInTheWorld) {
  ModelBuilder builder;
  builder.set_gravity({0, 0, -9.81});
  const int carrier = builder.add_body("carrier", box(5, 0.3)), load = builder.add_body("load", box(1, 0.1));
  Joint pin;
  pin.name = "pin";
  pin.type = JointType::spherical;
  pin.parent = carrier;
  pin.X_BM.p = Vec3(0, 0, 0.4);
  builder.add_joint(load, pin);
  Constraint weld;
  weld.name = "path";
  weld.kind = ConstraintKind::weld;
  weld.body_a = carrier;
  weld.path.moves = true;
  weld.path.position[0].sinusoids = {{0.5, 0.5, 0}};
  weld.path.position[2].polynomial = {1, 0.3};
  weld.path.axis = Vec3(1, 2, 2) / 3;
  weld.path.angle.polynomial = {0, 1.5, 0.2};
  builder.add_constraint(weld);
  const auto model = std::make_shared<const Model>(builder.build());
  State state;
  state.q = model->neutral_position();
  state.v = VectorX::Zero(model->velocity_count());
  assemble_constraints(*model, state);
  Simulation simulation(model, with_step(1e-3, GetParam()), state);
  for (int i = 0; i < 1000; ++i) {
    const StepReport& report = simulation.step();
    ASSERT_EQ(report.status, SolveStatus::solved);
    const Transform pose = weld.path.pose(report.time);
    ASSERT_LT((simulation.state().q.segment<3>(4) - pose.p).norm(), 1e-11);
    const auto q = simulation.state().q.head<4>();
    ASSERT_LT((Quaternion(q[0], q[1], q[2], q[3]).toRotationMatrix() - pose.R).norm(), 1e-11);
  }
}

TEST_P(EachStepper, WrenchesAccelerateAsNewtonAndEulerSay) {
  ModelBuilder builder;
  const int body = builder.add_body("body", box(2, 0.3));
  AppliedWrench wrench;
  wrench.body = body;
  wrench.force = Vec3(1, -2, 3);
  wrench.torque = Vec3(0, 0, 0.02);
  wrench.scale.polynomial = {0, 2};  // 2 t
  builder.add_wrench(wrench);
  Experiment run(builder.build(), with_step(1e-3, GetParam()), free_pose(Vec3::Zero()), VectorX::Zero(6));
  run.steps(1000);
  // Forces in the middle of a step are exact for a linear scale: velocity t² F/m, spin t² τ/I.
  const Quaternion turned(run.q(0), run.q(1), run.q(2), run.q(3));
  EXPECT_LT((turned * run.simulation.state().v.tail<3>() - wrench.force / 2).norm(), 1e-9);
  EXPECT_NEAR(run.v(2), 0.02 / (2 * 0.09 / 6), 1e-9);
}

TEST(Drives, AWrenchThatTurnsWithItsBodyAndActsOffCentreIsTheSameAsItsMoment) {
  const auto end = [](const Vec3& point, const Vec3& force, const Vec3& torque) {
    ModelBuilder builder;
    const int body = builder.add_body("body", box(2, 0.3));
    AppliedWrench wrench;
    wrench.body = body;
    wrench.point = point;
    wrench.force = force;
    wrench.torque = torque;
    wrench.turns_with_body = true;
    builder.add_wrench(wrench);
    Experiment run(builder.build(), with_step(1e-3), free_pose(Vec3::Zero()), VectorX::Zero(6));
    run.steps(500);
    return run.simulation.state().q;
  };
  const Vec3 point(0.1, -0.05, 0.2), force(1, 2, -1);
  EXPECT_LT((end(point, force, Vec3::Zero()) - end(Vec3::Zero(), force, point.cross(force))).norm(), 1e-10);
}

TEST_P(EachStepper, AControllerActsOnEveryStepAndIsBooked) {
  Experiment run(slider([](Joint&, ModelBuilder&, int) {}), with_step(1e-3, GetParam()), one(0.4), one(0));
  int calls = 0;
  run.simulation.set_controller([&](const Model&, const State& state, VectorX& force) {
    ++calls;
    force[0] -= 8 * state.q[0] + 4 * state.v[0];
  });
  run.steps(200);
  EXPECT_EQ(calls, 200);
  // x'' + 2 x' + 4 x = 0 from 0.4 at rest.
  const double t = 0.2, w = std::sqrt(3.0);
  EXPECT_NEAR(run.q(), 0.4 * std::exp(-t) * (std::cos(w * t) + std::sin(w * t) / w), 2e-4);
  EXPECT_NEAR(run.energy().kinetic_change, run.energy().drive_work, 1e-13);
  run.simulation.set_controller([](const Model&, const State&, VectorX& force) { force[0] = std::nan(""); });
  EXPECT_THROW(static_cast<void>(run.simulation.step()), Error);
}

TEST(Drives, TwoMotionsThatContradictEachOtherAreRefusedAndThatAgreeAreNamed) {
  const auto model = [](double second) {
    return std::make_shared<const Model>(slider([&](Joint&, ModelBuilder& builder, int block) {
      for (const double target : {0.1, second}) {
        Constraint motion;
        motion.name = "to_" + std::to_string(target);
        motion.kind = ConstraintKind::motion;
        motion.body_a = block;
        motion.target = TimeFunction::constant(target);
        builder.add_constraint(motion);
      }
    }));
  };
  State state = Experiment::start(one(0), one(0));
  EXPECT_THROW(assemble_constraints(*model(0.2), state), Error);
  assemble_constraints(*model(0.1), state);
  const auto redundant = redundant_constraints(*model(0.1), state.q, 0);
  ASSERT_EQ(redundant.size(), 1u);
  EXPECT_EQ(redundant[0].constraint, 1);
  Simulation simulation(model(0.1), with_step(1e-3), state);
  EXPECT_EQ(simulation.step().status, SolveStatus::solved);
}

/// A servo presses a weight against its joint limit, on the ground side: nothing moves, so nothing works.
TEST_P(EachStepper, AServoThatPressesAgainstAStopDoesNoWorkThere) {
  const auto complete = [&](Joint& joint, ModelBuilder& builder, int block) {
    joint.upper = one(0);
    builder.add_drive(servo_to(0.5, block, 100, 10, 30));
  };
  Experiment run(slider(complete), with_step(1e-3, GetParam()), one(0), one(0));
  for (int i = 0; i < 100; ++i) {
    run.steps(1);
    ASSERT_LE(run.energy().contact_work, 1e-12);
  }
  EXPECT_NEAR(run.q(), 0, 1e-12);
  const StepReport& report = run.simulation.step();
  ASSERT_EQ(report.contacts.size(), 1u);
  EXPECT_NEAR(report.contacts[0].impulse.z(), 1e-3 * 30, 1e-12);
}

TEST(Drives, AssemblyRefusesToTakeAJointBeyondItsLimits) {
  const Model model = slider([&](Joint& joint, ModelBuilder& builder, int block) {
    joint.upper = one(1);
    Constraint motion;
    motion.name = "motion";
    motion.kind = ConstraintKind::motion;
    motion.body_a = block;
    motion.target = TimeFunction::constant(2);
    builder.add_constraint(motion);
  });
  State state = Experiment::start(one(0), one(0));
  EXPECT_THROW(assemble_constraints(model, state), Error);
}

TEST(Drives, MotionsThatPartAtOnceAreRefused) {
  const Model model = slider([&](Joint&, ModelBuilder& builder, int block) {
    for (const double speed : {1.0, 2.0}) {
      Constraint motion;
      motion.name = "motion";
      motion.kind = ConstraintKind::motion;
      motion.body_a = block;
      motion.target.polynomial = {0, speed};
      builder.add_constraint(motion);
    }
  });
  State state = Experiment::start(one(0), one(0));
  EXPECT_THROW(assemble_constraints(model, state), Error);
}

/// A carriage that is moved by x(t) against a damper: its power is known.
TEST_P(EachStepper, WorkOfAPrescribedMotionIsThatOfItsForce) {
  const auto complete = [&](Joint& joint, ModelBuilder& builder, int block) {
    joint.damping = one(3);
    Constraint motion;
    motion.name = "motion";
    motion.kind = ConstraintKind::motion;
    motion.body_a = block;
    motion.target.polynomial = {0, 0, 0.5};  // x = t²/2: m·1 + d t, times t
    builder.add_constraint(motion);
  };
  Experiment run(slider(complete), with_step(1e-3, GetParam()), one(0), one(0));
  run.steps(1000);
  EXPECT_NEAR(run.energy().drive_work, 2 * 0.5 + 3.0 / 3, 3e-3);
}

}  // namespace
}  // namespace carom::test
