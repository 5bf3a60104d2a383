// Points and thin rods: where joints let them move without inertia M is singular, and a sentence says so.

#include "carom/dynamics/singular_mass.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "carom/dynamics/recursions.h"

namespace carom::singular_mass_test {
namespace {

SpatialInertia point(double mass, const Vec3& place = Vec3::Zero()) { return {mass, place, Mat3::Zero()}; }

Joint joint_of(JointType type, int parent, const Vec3& place, const Vec3& axis = Vec3::UnitZ()) {
  Joint joint;
  joint.type = type;
  joint.parent = parent;
  joint.X_PF.p = place;
  joint.X_PF.R = joint.X_BM.R = Quaternion::FromTwoVectors(Vec3::UnitZ(), axis).toRotationMatrix();
  return joint;
}

/// Faults at the model's reference configuration; where there are none, M is positive definite, else it is not.
std::vector<std::string> faults_of(const ModelBuilder& builder) {
  const Model model = builder.build();
  const VectorX q = model.neutral_position();
  const auto faults = singular_mass_faults(model, q);
  DynamicsWorkspace workspace(model);
  forward_kinematics(model, q, workspace);
  MatrixX M;
  mass_matrix(model, workspace, M);
  const auto moments = Eigen::SelfAdjointEigenSolver<MatrixX>(M).eigenvalues().eval();
  EXPECT_EQ(faults.empty(), moments[0] > 1e-9 * moments[moments.size() - 1]) << moments.transpose();
  return faults;
}

TEST(SingularMass, FreePointIsTold) {
  for (const Vec3& place : {Vec3(0, 0, 0), Vec3(0.1, -0.3, 0.7)}) {
    ModelBuilder builder;
    builder.add_body("speck", point(2, place));
    const auto faults = faults_of(builder);
    ASSERT_EQ(faults.size(), 1U);
    EXPECT_NE(faults[0].find("body 'speck' is a point mass"), std::string::npos) << faults[0];
    EXPECT_NE(faults[0].find("free joint"), std::string::npos) << faults[0];
  }
}

TEST(SingularMass, WeldedPointsNeedThreeThatAreNotInLine) {
  for (const int count : {2, 3}) {
    ModelBuilder builder;
    int last = builder.add_body("first", point(1));
    for (int i = 1; i < count; ++i) {
      const int next = builder.add_body("next", point(1));
      builder.add_joint(next, joint_of(JointType::fixed, last, i == 1 ? Vec3::UnitX() : Vec3::UnitY()));
      last = next;
    }
    EXPECT_EQ(faults_of(builder).empty(), count == 3);
  }
}

TEST(SingularMass, HingeWantsThePointOffItsAxis) {
  for (const Vec3& axis : {Vec3(0, 0, 1), Vec3(1, 2, 3).normalized().eval()}) {
    for (const double away : {0.0, 1e-4, 1.0}) {
      ModelBuilder builder;
      const int body = builder.add_body("bob", point(1, 0.3 * axis + away * axis.cross(Vec3::UnitX())));
      builder.add_joint(body, joint_of(JointType::revolute, -1, Vec3(5, 7, 11), axis));
      EXPECT_EQ(singular_mass_faults(builder.build(), VectorX::Zero(1)).empty(), away > 0) << away;
    }
  }
}

TEST(SingularMass, SlidersAndReflectedInertiaAreRegular) {
  ModelBuilder sliders;
  int last = -1;
  for (const Vec3& axis : {Vec3::UnitX().eval(), Vec3::UnitY().eval(), Vec3::UnitZ().eval()}) {
    const int body = sliders.add_body("carriage", point(1));
    sliders.add_joint(body, joint_of(JointType::prismatic, last, Vec3::Zero(), axis));
    last = body;
  }
  EXPECT_TRUE(faults_of(sliders).empty());
  ModelBuilder motor;
  const int rotor = motor.add_body("rotor", point(1));
  Joint joint = joint_of(JointType::revolute, -1, Vec3::Zero());
  joint.reflected_inertia = VectorX::Constant(1, 0.1);
  motor.add_joint(rotor, joint);
  EXPECT_TRUE(faults_of(motor).empty());
}

TEST(SingularMass, ThinRodIsFreeToSpinUnlessItsJointForbids) {
  const SpatialInertia rod{1, Vec3::Zero(), Vec3(1, 1, 0).asDiagonal()};
  for (const JointType type : {JointType::free, JointType::spherical, JointType::revolute, JointType::planar}) {
    ModelBuilder builder;
    const int body = builder.add_body("rod", rod);
    builder.add_joint(body, joint_of(type, -1, Vec3::Zero(), Vec3::UnitX()));
    EXPECT_EQ(faults_of(builder).empty(), type == JointType::revolute || type == JointType::planar);
  }
}

TEST(SingularMass, TwoTreesAreToldApart) {
  ModelBuilder builder;
  builder.add_body("one", point(1));
  builder.add_body("two", point(1));
  builder.add_body("ball", {1, Vec3::Zero(), Mat3::Identity()});
  EXPECT_EQ(faults_of(builder).size(), 2U);
}

}  // namespace
}  // namespace carom::singular_mass_test
