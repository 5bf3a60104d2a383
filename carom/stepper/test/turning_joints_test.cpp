// Springs, dry friction and reflected inertia of ball joints and of free joints under every stepper: closed forms,
// energy, the judge, and independence of the joint's frames.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/spatial/rotation.h"
#include "carom/stepper/test/experiment.h"
#include "carom/stepper/test/mechanisms.h"
#include "testing/models/random_tree.h"

namespace carom::turning_joints_test {
namespace {

constexpr double stiffness = 30, moment = 0.05, rotor = 0.025;

Eigen::Vector4d coefficients(const Quaternion& q) { return {q.w(), q.x(), q.y(), q.z()}; }
Quaternion rotation_at(const VectorX& q, int i) { return {q[i], q[i + 1], q[i + 2], q[i + 3]}; }

Joint ball_joint() {
  Joint joint;
  joint.name = "ball";
  joint.type = JointType::spherical;
  return joint;
}

class TurningJoints : public testing::TestWithParam<StepperKind> {
 protected:
  static Method method(double step) { return test::plastic_with_step(step, GetParam()); }
  static bool is_second_order() { return test::is_second_order(GetParam()); }
  static double bound(double omega, double time, double step) {
    return test::vibration_error(GetParam(), omega, time, step);
  }
  /// A body of equal moments in a ball joint on the world, without gravity.
  static Model ball(const Joint& joint) {
    ModelBuilder builder;
    builder.set_gravity(Vec3::Zero());
    builder.add_joint(builder.add_body("body", {2, Vec3::Zero(), moment * Mat3::Identity()}), joint);
    return builder.build();
  }
};

/// Turned about an axis by φ₀ and let go: φ = φ₀ cos √(k/(I + a)) t about that axis, however large φ₀ is.
TEST_P(TurningJoints, ABallSwingsAtItsFrequency) {
  const Vec3 axis = Vec3(1, -2, 0.5).normalized(), slack(0.4, 0.3, -1.1);
  const double omega = std::sqrt(stiffness / (moment + rotor)), until = 0.2, start = 2.5;
  double last = 0;
  for (const double step : {1e-3, 2.5e-4}) {
    Joint joint = ball_joint();
    joint.stiffness = VectorX::Constant(3, stiffness);
    joint.reflected_inertia = VectorX::Constant(3, rotor);
    joint.rest = slack;
    const VectorX q = coefficients(exponential(slack) * exponential(start * axis));
    test::Experiment at(ball(joint), method(step), q, VectorX::Zero(3));
    at.steps(static_cast<int>(std::lround(until / step)));
    const Vec3 end = logarithm(exponential(-slack) * rotation_at(at.simulation.state().q, 0));
    const double error = (end - start * std::cos(omega * until) * axis).norm();
    EXPECT_LT(error, bound(omega, until, step) * start) << step;
    if (last > 0 && !is_second_order()) {
      EXPECT_LT(error, 0.4 * last);
    }
    last = error;
    const EnergyLedger& energy = at.energy();
    const double whole = 0.5 * stiffness * start * start;
    const double left =
        0.5 * (moment + rotor) * at.simulation.state().v.squaredNorm() + 0.5 * stiffness * end.squaredNorm();
    EXPECT_NEAR(left - whole, energy.free_motion_error, 1e-9);
    EXPECT_LT(std::abs(energy.free_motion_error), 2 * bound(omega, until, step) * whole);
  }
}

/// A free joint's spring pulls its frame back and turns it back, each at a frequency of its own.
TEST_P(TurningJoints, AFreeJointSwingsAndTurns) {
  const double pull = 90, mass = 2, step = 5e-4, until = 0.2;
  const Vec3 slack(0.2, -0.4, 0.3), place(1, 2, 3), away(0.1, 0.2, -0.3), turned(0.5, -0.3, 0.2);
  Joint joint;
  joint.name = "held";
  joint.stiffness = VectorX::Constant(6, stiffness);
  joint.stiffness.tail<3>().setConstant(pull);
  joint.rest.resize(6);
  joint.rest << slack, place;
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  builder.add_joint(builder.add_body("body", {mass, Vec3::Zero(), moment * Mat3::Identity()}), joint);
  VectorX q(7);
  q << coefficients(exponential(slack) * exponential(turned)), place + away;
  test::Experiment at(builder.build(), method(step), q, VectorX::Zero(6));
  at.steps(static_cast<int>(std::lround(until / step)));
  const VectorX& end = at.simulation.state().q;
  const double slow = std::sqrt(pull / mass), fast = std::sqrt(stiffness / moment);
  EXPECT_LT((Vec3(end.tail<3>()) - place - std::cos(slow * until) * away).norm(),
            bound(slow, until, step) * away.norm());
  EXPECT_LT((logarithm(exponential(-slack) * rotation_at(end, 0)) - std::cos(fast * until) * turned).norm(),
            bound(fast, until, step) * turned.norm());
}

/// A ball that turns about one of its axes stops after I ω / M, I ω² / 2M further on, and stays.
TEST_P(TurningJoints, FrictionStopsABall) {
  constexpr double torque = 0.3, rate = 3, h = 1e-3;
  Joint joint = ball_joint();
  joint.friction = Vec3(torque, 2 * torque, torque);
  joint.reflected_inertia = VectorX::Constant(3, rotor);
  test::Experiment at(ball(joint), method(h), coefficients(exponential(Vec3(0.3, 0.2, 0.1))), Vec3(rate, 0, 0));
  const double stop = (moment + rotor) * rate / torque;
  at.steps(static_cast<int>(0.9 * stop / h));
  // Compliant joints have less than the full torque near rest, and stop later.
  const bool creeps = GetParam() == StepperKind::compliant;
  EXPECT_NEAR(at.v(), rate * (1 - std::floor(0.9 * stop / h) * h / stop), 1e-9);
  at.steps(static_cast<int>(0.3 * stop / h));
  EXPECT_LT(at.simulation.state().v.norm(), creeps ? 0.01 : 1e-9);
  const Vec3 turned = logarithm(exponential(Vec3(0.3, 0.2, 0.1)).conjugate() * rotation_at(at.simulation.state().q, 0));
  EXPECT_NEAR(turned.x(), 0.5 * rate * stop, creeps ? 0.02 * rate * stop : rate * h);
  EXPECT_LT(turned.tail<2>().norm(), 1e-9);
  EXPECT_NEAR(at.energy().joint_friction + at.energy().opposed_work + at.energy().free_motion_error,
              -0.5 * (moment + rotor) * rate * rate, 0.01 * moment * rate * rate);
}

/// A weight beside the ball's centre that friction can hold, and one that it cannot.
TEST_P(TurningJoints, FrictionHoldsWhatItCan) {
  const auto end = [](double torque) {
    Joint joint = ball_joint();
    joint.friction = VectorX::Constant(3, torque);
    ModelBuilder builder;
    builder.set_gravity({0, 0, -10});
    builder.add_joint(builder.add_body("body", {2, Vec3(0.1, 0, 0), moment * Mat3::Identity()}), joint);
    test::Experiment at(builder.build(), method(1e-3), coefficients(Quaternion::Identity()), VectorX::Zero(3));
    at.steps(100);
    return at.v(1);
  };
  EXPECT_LT(std::abs(end(2.1)), GetParam() == StepperKind::compliant ? 0.01 : 1e-9);
  // (m g l − M) t / (I + m l²), while the arm is nearly level.
  // A compliant joint has its full torque from 0.01 rad/s on.
  EXPECT_NEAR(end(1.9), 0.1 * 0.1 / (moment + 0.02), GetParam() == StepperKind::compliant ? 0.01 : 2e-4);
}

/// Friction of a free joint: a block that slides along one of its axes stops after m v / F.
TEST_P(TurningJoints, FrictionStopsAFreeJoint) {
  Joint joint;
  joint.name = "held";
  joint.friction = VectorX::Constant(6, 4);
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  builder.add_joint(builder.add_body("body", {2, Vec3::Zero(), moment * Mat3::Identity()}), joint);
  VectorX v = VectorX::Zero(6);
  v[4] = 1;
  test::Experiment at(builder.build(), method(1e-3), test::free_pose(Vec3(1, 0, 0)), v);
  at.steps(400);
  EXPECT_NEAR(at.v(4), 0.2, 1e-9);
  at.steps(200);
  EXPECT_LT(at.simulation.state().v.norm(), GetParam() == StepperKind::compliant ? 0.01 : 1e-9);
  EXPECT_NEAR(at.q(5), 0.25, GetParam() == StepperKind::compliant ? 5e-3 : 1e-3);
}

/// A tree of a free body, balls and a hinge in general position, with all that their joints may have.
Model tumbling(bool with_friction, const Mat3& turned) {
  Random random(77);
  ModelBuilder builder;
  builder.set_gravity({0.5, -1, -9});
  for (int i = 0; i < 4; ++i) {
    builder.add_body("body" + std::to_string(i), random.inertia());
    const JointType type = i == 0 ? JointType::free : i == 2 ? JointType::revolute : JointType::spherical;
    Joint joint = random_joint(random, type, {.springs = 40});
    joint.name = "joint" + std::to_string(i);
    joint.parent = i - 1;
    const int size = velocity_size(joint);
    joint.damping = VectorX::Constant(size, 0.1);
    joint.friction = VectorX::Constant(size, with_friction ? 0.5 : 0);
    if (type == JointType::spherical) {  // the same joint, told in other frames
      joint.X_PF.R = joint.X_PF.R * turned;
      joint.X_BM.R = joint.X_BM.R * turned;
      joint.rest = (turned.transpose() * joint.rest).eval();
    }
    builder.add_joint(i, joint);
  }
  return builder.build();
}

VectorX tumbling_start(const Model& model) {
  VectorX q = model.neutral_position();
  q.segment<4>(0) = coefficients(exponential(Vec3(0.3, -0.2, 0.5)));
  return q;
}

double energy_of(const Model& model, const State& state) {
  DynamicsWorkspace at(model);
  forward_kinematics(model, state.q, at);
  forward_velocity(model, state.q, state.v, at);
  return kinetic_energy(model, at) + potential_energy(model, state.q, at);
}

TEST_P(TurningJoints, StepsOfATreeAreBorneOut) {
  for (const bool with_friction : {false, true}) {
    SCOPED_TRACE(with_friction);
    const Model model = tumbling(with_friction, Mat3::Identity());
    const auto gain = [&](double step) {
      VectorX v = VectorX::LinSpaced(model.velocity_count(), -1, 1);
      test::Experiment at(model, method(step), tumbling_start(model), v);
      const double whole = energy_of(model, at.simulation.state());
      const int count = static_cast<int>(std::lround(0.1 / step));
      for (int i = 0; i < count; ++i) {
        const StepReport& report = at.simulation.step();
        EXPECT_EQ(report.status, SolveStatus::solved);
        EXPECT_TRUE(borne_out(report)) << i << ": " << report.momentum_residual << " " << report.kinematic_residual;
      }
      const EnergyLedger& energy = at.energy();
      const double left = energy_of(model, at.simulation.state()) - whole + energy.damping - energy.joint_friction -
                          energy.opposed_work - energy.constraint_work - energy.projection;
      EXPECT_NEAR(left, energy.free_motion_error, 1e-8);
      return std::abs(energy.free_motion_error);
    };
    const double coarse = gain(2e-3), fine = gain(5e-4);
    if (GetParam() == StepperKind::variational && !with_friction) {
      EXPECT_LT(fine, 0.15 * coarse + 1e-9);
    } else if (!is_second_order()) {
      EXPECT_LT(fine, 0.4 * coarse);
    } else {
      EXPECT_LT(fine, 1e-3);
    }
  }
}

/// Springs and reflected inertia of a ball do not depend on how its frames are turned.
TEST_P(TurningJoints, FramesOfABallDoNotMatter) {
  const Mat3 turned = exponential(Vec3(0.7, -1, 0.4)).toRotationMatrix();
  const auto end = [&](const Mat3& Q) {
    const Model model = tumbling(false, Q);
    test::Experiment at(model, method(1e-3), tumbling_start(model), VectorX::Zero(model.velocity_count()));
    at.steps(100);
    DynamicsWorkspace workspace(model);
    forward_kinematics(model, at.simulation.state().q, workspace);
    return workspace.X_WB;
  };
  const std::vector<Transform> one = end(Mat3::Identity()), other = end(turned);
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_LT((one[i].R - other[i].R).norm() + (one[i].p - other[i].p).norm(), 1e-8) << i;
  }
}

/// A run that starts from the state of another goes on as that does.
TEST_P(TurningJoints, GoOnBitForBit) {
  const Model model = tumbling(true, Mat3::Identity());
  test::Experiment whole(model, method(1e-3), tumbling_start(model), VectorX::Zero(model.velocity_count()));
  whole.steps(30);
  const State middle = whole.simulation.state();
  Simulation rest(std::make_shared<const Model>(model), method(1e-3), middle);
  whole.steps(30);
  for (int i = 0; i < 30; ++i) rest.step();
  EXPECT_TRUE(identical(whole.simulation.state(), rest.state()));
}

INSTANTIATE_TEST_SUITE_P(AllSteppers, TurningJoints, testing::ValuesIn(all_steppers()),
                         [](const auto& kind) { return test::label(kind.param); });

}  // namespace
}  // namespace carom::turning_joints_test
