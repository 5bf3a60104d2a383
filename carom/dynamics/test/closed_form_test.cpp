#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <numbers>

#include "carom/dynamics/recursions.h"
#include "carom/dynamics/test/moving_tree.h"

// Mechanisms whose equations of motion are in every textbook.
namespace carom::closed_form_test {
namespace {

constexpr double g = 9.81;

/// About −y: the joint's z axis points along the world's −y, x along the world's x, y along the world's z. Bodies hang
/// along their own −y at angle zero.
Mat3 pendulum_frame() {
  Mat3 R;
  R.col(0) = Vec3::UnitX();
  R.col(1) = Vec3::UnitZ();
  R.col(2) = -Vec3::UnitY();
  return R;
}

Joint joint_of(JointType type, int parent = -1) {
  Joint joint;
  joint.type = type;
  joint.parent = parent;
  return joint;
}

SpatialInertia inertia(double mass, const Vec3& center, const Vec3& moments) {
  return {mass, center, moments.asDiagonal()};
}

/// One step of the classical Runge–Kutta method for the joints' coordinates, under gravity and springs.
void runge_kutta(const Model& model, double h, VectorX& q, VectorX& v) {
  VectorX springs;
  const auto rates = [&](const VectorX& q_at, const VectorX& v_at) {
    spring_force(model, q_at, springs);
    return std::pair<VectorX, VectorX>(position_rate(model, q_at, v_at), acceleration(model, q_at, v_at, springs));
  };
  const auto [q1, v1] = rates(q, v);
  const auto [q2, v2] = rates(q + 0.5 * h * q1, v + 0.5 * h * v1);
  const auto [q3, v3] = rates(q + 0.5 * h * q2, v + 0.5 * h * v2);
  const auto [q4, v4] = rates(q + h * q3, v + h * v3);
  q += h / 6 * (q1 + 2 * q2 + 2 * q3 + q4);
  v += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
  normalize(model, q);
}

Model pendulum(double mass, double length, double moment) {
  ModelBuilder builder;
  builder.set_gravity(Vec3(0, 0, -g));
  builder.add_body("bob", inertia(mass, Vec3(0, -length, 0), Vec3(moment, moment, moment)));
  Joint joint = joint_of(JointType::revolute);
  joint.X_PF.R = pendulum_frame();
  builder.add_joint(0, joint);
  return builder.build();
}

TEST(Pendulum, HasTheAccelerationOfTheCompoundPendulum) {
  const double m = 1.3, l = 0.7, I = 0.2;
  const Model model = pendulum(m, l, I);
  for (double angle = -3; angle < 3; angle += 0.37) {
    const VectorX vdot = acceleration(model, VectorX::Constant(1, angle), VectorX::Constant(1, 2.5));
    EXPECT_NEAR(vdot[0], -m * g * l * std::sin(angle) / (I + m * l * l), 1e-13);
  }
}

TEST(Pendulum, SwingsWithThePeriodOfTheEllipticIntegral) {
  const double m = 1.3, l = 0.7, I = 0.2, amplitude = 2;
  const Model model = pendulum(m, l, I);
  const double small = std::sqrt(m * g * l / (I + m * l * l));
  const double period = 4 / small * std::comp_ellint_1(std::sin(amplitude / 2));
  VectorX q = VectorX::Constant(1, amplitude), v = VectorX::Zero(1);
  const int steps = 4000;
  for (int i = 0; i < steps; ++i) {
    runge_kutta(model, period / steps, q, v);
    if (i + 1 == steps / 2) {
      EXPECT_NEAR(q[0], -amplitude, 1e-10);
    }
  }
  EXPECT_NEAR(q[0], amplitude, 1e-10);
  EXPECT_NEAR(v[0], 0, 1e-9);
}

TEST(DoublePendulum, HasLagrangesAccelerations) {
  // Links of length l1 (to the second pivot), centres at c1, c2; absolute angles a = q1, b = q1 + q2 from the vertical:
  // [I1 + m1 c1² + m2 l1²   m2 l1 c2 cos(a−b)] [ä]   [−m2 l1 c2 sin(a−b) ḃ² − (m1 c1 + m2 l1) g sin a]
  // [m2 l1 c2 cos(a−b)      I2 + m2 c2²      ] [b̈] = [ m2 l1 c2 sin(a−b) ȧ² − m2 c2 g sin b         ]
  const double m1 = 1.1, m2 = 0.6, c1 = 0.4, c2 = 0.5, l1 = 0.9, I1 = 0.13, I2 = 0.07;
  ModelBuilder builder;
  builder.set_gravity(Vec3(0, 0, -g));
  builder.add_body("upper", inertia(m1, Vec3(0, -c1, 0), Vec3(I1, I1, I1)));
  builder.add_body("lower", inertia(m2, Vec3(0, -c2, 0), Vec3(I2, I2, I2)));
  Joint shoulder = joint_of(JointType::revolute), elbow = joint_of(JointType::revolute, 0);
  shoulder.X_PF.R = pendulum_frame();
  elbow.X_PF.p = Vec3(0, -l1, 0);
  builder.add_joint(0, shoulder);
  builder.add_joint(1, elbow);
  const Model model = builder.build();

  Random random(61);
  for (int trial = 0; trial < 50; ++trial) {
    const VectorX q = random.vector(2, 3), v = random.vector(2, 4);
    const double a = q[0], b = q[0] + q[1], da = v[0], db = v[0] + v[1];
    Eigen::Matrix2d M;
    M << I1 + m1 * c1 * c1 + m2 * l1 * l1, m2 * l1 * c2 * std::cos(a - b), m2 * l1 * c2 * std::cos(a - b),
        I2 + m2 * c2 * c2;
    const Vec2 force(-m2 * l1 * c2 * std::sin(a - b) * db * db - (m1 * c1 + m2 * l1) * g * std::sin(a),
                     m2 * l1 * c2 * std::sin(a - b) * da * da - m2 * c2 * g * std::sin(b));
    const Vec2 absolute = M.inverse() * force;
    const VectorX vdot = acceleration(model, q, v);
    EXPECT_NEAR(vdot[0], absolute[0], 1e-11);
    EXPECT_NEAR(vdot[0] + vdot[1], absolute[1], 1e-11);
  }
}

TEST(FreeBody, ObeysEulersEquationsAndFalls) {
  Random random(62);
  for (int trial = 0; trial < 50; ++trial) {
    SpatialInertia body = random.inertia();
    body.center.setZero();
    ModelBuilder builder;
    builder.set_gravity(Vec3(0, 0, -g));
    builder.add_body("body", body);
    const Model model = builder.build();
    const VectorX q = random_position(model, random), v = random.vector(6, 3);
    const Vec3 w = v.head<3>();
    const Mat3 R = Quaternion(q[0], q[1], q[2], q[3]).toRotationMatrix();
    const VectorX vdot = acceleration(model, q, v);
    const Vec3 spin_rate = -body.central.inverse() * w.cross(body.central * w);
    EXPECT_LT((vdot.head<3>() - spin_rate).norm(), 1e-11 * (1 + spin_rate.norm()));
    // The velocity is in the body's axes, which turn: dv/dt = Rᵀ a − ω × v.
    const Vec3 fall = R.transpose() * model.gravity() - w.cross(Vec3(v.tail<3>()));
    EXPECT_LT((vdot.tail<3>() - fall).norm(), 1e-11);
  }
}

TEST(FreeBody, KeepsMomentumOnItsRungeKuttaPath) {
  Random random(63);
  ModelBuilder builder;
  builder.add_body("body", random.inertia());
  const Model model = builder.build();
  VectorX q = random_position(model, random), v = random.vector(6, 2);
  const auto momentum = [&] {
    DynamicsWorkspace workspace(model);
    forward_kinematics(model, q, workspace);
    forward_velocity(model, q, v, workspace);
    return workspace.X_WB[0].force(model.bodies()[0].inertia * workspace.V[0]);
  };
  const Vec6 initial = momentum();
  for (int i = 0; i < 2000; ++i) runge_kutta(model, 1e-3, q, v);
  EXPECT_LT((momentum() - initial).norm(), 1e-10);
}

TEST(Top, PrecessesSteadily) {
  // A symmetric top on its tip at the angle θ turns about its axis with ω₃ (in space) and precesses with Ω. It stays at
  // θ if I₃ ω₃ Ω − I₁ Ω² cos θ = m g l (moments about the tip).
  const double m = 0.8, l = 0.3, I1_center = 0.03, I3 = 0.05, I1 = I1_center + m * l * l;
  ModelBuilder builder;
  builder.set_gravity(Vec3(0, 0, -g));
  builder.add_body("top", inertia(m, Vec3(0, 0, l), Vec3(I1_center, I1_center, I3)));
  builder.add_joint(0, joint_of(JointType::spherical));
  const Model model = builder.build();

  for (const double angle : {0.2, 0.7, 1.2, 2.0}) {
    const double precession = 1.7;
    const double spin = (m * g * l + I1 * precession * precession * std::cos(angle)) / (I3 * precession);
    const Quaternion tilt = exponential(Vec3(angle, 0, 0));
    VectorX q(4), v(3);
    q << tilt.w(), tilt.x(), tilt.y(), tilt.z();
    const Mat3 R = tilt.toRotationMatrix();
    const Vec3 axis = R.col(2);
    const Vec3 spin_W = precession * (Vec3::UnitZ() - axis.z() * axis) + spin * axis;
    v = R.transpose() * spin_W;
    // The whole picture turns about the vertical with Ω.
    const Vec3 expected = R.transpose() * (precession * Vec3::UnitZ()).cross(spin_W);
    EXPECT_LT((acceleration(model, q, v) - expected).norm(), 1e-11 * (1 + expected.norm()));

    const double height = axis.z();
    const int steps = 4000;
    const double turn = 2 * std::numbers::pi / precession;
    for (int i = 0; i < steps; ++i) runge_kutta(model, turn / steps, q, v);
    const Vec3 axis_after = Quaternion(q[0], q[1], q[2], q[3]).toRotationMatrix().col(2);
    EXPECT_NEAR(axis_after.z(), height, 1e-7);
    EXPECT_LT((axis_after - axis).norm(), 1e-6);
  }
}

TEST(SlidingBlock, AcceleratesDownTheSlopeAgainstItsSpring) {
  const double slope = 0.6, m = 2.3, stiffness = 40, rest = 0.2;
  ModelBuilder builder;
  builder.set_gravity(Vec3(0, 0, -g));
  builder.add_body("block", inertia(m, Vec3(0.3, -0.2, 0.1), Vec3(0.4, 0.5, 0.6)));
  Joint joint = joint_of(JointType::prismatic);
  // The joint's z axis points down the slope, in the world's x–z plane.
  joint.X_PF.R = exponential(Vec3(0, std::numbers::pi / 2 + slope, 0)).toRotationMatrix();
  joint.stiffness = VectorX::Constant(1, stiffness);
  joint.rest = VectorX::Constant(1, rest);
  builder.add_joint(0, joint);
  const Model model = builder.build();
  const VectorX q = VectorX::Constant(1, 0.5);
  VectorX springs;
  spring_force(model, q, springs);
  const double expected = g * std::sin(slope) - stiffness * (0.5 - rest) / m;
  EXPECT_NEAR(acceleration(model, q, VectorX::Constant(1, 1.5), springs)[0], expected, 1e-13);
}

TEST(Planar, ACentreOfMassOffTheJointMovesStraight) {
  // Without forces the centre p + R(θ) c does not accelerate and θ̈ = 0, so p̈ = θ̇² R c.
  const Vec3 c(0.4, -0.3, 0.2);
  ModelBuilder builder;
  builder.add_body("plate", inertia(1.7, c, Vec3(0.2, 0.3, 0.4)));
  builder.add_joint(0, joint_of(JointType::planar));
  const Model model = builder.build();
  Random random(64);
  for (int trial = 0; trial < 20; ++trial) {
    const VectorX q = random.vector(3, 2), v = random.vector(3, 2);
    const Vec3 arm = exponential(Vec3(0, 0, q[2])).toRotationMatrix() * c;
    const VectorX vdot = acceleration(model, q, v);
    EXPECT_NEAR(vdot[0], v[2] * v[2] * arm.x(), 1e-12);
    EXPECT_NEAR(vdot[1], v[2] * v[2] * arm.y(), 1e-12);
    EXPECT_NEAR(vdot[2], 0, 1e-12);
  }
}

TEST(Energy, DriftsOnlyByTheIntegratorsErrorAtItsOrder) {
  Random random(65);
  for (int trial = 0; trial < 6; ++trial) {
    const Model model = random_tree(random, {.bodies = 6, .springs = 20, .new_root = 0.1});
    const VectorX q0 = random_position(model, random), v0 = random.vector(model.velocity_count(), 0.5);
    const auto energy = [&](const VectorX& q, const VectorX& v) {
      DynamicsWorkspace workspace(model);
      forward_kinematics(model, q, workspace);
      forward_velocity(model, q, v, workspace);
      return kinetic_energy(model, workspace) + potential_energy(model, q, workspace);
    };
    // The largest on the way: at a single instant the leading term of the error may pass through zero.
    const auto drift = [&](int steps) {
      VectorX q = q0, v = v0;
      double largest = 0;
      for (int i = 0; i < steps; ++i) {
        runge_kutta(model, 0.5 / steps, q, v);
        largest = std::max(largest, std::abs(energy(q, v) - energy(q0, v0)));
      }
      return largest;
    };
    const double coarse = drift(250), fine = drift(500);
    EXPECT_LT(coarse, 1e-6);
    EXPECT_NEAR(coarse / fine, 16, 1);  // fourth order
  }
}

}  // namespace
}  // namespace carom::closed_form_test
