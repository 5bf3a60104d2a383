// Shapes that overlap and joints beyond their limit when a run begins. Every stepper of rigid contact but variational
// moves them apart without giving velocity, whatever the step. The papers' rule, which gives velocity, has a name of
// its own.

#include <gtest/gtest.h>

#include <cmath>

#include "carom/stepper/test/experiment.h"
#include "carom/stepper/test/mechanisms.h"

namespace carom::overlap_test {
namespace {

constexpr double g = 9.81;

std::vector<StepperKind> rigid_steppers() {
  std::vector<StepperKind> kinds = all_steppers();
  std::erase(kinds, StepperKind::compliant);
  return kinds;
}

Method method_of(StepperKind stepper, double step) {
  Method method = test::with_step(step, stepper);
  if (has_impacts(method)) method.law = LawKind::plastic;
  return method;
}

double kinetic(const Simulation& simulation) {
  State still = simulation.state();
  still.v.setZero();
  return test::energy(simulation.model(), simulation.state()) - test::energy(simulation.model(), still);
}

class Overlap : public testing::TestWithParam<StepperKind> {
 protected:
  /// The discrete action has no place for a move without velocity: an overlap stays as it is.
  static bool keeps_overlap() { return GetParam() == StepperKind::variational; }
};

/// One box on the floor, another 0.2 m deep in it from above. They come apart. Whatever the step, they end with the
/// velocity of a fall in that time, not with what pushing gives.
TEST_P(Overlap, DeepBoxesComeApartWithoutVelocity) {
  constexpr double size = 0.5, depth = 0.2, mass = 2;
  std::vector<double> ends;
  for (const double step : {1e-2, 1e-3, 1e-4, 1e-5}) {
    test::SceneMaker scene(0.3);
    scene.add_static(HalfSpace{});
    scene.add(Box{Vec3::Constant(size / 2)}, mass, Vec3(0, 0, size / 2));
    scene.add(Box{Vec3::Constant(size / 2)}, mass, Vec3(0, 0, 1.5 * size - depth));
    Simulation simulation = scene.simulation(method_of(GetParam(), step));
    const double before = test::energy(simulation.model(), simulation.state());
    for (int i = 0; i < 3; ++i) EXPECT_EQ(simulation.step().status, SolveStatus::solved) << step;
    const double gap = test::position(simulation, 1).z() - test::position(simulation, 0).z() - size;
    EXPECT_NEAR(gap, keeps_overlap() ? -depth : 0, 1e-3 * depth) << step;
    EXPECT_LT(kinetic(simulation), 1e-2 * mass * g * depth) << step;
    ends.push_back(test::energy(simulation.model(), simulation.state()) - before);
    EXPECT_LT(ends.back(), 1.001 * mass * g * depth) << step;
    EXPECT_NEAR(ends.back(), ends.front(), 0.1 * mass * g * depth) << step;
  }
}

/// Nothing but an overlap, in a world without gravity: momentum and rest are kept, and the lighter box gives way more.
TEST_P(Overlap, WithoutGravityNothingMovesAfterwards) {
  test::SceneMaker scene(0.3, 0.0, Vec3::Zero());
  scene.add(Box{Vec3(0.1, 0.2, 0.1)}, 1, Vec3(0, 0, 0));
  scene.add(Box{Vec3(0.1, 0.2, 0.1)}, 3, Vec3(0.01, 0.02, 0.16));
  Simulation simulation = scene.simulation(method_of(GetParam(), 1e-3));
  const Vec3 center = (test::position(simulation, 0) + 3 * test::position(simulation, 1)) / 4;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(simulation.step().status, SolveStatus::solved);
  EXPECT_LT(simulation.state().v.norm(), 1e-9);
  EXPECT_LT(((test::position(simulation, 0) + 3 * test::position(simulation, 1)) / 4 - center).norm(), 1e-9);
  EXPECT_LE(simulation.certificate().energy.push_out, 1e-12);
}

/// All rigid steppers but those implicit in the geometry, whose steps end without overlap or are not solved.
class HeldOverlap : public testing::TestWithParam<StepperKind> {};

/// A block's shape overlaps a wall that its slide runs along, but for an angle of a thousandth. The joint cannot take
/// it out, and is not torn along.
TEST_P(HeldOverlap, WhatTheJointsHoldStays) {
  ModelBuilder builder;
  builder.set_gravity(Vec3(0, 0, -g));
  const int material = builder.add_material({"surface", Vec2::Zero(), 0.0});
  const int block = builder.add_body("block", test::box(2, 0.1));
  builder.add_joint(block, test::coordinate_joint(JointType::prismatic, Vec3(1, 0, 1e-3).normalized()));
  builder.collide_with_parent(block);
  builder.add_collider({"block", block, Box{Vec3::Constant(0.05)}, {}, material});
  Transform X_WS;
  X_WS.p = Vec3(0, 0, -0.0996);
  builder.add_collider({"wall", -1, Box{Vec3(1, 1, 0.05)}, X_WS, material});
  test::Experiment slide(builder.build(), method_of(GetParam(), 1e-3), test::one(0), test::one(0));
  for (int i = 0; i < 100; ++i) slide.simulation.step();
  EXPECT_GT(slide.simulation.certificate().penetration, 1e-4);  // the overlap is there, and stays
  EXPECT_LT(std::abs(slide.v()), 1e-2);
  EXPECT_LT(std::abs(slide.q()), 1e-2);
}

/// The same of a level slide over a floor that leans by a little: gravity neither opens nor closes the contact.
TEST_P(HeldOverlap, WhatALevelSlideHoldsStays) {
  for (const double lean : {1e-3, 1e-4, 1e-6, 1e-8}) {
    SCOPED_TRACE(lean);
    ModelBuilder builder;
    builder.set_gravity(Vec3(0, 0, -g));
    const int material = builder.add_material({"surface", Vec2::Constant(0.4), 0.0});
    const int block = builder.add_body("block", test::box(3, 0.1));
    builder.add_joint(block, test::coordinate_joint(JointType::prismatic, Vec3::UnitX()));
    builder.collide_with_parent(block);
    builder.add_collider({"block", block, Box{Vec3::Constant(0.05)}, {}, material});
    Transform X_WS;
    X_WS.p = Vec3(0, 0, -0.0496);
    X_WS.R = Eigen::AngleAxisd(lean, Vec3::UnitY()).toRotationMatrix();
    builder.add_collider({"floor", -1, HalfSpace{}, X_WS, material});
    test::Experiment slide(builder.build(), method_of(GetParam(), 1e-3), test::one(0), test::one(0));
    for (int i = 0; i < 20; ++i) slide.simulation.step();
    EXPECT_GT(slide.simulation.certificate().penetration, 1e-4);
    EXPECT_LT(std::abs(slide.v()), 1e-2);
    EXPECT_LT(std::abs(slide.q()), 1e-2);
  }
}

/// A light ball welded under a heavy free trunk comes out of the floor with it: no joint holds it there.
TEST_P(HeldOverlap, WhatIsWeldedToAHeavyBodyComesOut) {
  if (GetParam() == StepperKind::variational) return;  // keeps every overlap
  ModelBuilder builder;
  builder.set_gravity(Vec3(0, 0, -g));
  const int material = builder.add_material({"surface", Vec2::Constant(0.4), 0.0});
  const int trunk = builder.add_body("trunk", test::box(150, 0.5));
  const int ball = builder.add_body("ball", test::box(0.01, 0.1));
  Joint weld;
  weld.type = JointType::fixed;
  weld.parent = trunk;
  weld.X_PF.p = Vec3(0, 0, -0.5);
  builder.add_joint(ball, weld);
  builder.add_collider({"ball", ball, Sphere{0.1}, {}, material});
  builder.add_collider({"floor", -1, HalfSpace{}, {Mat3::Identity(), Vec3(0, 0, -0.59)}, material});
  State state;
  state.q = VectorX::Zero(7);
  state.q[0] = 1;
  state.v = VectorX::Zero(6);
  Simulation simulation(std::make_shared<const Model>(builder.build()), method_of(GetParam(), 1e-3), state);
  simulation.step();
  EXPECT_LT(simulation.step().penetration, 1e-4);
}

/// A hinge that begins half a radian beyond its limit is at it afterwards, and at rest.
TEST_P(Overlap, AJointBeyondItsLimitIsBroughtBack) {
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  const int bar = builder.add_body("bar", test::box(1, 0.3));
  Joint hinge = test::hinge_about_y(-1, Vec3::Zero(), "hinge");
  hinge.lower = test::one(-0.2);
  hinge.upper = test::one(0.2);
  builder.add_joint(bar, hinge);
  for (const double start : {0.7, -0.7}) {
    test::Experiment beyond(builder.build(), method_of(GetParam(), 1e-3), test::one(start), test::one(0));
    for (int i = 0; i < 3; ++i) EXPECT_EQ(beyond.simulation.step().status, SolveStatus::solved);
    EXPECT_NEAR(beyond.q(), keeps_overlap() ? start : std::copysign(0.2, start), 1e-6);
    EXPECT_LT(std::abs(beyond.v()), 1e-6);
  }
}

/// Between two parallel walls that leave too little room a ball is moved to the middle, as far as can be, and stays.
TEST_P(Overlap, WhatHasNoRoomDoesNotFly) {
  test::SceneMaker scene(0);
  Transform low, high;
  low.p = Vec3(0, 0, -0.5);
  high.p = Vec3(0, 0, 0.58);
  scene.add_static(Box{Vec3(1, 1, 0.5)}, low);
  scene.add_static(Box{Vec3(1, 1, 0.5)}, high);
  scene.add(Sphere{0.05}, 1, Vec3(0, 0, 0.045));
  Simulation simulation = scene.simulation(method_of(GetParam(), 1e-3));
  // A step whose end must be free of overlap has no solution, which takes long to find out.
  const int steps = is_implicit_in_geometry(method_of(GetParam(), 1e-3)) ? 1 : 20;
  for (int i = 0; i < steps; ++i) simulation.step();
  EXPECT_LT(kinetic(simulation), 1e-2);
}

INSTANTIATE_TEST_SUITE_P(AllSteppers, Overlap, testing::ValuesIn(rigid_steppers()),
                         [](const auto& kind) { return test::label(kind.param); });

std::vector<StepperKind> steppers_that_leave_overlap() {
  std::vector<StepperKind> kinds = rigid_steppers();
  std::erase_if(kinds, [](StepperKind kind) { return is_implicit_in_geometry(method_of(kind, 1e-3)); });
  return kinds;
}

INSTANTIATE_TEST_SUITE_P(RigidSteppers, HeldOverlap, testing::ValuesIn(steppers_that_leave_overlap()),
                         [](const auto& kind) { return test::label(kind.param); });

class PushedOverlap : public testing::TestWithParam<StepperKind> {};

/// The papers' rule drives a joint that is beyond its limit back within one step, at gap / h.
TEST_P(PushedOverlap, GivesTheVelocityOfTheGapOverTheStep) {
  for (const double step : {1e-2, 1e-3}) {
    for (const OverlapRemedy remedy : {OverlapRemedy::push, OverlapRemedy::project}) {
      ModelBuilder builder;
      builder.set_gravity(Vec3::Zero());
      const int block = builder.add_body("block", test::box(1, 0.3));
      Joint slide = test::coordinate_joint(JointType::prismatic, Vec3::UnitX());
      slide.lower = test::one(0);
      slide.upper = test::one(2);
      builder.add_joint(block, slide);
      Method method = method_of(GetParam(), step);
      method.overlap = remedy;
      test::Experiment beyond(builder.build(), method, test::one(-0.01), test::one(0));
      beyond.simulation.step();
      EXPECT_NEAR(beyond.q(), 0, 1e-9);
      EXPECT_NEAR(beyond.v(), remedy == OverlapRemedy::push ? 0.01 / step : 0, 1e-6 / step);
    }
  }
}

std::vector<StepperKind> steppers_at_position_level() {
  std::vector<StepperKind> kinds = all_steppers();
  std::erase_if(kinds, [](StepperKind kind) { return !is_at_position_level(test::with_step(1e-2, kind)); });
  return kinds;
}
INSTANTIATE_TEST_SUITE_P(AtPositionLevel, PushedOverlap, testing::ValuesIn(steppers_at_position_level()),
                         [](const auto& kind) { return test::label(kind.param); });

}  // namespace
}  // namespace carom::overlap_test
