#include "carom/stepper/free_motion.h"

#include <gtest/gtest.h>

#include <cmath>

#include "carom/dynamics/recursions.h"
#include "carom/stepper/test/experiment.h"

// The free velocity of one step beside closed forms, at first order and with weights.
namespace carom::free_motion_test {
namespace {

constexpr double h = 0.02, start = 3;

/// v⁺ of a block on a slide of which the caller completes the joint.
struct Step {
  VectorX v, kick;
};
template <class Complete>
Step step_of(bool second_order, const Vec3& gravity, Complete&& complete) {
  const Model model = test::slider([&](Joint& joint, ModelBuilder&, int) { complete(joint); }, gravity);
  Method method;
  method.step = h;
  SmoothWeights weights(model);
  weights.fit(h);
  Linearisation at;
  at.lead = second_order ? 0.5 : 1;
  at.weights = second_order ? &weights : nullptr;
  at.start = at.reach = test::one(start);
  at.reach *= at.lead;
  at.q = h * at.reach;
  at.applied = test::one(0);
  DynamicsWorkspace workspace(model);
  forward_kinematics(model, at.q, workspace);
  forward_velocity(model, at.q, at.start, workspace);
  FreeMotion motion(model);
  MassOperator mass(model, DynamicsKind::articulated);
  mass.factor(model, motion.augmentation(h, at.weights), workspace);
  motion.kick_freely(model, at, h, workspace, mass);
  const std::vector<double> end_weight(second_order ? 1 : 0, 0.5);
  const VectorX q = test::one(0), v = test::one(start);
  const VectorX& end = motion.solve(model, method, at, q, v, end_weight, workspace, mass);
  return {end, motion.kick()};
}

/// Backward Euler divides by 1 + h d/m; with weights the end is that of the exact motion, whatever d.
TEST(FreeMotion, ADamperEndsWhereItsRuleSays) {
  for (const double damping : {0.1, 10.0, 1e3, 1e6}) {
    const auto damped = [&](Joint& joint) { joint.damping = test::one(damping); };
    const double x = h * damping / 2;
    EXPECT_NEAR(step_of(false, Vec3::Zero(), damped).v[0], start / (1 + x), 1e-12) << damping;
    EXPECT_NEAR(step_of(true, Vec3::Zero(), damped).v[0], start * std::exp(-x), 1e-12) << damping;
  }
}

/// The energy of a spring and block is kept by the mean of a soft spring but for (ω h)², and falls at first order.
TEST(FreeMotion, ASoftSpringKeepsItsEnergy) {
  const double stiffness = 20, mass = 2;
  const auto sprung = [&](Joint& joint) { joint.stiffness = test::one(stiffness); };
  const auto gained = [&](double v, double weight) {
    const double q = h * ((1 - weight) * start + weight * v);
    return 0.5 * mass * (v * v - start * start) + 0.5 * stiffness * q * q;
  };
  const double second = gained(step_of(true, Vec3::Zero(), sprung).v[0], 0.5);
  const double first = gained(step_of(false, Vec3::Zero(), sprung).v[0], 1);
  const double whole = 0.5 * mass * start * start, square = stiffness / mass * h * h;
  EXPECT_LT(std::abs(second), square * square * whole);
  EXPECT_LT(first, -0.5 * square * whole);
}

TEST(FreeMotion, HalfOfWhatForcesChangeComesBeforeTheTurn) {
  const auto plain = [](Joint&) {};
  EXPECT_NEAR(step_of(true, {5, 0, 0}, plain).kick[0], 0.5 * h * 5, 1e-15);
  EXPECT_NEAR(step_of(true, {5, 0, 0}, plain).v[0], start + h * 5, 1e-13);
  EXPECT_EQ(step_of(false, {5, 0, 0}, plain).kick[0], 0);
}

}  // namespace
}  // namespace carom::free_motion_test
