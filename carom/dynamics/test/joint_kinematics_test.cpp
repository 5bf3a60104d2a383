#include "carom/dynamics/joint_kinematics.h"

#include <gtest/gtest.h>

#include <numbers>

#include "carom/dynamics/recursions.h"
#include "carom/error.h"
#include "testing/models/random_tree.h"

namespace carom::joint_kinematics_test {
namespace {

Model one_joint(JointType type, Random& random) {
  TreeOptions options;
  options.bodies = 1;
  options.types = {type};
  return random_tree(random, options);
}

Vec3 center_W(const Model& model, int body, const VectorX& q) {
  DynamicsWorkspace workspace(model);
  forward_kinematics(model, q, workspace);
  return workspace.X_WB[body] * model.bodies()[body].inertia.center;
}

TEST(JointMotion, SubspaceIsTheRateOfThePose) {
  Random random(1);
  for (const JointType type : joint_types) {
    for (int trial = 0; trial < 20; ++trial) {
      const Model model = one_joint(type, random);
      const VectorX q = random_position(model, random), v = random.vector(model.velocity_count(), 1);
      const double e = 1e-5;
      const VectorX rate = position_rate(model, q, v);
      const Joint& joint = model.joints()[0];
      const JointMotion at = joint_motion(joint, q, v);
      const JointMotion next = joint_motion(joint, q + e * rate, v), last = joint_motion(joint, q - e * rate, v);
      const Vec6 V = at.S * v;
      const Mat3 R_rate = (next.X_FM.R - last.X_FM.R) / (2 * e);
      const Vec3 p_rate = (next.X_FM.p - last.X_FM.p) / (2 * e);
      EXPECT_LT((at.X_FM.R.transpose() * R_rate - skew(V.head<3>())).norm(), 1e-8) << joint_name(type);
      EXPECT_LT((at.X_FM.R.transpose() * p_rate - V.tail<3>()).norm(), 1e-8) << joint_name(type);
      const Vec6 S_rate_v = (next.S * v - last.S * v) / (2 * e);
      EXPECT_LT((S_rate_v - at.bias).norm(), 1e-8) << joint_name(type);
    }
  }
}

TEST(Integrate, MovesAtTheVelocityGiven) {
  Random random(2);
  for (int trial = 0; trial < 50; ++trial) {
    const Model model = random_tree(random, {});
    const VectorX q = random_position(model, random), v = random.vector(model.velocity_count(), 1);
    const double e = 1e-5;
    VectorX next, last;
    integrate(model, q, v, e, next);
    integrate(model, q, v, -e, last);
    EXPECT_LT(((next - last) / (2 * e) - position_rate(model, q, v)).norm(), 1e-8);
  }
}

TEST(Integrate, KeepsQuaternionsOfUnitLengthAndWorksInPlace) {
  Random random(3);
  const Model model = random_tree(random, {.bodies = 20});
  VectorX q = random_position(model, random);
  const VectorX v = random.vector(model.velocity_count(), 5);
  for (int step = 0; step < 1000; ++step) {
    VectorX apart;
    integrate(model, q, v, 0.01, apart);
    integrate(model, q, v, 0.01, q);
    ASSERT_EQ(q, apart);
  }
  for (const Joint& joint : model.joints()) {
    if (joint.type != JointType::spherical && joint.type != JointType::free) continue;
    EXPECT_NEAR(q.segment<4>(joint.q_index).norm(), 1, 1e-15);
  }
}

TEST(Integrate, LeavesABodyAtRestWhereItIsToTheBit) {
  Random random(4);
  const Model model = random_tree(random, {.bodies = 20});
  const VectorX q = random_position(model, random);
  VectorX moved;
  integrate(model, q, VectorX::Zero(model.velocity_count()), 0.1, moved);
  EXPECT_EQ(q, moved);
}

TEST(Integrate, AFreeBodyTurnsAboutItsCentreOfMassWhosePathIsStraight) {
  Random random(5);
  for (int trial = 0; trial < 50; ++trial) {
    const Model model = one_joint(JointType::free, random);
    const Joint& joint = model.joints()[0];
    const VectorX q = random_position(model, random), v = random.vector(6, 3);
    DynamicsWorkspace workspace(model);
    forward_kinematics(model, q, workspace);
    forward_velocity(model, q, v, workspace);
    const Vec3 center = center_W(model, 0, q);
    const Vec3 velocity = point_velocity(0, center, workspace);
    const Vec3 spin = joint.X_PF.R * Quaternion(q[0], q[1], q[2], q[3]).toRotationMatrix() * v.head<3>();
    const double h = random.uniform(0.1, 2);  // a long step: the map is exact
    VectorX moved;
    integrate(model, q, v, h, moved);
    EXPECT_LT((center_W(model, 0, moved) - center - h * velocity).norm(), 1e-14 * 10);
    DynamicsWorkspace after(model);
    forward_kinematics(model, moved, after);
    const Mat3 turn = after.X_WB[0].R * workspace.X_WB[0].R.transpose();
    EXPECT_LT((turn - exponential(h * spin).toRotationMatrix()).norm(), 1e-13);
  }
}

TEST(Difference, UndoesIntegrate) {
  Random random(6);
  for (int trial = 0; trial < 100; ++trial) {
    const Model model = random_tree(random, {.bodies = 15});
    const VectorX q = random_position(model, random);
    VectorX v = random.vector(model.velocity_count(), 1);  // rotations of at most √3 < π
    if (trial % 3 == 0) v *= 1e-9;
    VectorX moved, back;
    integrate(model, q, v, 1, moved);
    difference(model, q, moved, back);
    EXPECT_LT((back - v).cwiseAbs().maxCoeff(), 1e-14 * 20);
  }
}

TEST(Difference, IsUndoneByIntegrateForAnyTwoPositions) {
  Random random(7);
  for (int trial = 0; trial < 100; ++trial) {
    const Model model = random_tree(random, {.bodies = 15});
    const VectorX from = random_position(model, random), to = random_position(model, random);
    VectorX v, reached;
    difference(model, from, to, v);
    integrate(model, from, v, 1, reached);
    DynamicsWorkspace a(model), b(model);
    forward_kinematics(model, to, a);
    forward_kinematics(model, reached, b);
    for (int i = 0; i < model.body_count(); ++i) {
      EXPECT_LT((a.X_WB[i].R - b.X_WB[i].R).norm(), 1e-12);
      EXPECT_LT((a.X_WB[i].p - b.X_WB[i].p).norm(), 1e-12 * 10);
    }
  }
}

TEST(Difference, TurnsTheShorterWayWhateverTheSignOfTheQuaternions) {
  Random random(8);
  const Model model = one_joint(JointType::spherical, random);
  const VectorX q = random_position(model, random);
  const Vec3 turn = Vec3(1, 2, -2) / 3 * (std::numbers::pi - 1e-3);
  VectorX moved, v;
  integrate(model, q, turn, 1, moved);
  difference(model, q, -moved, v);
  EXPECT_LT((v - turn).norm(), 1e-12);
}

TEST(TransportVelocity, KeepsWorldMomentumOfFreeFlight) {
  Random random(9);
  for (int trial = 0; trial < 50; ++trial) {
    const Model model = one_joint(JointType::free, random);
    VectorX q = random_position(model, random), v = random.vector(6, 3), moved;
    const auto center_velocity = [&] {
      DynamicsWorkspace workspace(model);
      forward_kinematics(model, q, workspace);
      forward_velocity(model, q, v, workspace);
      return point_velocity(0, workspace.X_WB[0] * model.bodies()[0].inertia.center, workspace);
    };
    const Vec3 initial = center_velocity();
    const Vec3 spin = v.head<3>();
    for (int step = 0; step < 100; ++step) {
      integrate(model, q, v, 0.05, moved);
      transport_velocity(model, q, moved, v, v);
      q = moved;
    }
    EXPECT_LT((center_velocity() - initial).norm(), 1e-13);
    // Turning about the axis of the angular velocity, the body sees it unchanged.
    EXPECT_LT((v.head<3>() - spin).norm(), 1e-13);
  }
}

TEST(TransportVelocity, ThereAndBackIsTheIdentity) {
  Random random(10);
  for (int trial = 0; trial < 50; ++trial) {
    const Model model = random_tree(random, {.bodies = 15});
    const VectorX from = random_position(model, random), to = random_position(model, random);
    const VectorX v = random.vector(model.velocity_count(), 1);
    VectorX there, back;
    transport_velocity(model, from, to, v, there);
    transport_velocity(model, to, from, there, back);
    EXPECT_LT((back - v).cwiseAbs().maxCoeff(), 1e-14);
  }
}

TEST(Normalize, MakesUnitQuaternionsAndLeavesTheRest) {
  Random random(11);
  const Model model = random_tree(random, {.bodies = 20});
  const VectorX q = random_position(model, random);
  VectorX scaled = q;
  for (const Joint& joint : model.joints()) {
    const bool turns = joint.type == JointType::spherical || joint.type == JointType::free;
    if (turns) scaled.segment<4>(joint.q_index) *= random.uniform(0.1, 10);
  }
  normalize(model, scaled);
  EXPECT_LT((scaled - q).cwiseAbs().maxCoeff(), 1e-15);
}

TEST(Normalize, RefusesAQuaternionThatIsNoRotation) {
  ModelBuilder builder;
  const int ball = builder.add_body("ball", {1, Vec3::Zero(), Mat3::Identity()});
  const Model free = builder.build();
  VectorX q = VectorX::Zero(7);
  const auto sentence = [&](const Model& model) -> std::string {
    try {
      normalize(model, q);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const std::string rest = " has a quaternion that stands for no rotation; it needs four finite numbers, not all zero.";
  EXPECT_EQ(sentence(free), "The free joint of body \"ball\"" + rest);
  Joint joint;
  joint.name = "socket";
  joint.type = JointType::spherical;
  builder.add_joint(ball, joint);
  q.resize(4);
  q << 1, std::numeric_limits<double>::quiet_NaN(), 0, 0;
  EXPECT_EQ(sentence(builder.build()), "Joint \"socket\"" + rest);
}

}  // namespace
}  // namespace carom::joint_kinematics_test
