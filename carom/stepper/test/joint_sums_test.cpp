// Couplers, tendons and drives of sums of joint coordinates under every stepper: closed forms, the judge, energy, and
// going on bit for bit. Coordinates of one tree, and of three.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "carom/stepper/assembly.h"
#include "carom/stepper/test/experiment.h"
#include "carom/stepper/test/mechanisms.h"

namespace carom::joint_sums_test {
namespace {

const Vec3 ratio(0.7, -2, 1.5);
const Vec3 masses(1, 3, 0.5);

class JointSums : public testing::TestWithParam<std::tuple<StepperKind, bool>> {
 protected:
  static StepperKind stepper() { return std::get<0>(GetParam()); }
  static bool is_compliant() { return stepper() == StepperKind::compliant; }
  static Method method(double step) {
    Method method = test::plastic_with_step(step, stepper());
    method.compliant.limit_stiffness = 4e4;
    return method;
  }
  /// Blocks on three slides along x, y, z: each on the world, or one on the other.
  template <typename Complete>
  static Model slides(Complete&& complete, const Vec3& gravity = Vec3::Zero()) {
    ModelBuilder builder;
    builder.set_gravity(gravity);
    for (int i = 0; i < 3; ++i) {
      builder.add_body("block" + std::to_string(i), test::box(masses[i], 0.1));
      Joint joint = test::coordinate_joint(JointType::prismatic, Vec3::Unit(i));
      joint.name = "slide" + std::to_string(i);
      joint.parent = std::get<1>(GetParam()) ? i - 1 : -1;
      builder.add_joint(i, joint);
    }
    complete(builder);
    return builder.build();
  }
  /// Diagonal of the mass matrix: a block carries those that slide on it.
  static Vec3 carried() {
    if (!std::get<1>(GetParam())) return masses;
    return {masses.sum(), masses[1] + masses[2], masses[2]};
  }
  static std::vector<CoordinateShare> shares() { return {{0, 0, ratio[0]}, {1, 0, ratio[1]}, {2, 0, ratio[2]}}; }
  static Model with_tendon(double lower, double upper, double restitution = 0) {
    return slides([&](ModelBuilder& builder) {
      Constraint tendon;
      tendon.name = "tendon";
      tendon.kind = ConstraintKind::tendon;
      tendon.shares = shares();
      tendon.lower = lower;
      tendon.upper = upper;
      tendon.restitution = restitution;
      builder.add_constraint(tendon);
    });
  }
  static Vec3 inverse(const Vec3& impulse) { return impulse.cwiseQuotient(carried()); }
};

/// Steppers whose tendons stop a sum at once; those of `compliant` are springs.
class HardTendons : public JointSums {};
/// Steppers that throw a sum back: by Newton's law, and `compliant` by its springs.
class ReboundingTendons : public JointSums {};
/// One mechanism that has all of it.
class Fingers : public JointSums {};

/// x = r · (y, z) + c under a constant force on x: M a = f + Jᵀ λ with J a = 0 is met by a constant acceleration.
TEST_P(JointSums, ACouplerHoldsASumAndPassesOnForces) {
  constexpr double force = 2, h = 1e-3, until = 0.3, offset = 0.05;
  const Model model = slides([&](ModelBuilder& builder) {
    Constraint coupler;
    coupler.name = "coupler";
    coupler.kind = ConstraintKind::coupler;
    coupler.body_a = 0;
    coupler.shares = {{1, 0, ratio[1]}, {2, 0, ratio[2]}};
    coupler.offset = offset;
    builder.add_constraint(coupler);
    Drive pull;
    pull.name = "pull";
    pull.body = 0;
    pull.value = TimeFunction::constant(force);
    builder.add_drive(pull);
  });
  const Vec3 J(1, -ratio[1], -ratio[2]), f(force, 0, 0);
  const Vec3 q(ratio[1] * 0.2 - ratio[2] * 0.1 + offset, 0.2, -0.1), v(ratio[1] * 0.3 + ratio[2] * 0.4, 0.3, 0.4);
  const Vec3 a = inverse(f - J * (J.dot(inverse(f)) / J.dot(inverse(J))));
  test::Experiment at(model, method(h), q, v);
  at.steps(static_cast<int>(std::lround(until / h)));
  const VectorX end = at.simulation.state().q;
  EXPECT_LT((at.simulation.state().v - (v + a * until)).norm(), 1e-9);
  EXPECT_LT((end - (q + v * until + 0.5 * a * until * until)).norm(), a.norm() * until * h);
  EXPECT_NEAR(J.dot(Vec3(end)), offset, 1e-11);
  EXPECT_NEAR(at.energy().constraint_work + at.energy().opposed_work, 0, 1e-9);
}

/// The sum meets an end of its range and stays there: one impulse along r takes its rate.
TEST_P(HardTendons, StopTheSumAtEitherEnd) {
  for (const double side : {1.0, -1.0}) {
    const double end = 0.02;
    const Model model = with_tendon(side > 0 ? -1 : -end, side > 0 ? end : 1);
    const Vec3 v = side * Vec3(0.5, -0.3, 0.2);
    test::Experiment at(model, method(1e-3), VectorX::Zero(3), v);
    at.steps(100);
    const Vec3 left = v - inverse(ratio) * (ratio.dot(v) / ratio.dot(inverse(ratio)));
    EXPECT_LT((at.simulation.state().v - left).norm(), 1e-9);
    // At velocity level an impact in the step before takes the whole approach; nothing asks for the rest of the way.
    const bool velocity_level = stepper() == StepperKind::anitescu_potra || stepper() == StepperKind::semi_explicit;
    EXPECT_NEAR(ratio.dot(Vec3(at.simulation.state().q)), side * end,
                velocity_level ? std::abs(ratio.dot(v)) * 1e-3 : 1e-9);
    const double lost = 0.5 * carried().dot(left.cwiseAbs2() - v.cwiseAbs2());
    EXPECT_NEAR(at.energy().contact_work + at.energy().opposed_work, lost, 1e-9);
  }
}

/// (r · v)⁺ = −e r · v. Compliant tendons without damping throw all back.
TEST_P(ReboundingTendons, ThrowBack) {
  Method law = method(1e-3);
  double e = 0.6;
  if (is_compliant()) {
    e = 1;
    law.tolerance = 1e-12;
  } else {
    law.law = LawKind::newton;
  }
  const Vec3 v(0.5, -0.3, 0.2);
  test::Experiment at(with_tendon(-10, 0.02, is_compliant() ? 0 : e), law, VectorX::Zero(3), v);
  at.steps(100);
  const Vec3 left = v - inverse(ratio) * ((1 + e) * ratio.dot(v) / ratio.dot(inverse(ratio)));
  EXPECT_LT((at.simulation.state().v - left).norm(), is_compliant() ? 1e-6 : 1e-9);
}

/// A weight hangs on the tendon: its tension is what the accelerations of the rest need, and no more.
TEST_P(HardTendons, CarryAndSlacken) {
  constexpr double h = 1e-3;
  const auto hang = [&](double force) {
    const Model model = slides([&](ModelBuilder& builder) {
      Constraint tendon;
      tendon.name = "tendon";
      tendon.kind = ConstraintKind::tendon;
      tendon.shares = shares();
      tendon.upper = 0;
      builder.add_constraint(tendon);
      Drive pull;
      pull.name = "pull";
      pull.value = TimeFunction::constant(force);
      pull.body = 0;
      pull.ratio = 2;
      builder.add_drive(pull);
    });
    test::Experiment at(model, method(h), VectorX::Zero(3), VectorX::Zero(3));
    at.steps(50);
    return Vec3(at.simulation.state().v);
  };
  const Vec3 pulled(2, 0, 0);
  const Vec3 taut = inverse(pulled - ratio * (ratio.dot(inverse(pulled)) / ratio.dot(inverse(ratio))));
  EXPECT_LT((hang(1) - 50 * h * taut).norm(), 1e-9);
  EXPECT_LT((hang(-1) + 50 * h * inverse(pulled)).norm(), 1e-9);
}

/// A force on the sum pushes every coordinate by its ratio.
TEST_P(JointSums, AForceOnASumActsOnAll) {
  const Model model = slides([&](ModelBuilder& builder) {
    Drive pull;
    pull.name = "pull";
    pull.body = 0;
    pull.ratio = ratio[0];
    pull.others = {{1, 0, ratio[1]}, {2, 0, ratio[2]}};
    pull.value = TimeFunction::constant(0.4);
    builder.add_drive(pull);
  });
  test::Experiment at(model, method(1e-3), VectorX::Zero(3), VectorX::Zero(3));
  at.steps(200);
  EXPECT_LT((at.simulation.state().v - 0.2 * 0.4 * inverse(ratio)).norm(), 1e-9);
  EXPECT_NEAR(at.energy().drive_work, 0.5 * carried().dot(Vec3(at.simulation.state().v).cwiseAbs2()), 1e-3);
}

Drive servo_on_sum(double stiffness, double damping) {
  Drive servo;
  servo.name = "servo";
  servo.kind = DriveKind::servo;
  servo.body = 0;
  servo.ratio = ratio[0];
  servo.others = {{1, 0, ratio[1]}, {2, 0, ratio[2]}};
  servo.stiffness = stiffness;
  servo.damping = damping;
  servo.value = TimeFunction::constant(0.1);
  return servo;
}

/// A servo on the sum L is a spring between all: L − L₀ swings with ω² = k r · M⁻¹ r, and nothing else moves.
TEST_P(JointSums, AServoOnASumSwings) {
  constexpr double stiffness = 20, until = 0.3;
  const double omega = std::sqrt(stiffness * ratio.dot(inverse(ratio)));
  const Model model = slides([&](ModelBuilder& builder) { builder.add_drive(servo_on_sum(stiffness, 0)); });
  for (const double step : {1e-3, 2.5e-4}) {
    test::Experiment at(model, method(step), VectorX::Zero(3), VectorX::Zero(3));
    at.steps(static_cast<int>(std::lround(until / step)));
    const Vec3 q = at.simulation.state().q;
    EXPECT_NEAR(ratio.dot(q) - 0.1, -0.1 * std::cos(omega * until),
                0.1 * test::vibration_error(stepper(), omega, until, step));
    // All coordinates move along M⁻¹ r.
    EXPECT_LT((q - inverse(ratio) * (ratio.dot(q) / ratio.dot(inverse(ratio)))).norm(), 1e-9);
  }
}

/// A servo at its limit pulls with the limit, whatever its gains.
TEST_P(JointSums, AServoOnASumHasItsLimit) {
  Drive servo = servo_on_sum(1e4, 10);
  servo.limit = 0.3;
  const Model model = slides([&](ModelBuilder& builder) { builder.add_drive(servo); });
  test::Experiment at(model, method(1e-3), VectorX::Zero(3), VectorX::Zero(3));
  at.steps(30);
  EXPECT_LT((at.simulation.state().v - 0.03 * 0.3 * inverse(ratio)).norm(), 1e-9);
}

/// Hinges in space under weight, tied by a coupler, a tendon that they hit, and servos on sums.
Model fingers(const Vec3& gravity) {
  ModelBuilder builder;
  builder.set_gravity(gravity);
  for (int i = 0; i < 4; ++i) {
    builder.add_body("link" + std::to_string(i),
                     {0.3, Vec3(0.05, 0.01 * i, 0), 1e-3 * Mat3(Vec3(1, 2, 2.5).asDiagonal())});
    Joint joint = test::hinge_about_y(i % 2 == 0 ? -1 : i - 1, Vec3(0.1, 0, 0.02 * i), "hinge" + std::to_string(i));
    joint.X_PF.R = joint.X_BM.R = contact_frame(Vec3(0.3 * i, 1, 0.2).normalized());
    joint.damping = VectorX::Constant(1, 0.01);
    builder.add_joint(i, joint);
  }
  Constraint coupler;
  coupler.name = "coupler";
  coupler.kind = ConstraintKind::coupler;
  coupler.body_a = 3;
  coupler.shares = {{0, 0, 0.5}, {1, 0, -1}, {2, 0, 0.3}};
  builder.add_constraint(coupler);
  Constraint tendon;
  tendon.name = "tendon";
  tendon.kind = ConstraintKind::tendon;
  tendon.shares = {{2, 0, 1}, {0, 0, -1}, {1, 0, 0.4}};
  tendon.lower = -0.05;
  tendon.upper = 0.04;
  builder.add_constraint(tendon);
  Drive servo = servo_on_sum(2, 0.05);
  servo.limit = 0.5;
  builder.add_drive(servo);
  return builder.build();
}

TEST_P(Fingers, StepsAreBorneOut) {
  const Model model = fingers({0, 0.5, -9});
  test::Experiment at(model, method(1e-3), VectorX::Zero(4), VectorX::Zero(4));
  bool struck = false;
  for (int i = 0; i < 150; ++i) {
    const StepReport& report = at.simulation.step();
    EXPECT_EQ(report.status, SolveStatus::solved);
    EXPECT_TRUE(borne_out(report)) << i << ": " << report.momentum_residual << " " << report.kinematic_residual;
    for (const ContactReport& contact : report.contacts) {
      struck = struck || (contact.id.is_tendon() && contact.impulse.z() > 0);
    }
    const VectorX& q = at.simulation.state().q;
    EXPECT_NEAR(q[3], 0.5 * q[0] - q[1] + 0.3 * q[2], 1e-9);
    const double sum = q[2] - q[0] + 0.4 * q[1];
    EXPECT_LT(sum, 0.04 + (is_compliant() ? 1e-2 : 1e-6));
    EXPECT_GT(sum, -0.05 - (is_compliant() ? 1e-2 : 1e-6));
  }
  EXPECT_TRUE(struck);
  // The mechanism has what was done to it.
  EXPECT_LT(std::abs(at.energy().free_motion_error), 0.05);
}

TEST_P(Fingers, GoOnBitForBit) {
  const Model model = fingers({0, 0.5, -9});
  test::Experiment whole(model, method(1e-3), VectorX::Zero(4), VectorX::Zero(4));
  whole.steps(80);
  Simulation rest(std::make_shared<const Model>(model), method(1e-3), whole.simulation.state());
  whole.steps(30);
  for (int i = 0; i < 30; ++i) rest.step();
  EXPECT_TRUE(identical(whole.simulation.state(), rest.state()));
}

/// A start outside the range is moved to its nearer end by the shortest way in the kinetic metric.
TEST_P(JointSums, AStartOutsideTheRangeIsMovedIn) {
  const Model model = with_tendon(-0.1, 0.02);
  State state = test::Experiment::start(Vec3(0.1, 0, 0.1), VectorX::Zero(3));
  const Vec3 before = state.q;
  assemble_constraints(model, state);
  const Vec3 expected = before - inverse(ratio) * ((ratio.dot(before) - 0.02) / ratio.dot(inverse(ratio)));
  EXPECT_LT((state.q - expected).norm(), 1e-9);
}

std::vector<StepperKind> chosen(const std::function<bool(StepperKind)>& takes) {
  std::vector<StepperKind> kinds;
  std::ranges::copy_if(all_steppers(), std::back_inserter(kinds), takes);
  return kinds;
}

std::string label_of(const testing::TestParamInfo<std::tuple<StepperKind, bool>>& info) {
  return test::label(std::get<0>(info.param)) + (std::get<1>(info.param) ? "_in_a_chain" : "_side_by_side");
}

INSTANTIATE_TEST_SUITE_P(AllSteppers, JointSums, testing::Combine(testing::ValuesIn(all_steppers()), testing::Bool()),
                         label_of);
INSTANTIATE_TEST_SUITE_P(AllButCompliant, HardTendons,
                         testing::Combine(testing::ValuesIn(chosen([](StepperKind kind) {
                                            return kind != StepperKind::compliant;
                                          })),
                                          testing::Bool()),
                         label_of);
INSTANTIATE_TEST_SUITE_P(AllThatRebound, ReboundingTendons,
                         testing::Combine(testing::ValuesIn(chosen([](StepperKind kind) {
                                            return kind == StepperKind::compliant || go_together(kind, LawKind::newton);
                                          })),
                                          testing::Bool()),
                         label_of);
INSTANTIATE_TEST_SUITE_P(AllSteppers, Fingers,
                         testing::Combine(testing::ValuesIn(all_steppers()), testing::Values(false)), label_of);

}  // namespace
}  // namespace carom::joint_sums_test
