#include "carom/dynamics/motion_observer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "carom/dynamics/joint_kinematics.h"
#include "carom/dynamics/place_body.h"
#include "carom/dynamics/test/moving_tree.h"
#include "carom/error.h"
#include "carom/model/part_numbers.h"
#include "testing/allocation_count.h"

namespace carom::motion_observer_test {
namespace {

State state_of(const MovingTree& tree) {
  State state;
  state.q = tree.q;
  state.v = tree.v;
  return state;
}

/// A pendulum of length l on a hinge about y, with a named frame at its tip. It turns about −y: x = l (sin φ, 0, −cos
/// φ), ẋ = l φ̇ (cos φ, 0, sin φ).
TEST(MotionObserver, APendulumsTip) {
  const double length = 0.7, angle = 0.4, rate = 1.5, mass = 2;
  ModelBuilder builder;
  builder.set_gravity({0, 0, -9.81});
  const int rod = builder.add_body("rod", {mass, Vec3(0, 0, -length), Mat3::Zero()});
  Joint hinge;
  hinge.name = "hinge";
  hinge.type = JointType::revolute;
  hinge.X_PF.R = hinge.X_BM.R = contact_frame(-Vec3::UnitY());
  builder.add_joint(rod, hinge);
  builder.add_frame({.name = "tip", .body = rod, .X_BF = {Mat3::Identity(), Vec3(0, 0, -length)}});
  const Model model = builder.build();
  State state = state_at_rest(model);
  joint_position(model, rod, state)[0] = angle;
  joint_velocity(model, rod, state)[0] = rate;

  const MotionObserver motion(model, state);
  const int tip = frame_number(model, "tip");
  const Vec3 place(length * std::sin(angle), 0, -length * std::cos(angle));
  const Vec3 velocity = length * rate * Vec3(std::cos(angle), 0, std::sin(angle));
  EXPECT_LT((motion.frame_pose(tip).p - place).norm(), 1e-15);
  EXPECT_LT((motion.frame_velocity(tip).linear - velocity).norm(), 1e-15);
  EXPECT_LT((motion.velocity(rod).angular - Vec3(0, -rate, 0)).norm(), 1e-15);
  EXPECT_LT((motion.point(rod, Vec3(0, 0, -length)) - place).norm(), 1e-15);
  EXPECT_LT((motion.whole().center - place).norm(), 1e-15);
  EXPECT_LT((motion.whole().linear_momentum - mass * velocity).norm(), 1e-14);
  EXPECT_NEAR(motion.kinetic_energy(), 0.5 * mass * velocity.squaredNorm(), 1e-14);
  EXPECT_NEAR(motion.potential_energy(), mass * 9.81 * place.z(), 1e-13);
  EXPECT_EQ(motion.pose(-1).p, Vec3::Zero());
  EXPECT_EQ(motion.velocity(-1).linear, Vec3::Zero());
}

/// Velocities are the rates of the poses, by central differences along the motion.
TEST(MotionObserver, VelocitiesAreTheRatesOfPoses) {
  for (const MovingTree& tree : trees_of_all_joint_types(11)) {
    const MotionObserver now(tree.model, state_of(tree));
    const double h = 1e-6;
    State ahead = state_of(tree), behind = ahead;
    integrate(tree.model, tree.q, tree.v, h, ahead.q);
    integrate(tree.model, tree.q, tree.v, -h, behind.q);
    const MotionObserver later(tree.model, ahead), earlier(tree.model, behind);
    const Vec3 point(0.2, -0.1, 0.3);
    for (int body = 0; body < tree.model.body_count(); ++body) {
      const Vec3 rate = (later.point(body, point) - earlier.point(body, point)) / (2 * h);
      EXPECT_LT((now.point_velocity(body, point) - rate).norm(), 1e-6 * (1 + rate.norm()));
      const Mat3 turned = (later.pose(body).R - earlier.pose(body).R) / (2 * h) * now.pose(body).R.transpose();
      EXPECT_LT((skew(now.velocity(body).angular) - turned).norm(), 1e-6 * (1 + turned.norm()));
    }
  }
}

TEST(MotionObserver, RefusesWhatIsNotThereAndAllocatesNothing) {
  Random random(4);
  const MovingTree tree(floating_tree(random, 4), random);
  const State state = state_of(tree);
  MotionObserver motion(tree.model, state);
  EXPECT_THROW(motion.pose(4), Error);
  EXPECT_THROW(motion.velocity(-2), Error);
  EXPECT_THROW(motion.frame_pose(0), Error);
  EXPECT_THROW(motion.tree_of(-1), Error);
  const auto before = allocation_count();
  motion.observe(state);
  EXPECT_EQ(allocation_count(), before);
}

/// Bodies are put somewhere and found there: free joints between frames in general position, on the world and on a
/// parent that moves.
TEST(PlaceBody, WhatIsPlacedIsThere) {
  Random random(7);
  for (int trial = 0; trial < 20; ++trial) {
    ModelBuilder builder;
    for (int i = 0; i < 3; ++i) {
      builder.add_body("body" + std::to_string(i), random.inertia());
      Joint joint = random_joint(random, JointType::free);
      joint.parent = i - 1;
      builder.add_joint(i, joint);
    }
    const Model model = builder.build();
    State state = state_at_rest(model);
    for (int i = 0; i < 3; ++i) {
      const Transform X_WB = random.transform(2);
      const Vec3 angular = random.vector(3), linear = random.vector(3);
      set_pose(model, i, X_WB, state);
      set_velocity(model, i, angular, linear, state);
      const MotionObserver motion(model, state);
      EXPECT_LT((motion.pose(i).R - X_WB.R).norm() + (motion.pose(i).p - X_WB.p).norm(), 1e-13);
      EXPECT_LT((motion.velocity(i).angular - angular).norm(), 1e-13);
      EXPECT_LT((motion.velocity(i).linear - linear).norm(), 1e-13);
    }
  }
}

TEST(PlaceBody, WhatCannotBePlacedIsRefused) {
  Random random(8);
  ModelBuilder builder;
  const int arm = builder.add_body("arm", random.inertia());
  builder.add_joint(arm, random_joint(random, JointType::revolute));
  const int ball = builder.add_body("ball", random.inertia());
  const Model model = builder.build();
  State state = state_at_rest(model);
  try {
    set_pose(model, arm, {}, state);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "body 'arm' hangs on a joint of type revolute and can't be placed freely; set the joint's coordinates "
              "(joint_position, joint_velocity)");
  }
  EXPECT_THROW(set_velocity(model, -1, Vec3::Zero(), Vec3::Zero(), state), Error);
  EXPECT_THROW(set_pose(model, ball, {2 * Mat3::Identity(), Vec3::Zero()}, state), Error);
  EXPECT_THROW(set_pose(model, ball, {-Mat3::Identity(), Vec3::Zero()}, state), Error);
}

}  // namespace
}  // namespace carom::motion_observer_test
