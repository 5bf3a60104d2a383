#include <gtest/gtest.h>

#include "carom/model/state.h"
#include "carom/stepper/test/mechanisms.h"

namespace carom::flat_feet_test {
namespace {

/// A trunk on four flat feet, each on a hinge that rubs and that a servo holds: sixteen contacts, and eight bounded
/// rows which can share a load with them in many ways.
test::SceneMaker robot() {
  constexpr double height = 0.3, thick = 0.03;
  test::SceneMaker scene(0);
  scene.builder = ModelBuilder();
  scene.builder.set_gravity({0, 0, -9.81});
  scene.material = scene.builder.add_material({"rubber", Vec2(0.7, 0.7), 0.0});
  scene.add_static(HalfSpace{});
  const int trunk = scene.builder.add_body("trunk", {8, Vec3(0.02, 0.01, 0), 0.1 * Mat3::Identity()});
  for (const double x : {-0.2, 0.2}) {
    for (const double y : {-0.15, 0.15}) {
      const std::string name = "foot" + std::to_string(scene.count++);
      const int foot = scene.builder.add_body(name, {0.3, Vec3::Zero(), 1e-4 * Mat3::Identity()});
      Joint ankle;
      ankle.type = JointType::revolute;
      ankle.parent = trunk;
      ankle.X_PF = {contact_frame(Vec3::UnitY()), Vec3(x, y, 0.5 * thick - height)};
      ankle.X_BM.R = contact_frame(Vec3::UnitY());
      ankle.friction = VectorX::Constant(1, 0.1);
      scene.builder.add_joint(foot, ankle);
      Drive servo{name, DriveKind::servo, foot, 0, {}};
      servo.stiffness = 50;
      servo.damping = 2;
      servo.limit = 30;
      scene.builder.add_drive(servo);
      scene.builder.add_collider({name, foot, Box{Vec3(0.035, 0.025, 0.5 * thick)}, Transform(), scene.material});
    }
  }
  scene.q.setZero(11);
  scene.q[0] = 1;
  scene.q[6] = height;
  scene.v.setZero(10);
  return scene;
}

Method method_of(FrictionCone cone) {
  Method method;
  method.cone = cone;
  method.step = 1e-3;
  return method;
}

/// Iterations of 100 steps, after 300 in which the robot has come to rest. `forget`: the impulses of rows that are not
/// contacts.
long iterations_at_rest(FrictionCone cone, bool forget) {
  const test::SceneMaker scene = robot();
  const Method method = method_of(cone);
  Simulation settled = scene.simulation(method);
  for (int i = 0; i < 300; ++i) settled.step();
  State state = settled.state();
  long iterations = 0;
  for (int i = 0; i < 100; ++i) {
    if (forget) state.standing.resize(0);
    Simulation simulation(scene.model(), method, state);
    const StepReport& report = simulation.step();
    EXPECT_EQ(report.status, SolveStatus::solved);
    EXPECT_EQ(report.contacts.size(), 16u);
    iterations += report.iterations;
    state = simulation.state();
  }
  return iterations;
}

TEST(FlatFeet, NeedHardlyAnIterationAtRest) {
  for (const FrictionCone cone : {FrictionCone::exact, FrictionCone::polyhedral}) {
    const long known = iterations_at_rest(cone, false), forgotten = iterations_at_rest(cone, true);
    EXPECT_LE(known, 100) << cone_name(cone);
    EXPECT_GE(forgotten, 5 * known + 100) << cone_name(cone);
  }
}

TEST(FlatFeet, StandOnTheSameLoadsForAsLongAsNothingMoves) {
  for (const FrictionCone cone : {FrictionCone::exact, FrictionCone::polyhedral}) {
    Simulation simulation = robot().simulation(method_of(cone));
    for (int i = 0; i < 1000; ++i) simulation.step();
    const State before = simulation.state();
    for (int i = 0; i < 100; ++i) simulation.step();
    const State& after = simulation.state();
    EXPECT_LT((after.q - before.q).norm(), 1e-9) << cone_name(cone);
    ASSERT_EQ(after.contacts.size(), before.contacts.size());
    double largest = 0, changed = 0;
    for (std::size_t i = 0; i < after.contacts.size(); ++i) {
      largest = std::max(largest, after.contacts[i].impulse.norm());
      changed = std::max(changed, (after.contacts[i].impulse - before.contacts[i].impulse).norm());
    }
    EXPECT_LT(changed, 1e-6 * largest) << cone_name(cone);
  }
}

TEST(FlatFeet, AResumedRunHasTheSameBits) {
  const test::SceneMaker scene = robot();
  const Method method = method_of(FrictionCone::exact);
  Simulation whole = scene.simulation(method);
  for (int i = 0; i < 50; ++i) whole.step();
  ASSERT_FALSE(whole.state().standing.isZero(0));
  ASSERT_EQ(whole.state().standing.size(), standing_row_count(whole.model()));
  Simulation rest(scene.model(), method, whole.state());
  for (int i = 0; i < 50; ++i) {
    whole.step();
    rest.step();
    ASSERT_TRUE(identical(whole.state(), rest.state())) << i;
  }
}

}  // namespace
}  // namespace carom::flat_feet_test
