#include "carom/stepper/overlap_projection.h"

#include <gtest/gtest.h>

#include "carom/dynamics/recursions.h"
#include "carom/stepper/test/experiment.h"
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

/// A trunk whose leg and foot turn about nearly parallel axes. All three overlap by centimetres along those axes, where
/// the joints hardly let them part. Beside it lie boxes deep in one another, as the last bodies.
test::SceneMaker jammed_leg_and_stack(int boxes) {
  test::SceneMaker scene(0.8);
  scene.add_static(HalfSpace{});
  const int trunk = scene.add(Box{Vec3(0.3, 0.15, 0.05)}, 30, Vec3(0, 0, 0.6));
  int parent = trunk;
  const auto hang = [&](const std::string& name, const Box& box, const Vec3& center, const Vec3& axis, const Vec3& at) {
    const int body = scene.builder.add_body(name, {2, center, test::solid(box, 2).central});
    scene.builder.add_collider({name, body, box, {Mat3::Identity(), center}, scene.material});
    Joint joint;
    joint.type = JointType::revolute;
    joint.X_BM.R = joint.X_PF.R = contact_frame(axis.normalized());
    joint.parent = parent;
    joint.X_PF.p = at;
    scene.builder.add_joint(body, joint);
    parent = body;
    return body;
  };
  scene.builder.collide_with_parent(
      hang("leg", Box{Vec3(0.025, 0.025, 0.25)}, Vec3::Zero(), Vec3(1, 0.002, 0), Vec3(0.2, 0.15, -0.2)));
  hang("foot", Box{Vec3(0.1, 0.0501, 0.05)}, Vec3(0, 0, 0.01), Vec3(1, 0, 0.001), Vec3(0, 0, 0.12));
  scene.q.conservativeResize(scene.q.size() + 2);
  scene.q.tail<2>().setZero();
  scene.v.conservativeResize(scene.v.size() + 2);
  scene.v.tail<2>().setZero();
  for (int i = 0; i < boxes; ++i) scene.add(Box{Vec3::Constant(0.1)}, 1, Vec3(3, 0, 0.08 + 0.18 * i));
  return scene;
}

TEST(OverlapProjection, ThrowsNoMechanismThatItsJointsHold) {
  constexpr int boxes = 20;
  const test::SceneMaker scene = jammed_leg_and_stack(boxes);
  const auto model = scene.model();
  VectorX q = scene.q;
  DynamicsWorkspace workspace(*model);
  MassOperator mass(*model, DynamicsKind::articulated);
  ContactFinder finder(*model);
  OverlapProjection projection(*model);
  EXPECT_TRUE(projection.apply(*model, 0, q, workspace, mass, finder));
  EXPECT_LE((workspace.X_WB[0].p - Vec3(0, 0, 0.6)).norm(), 0.1);
  // The stack is parted whole, each box on the one below.
  for (int i = 0; i < boxes; ++i) {
    EXPECT_NEAR(workspace.X_WB[static_cast<std::size_t>(3 + i)].p.z(), 0.1 + 0.2 * i, 1e-8) << i;
  }
}

class JammedLeg : public ::testing::TestWithParam<std::tuple<StepperKind, double>> {};

TEST_P(JammedLeg, StaysWhereItIs) {
  const auto [stepper, step] = GetParam();
  const test::SceneMaker scene = jammed_leg_and_stack(0);
  const Method method = test::with_step(step, stepper);
  Simulation simulation = scene.simulation(method);
  double made = 0;
  while (simulation.state().time < 0.05) {
    made += std::max(0.0, simulation.step().energy.projection);
    // Gravity takes it down by a centimetre in this time.
    ASSERT_LE(std::abs(test::position(simulation, 0).z() - 0.6), 0.15) << simulation.state().time;
  }
  EXPECT_LE(made, 0.15 * 34 * 9.81);
}

INSTANTIATE_TEST_SUITE_P(Steppers, JammedLeg,
                         ::testing::Combine(::testing::Values(StepperKind::stewart_trinkle, StepperKind::anitescu_potra,
                                                              StepperKind::stewart_trinkle_nonlinear,
                                                              StepperKind::hybrid_dca),
                                            ::testing::Values(1e-2, 1e-3, 1e-4)));

}  // namespace
}  // namespace carom::overlap_projection_test
