#include "carom/stepper/push.h"

#include <gtest/gtest.h>

#include <limits>

#include "carom/dynamics/motion_observer.h"
#include "carom/error.h"
#include "carom/stepper/step_report.h"
#include "experiment.h"
#include "mechanisms.h"

namespace carom::push_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Method with a law where impacts are instants, since a law must say what they do.
Method method_of(StepperKind stepper, double step) {
  return test::with_step(step, stepper, stepper == StepperKind::stewart_trinkle ? LawKind::none : LawKind::plastic);
}

class Steppers : public ::testing::TestWithParam<StepperKind> {};

/// Every step reports the impulse of a push on a body. These impulses add up to force × time and torque × time. A push
/// on a joint is not among them.
TEST_P(Steppers, APushOnABodyIsInTheReports) {
  test::SceneMaker scene(0, 0.0, Vec3::Zero());
  const int ball = scene.add(Sphere{0.1}, 2, Vec3(0, 0, 1), Vec3::Zero());
  Simulation simulation = scene.simulation(method_of(GetParam(), 0.01));
  simulation.push(
      BodyPush{.body = ball, .force = {3, 0, 0}, .torque = {0, 1, 0}, .point = {0, 0, 0.1}, .seconds = 0.034});
  simulation.push(JointPush{.joint = ball, .force = VectorX::Constant(6, 0.5), .seconds = 1});
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
  simulation.run_until(0.1, [&](const StepReport& report) {
    for (const BodyImpulse& push : report.pushes) {
      EXPECT_EQ(push.body, ball);
      EXPECT_EQ(push.point, Vec3(0, 0, 0.1));
      force += push.force;
      moment += push.moment;
    }
  });
  EXPECT_LT((force - 0.034 * Vec3(3, 0, 0)).norm(), 1e-14);
  EXPECT_LT((moment - 0.034 * Vec3(0, 1, 0)).norm(), 1e-14);
}

/// The time of a push may be no whole number of steps. Whatever the step, it changes the momentum by force × time, to
/// round-off. It gives the energy that the ledger calls the work of drives.
TEST_P(Steppers, APushGivesForceTimesTime) {
  for (const double step : {0.01, 0.003}) {
    test::SceneMaker scene(0, 0.0, Vec3::Zero());
    const int ball = scene.add(Sphere{0.1}, 2, Vec3(0, 0, 1), Vec3(0, 1, 0));
    Simulation simulation = scene.simulation(method_of(GetParam(), step));
    simulation.run_until(0.06);
    simulation.push(BodyPush{.body = ball, .force = {3, -1, 0.5}, .seconds = 0.0777});
    double work = 0;
    simulation.run_until(0.3, [&](const StepReport& report) { work += report.energy.drive_work; });
    const Vec3 expected = Vec3(0, 1, 0) + 0.0777 / 2 * Vec3(3, -1, 0.5);
    EXPECT_LT((test::velocity(simulation, ball) - expected).norm(), 1e-12);
    EXPECT_NEAR(work, 0.5 * 2 * (expected.squaredNorm() - 1), 1e-9);
  }
}

/// A torque about a principal axis, and a force beside the centre: I ω = τ t + r × F t.
TEST_P(Steppers, TorquesAndOffCentreForcesTurn) {
  test::SceneMaker scene(0, 0.0, Vec3::Zero());
  const int ball = scene.add(Sphere{0.1}, 2, Vec3(0, 0, 1));
  Simulation simulation = scene.simulation(method_of(GetParam(), 0.001));
  const double inertia = 0.4 * 2 * 0.1 * 0.1, h = 0.001;
  simulation.push(BodyPush{.body = ball, .torque = {0, 0, 0.2}, .seconds = h});
  simulation.push(BodyPush{.body = ball, .force = {0, 3, 0}, .point = {0.1, 0, 0}, .seconds = h});
  simulation.run_until(0.01);
  const Vec3 spin = MotionObserver(simulation.model(), simulation.state()).velocity(ball).angular;
  EXPECT_LT((spin - Vec3(0, 0, (0.2 + 0.3) * h / inertia)).norm(), 1e-12);
}

TEST_P(Steppers, AJointsForceTurnsItsJoint) {
  ModelBuilder builder;
  const int wheel = builder.add_body("wheel", test::box(2, 0.1));
  builder.add_joint(wheel, test::hinge_about_y(-1, Vec3::Zero(), "axle"));
  test::Experiment experiment(builder.build(), method_of(GetParam(), 0.01), VectorX::Zero(1), VectorX::Zero(1));
  experiment.simulation.push(JointPush{.joint = wheel, .force = VectorX::Constant(1, 0.5), .seconds = 0.123});
  experiment.simulation.run_until(0.5);
  EXPECT_NEAR(experiment.simulation.state().v[0], 0.5 * 0.123 / (2 * 0.1 * 0.1 / 6), 1e-10);
}

INSTANTIATE_TEST_SUITE_P(Push, Steppers,
                         ::testing::Values(StepperKind::stewart_trinkle, StepperKind::semi_explicit,
                                           StepperKind::event_driven),
                         [](const auto& info) { return test::label(info.param); });

/// An endless push against weight leaves a body where it is; a controller beside it is not forgotten.
TEST(Push, LastsAndActsBesideTheController) {
  test::SceneMaker scene(0);
  const int ball = scene.add(Sphere{0.1}, 2, Vec3(0, 0, 1));
  Simulation simulation = scene.simulation(test::with_step(0.01));
  simulation.push(BodyPush{.body = ball, .force = {0, 0, 2 * 9.81}, .seconds = infinity});
  simulation.set_controller([](const Model&, const State&, VectorX& force) { force[3] += 4; });
  simulation.run_until(1);
  EXPECT_LT((test::velocity(simulation, ball) - Vec3(2, 0, 0)).norm(), 1e-12);
}

TEST(Push, WhatWouldDoNothingIsRefused) {
  ModelBuilder builder;
  const int post = builder.add_body("post", test::box(1, 0.1)), ball = builder.add_body("ball", test::box(1, 0.1));
  builder.add_joint(post, {.name = "foot", .type = JointType::fixed});
  const auto model = std::make_shared<const Model>(builder.build());
  State state;
  state.q = model->neutral_position();
  state.v = VectorX::Zero(6);
  Simulation simulation(model, test::with_step(0.01), state);
  EXPECT_THROW(simulation.push(BodyPush{.body = post, .force = {1, 0, 0}, .seconds = 1}), Error);
  EXPECT_THROW(simulation.push(BodyPush{.body = -1, .force = {1, 0, 0}, .seconds = 1}), Error);
  EXPECT_THROW(simulation.push(BodyPush{.body = 2, .force = {1, 0, 0}, .seconds = 1}), Error);
  EXPECT_THROW(simulation.push(BodyPush{.body = ball, .force = {1, 0, 0}}), Error);  // no time
  EXPECT_THROW(simulation.push(BodyPush{.body = ball, .force = {infinity, 0, 0}, .seconds = 1}), Error);
  EXPECT_THROW(simulation.push(JointPush{.joint = post, .force = VectorX(), .seconds = 1}), Error);
  EXPECT_THROW(simulation.push(JointPush{.joint = ball, .force = VectorX::Zero(3), .seconds = 1}), Error);
}

TEST(RunUntil, TakesTheNearestNumberOfSteps) {
  test::SceneMaker scene(0);
  scene.add(Sphere{0.1}, 2, Vec3(0, 0, 1));
  Simulation simulation = scene.simulation(test::with_step(0.01));
  int seen = 0;
  EXPECT_EQ(simulation.run_until(0.304, [&](const StepReport& report) { EXPECT_EQ(report.step, ++seen); }), 30);
  EXPECT_EQ(seen, 30);
  EXPECT_NEAR(simulation.state().time, 0.3, 1e-15);
  EXPECT_EQ(simulation.run_until(0.1), 0);  // behind
  EXPECT_EQ(simulation.run_until(0.306), 1);
  EXPECT_THROW(simulation.run_until(infinity), Error);
}

}  // namespace
}  // namespace carom::push_test
