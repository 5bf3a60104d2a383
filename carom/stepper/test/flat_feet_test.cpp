#include <gtest/gtest.h>

#include <algorithm>

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

/// Iterations of 200 steps at rest, and the largest change of a contact's load between two of them, of the largest
/// load. `cold`: each begins from no impulses at all.
struct Rest {
  int iterations = 0, most = 0;
  double shift = 0;
};
Rest rest_of(const Method& method, bool cold) {
  const test::SceneMaker scene = robot();
  Simulation settled = scene.simulation(method);
  for (int i = 0; i < 300; ++i) settled.step();
  State state = settled.state();
  Rest rest;
  VectorX loads, before;
  for (int i = 0; i < 200; ++i) {
    if (cold) {
      state.standing.resize(0);
      for (ContactMemory& memory : state.contacts) memory.impulse.setZero();
    }
    Simulation simulation(scene.model(), method, state);
    const StepReport& report = simulation.step();
    EXPECT_EQ(report.status, SolveStatus::solved);
    EXPECT_TRUE(borne_out(report));
    EXPECT_EQ(report.contacts.size(), 16u);
    rest.iterations += report.iterations;
    rest.most = std::max(rest.most, report.iterations);
    before = loads;
    loads.resize(static_cast<Eigen::Index>(report.contacts.size()));
    for (std::size_t c = 0; c < report.contacts.size(); ++c) {
      loads[static_cast<Eigen::Index>(c)] = report.contacts[c].impulse[2];
    }
    if (before.size() == loads.size()) {
      rest.shift = std::max(rest.shift, (loads - before).cwiseAbs().maxCoeff() / loads.maxCoeff());
    }
    state = simulation.state();
  }
  return rest;
}

/// A sensor in a foot of a robot that stands still reads the same in every step.
TEST(FlatFeet, TakeFewIterationsAtRestAndKeepTheirLoads) {
  for (const FrictionCone cone : {FrictionCone::exact, FrictionCone::polyhedral}) {
    for (const double step : {1e-4, 1e-3, 5e-3}) {
      Method method = method_of(cone);
      method.step = step;
      const Rest warm = rest_of(method, false);
      EXPECT_LE(warm.iterations, 200 * 3) << cone_name(cone) << " " << step;
      EXPECT_LE(warm.most, 50) << cone_name(cone) << " " << step;
      EXPECT_LE(warm.shift, 0.02) << cone_name(cone) << " " << step;
      EXPECT_GT(rest_of(method, true).iterations, 200 * 4) << cone_name(cone) << " " << step;
    }
  }
}

TEST(FlatFeet, BearTheWeightAndStandStill) {
  constexpr double weight = (8 + 4 * 0.3) * 9.81;
  for (const FrictionCone cone : {FrictionCone::exact, FrictionCone::polyhedral}) {
    const Method method = method_of(cone);
    Simulation simulation = robot().simulation(method);
    for (int i = 0; i < 1000; ++i) simulation.step();
    const VectorX before = simulation.state().q;
    for (int i = 0; i < 200; ++i) {
      double load = 0;
      for (const ContactReport& contact : simulation.step().contacts) load += contact.impulse[2];
      ASSERT_NEAR(load, method.step * weight, 1e-7 * method.step * weight) << cone_name(cone);
    }
    EXPECT_LT((simulation.state().q - before).norm(), 1e-9) << cone_name(cone);
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

TEST(FlatFeet, BeginAfreshFromAnotherMethodsStateAndAnotherModels) {
  const test::SceneMaker scene = robot();
  const Method method = method_of(FrictionCone::exact);
  Simulation whole = scene.simulation(method);
  for (int i = 0; i < 50; ++i) whole.step();
  Method other = method;
  other.stepper = StepperKind::event_driven;
  other.law = LawKind::plastic;
  Simulation changed(scene.model(), other, whole.state());
  changed.step();
  EXPECT_EQ(changed.state().standing.size(), 0);
  State of_another = whole.state();
  of_another.standing.conservativeResize(3);
  Simulation taken(scene.model(), method, of_another);
  EXPECT_EQ(taken.state().standing.size(), 0);
  EXPECT_EQ(taken.step().status, SolveStatus::solved);
}

}  // namespace
}  // namespace carom::flat_feet_test
