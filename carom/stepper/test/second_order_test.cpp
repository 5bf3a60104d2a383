// Smooth parts of second order: the order itself on mechanisms of every kind, stiff springs and dampers that settle,
// momentum and energy, impacts that end where surfaces meet, and the judge's word on all of it.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "carom/certificate/judge.h"
#include "carom/dynamics/joint_kinematics.h"
#include "carom/spatial/rotation.h"
#include "carom/stepper/free_spin.h"
#include "carom/stepper/linearisation.h"
#include "carom/stepper/smooth_weights.h"
#include "carom/stepper/test/experiment.h"
#include "carom/stepper/test/mechanisms.h"
#include "carom/stepper/test/second_order.h"
#include "testing/models/random_tree.h"

namespace carom::second_order_test {
namespace {

struct Mechanism {
  const char* name;
  std::function<test::Experiment(const Method&)> make;
  double until, step;
  double solves = 1e-9;  ///< what thousands of solves to their tolerance may leave, m and m/s
};

std::ostream& operator<<(std::ostream& out, const Mechanism& mechanism) { return out << mechanism.name; }

/// Three unequal moments, the centre of mass off the joint.
SpatialInertia potato(double mass, double size) {
  return {mass, size * Vec3(0.3, -0.2, 0.1), mass * size * size * Vec3(0.2, 0.35, 0.5).asDiagonal().toDenseMatrix()};
}

test::Experiment tumbling(const Method& method) {
  ModelBuilder builder;
  builder.set_gravity({0, 0, -9.81});
  builder.add_body("body", potato(2, 0.5));
  VectorX v(6);
  v << 3, -2, 4, 1, 0, 2;
  return {builder.build(), method, test::free_pose({0, 0, 1}), v};
}

Constraint spring(int a, const Vec3& on_a, const Vec3& in_world, double stiffness, double damping) {
  Constraint spring;
  spring.name = "spring";
  spring.kind = ConstraintKind::spring;
  spring.body_a = a;
  spring.X_AF.p = on_a;
  spring.X_BG.p = in_world;
  spring.length = 0.4;
  spring.stiffness = stiffness;
  spring.damping = damping;
  return spring;
}

/// Free, spinning, hung on the world by a damped spring off its centre.
test::Experiment hung(const Method& method) {
  ModelBuilder builder;
  builder.set_gravity({0, 0, -9.81});
  builder.add_body("body", potato(2, 0.5));
  builder.add_constraint(spring(0, {0.2, 0.1, -0.1}, {0, 0, 2}, 60, 1.5));
  VectorX v(6);
  v << 3, -2, 1, 1, 0, 0;
  return {builder.build(), method, test::free_pose({0, 0, 1}), v};
}

/// Two balls in a row on the world, with springs and dampers.
test::Experiment balls(const Method& method) {
  ModelBuilder builder;
  builder.set_gravity({0, 0, -9.81});
  for (int i = 0; i < 2; ++i) {
    const int body = builder.add_body("body" + std::to_string(i), potato(1 + i, 0.4));
    Joint joint;
    joint.name = "ball" + std::to_string(i);
    joint.type = JointType::spherical;
    joint.parent = i - 1;
    joint.X_PF.p = i * Vec3(0.3, 0.1, -0.2);
    joint.stiffness = VectorX::Constant(3, 3);
    joint.damping = VectorX::Constant(3, 0.1);
    builder.add_joint(body, joint);
  }
  VectorX q(8), v(6);
  q << 1, 0, 0, 0, 1, 0, 0, 0;
  v << 2, -3, 1, -1, 4, 2;
  return {builder.build(), method, q, v};
}

/// A tree of joints of every type but those with one coordinate and no more.
test::Experiment tree(const Method& method) {
  Random random(7);
  ModelBuilder builder;
  builder.set_gravity({1, 2, -8});
  const JointType types[] = {JointType::free,      JointType::revolute,  JointType::spherical,
                             JointType::prismatic, JointType::universal, JointType::revolute};
  int body = -1;
  for (const JointType type : types) {
    Joint joint = random_joint(random, type);
    joint.friction.setZero();
    joint.name = "joint" + std::to_string(body + 1);
    joint.parent = body < 2 ? body : body - 1;
    body = builder.add_body("body" + std::to_string(body + 1), random.inertia());
    builder.add_joint(body, joint);
  }
  Model model = builder.build();
  const VectorX q = random_position(model, random), v = random.vector(model.velocity_count(), 1.5);
  return {std::move(model), method, q, v};
}

test::Experiment four_bar(const Method& method) {
  ModelBuilder builder;
  builder.set_gravity({0, 0, -9.81});
  test::add_four_bar(builder, 1, 1);
  VectorX q(3), v(3);
  // The crank stands up: coupler and rocker close the triangle over the diagonal.
  const double diagonal = std::hypot(0.1, 0.3), half = std::acos(diagonal / 0.6), slope = std::atan2(0.1, 0.3);
  const double crank = -std::numbers::pi / 2, coupler = slope - half, rocker = -(std::numbers::pi - slope - half);
  q << crank, coupler - crank, rocker;
  v << 0, 0, 0;
  return {builder.build(), method, q, v};
}

/// An arm of two links whose servos follow the same wave, one of them through a sum of both angles.
test::Experiment servos(const Method& method) {
  ModelBuilder builder;
  builder.set_gravity({0, 0, -9.81});
  for (int i = 0; i < 2; ++i) {
    const int body = builder.add_body("link" + std::to_string(i), {1, Vec3(0.2, 0, 0), 0.02 * Mat3::Identity()});
    builder.add_joint(body, test::hinge_about_y(i - 1, i * Vec3(0.4, 0, 0), "hinge" + std::to_string(i)));
  }
  for (int i = 0; i < 2; ++i) {
    Drive servo;
    servo.name = "servo" + std::to_string(i);
    servo.kind = DriveKind::servo;
    servo.body = i;
    servo.stiffness = 40;
    servo.damping = 2;
    servo.value = {{}, {{0.4, 1.5, 0.3}}, {}, {}};
    builder.add_drive(servo);
  }
  return {builder.build(), method, VectorX::Zero(2), VectorX::Zero(2)};
}

/// A body that swings on a taut rope, out of one plane.
test::Experiment on_a_rope(const Method& method) {
  ModelBuilder builder;
  builder.set_gravity({0, 0, -9.81});
  Constraint rope;
  rope.name = "rope";
  rope.kind = ConstraintKind::rope;
  rope.body_a = builder.add_body("bob", {1, Vec3::Zero(), 0.01 * Mat3::Identity()});
  rope.length = 0.5;
  builder.add_constraint(rope);
  VectorX v = VectorX::Zero(6);
  v.tail<3>() << 0, 0.8, 0;
  return {builder.build(), method, test::free_pose({0.3, 0, -0.4}), v};
}

/// A ball that slides over a fixed one without friction.
test::Experiment on_a_dome(const Method& method) {
  ModelBuilder builder;
  builder.set_gravity({0, 0, -9.81});
  const int ice = builder.add_material({"ice", Vec2::Zero(), 0});
  builder.add_collider({"dome", -1, Sphere{0.4}, {}, ice});
  builder.add_collider(
      {"ball", builder.add_body("ball", {1, Vec3::Zero(), 0.01 * Mat3::Identity()}), Sphere{0.1}, {}, ice});
  VectorX v = VectorX::Zero(6);
  v.tail<3>() << 0.4, 0.3, 0;
  return {builder.build(), method, test::free_pose({0, 0, 0.5}), v};
}

const Mechanism mechanisms[] = {{"tumbling", tumbling, 0.4, 0.01}, {"hung", hung, 0.4, 0.01},
                                {"balls", balls, 0.3, 0.01},       {"tree", tree, 0.2, 0.005},
                                {"four_bar", four_bar, 0.3, 0.01}, {"servos", servos, 0.4, 0.01}};

/// Largest difference of two ends, of positions and of velocities.
double apart(const Model& model, const State& a, const State& b) {
  VectorX way(model.velocity_count()), v(model.velocity_count());
  difference(model, a.q, b.q, way);
  transport_velocity(model, b.q, a.q, b.v, v);
  return std::max(way.cwiseAbs().maxCoeff(), (v - a.v).cwiseAbs().maxCoeff());
}

class SecondOrder : public testing::TestWithParam<std::tuple<StepperKind, Mechanism>> {
 protected:
  static StepperKind stepper() { return std::get<0>(GetParam()); }
  static const Mechanism& mechanism() { return std::get<1>(GetParam()); }
  static State end(Method method, double step) {
    method.step = step;
    test::Experiment at = mechanism().make(method);
    at.steps(static_cast<int>(std::lround(mechanism().until / step)));
    return at.simulation.state();
  }
};

/// Halving the step divides the error by four; steps of first order err more at the finest.
TEST_P(SecondOrder, HalvingTheStepDividesTheErrorByFour) {
  Method exact = test::plastic_with_step(mechanism().until / 4, StepperKind::event_driven);
  exact.tolerance = 1e-12;
  const State truth = end(exact, exact.step);
  const Method method = test::second_order(mechanism().step, stepper());
  const Model model = mechanism().make(method).simulation.model();
  double error[3];
  for (int i = 0; i < 3; ++i) error[i] = apart(model, truth, end(method, mechanism().step / (1 << i)));
  EXPECT_GT(error[0] / error[2], 11) << error[0] << " " << error[1] << " " << error[2];
  Method of_first = test::plastic_with_step(1, stepper());
  of_first.smooth = SmoothParts::first_order;
  const double first = apart(model, truth, end(of_first, mechanism().step / 4));
  EXPECT_GT(first, 5 * error[2]);
}

/// Short steps, of which there are many, add up to no more than the order says.
TEST_P(SecondOrder, ShortStepsDoNotAddUp) {
  const double until = 0.02, step = 1e-5;
  const auto end_at = [&](Method method, double h) {
    method.step = h;
    test::Experiment at = mechanism().make(method);
    at.steps(static_cast<int>(std::lround(until / h)));
    return at.simulation.state();
  };
  Method exact = test::plastic_with_step(until, StepperKind::event_driven);
  exact.tolerance = 1e-12;
  const State truth = end_at(exact, until);
  const Method method = test::second_order(step, stepper());
  const Model model = mechanism().make(method).simulation.model();
  const double error = apart(model, truth, end_at(method, step));
  EXPECT_LT(error, std::max(mechanism().solves, apart(model, truth, end_at(method, 4 * step)) / 11));
}

/// The energy that the motion between contacts makes falls likewise.
TEST_P(SecondOrder, EnergyIsKeptAtSecondOrder) {
  double error[2];
  for (int i = 0; i < 2; ++i) {
    const double step = mechanism().step / (1 << (2 * i));
    test::Experiment at = mechanism().make(test::second_order(step, stepper()));
    at.steps(static_cast<int>(std::lround(mechanism().until / step)));
    error[i] = std::abs(at.energy().free_motion_error);
  }
  EXPECT_TRUE(error[1] < error[0] / 9 || error[0] < 1e-9) << error[0] << " " << error[1];
}

TEST_P(SecondOrder, IsJudgedSound) {
  test::Experiment at = mechanism().make(test::second_order(mechanism().step, stepper()));
  for (int i = 0; i < 20; ++i) {
    const StepReport& report = at.simulation.step();
    EXPECT_LT(report.momentum_residual, 1e-10);
    EXPECT_LT(report.kinematic_residual, 1e-10);
  }
}

/// The weights of means that a step tells are those that it took: with others the judge finds it wrong.
TEST_P(SecondOrder, IsNotSoundWithOtherWeights) {
  test::Experiment at = mechanism().make(test::second_order(mechanism().step, stepper()));
  std::vector<StepEvidence> evidence;
  at.simulation.keep_evidence(&evidence);
  at.steps(3);
  const Model& model = at.simulation.model();
  Judge judge(model);
  ASSERT_LT(judge.judge(model, evidence.back()).kinematic_residual, 1e-10);
  const auto verdict = [&](VectorX StepEvidence::*weights, double weight) {
    StepEvidence told = evidence.back();
    (told.*weights).setConstant(weight);
    return judge.judge(model, told);
  };
  EXPECT_GT(verdict(&StepEvidence::end_weight, 1).kinematic_residual, 1e-8);
  EXPECT_GT(verdict(&StepEvidence::end_weight, 0.51).kinematic_residual, 1e-8);
  // An impact's weight belongs to a contact or limit.
  const bool touches = std::ranges::any_of(evidence.back().blocks, [](const Block& block) {
    return block.kind == BlockKind::cone || block.kind == BlockKind::unilateral;
  });
  EXPECT_EQ(std::isfinite(verdict(&StepEvidence::end_weight, 0.51).kinematic_residual), touches);
  EXPECT_FALSE(std::isfinite(verdict(&StepEvidence::end_weight, 0).kinematic_residual));
  EXPECT_FALSE(std::isfinite(verdict(&StepEvidence::end_weight, 1.01).kinematic_residual));
  EXPECT_FALSE(std::isfinite(verdict(&StepEvidence::force_weight, 1.01).momentum_residual));
  const bool damps = std::ranges::any_of(model.joints(), [](const Joint& j) { return !j.damping.isZero(0); });
  if (damps) {
    EXPECT_GT(verdict(&StepEvidence::force_weight, 0.7).momentum_residual, 1e-8);
  }
}

/// A kick that no force made does not excuse a turn, however large or small.
TEST(SecondOrderJudge, KnowsAKickThatNoForceMade) {
  test::Experiment at = tumbling(test::second_order(0.01, StepperKind::stewart_trinkle));
  std::vector<StepEvidence> evidence;
  at.simulation.keep_evidence(&evidence);
  at.steps(1);
  const Model& model = at.simulation.model();
  Judge judge(model);
  for (const double size : {1e-3, 1.0, 1e12}) {
    StepEvidence told = evidence.back();
    told.kick.head<3>() += size * Vec3(0, 0, 1);
    EXPECT_GT(judge.judge(model, told).momentum_residual, 1e-7) << size;
    told.turn.head<3>() = Vec3(0, 0, 5);
    EXPECT_GT(judge.judge(model, told).momentum_residual, 1e-7) << size;
  }
}

TEST_P(SecondOrder, GoesOnBitForBit) {
  const Method method = test::second_order(mechanism().step, stepper());
  test::Experiment whole = mechanism().make(method);
  whole.steps(7);
  Simulation rest(std::make_shared<const Model>(whole.simulation.model()), method, whole.simulation.state());
  whole.steps(7);
  for (int i = 0; i < 7; ++i) rest.step();
  EXPECT_EQ(whole.simulation.state().q, rest.state().q);
  EXPECT_EQ(whole.simulation.state().v, rest.state().v);
}

INSTANTIATE_TEST_SUITE_P(
    All, SecondOrder, testing::Combine(testing::ValuesIn(test::second_order_steppers), testing::ValuesIn(mechanisms)),
    [](const auto& info) { return test::label(std::get<0>(info.param)) + "_" + std::get<1>(info.param).name; });

// At velocity level, which is semi-explicit's, too, a rope asks for no speed by its turning, and stays of first order.
INSTANTIATE_TEST_SUITE_P(Ropes, SecondOrder,
                         testing::Combine(testing::Values(StepperKind::stewart_trinkle),
                                          testing::Values(Mechanism{"rope", on_a_rope, 0.4, 0.01})),
                         [](const auto& info) { return test::label(std::get<0>(info.param)); });
INSTANTIATE_TEST_SUITE_P(Domes, SecondOrder,
                         testing::Combine(testing::ValuesIn(test::second_order_steppers),
                                          testing::Values(Mechanism{"dome", on_a_dome, 0.2, 0.01, 1e-7})),
                         [](const auto& info) { return test::label(std::get<0>(info.param)); });

class SmoothSteps : public testing::TestWithParam<StepperKind> {
 protected:
  static Method method(double step) { return test::second_order(step, GetParam()); }
};

/// A servo or spring so stiff that the step knows nothing of its motion still ends where it pulls to.
TEST_P(SmoothSteps, WhatIsStiffSettles) {
  const auto slide = [](auto&& complete) {
    return test::slider([&](Joint& joint, ModelBuilder& builder, int body) { complete(joint, builder, body); });
  };
  const Model sprung = slide([](Joint& joint, ModelBuilder&, int) { joint.stiffness = test::one(1e9); });
  const Model damped = slide([](Joint& joint, ModelBuilder&, int) { joint.damping = test::one(1e9); });
  const Model driven = slide([](Joint&, ModelBuilder& builder, int body) {
    Drive servo;
    servo.name = "servo";
    servo.kind = DriveKind::servo;
    servo.body = body;
    servo.stiffness = 1e9;
    servo.damping = 1e4;
    builder.add_drive(servo);
  });
  for (const Model* model : {&sprung, &damped, &driven}) {
    test::Experiment at(*model, method(0.01), test::one(model == &damped ? 0.0 : 0.1), test::one(2));
    at.steps(100);
    EXPECT_LT(std::abs(at.v()), 1e-6);
    EXPECT_LT(std::abs(at.q()), 0.02);
  }
}

/// Free trees keep both momenta, and energy, at any step.
TEST_P(SmoothSteps, WhatFliesKeepsMomentumAndEnergy) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Random random(seed);
    ModelBuilder builder;
    builder.set_gravity(Vec3::Zero());
    for (int i = 0; i < 4; ++i) {
      Joint joint;
      joint.name = "joint" + std::to_string(i);
      joint.type = i == 0 ? JointType::free : i == 1 ? JointType::spherical : JointType::revolute;
      joint.parent = i - 1;
      joint.X_PF = random.transform(0.3);
      joint.X_BM = random.transform(0.3);
      const int body = builder.add_body("body" + std::to_string(i), random.inertia());
      builder.add_joint(body, joint);
    }
    Model model = builder.build();
    const VectorX q = random_position(model, random), v = random.vector(model.velocity_count(), 2);
    test::Experiment at(model, method(0.01), q, v);
    const Vec6 before = test::momentum(model, at.simulation.state());
    const double energy = test::energy(model, at.simulation.state());
    at.steps(30);
    EXPECT_LT((test::momentum(model, at.simulation.state()) - before).norm(), 1e-9 * before.norm()) << seed;
    EXPECT_NEAR(test::energy(model, at.simulation.state()), energy, 1e-9 * energy) << seed;
  }
}

/// The work of a prescribed motion is that which moves the mass: ½ m (5·2 t)², with no part for the constraint.
TEST_P(SmoothSteps, AMotionWorksForAllThatItMoves) {
  const double h = 0.01, until = 0.2;
  const Model model = test::slider([](Joint&, ModelBuilder& builder, int block) {
    Constraint motion;
    motion.name = "motion";
    motion.kind = ConstraintKind::motion;
    motion.body_a = block;
    motion.target = {{0, 0, 5}, {}, {}, {}};
    builder.add_constraint(motion);
  });
  test::Experiment at(model, method(h), test::one(0), test::one(0));
  at.steps(static_cast<int>(std::lround(until / h)));
  const double speed = 2 * 5 * until;
  EXPECT_NEAR(at.energy().drive_work, 0.5 * 2 * speed * speed, 1e-9);
  EXPECT_NEAR(at.energy().constraint_work, 0, 1e-12);
  EXPECT_NEAR(at.energy().opposed_work, 0, 1e-12);
}

/// A weak spring beside a fast spin: what a second solve would not change is as it was to the judge.
TEST_P(SmoothSteps, AWeakForceIsJudgedSound) {
  for (const double stiffness : {1e-7, 1e-6, 1e-5, 1e-3}) {
    ModelBuilder builder;
    builder.set_gravity(Vec3::Zero());
    builder.add_body("body", potato(2, 0.5));
    builder.add_constraint(spring(0, {0.2, 0.1, -0.1}, {0, 0, 2}, stiffness, 0));
    VectorX v(6);
    v << 3, 0.5, 2, 1, 0, 0;
    test::Experiment at(builder.build(), method(0.01), test::free_pose({0, 0, 1}), v);
    for (int i = 0; i < 30; ++i) EXPECT_LT(at.simulation.step().momentum_residual, 1e-9) << stiffness;
  }
}

/// A pendulum whose spring lies in line with it where its angle is zero.
TEST_P(SmoothSteps, ASpringInLineKeepsTheOrder) {
  const auto end = [](Method method, double step) {
    method.step = step;
    ModelBuilder builder;
    builder.set_gravity(Vec3::Zero());
    const int arm = builder.add_body("arm", {1, Vec3(0.5, 0, 0), 0.02 * Mat3::Identity()});
    builder.add_joint(arm, test::hinge_about_y(-1, Vec3::Zero(), "hinge"));
    builder.add_constraint(spring(arm, {0.5, 0, 0}, {1.2, 0, 0}, 40, 0));
    test::Experiment at(builder.build(), method, test::one(0.5), test::one(0));
    at.steps(static_cast<int>(std::lround(0.4 / step)));
    return at.q();
  };
  Method exact = test::plastic_with_step(0.1, StepperKind::event_driven);
  exact.tolerance = 1e-12;
  const double truth = end(exact, 0.1);
  EXPECT_LT(std::abs(end(method(1), 0.0025) - truth), std::abs(end(method(1), 0.01) - truth) / 11);
}

/// A world that is turned has the same motion, turned.
TEST_P(SmoothSteps, ATurnedWorldMovesAlike) {
  const Quaternion turn = exponential(Vec3(0.4, -0.7, 0.3));
  Vec3 end[2];
  for (int turned = 0; turned < 2; ++turned) {
    const Quaternion by = turned == 1 ? turn : Quaternion::Identity();
    test::SceneMaker scene(0.5, 0.0, by * Vec3(0, 0, -10));
    scene.add_static(HalfSpace{}, {by.toRotationMatrix(), Vec3::Zero()});
    scene.add(Box{Vec3(0.1, 0.2, 0.05)}, 1, by * Vec3(0, 0, 0.3), by * Vec3(1, 0.5, 0), by, {3, 1, -2});
    Simulation simulation = scene.simulation(method(0.005));
    for (int i = 0; i < 60; ++i) simulation.step();
    end[turned] = by.conjugate() * test::position(simulation, 0);
  }
  EXPECT_LT((end[1] - end[0]).norm(), 1e-7);
}

INSTANTIATE_TEST_SUITE_P(Steppers, SmoothSteps, testing::ValuesIn(test::second_order_steppers),
                         [](const auto& info) { return test::label(info.param); });

/// However fast the spin and long the step; a body that turns by hundreds of radians in a step as well.
TEST(CarriedSpin, TurnsTheBodyAlongTheMeanSeenFromOutside) {
  Random random(3);
  for (int trial = 0; trial < 2000; ++trial) {
    const double size = std::pow(10, random.uniform(-3, 3));
    const Vec3 spin = random.vector(size);
    const Vec3 after = trial % 4 == 0 ? random.vector(size) : Vec3(spin + random.vector(0.1 * size));
    const Vec3 end = carried_spin(spin, after, 0.5);
    const Vec3 mean = 0.5 * (spin + end);
    EXPECT_LT((exponential(0.5 * mean) * after - end).norm(), 1e-12 * size * std::max(1.0, size)) << trial;
  }
  EXPECT_EQ(carried_spin(Vec3(1, 2, 3), Vec3(1, 2, 3), 0.5), Vec3(1, 2, 3));
  for (int trial = 0; trial < 500; ++trial) {
    const double theta = random.uniform(0.06, 1);
    const Vec3 spin = random.vector(0.5), after = spin + random.vector(0.2);
    const Vec3 end = carried_spin(spin, after, 0.5, theta);
    const Vec3 mean = (1 - theta) * spin + theta * end;
    EXPECT_LT((exponential(0.5 * mean) * after - end).norm(), 1e-14) << theta;
  }
}

/// It keeps energy and momentum of a body that tumbles.
TEST(TorqueFreeSpin, KeepsEnergyAndMomentum) {
  Random random(4);
  for (int trial = 0; trial < 200; ++trial) {
    const Mat3 inertia = random.inertia().central;
    const Vec3 spin = random.vector(4), after = torque_free_spin(inertia, spin, 0.05);
    EXPECT_NEAR(after.dot(inertia * after), spin.dot(inertia * spin), 1e-12 * spin.dot(inertia * spin));
    EXPECT_NEAR((inertia * after).norm(), (inertia * spin).norm(), 1e-12 * (inertia * spin).norm());
  }
}

/// e^−x of a damper alone, to the digits of the weight: ((1 − (1 − φ) x) / (1 + φ x)) at φ = fitted_weight(x).
TEST(FittedWeight, EndsADamperWhereTheExactMotionDoes) {
  for (const double x : {1e-6, 1e-3, 9.9e-3, 1.01e-2, 0.5, 3.0, 30.0}) {
    const double phi = fitted_weight(x);
    EXPECT_NEAR((1 - (1 - phi) * x) / (1 + phi * x), std::exp(-x), 1e-13) << x;
    EXPECT_GE(phi, 0.5);
    EXPECT_LE(phi, 1);
  }
  EXPECT_EQ(fitted_weight(0), 0.5);
  EXPECT_EQ(fitted_weight(1e300), 1);
}

}  // namespace
}  // namespace carom::second_order_test
