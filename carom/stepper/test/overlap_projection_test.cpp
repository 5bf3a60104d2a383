#include "carom/stepper/overlap_projection.h"

#include <gtest/gtest.h>

#include "carom/dynamics/recursions.h"
#include "carom/stepper/test/mechanisms.h"

namespace carom::overlap_projection_test {
namespace {

/// A ball of 10 g welded under a free trunk of 150 kg, 1 cm deep in a floor.
Model trunk_and_ball() {
  ModelBuilder builder;
  const int material = builder.add_material({"surface", Vec2::Zero(), 0.0});
  const int trunk = builder.add_body("trunk", {150, Vec3::Zero(), Mat3::Identity()});
  const int ball = builder.add_body("ball", {0.01, Vec3::Zero(), 1e-5 * Mat3::Identity()});
  Joint weld;
  weld.type = JointType::fixed;
  weld.parent = trunk;
  weld.X_PF.p = Vec3(0, 0, -0.5);
  builder.add_joint(ball, weld);
  builder.add_collider({"ball", ball, Sphere{0.1}, {}, material});
  builder.add_collider({"floor", -1, HalfSpace{}, {Mat3::Identity(), Vec3(0, 0, -0.59)}, material});
  return builder.build();
}

/// Mobilities are compared with that of all that is welded together, not of the ball alone.
TEST(OverlapProjection, CountsWhatIsWeldedTogether) {
  const Model model = trunk_and_ball();
  VectorX q = VectorX::Zero(7);
  q[0] = 1;
  DynamicsWorkspace workspace(model);
  forward_kinematics(model, q, workspace);
  ContactFinder finder(model);
  const std::vector<Contact> contacts = finder.find(model, q, workspace.X_WB, 0);
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_TRUE(can_be_parted(model, contacts[0], 1 / 150.01));
  EXPECT_TRUE(can_be_parted(model, contacts[0], 2e-4 / 150.01));
  EXPECT_FALSE(can_be_parted(model, contacts[0], 0.5e-4 / 150.01));
}

TEST(OverlapProjection, LiftsABodyByItsDepth) {
  const Model model = trunk_and_ball();
  VectorX q = VectorX::Zero(7);
  q[0] = 1;
  DynamicsWorkspace workspace(model);
  MassOperator mass(model, DynamicsKind::articulated);
  ContactFinder finder(model);
  OverlapProjection projection(model);
  EXPECT_TRUE(projection.apply(model, 0, q, workspace, mass, finder));
  EXPECT_NEAR(q[6], 0.01, 1e-10);
  EXPECT_FALSE(projection.apply(model, 0, q, workspace, mass, finder));
}

}  // namespace
}  // namespace carom::overlap_projection_test
