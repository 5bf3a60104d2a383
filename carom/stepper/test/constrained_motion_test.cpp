#include "carom/stepper/event_driven/constrained_motion.h"

#include <gtest/gtest.h>

#include "carom/dynamics/recursions.h"

// Forces of a cube that rests on the ground or slides along it, as the judge is told them.
namespace carom::constrained_motion_test {
namespace {

constexpr double mass = 2, friction = 0.5, half = 0.1, weight = mass * 9.81;

/// Evidence of the cube on the ground, which moves as v says and is pushed by `push`, N.
StepEvidence told(const Vec3& v, const Vec3& push) {
  ModelBuilder builder;
  Material material;
  material.name = "all";
  material.friction = Vec2(friction, friction);
  const int all = builder.add_material(material);
  builder.set_gravity(Vec3(0, 0, -9.81));
  const int cube = builder.add_body("cube", {mass, Vec3::Zero(), Mat3::Identity() * (mass * half * half * 2 / 3)});
  builder.add_collider({"cube", cube, Box{Vec3(half, half, half)}, {}, all});
  builder.add_collider({"ground", -1, HalfSpace{}, {}, all});
  const Model model = builder.build();
  VectorX q = VectorX::Zero(7), velocity = VectorX::Zero(6), controlled = velocity, vdot = velocity;
  q[0] = 1;
  q[6] = half;
  velocity.tail<3>() = v;
  controlled.tail<3>() = push;
  controlled.head<3>() = Vec3(0, 0, -half).cross(push);  // as if it acted at the ground
  Method method;
  method.stepper = StepperKind::event_driven;
  method.law = LawKind::plastic;
  ConstrainedMotion motion(model, method);
  DynamicsWorkspace workspace(model);
  forward_kinematics(model, q, workspace);
  motion.begin(ContactFinder(model).find(model, q, workspace.X_WB, 1e-6), {}, 1e-9, 1e-3, 0);
  EXPECT_EQ(motion.decide(model, 0, q, velocity, controlled, vdot), ContactOutcome::found);
  motion.accelerate(model, 0, q, velocity, controlled, vdot);
  StepEvidence evidence;
  motion.tell(evidence);
  return evidence;
}

/// Sum of the forces on the cube, world axes.
Vec3 sum(const StepEvidence& evidence) {
  Vec3 force = Vec3::Zero();
  for (std::size_t i = 0; i < evidence.rows.size(); ++i) force += evidence.impulse[i] * evidence.rows[i].direction;
  return force;
}

TEST(ConstrainedMotion, TellsTheForcesOfWhatRests) {
  const StepEvidence evidence = told(Vec3::Zero(), Vec3(0.5 * friction * weight, 0, 0));
  ASSERT_EQ(evidence.blocks.size(), 4U);
  ASSERT_EQ(evidence.modes.size(), 4U);
  EXPECT_LE((sum(evidence) - Vec3(-0.5 * friction * weight, 0, weight)).norm(), 1e-9 * weight);
  for (const BlockMode& mode : evidence.modes) EXPECT_TRUE(mode.slip.isZero(0));
}

TEST(ConstrainedMotion, TellsTheForcesAndTheDirectionOfWhatSlides) {
  const StepEvidence evidence = told(Vec3(0, 1, 0), Vec3::Zero());
  EXPECT_LE((sum(evidence) - Vec3(0, -friction * weight, weight)).norm(), 1e-9 * weight);
  ASSERT_EQ(evidence.modes.size(), 4U);
  for (const BlockMode& mode : evidence.modes) EXPECT_LE((mode.slip - Vec3(0, 1, 0)).norm(), 1e-9);
}

/// A push beyond what friction holds sets it in motion, along the push.
TEST(ConstrainedMotion, TellsTheDirectionOfWhatBeginsToSlide) {
  const StepEvidence evidence = told(Vec3::Zero(), Vec3(2 * friction * weight, 0, 0));
  EXPECT_LE((sum(evidence) - Vec3(-friction * weight, 0, weight)).norm(), 1e-9 * weight);
  for (const BlockMode& mode : evidence.modes) EXPECT_LE((mode.slip - Vec3(1, 0, 0)).norm(), 1e-9);
}

}  // namespace
}  // namespace carom::constrained_motion_test
