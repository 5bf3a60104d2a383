#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/dynamics/recursions.h"
#include "carom/error.h"
#include "carom/stepper/assembly.h"
#include "carom/stepper/constraint_multipliers.h"
#include "carom/stepper/simulation.h"

namespace carom {
namespace {

constexpr StepperKind steppers[] = {StepperKind::stewart_trinkle, StepperKind::anitescu_potra,
                                    StepperKind::stewart_trinkle_nonlinear};

std::string label(StepperKind kind) {
  std::string name = stepper_name(kind);
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
}

Method with_step(double step, StepperKind stepper = StepperKind::stewart_trinkle, LawKind law = LawKind::none) {
  Method method;
  method.stepper = stepper;
  method.law = law;
  method.step = step;
  return method;
}

SpatialInertia box(double mass, double size) { return {mass, Vec3::Zero(), Mat3::Identity() * mass * size * size / 6}; }

Joint coordinate_joint(JointType type, const Vec3& axis) {
  Joint joint;
  joint.name = "joint";
  joint.type = type;
  joint.X_PF.R = joint.X_BM.R = contact_frame(axis);
  return joint;
}

/// A block of 2 kg on a slide along x, of which the caller completes the joint.
template <typename Complete>
Model slider(Complete&& complete, const Vec3& gravity = Vec3::Zero()) {
  ModelBuilder builder;
  builder.set_gravity(gravity);
  const int block = builder.add_body("block", box(2, 0.1));
  Joint joint = coordinate_joint(JointType::prismatic, Vec3::UnitX());
  complete(joint, builder, block);
  builder.add_joint(block, joint);
  return builder.build();
}

struct Experiment {
  Simulation simulation;

  Experiment(Model model, const Method& method, const VectorX& q, const VectorX& v)
      : simulation(std::make_shared<const Model>(std::move(model)), method, start(q, v)) {}
  static State start(const VectorX& q, const VectorX& v) {
    State state;
    state.q = q;
    state.v = v;
    return state;
  }
  void steps(int count) {
    for (int i = 0; i < count; ++i) {
      const StepReport& report = simulation.step();
      ASSERT_EQ(report.status, SolveStatus::solved) << report.step;
      ASSERT_LT(report.momentum_residual, 1e-9) << report.step;
    }
  }
  double q(int i = 0) const { return simulation.state().q[i]; }
  double v(int i = 0) const { return simulation.state().v[i]; }
  const EnergyLedger& energy() const { return simulation.certificate().energy; }
};

VectorX one(double x) { return VectorX::Constant(1, x); }

/// The sum of the ledger's lines but the remainder, against the change of energy.
double unexplained(const EnergyLedger& energy) { return energy.free_motion_error; }

class EachStepper : public testing::TestWithParam<StepperKind> {};
INSTANTIATE_TEST_SUITE_P(Drives, EachStepper, testing::ValuesIn(steppers),
                         [](const auto& info) { return label(info.param); });

TEST_P(EachStepper, DryFrictionStopsASliderAfterItsWayAndHoldsIt) {
  // m v̇ = −f: it stops after v²/(2 f/m), at t = v m/f, and stays.
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
  EXPECT_NEAR(unexplained(run.energy()), 0, 1e-12);
}

TEST_P(EachStepper, DryFrictionHoldsWhatItCanAndLetsGoBeyond) {
  for (const double push : {2.9, 3.1}) {
    const auto complete = [&](Joint& joint, ModelBuilder& builder, int block) {
      joint.friction = one(3);
      builder.add_drive({"push", DriveKind::force, block, 0, TimeFunction::constant(push)});
    };
    Experiment run(slider(complete), with_step(1e-3, GetParam()), one(0), one(0));
    run.steps(1000);
    EXPECT_NEAR(run.v(), std::max(push - 3, 0.0) / 2, 1e-12) << push;
    EXPECT_LE(run.energy().joint_friction, 1e-15);
    EXPECT_NEAR(run.energy().kinetic, run.energy().drive_work + run.energy().joint_friction + run.energy().held, 1e-12);
  }
}

TEST(Drives, FrictionSharesItsBoundBetweenTheTwoPhasesOfPoissonsLaw) {
  // A sledge slides with friction; a block on it strikes its stop. What friction takes from the momentum of both in the
  // step of the blow is h f, compression and expansion together.
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

TEST_P(EachStepper, LimitsBounceByTheirOwnRestitution) {
  if (GetParam() == StepperKind::stewart_trinkle_nonlinear) return;  // knows no restitution, and says so
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

TEST(Drives, ARestitutionOfLimitsThatNoLawReadsIsRefused) {
  const auto complete = [&](Joint& joint, ModelBuilder&, int) {
    joint.lower = one(-0.2);
    joint.limit_restitution = one(0.5);
  };
  EXPECT_THROW(Experiment(slider(complete), with_step(1e-3), one(0), one(0)), Error);
}

TEST_P(EachStepper, ARatchetTurnsOneWayOnly) {
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
    // Height of the turning point by the energy of the start: ½ I ω² = m g l (1 − cos θ), to first order in h.
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

VectorX free_pose(const Vec3& position) {
  VectorX q(7);
  q << 1, 0, 0, 0, position;
  return q;
}

TEST_P(EachStepper, ABallOnARopeFallsFreelyThenHangs) {
  Experiment run(on_a_rope(0), with_step(1e-3, GetParam()), free_pose({0, 0, -0.5}), VectorX::Zero(6));
  const double fall = std::sqrt(2 * 0.5 / 9.81);
  run.steps(static_cast<int>(fall / 1e-3) - 1);
  EXPECT_NEAR(run.v(5), -9.81 * run.simulation.state().time, 1e-9);  // nothing holds it yet
  run.steps(200);
  EXPECT_NEAR(run.q(6), -1, 1e-6);
  EXPECT_NEAR(run.v(5), 0, 1e-9);
  EXPECT_LT(run.simulation.certificate().constraint_drift, 1e-2 * 9.81 * fall);
}

TEST(Drives, ARopeThatTightensThrowsBackByItsRestitution) {
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

TEST(Drives, ASwingingRopeIsAPendulumWhileItIsTight) {
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

TEST_P(EachStepper, AServoBringsItsJointWhereItShouldBeAndStaysThere) {
  const auto complete = [&](Joint&, ModelBuilder& builder, int block) {
    Drive servo;
    servo.name = "servo";
    servo.kind = DriveKind::servo;
    servo.body = block;
    servo.value = TimeFunction::constant(0.3);
    servo.stiffness = 50;
    servo.damping = 20;
    builder.add_drive(servo);
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
    Drive servo;
    servo.name = "servo";
    servo.kind = DriveKind::servo;
    servo.body = block;
    servo.value = TimeFunction::constant(10);
    servo.stiffness = 1000;
    servo.damping = 300;
    servo.limit = 4;
    builder.add_drive(servo);
  };
  Experiment run(slider(complete), with_step(1e-3, GetParam()), one(0), one(0));
  run.steps(500);
  EXPECT_NEAR(run.v(), 4.0 / 2 * 0.5, 1e-9);
  run.steps(20000);
  EXPECT_NEAR(run.q(), 10, 1e-6);
}

TEST_P(EachStepper, StiffServosStayStillAtAnyStep) {
  const auto complete = [&](Joint&, ModelBuilder& builder, int block) {
    Drive servo;
    servo.name = "servo";
    servo.kind = DriveKind::servo;
    servo.body = block;
    servo.value = TimeFunction::constant(0.1);
    servo.stiffness = 1e9;
    servo.damping = 1e5;
    builder.add_drive(servo);
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
    ASSERT_NEAR(simulation.state().v[0], target.rate(report.time), 1e-11);
  }
}

/// The passive arm's angle against a run with a tenth of the step: first order at least.
TEST(Drives, TheArmThatAPrescribedJointCarriesConverges) {
  TimeFunction target;
  target.sinusoids = {{0.7, 0.8, 0.3}};
  const auto angle = [&](double h) {
    const auto model = std::make_shared<const Model>(driven_arms(target, false));
    State state;
    state.q = VectorX::Zero(2);
    state.v = VectorX::Zero(2);
    assemble_constraints(*model, state);
    Simulation simulation(model, with_step(h), state);
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
    const auto model = std::make_shared<const Model>(driven_arms(target, false));
    State state;
    state.q = VectorX::Zero(2);
    state.v = VectorX::Zero(2);
    assemble_constraints(*model, state);
    Simulation simulation(model, with_step(h), state);
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

/// A weight on the ground side of a joint's stop, pressed against it by a servo: nothing moves, so nothing works.
TEST_P(EachStepper, AServoThatPressesAgainstAStopDoesNoWorkThere) {
  const auto complete = [&](Joint& joint, ModelBuilder& builder, int block) {
    joint.upper = one(0);
    Drive servo{"servo", DriveKind::servo, block, 0, TimeFunction::constant(0.5)};
    servo.stiffness = 100;
    servo.damping = 10;
    servo.limit = 30;
    builder.add_drive(servo);
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

TEST_P(EachStepper, FrictionNeitherPressesNorWorksOnWhatRests) {
  // At rest on its stop and its ratchet, pulled by nothing.
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

TEST(Drives, ARopeStrikesAlikeFromEitherSide) {
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

TEST(Drives, ARopeThatStartsTooLongIsDrawnInAndNotStruck) {
  const auto model = std::make_shared<const Model>(on_a_rope(0));
  State state = Experiment::start(free_pose({0, 0, -1.3}), VectorX::Zero(6));
  EXPECT_THROW(Simulation(model, with_step(1e-3), state), Error);
  EXPECT_NEAR(assemble_constraints(*model, state).position, 0.3, 1e-12);
  EXPECT_NEAR(state.q[6], -1, 1e-12);
  Simulation simulation(model, with_step(1e-3), state);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(simulation.step().status, SolveStatus::solved);
  EXPECT_LT(simulation.certificate().energy.kinetic, 1e-12);
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

TEST(Drives, ALimitThatStrikesBackAgainstItsRatchetIsRefused) {
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
}  // namespace carom
