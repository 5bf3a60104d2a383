#include "carom/dynamics/frame_jacobian.h"

#include <gtest/gtest.h>

#include "automatic_differentiation.h"
#include "carom/dynamics/test/moving_tree.h"
#include "testing/allocation_count.h"

namespace carom::frame_jacobian_test {
namespace {

TEST(FrameJacobian, AndItsRateEqualAutomaticDifferentiationOfTheReference) {
  Random random(80);
  for (MovingTree& tree : trees_of_all_joint_types(80)) {
    const Model& model = tree.model;
    const int n = model.velocity_count();
    const DualVector v = tree.v.cast<Dual>(), zero = VectorX::Zero(n).cast<Dual>();
    const reference::Tree<Dual> moving(model, tree.q, moving_along(tree.v), v, zero);
    MatrixX J(6, n), J_dot(6, n);
    for (int i = 0; i < model.body_count(); ++i) {
      const Vec3 point_B = random.vector(1), point_W = tree.workspace.X_WB[i] * point_B;
      const DualMatrix reference = reference::frame_jacobian(model, moving, i, point_B);
      frame_jacobian(model, i, point_W, tree.workspace, J);
      frame_jacobian_rate(model, i, point_W, tree.v, tree.workspace, J_dot);
      EXPECT_LT(largest(J - value_of(reference)), 1e-13 * (1 + largest(J)));
      EXPECT_LT(largest(J_dot - rate_of(reference)), 1e-12 * (1 + largest(J_dot)));
    }
  }
}

/// Poses as functions of time, differentiated twice, with accelerations of the joints.
TEST(FrameJacobian, GivesTheAccelerationOfThePoint) {
  Random random(81);
  for (MovingTree& tree : trees_of_all_joint_types(81)) {
    const Model& model = tree.model;
    const int n = model.velocity_count();
    const VectorX vdot = random.vector(n, 1);
    const reference::Tree<double> reference(model, tree.q, VectorX::Zero(n), tree.v, vdot);
    MatrixX J(6, n);
    for (int i = 0; i < model.body_count(); ++i) {
      const Vec3 point_B = random.vector(1), point_W = tree.workspace.X_WB[i] * point_B;
      frame_jacobian(model, i, point_W, tree.workspace, J);
      const Vec6 acceleration = J * vdot + frame_bias_acceleration(model, i, point_W, tree.workspace);
      const Eigen::Vector4d point(point_B.x(), point_B.y(), point_B.z(), 1);
      const Vec3 expected = (reference.pose(i).second * point).head<3>();
      EXPECT_LT((acceleration.tail<3>() - expected).norm(), 1e-12 * (1 + expected.norm()));
      // R̈ Rᵀ = [ω̇] + [ω]², of which the first alone is skew.
      const Mat3 second = reference.pose(i).second.topLeftCorner<3, 3>() * tree.workspace.X_WB[i].R.transpose();
      const Mat3 turn = 0.5 * (second - second.transpose());
      EXPECT_LT((skew(acceleration.head<3>()) - turn).norm(), 1e-12 * (1 + turn.norm()));
    }
  }
}

TEST(FrameJacobian, TimesTheVelocityIsTheMotionAndItsRateTheBias) {
  Random random(82);
  for (MovingTree& tree : trees_of_all_joint_types(82)) {
    const Model& model = tree.model;
    if (model.velocity_count() == 0) continue;
    MatrixX J(6, model.velocity_count()), J_dot = J;
    for (int i = 0; i < model.body_count(); ++i) {
      const Vec3 point_W = tree.workspace.X_WB[i] * random.vector(1);
      frame_jacobian(model, i, point_W, tree.workspace, J);
      frame_jacobian_rate(model, i, point_W, tree.v, tree.workspace, J_dot);
      const Vec6 motion = J * tree.v, bias = J_dot * tree.v;
      const Vec3 turn = tree.workspace.X_WB[i].R * tree.workspace.V[i].head<3>();
      EXPECT_LT((motion.head<3>() - turn).norm(), 1e-13 * (1 + turn.norm()));
      EXPECT_LT((motion.tail<3>() - point_velocity(i, point_W, tree.workspace)).norm(), 1e-13 * (1 + motion.norm()));
      EXPECT_LT((bias - frame_bias_acceleration(model, i, point_W, tree.workspace)).norm(), 1e-12 * (1 + bias.norm()));
    }
  }
}

TEST(FrameJacobian, OfAPointOnASpinningDiscPointsInwards) {
  ModelBuilder builder;
  builder.add_body("disc", {1, Vec3::Zero(), Mat3::Identity()});
  Joint joint;
  joint.type = JointType::revolute;
  builder.add_joint(0, joint);
  const Model model = builder.build();
  DynamicsWorkspace workspace(model);
  const VectorX v = VectorX::Constant(1, 3);
  forward_kinematics(model, VectorX::Zero(1), workspace);
  forward_velocity(model, VectorX::Zero(1), v, workspace);
  MatrixX J_dot(6, 1);
  frame_jacobian_rate(model, 0, Vec3(2, 0, 0), v, workspace, J_dot);
  EXPECT_EQ(frame_bias_acceleration(model, 0, Vec3(2, 0, 0), workspace), (Vec6() << 0, 0, 0, -18, 0, 0).finished());
  EXPECT_EQ(Vec6(J_dot.col(0)), (Vec6() << 0, 0, 0, -6, 0, 0).finished());
}

TEST(FrameJacobian, OfTheWorldIsZeroAndOfAModelWithoutCoordinatesEmpty) {
  Random random(83);
  MovingTree tree(random, TreeOptions());
  MatrixX J = MatrixX::Ones(6, tree.model.velocity_count()), J_dot = J;
  frame_jacobian(tree.model, -1, Vec3(1, 2, 3), tree.workspace, J);
  frame_jacobian_rate(tree.model, -1, Vec3(1, 2, 3), tree.v, tree.workspace, J_dot);
  EXPECT_EQ(largest(J), 0);
  EXPECT_EQ(largest(J_dot), 0);
  EXPECT_EQ(frame_bias_acceleration(tree.model, -1, Vec3(1, 2, 3), tree.workspace), Vec6::Zero());

  TreeOptions welded;
  welded.types = {JointType::fixed};
  MovingTree still(random, welded);
  MatrixX empty(6, 0);
  frame_jacobian(still.model, 3, Vec3(1, 2, 3), still.workspace, empty);
  frame_jacobian_rate(still.model, 3, Vec3(1, 2, 3), still.v, still.workspace, empty);
  EXPECT_EQ(frame_bias_acceleration(still.model, 3, Vec3(1, 2, 3), still.workspace), Vec6::Zero());
}

TEST(FrameJacobian, AllocatesNothing) {
  Random random(84);
  TreeOptions options;
  options.bodies = 20;
  MovingTree tree(random, options);
  MatrixX J(6, tree.model.velocity_count());
  Vec6 bias = Vec6::Zero();
  const long before = allocation_count();
  frame_jacobian(tree.model, 19, Vec3(1, 2, 3), tree.workspace, J);
  frame_jacobian_rate(tree.model, 19, Vec3(1, 2, 3), tree.v, tree.workspace, J);
  bias += frame_bias_acceleration(tree.model, 19, Vec3(1, 2, 3), tree.workspace);
  EXPECT_EQ(allocation_count() - before, 0);
  EXPECT_GT(bias.norm(), 0);
}

}  // namespace
}  // namespace carom::frame_jacobian_test
