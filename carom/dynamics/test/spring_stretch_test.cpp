#include "carom/dynamics/spring_stretch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/dynamics/recursions.h"
#include "carom/spatial/rotation.h"

namespace carom::spring_stretch_test {
namespace {

VectorX pose(const Vec3& turn, const Vec3& place, double scale = 1) {
  const Quaternion R = exponential(turn);
  VectorX q(7);
  q << scale * R.w(), scale * R.x(), scale * R.y(), scale * R.z(), place;
  return q;
}

Joint joint_of(JointType type, const VectorX& rest) {
  Joint joint;
  joint.name = "joint";
  joint.type = type;
  joint.rest = rest;
  return joint;
}

VectorX rest_of(const Vec3& turn, const Vec3& place) {
  VectorX rest(6);
  rest << turn, place;
  return rest;
}

TEST(SpringStretch, IsTheWayFromRestOfAScalarCoordinate) {
  Joint joint = joint_of(JointType::revolute, VectorX::Constant(1, 0.3));
  EXPECT_DOUBLE_EQ(spring_stretch(joint, VectorX::Constant(1, 5.0))[0], 4.7);
}

TEST(SpringStretch, IsTheShortestTurnFromRestWhateverTheQuaternionsLengthAndSign) {
  const Vec3 rest(0.4, -2.9, 0.5), turn(0.3, 1.1, -0.2);
  const Joint joint = joint_of(JointType::spherical, rest);
  const Quaternion R = exponential(rest) * exponential(turn);
  for (const double scale : {1.0, -1.0, 1.001, -7.0}) {
    const VectorX q = scale * Eigen::Vector4d(R.w(), R.x(), R.y(), R.z());
    EXPECT_LT((spring_stretch(joint, q) - turn).norm(), 1e-14) << scale;
  }
  const Vec3 far = (std::numbers::pi + 0.1) * Vec3::UnitX();
  const Quaternion beyond = exponential(rest) * exponential(far);
  const VectorX stretch = spring_stretch(joint, Eigen::Vector4d(beyond.w(), beyond.x(), beyond.y(), beyond.z()));
  EXPECT_NEAR(stretch[0], 0.1 - std::numbers::pi, 1e-12);
}

TEST(SpringStretch, OfADisplacementIsInTheAxesOfTheBody) {
  const Joint joint = joint_of(JointType::free, rest_of(Vec3::Zero(), {1, 2, 3}));
  const Vec3 quarter = 0.5 * std::numbers::pi * Vec3::UnitZ();
  const VectorX stretch = spring_stretch(joint, pose(quarter, {1.5, 2, 3}));
  EXPECT_LT((stretch.tail<3>() - Vec3(0, -0.5, 0)).norm(), 1e-15);
}

/// The force is the slope of the energy along any velocity.
TEST(SpringStretch, AndStiffnessMakeTheSlopeOfTheEnergy) {
  for (const JointType type : {JointType::spherical, JointType::free}) {
    const int size = type == JointType::free ? 6 : 3;
    Joint joint = joint_of(type, rest_of({0.4, -2.9, 0.5}, {1, -2, 0.3}).head(size));
    joint.stiffness = VectorX::Constant(size, 7);
    if (size == 6) joint.stiffness.tail<3>().setConstant(40);
    ModelBuilder builder;
    builder.set_gravity(Vec3::Zero());
    builder.add_joint(builder.add_body("body", {2, Vec3::Zero(), 0.1 * Mat3::Identity()}), joint);
    const Model model = builder.build();
    DynamicsWorkspace at(model);
    const VectorX q = pose({0.9, -1, 0.2}, {0.1, 0.5, -0.7}).head(size + 1);
    const auto energy = [&](const VectorX& v) {
      VectorX moved = q;
      const Quaternion R = Quaternion(q[0], q[1], q[2], q[3]) * exponential(v.head<3>());
      moved.head<4>() << R.w(), R.x(), R.y(), R.z();
      if (size == 6) moved.tail<3>() += Quaternion(q[0], q[1], q[2], q[3]) * Vec3(v.tail<3>());
      forward_kinematics(model, moved, at);
      return potential_energy(model, moved, at);
    };
    VectorX force;
    spring_force(model, q, force);
    for (int k = 0; k < size; ++k) {
      const VectorX step = 1e-5 * VectorX::Unit(size, k);
      EXPECT_NEAR(force[k], -(energy(step) - energy(-step)) / 2e-5, 1e-7) << k;
    }
  }
}

}  // namespace
}  // namespace carom::spring_stretch_test
