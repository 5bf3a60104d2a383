#include "carom/dynamics/applied_force.h"

#include <gtest/gtest.h>

#include <utility>

#include "carom/dynamics/test/moving_tree.h"

namespace carom::applied_force_test {
namespace {

/// The power of the generalized force is that of the wrenches on the bodies, by their own velocities.
TEST(AppliedForce, WorksAsItsWrenchesDoOnTheBodies) {
  Random random(97);
  for (int trial = 0; trial < 40; ++trial) {
    ModelBuilder builder;
    for (int i = 0; i < 6; ++i) {
      builder.add_body("", random.inertia());
      Joint joint = random_joint(random, i == 0 ? JointType::free : joint_types[random.index(11)]);
      if (i > 0) joint.parent = random.index(i);
      builder.add_joint(i, joint);
    }
    std::vector<AppliedWrench> wrenches(3);
    for (AppliedWrench& wrench : wrenches) {
      wrench.body = random.index(6);
      wrench.point = random.vector(1);
      wrench.force = random.vector(3);
      wrench.torque = random.vector(3);
      wrench.turns_with_body = random.index(2) == 1;
      wrench.scale.polynomial = {random.uniform(-1, 1), random.uniform(-1, 1)};
      builder.add_wrench(wrench);
    }
    MovingTree tree(builder.build(), random);
    const std::vector<int> order = builder.body_order();
    const double time = random.uniform(0, 2);
    double power = 0;
    for (const AppliedWrench& wrench : wrenches) {
      const int body = order[wrench.body];
      const Transform& X_WB = tree.workspace.X_WB[body];
      const Mat3 axes = wrench.turns_with_body ? X_WB.R : Mat3::Identity();
      const Vec3 spin = X_WB.R * tree.workspace.V[body].head<3>();
      const Vec3 velocity = point_velocity(body, X_WB * wrench.point, tree.workspace);
      power += wrench.scale.at(time) * ((axes * wrench.force).dot(velocity) + (axes * wrench.torque).dot(spin));
    }
    VectorX tau = VectorX::Zero(tree.model.velocity_count());
    add_applied_force(tree.model, time, tree.workspace, tau);
    EXPECT_NEAR(tau.dot(tree.v), power, 1e-11 * (1 + tau.norm() * tree.v.norm())) << trial;
  }
}

TEST(AppliedForce, OfDrivesIsTheirsOnTheirCoordinateAndAddsUp) {
  ModelBuilder builder;
  const int body = builder.add_body("nut", {1, Vec3::Zero(), Mat3::Identity()});
  Joint joint;
  joint.type = JointType::cylindrical;
  builder.add_joint(body, joint);
  TimeFunction ramp;
  ramp.polynomial = {1, 2};
  builder.add_drive({"first", DriveKind::force, body, 1, ramp});
  builder.add_drive({"second", DriveKind::force, body, 1, TimeFunction::constant(10)});
  Drive servo{"servo", DriveKind::servo, body, 0, TimeFunction::constant(1)};
  servo.stiffness = 5;
  builder.add_drive(servo);  // is a row of the step's problem, not a force that is known before
  const Model model = builder.build();
  DynamicsWorkspace workspace(model);
  forward_kinematics(model, model.neutral_position(), workspace);
  VectorX tau = Vec2(0.5, 0);
  add_applied_force(model, 3, workspace, tau);
  EXPECT_EQ(tau, VectorX(Vec2(0.5, 17)));
}

}  // namespace
}  // namespace carom::applied_force_test
