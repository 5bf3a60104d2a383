#include <gtest/gtest.h>

#include "carom/stepper/assembly.h"
#include "random_scenes.h"
#include "testing/allocation_count.h"

namespace carom::allocation_test {
namespace {

/// Counts allocations of steps that consider no more contacts than an earlier step of the run did.
void expect_no_allocation(Simulation simulation, const char* name) {
  int most = -1, watched = 0;
  for (int i = 0; i < 400; ++i) {
    const long before = allocation_count();
    const StepReport& report = simulation.step();
    const long made = allocation_count() - before;
    if (report.contacts_considered <= most) {
      ASSERT_EQ(made, 0) << name << ", step " << i << ", " << report.contacts_considered << " contacts";
      ++watched;
    }
    most = std::max(most, report.contacts_considered);
  }
  EXPECT_GT(watched, 200) << name;
}

void expect_no_allocation(const test::SceneMaker& scene, const Method& method, const char* name) {
  expect_no_allocation(scene.simulation(method), name);
}

/// Two arms, the first moved, the second driven by a servo with a limit. A wheel on a ratchet that rubs. A ball on a
/// rope that a fan pushes about.
Model driven_things() {
  ModelBuilder builder;
  builder.set_gravity({0, 0, -9.81});
  const SpatialInertia inertia{1, Vec3(0, 0, -0.2), 0.01 * Mat3::Identity()};
  const int upper = builder.add_body("upper", inertia), lower = builder.add_body("lower", inertia);
  const int wheel = builder.add_body("wheel", inertia), ball = builder.add_body("ball", inertia);
  Joint hinge;
  hinge.type = JointType::revolute;
  hinge.X_PF.R = hinge.X_BM.R = contact_frame(Vec3::UnitY());
  builder.add_joint(upper, hinge);
  Joint elbow = hinge;
  elbow.parent = upper;
  elbow.X_PF.p = Vec3(0, 0, -0.4);
  builder.add_joint(lower, elbow);
  hinge.ratchet = {Ratchet::forward};
  hinge.friction = VectorX::Constant(1, 0.1);
  builder.add_joint(wheel, hinge);
  Constraint motion;
  motion.kind = ConstraintKind::motion;
  motion.body_a = upper;
  motion.target.sinusoids = {{0.5, 1, 0}};
  builder.add_constraint(motion);
  Constraint rope;
  rope.kind = ConstraintKind::rope;
  rope.body_a = ball;
  rope.length = 0.3;
  builder.add_constraint(rope);
  Drive servo{"servo", DriveKind::servo, lower, 0, TimeFunction::constant(0.7)};
  servo.stiffness = 100;
  servo.limit = 2;
  builder.add_drive(servo);
  AppliedWrench fan;
  fan.body = ball;
  fan.force = Vec3(3, 0, 0);
  fan.scale.times = {0, 0.2, 0.4};
  fan.scale.values = {0, 1, -1};
  builder.add_wrench(fan);
  return builder.build();
}

TEST(Allocation, NoneWithDrivesRopesAndConstraints) {
  const auto model = std::make_shared<const Model>(driven_things());
  for (const StepperKind stepper :
       {StepperKind::stewart_trinkle, StepperKind::anitescu_potra, StepperKind::stewart_trinkle_nonlinear}) {
    Method method;
    method.stepper = stepper;
    method.step = 0.002;
    State state;
    state.q = model->neutral_position();
    state.v = VectorX::Zero(model->velocity_count());
    assemble_constraints(*model, state);
    expect_no_allocation(Simulation(model, method, state), stepper_name(stepper).c_str());
    method.smooth = SmoothParts::second_order;
    expect_no_allocation(Simulation(model, method, state), "with second order asked for");
  }
}

TEST(Allocation, NoneInAStepWithNoMoreContactsThanBefore) {
  test::SceneMaker scene(0.4);
  scene.add_static(HalfSpace{});
  for (int i = 0; i < 6; ++i) {
    scene.add(Sphere{0.1}, 1, Vec3(0.25 * i, 0.02 * i * i, 0.3 + 0.1 * i), Vec3(0.5, 0, 0));
  }
  scene.add(Box{Vec3(0.1, 0.2, 0.1)}, 3, Vec3(2, 0, 0.3));
  Method method;
  method.step = 0.005;
  for (const StepperKind stepper :
       {StepperKind::stewart_trinkle, StepperKind::anitescu_potra, StepperKind::stewart_trinkle_nonlinear}) {
    method.stepper = stepper;
    expect_no_allocation(scene, method, stepper_name(stepper).c_str());
  }
  method.stepper = StepperKind::stewart_trinkle;
  method.smooth = SmoothParts::second_order;
  expect_no_allocation(scene, method, "second order");
  method.smooth = SmoothParts::first_order;
  method.law = LawKind::poisson;
  expect_no_allocation(scene, method, "poisson");
}

TEST(Allocation, NoneWithARestitutionThatDependsOnTheSpeed) {
  test::SceneMaker scene(0.4, TableRestitution{{{0.1, 0.9}, {1, 0.5}}});
  scene.add_static(HalfSpace{});
  for (int i = 0; i < 6; ++i) scene.add(Sphere{0.1}, 1, Vec3(0.25 * i, 0, 0.3 + 0.1 * i));
  Method method;
  method.step = 0.005;
  for (const LawKind law : {LawKind::newton, LawKind::poisson}) {
    method.law = law;
    expect_no_allocation(scene, method, law_name(law).c_str());
  }
}

TEST(Allocation, NoneWithJointsAndLimits) {
  Method method;
  method.step = 0.002;
  for (const unsigned seed : {3u, 17u, 40u}) {
    expect_no_allocation(test::random_scene(seed), method, "random scene");
  }
}

}  // namespace
}  // namespace carom::allocation_test
