#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>

#include "carom/dynamics/multiply_mass.h"
#include "carom/dynamics/recursions.h"
#include "carom/dynamics/test/moving_tree.h"

// Each joint type against its geometry, against the same motion spelled out in another way, and in closed form.
namespace carom::joint_types_test {
namespace {

constexpr double g = 9.81;

Mat3 turn(const Vec3& axis, double angle) { return exponential(angle * axis).toRotationMatrix(); }

Joint joint_of(JointType type, int parent = -1) {
  Joint joint;
  joint.type = type;
  joint.parent = parent;
  return joint;
}

VectorX at_rest(const Joint& joint) { return VectorX::Zero(velocity_size(joint)); }

void expect_near(const Transform& a, const Transform& b, double tolerance) {
  EXPECT_LT((a.R - b.R).norm(), tolerance);
  EXPECT_LT((a.p - b.p).norm(), tolerance);
}

Model one_body(const SpatialInertia& inertia, const Joint& joint, const Vec3& gravity) {
  ModelBuilder builder;
  builder.set_gravity(gravity);
  builder.add_body("body", inertia);
  builder.add_joint(0, joint);
  return builder.build();
}

std::vector<JointType> scalar_types() {
  std::vector<JointType> types;
  for (const JointType type : joint_types) {
    if (has_scalar_coordinates(type)) types.push_back(type);
  }
  return types;
}

TEST(JointTypes, PoseIsTheOneThatTheTableDescribes) {
  Random random(71);
  const Vec3 x = Vec3::UnitX(), y = Vec3::UnitY(), z = Vec3::UnitZ();
  for (int trial = 0; trial < 20; ++trial) {
    const double a = random.uniform(-3, 3), b = random.uniform(-3, 3), c = random.uniform(-3, 3);
    const auto pose = [](const Joint& joint, const VectorX& q) { return joint_motion(joint, q, at_rest(joint)).X_FM; };
    Joint screw = joint_of(JointType::screw);
    screw.pitch = random.uniform(-1, 1);
    expect_near(pose(joint_of(JointType::revolute), VectorX::Constant(1, a)), {turn(z, a), Vec3::Zero()}, 1e-14);
    expect_near(pose(joint_of(JointType::prismatic), VectorX::Constant(1, a)), {Mat3::Identity(), a * z}, 1e-14);
    expect_near(pose(screw, VectorX::Constant(1, a)), {turn(z, a), screw.pitch * a * z}, 1e-14);
    expect_near(pose(joint_of(JointType::cylindrical), Vec2(a, b)), {turn(z, a), b * z}, 1e-14);
    expect_near(pose(joint_of(JointType::universal), Vec2(a, b)), {turn(x, a) * turn(y, b), Vec3::Zero()}, 1e-14);
    expect_near(pose(joint_of(JointType::slot), Vec2(a, b)), {turn(z, b), a * x}, 1e-14);
    expect_near(pose(joint_of(JointType::planar), Vec3(a, b, c)), {turn(z, c), a * x + b * y}, 1e-14);
  }
}

TEST(JointTypes, TwistsThatSpellOutAnotherTypeMoveAlike) {
  Random random(72);
  for (const JointType type : scalar_types()) {
    for (int trial = 0; trial < 10; ++trial) {
      const Joint joint = random_joint(random, type);
      Joint spelled = joint;
      spelled.type = JointType::twists;
      spelled.twists = coordinate_twists(joint);
      spelled.pitch = 0;
      const int size = velocity_size(joint);
      const VectorX q = random.vector(size, 3), v = random.vector(size, 2), tau = random.vector(size, 3);
      const JointMotion a = joint_motion(joint, q, v), b = joint_motion(spelled, q, v);
      expect_near(a.X_FM, b.X_FM, 1e-14);
      EXPECT_LT((a.S - b.S).norm(), 1e-14) << joint_name(type);
      EXPECT_LT((a.bias - b.bias).norm(), 1e-14) << joint_name(type);
      const SpatialInertia inertia = random.inertia();
      const Vec3 gravity = random.vector(10);
      const VectorX vdot = acceleration(one_body(inertia, joint, gravity), q, v, tau);
      const VectorX same = acceleration(one_body(inertia, spelled, gravity), q, v, tau);
      EXPECT_LT((vdot - same).norm(), 1e-10 * (1 + vdot.norm())) << joint_name(type);
    }
  }
}

TEST(JointTypes, TwistsMeanTheSameInEveryJointFrame) {
  Random random(73);
  for (int trial = 0; trial < 30; ++trial) {
    const Joint joint = random_joint(random, JointType::twists);
    const Transform X = random.transform(1);
    Joint moved = joint;
    moved.X_PF = joint.X_PF * X;
    moved.X_BM = joint.X_BM * X;
    for (auto twist : moved.twists.colwise()) twist = X.inverse_motion(twist);
    const int size = velocity_size(joint);
    const VectorX q = random.vector(size, 1), v = random.vector(size, 2), tau = random.vector(size, 3);
    const SpatialInertia inertia = random.inertia();
    const Model here = one_body(inertia, joint, Vec3(1, 2, -9)), there = one_body(inertia, moved, Vec3(1, 2, -9));
    DynamicsWorkspace a(here), b(there);
    VectorX vdot, same;
    forward_dynamics(here, q, v, tau, a, vdot);
    forward_dynamics(there, q, v, tau, b, same);
    expect_near(a.X_WB[0], b.X_WB[0], 1e-13);
    EXPECT_LT((vdot - same).norm(), 1e-9 * (1 + vdot.norm()));
  }
}

/// A body on two scalar coordinates, and on two joints of one coordinate each with a link of next to no mass between.
struct Split {
  Model whole, chain;

  Split(const SpatialInertia& inertia, const Joint& joint, Joint first, Joint second)
      : whole(one_body(inertia, joint, Vec3(1, 2, -9))), chain(build(inertia, joint, first, second)) {}

  static Model build(const SpatialInertia& inertia, const Joint& joint, Joint& first, Joint& second) {
    const double tiny = 1e-9;
    first.X_PF = joint.X_PF * first.X_PF;
    second.X_BM = joint.X_BM * second.X_BM;
    second.parent = 0;
    ModelBuilder builder;
    builder.set_gravity(Vec3(1, 2, -9));
    builder.add_body("cross", {tiny, Vec3::Zero(), tiny * Mat3::Identity()});
    builder.add_body("body", inertia);
    builder.add_joint(0, first);
    builder.add_joint(1, second);
    return builder.build();
  }

  void expect_same(const VectorX& q, const VectorX& v, const VectorX& tau) const {
    DynamicsWorkspace a(whole), b(chain);
    VectorX vdot, same;
    forward_dynamics(whole, q, v, tau, a, vdot);
    forward_dynamics(chain, q, v, tau, b, same);
    expect_near(a.X_WB[0], b.X_WB[1], 1e-13);
    EXPECT_LT((a.V[0] - b.V[1]).norm(), 1e-13 * 10);
    EXPECT_LT((vdot - same).norm(), 1e-6 * (1 + vdot.norm()));  // the link's mass against the body's
  }
};

/// A joint about or along an axis of the frame in which a coordinate of another joint stands.
Joint along(JointType type, const Vec3& axis) {
  Joint joint = joint_of(type);
  joint.X_PF.R = joint.X_BM.R = Quaternion::FromTwoVectors(Vec3::UnitZ(), axis).toRotationMatrix();
  return joint;
}

TEST(JointTypes, TwoCoordinatesAreTwoJointsWithALinkOfNoMassBetween) {
  Random random(74);
  const Vec3 x = Vec3::UnitX(), y = Vec3::UnitY(), z = Vec3::UnitZ();
  for (int trial = 0; trial < 10; ++trial) {
    const SpatialInertia inertia = random.inertia();
    Joint joint = joint_of(JointType::universal);
    joint.X_PF = random.transform(1);
    joint.X_BM = random.transform(0.5);
    const VectorX q = random.vector(2, 3), v = random.vector(2, 2), tau = random.vector(2, 3);
    Split(inertia, joint, along(JointType::revolute, x), along(JointType::revolute, y)).expect_same(q, v, tau);
    joint.type = JointType::cylindrical;
    Split(inertia, joint, along(JointType::revolute, z), along(JointType::prismatic, z)).expect_same(q, v, tau);
    joint.type = JointType::slot;
    Split(inertia, joint, along(JointType::prismatic, x), along(JointType::revolute, z)).expect_same(q, v, tau);
  }
}

TEST(Screw, ANutOnAThreadFallsAsItsSpinLetsIt) {
  // Along the thread m a = m g cos β − F; about it I α = p F, with a = p α. Hence a = g cos β / (1 + I / (m p²)).
  const double m = 0.7, I = 3e-4;
  for (const double pitch : {2e-3, -0.05, 1.0}) {
    for (const double incline : {0.0, 0.4, 1.2}) {
      Joint joint = joint_of(JointType::screw);
      joint.pitch = pitch;
      joint.X_PF.R = turn(Vec3::UnitX(), incline);
      const Model model = one_body({m, Vec3(0, 0, 0.3), Vec3(0.1, 0.1, I).asDiagonal()}, joint, Vec3(0, 0, -g));
      const VectorX vdot = acceleration(model, VectorX::Constant(1, 2), VectorX::Constant(1, 30));
      const double along_thread = -g * std::cos(incline) / (1 + I / (m * pitch * pitch));
      EXPECT_NEAR(pitch * vdot[0], along_thread, 1e-12 * g);
    }
  }
}

TEST(Cylindrical, ABodyOnItsAxisSlidesAndSpinsIndependently) {
  const double m = 1.7, I = 0.02, torque = 0.3, incline = 0.5;
  Joint joint = joint_of(JointType::cylindrical);
  joint.X_PF.R = turn(Vec3::UnitY(), incline);
  const Model model = one_body({m, Vec3(0, 0, 0.2), Vec3(0.1, 0.1, I).asDiagonal()}, joint, Vec3(0, 0, -g));
  const VectorX vdot = acceleration(model, Vec2(1, 0.4), Vec2(5, -2), Vec2(torque, 0));
  EXPECT_NEAR(vdot[0], torque / I, 1e-12 * torque / I);
  EXPECT_NEAR(vdot[1], -g * std::cos(incline), 1e-13 * g);
}

TEST(Slot, APendulumOnASlidingPinHasLagrangesAccelerations) {
  // Bob of mass m and moment I at l below a pin that slides along x. Its angle from the vertical is a, about F's z
  // (−y_W).
  //
  //   m ẍ + m l cos a ä = m l sin a ȧ²,   m l cos a ẍ + (I + m l²) ä = −m g l sin a.
  const double m = 1.3, l = 0.6, I = 0.07;
  Joint joint = joint_of(JointType::slot);
  joint.X_PF.R << 1, 0, 0, 0, 0, -1, 0, 1, 0;
  const Model model = one_body({m, Vec3(0, -l, 0), Vec3(I, I, I).asDiagonal()}, joint, Vec3(0, 0, -g));
  Random random(75);
  for (int trial = 0; trial < 20; ++trial) {
    const VectorX q = random.vector(2, 3), v = random.vector(2, 3);
    const double c = std::cos(q[1]), s = std::sin(q[1]);
    Eigen::Matrix2d M;
    M << m, m * l * c, m * l * c, I + m * l * l;
    const Vec2 expected = M.inverse() * Vec2(m * l * s * v[1] * v[1], -m * g * l * s);
    EXPECT_LT((acceleration(model, q, v) - expected).norm(), 1e-12 * (1 + expected.norm()));
  }
}

TEST(ReflectedInertia, OfAHingeIsAMomentAboutItsAxisAndOfASlideAMassAlongIt) {
  const double m = 1.2, rotor = 0.4, tau = 2;
  Joint hinge = joint_of(JointType::revolute), slide = joint_of(JointType::prismatic);
  hinge.reflected_inertia = slide.reflected_inertia = VectorX::Constant(1, rotor);
  const SpatialInertia inertia{m, Vec3(0.3, 0, 0), Vec3(0.2, 0.3, 0.4).asDiagonal()};
  const VectorX zero = VectorX::Zero(1), force = VectorX::Constant(1, tau);
  EXPECT_NEAR(acceleration(one_body(inertia, hinge, Vec3::Zero()), zero, zero, force)[0],
              tau / (0.4 + m * 0.09 + rotor), 1e-14);
  // A rotor does not weigh: gravity pulls the body alone.
  EXPECT_NEAR(acceleration(one_body(inertia, slide, Vec3(0, 0, -g)), zero, zero, force)[0], (tau - m * g) / (m + rotor),
              1e-14 * 10);
}

/// Turns about z, then y, then x: in gimbal lock where the second is at a right angle.
Joint yaw_pitch_roll() {
  Joint joint = joint_of(JointType::twists);
  joint.twists.setZero(6, 3);
  joint.twists(2, 0) = joint.twists(1, 1) = joint.twists(0, 2) = 1;
  return joint;
}

/// A top on three turns, and a link on a hinge at its end.
Model gimbal(Random& random, const Joint& joint) {
  ModelBuilder builder;
  builder.set_gravity(Vec3(1, 2, -9));
  builder.add_body("top", random.inertia());
  builder.add_body("link", random.inertia());
  Joint hinge = joint_of(JointType::revolute, 0);
  hinge.X_PF = random.transform(1);
  hinge.X_BM = random.transform(1);
  builder.add_joint(0, joint);
  builder.add_joint(1, hinge);
  return builder.build();
}

TEST(GimbalLock, AwayFromItThreeTurnsAreABallJoint) {
  Random random(76);
  for (int trial = 0; trial < 20; ++trial) {
    Random same(1000 + trial), again(1000 + trial);
    const Model turns = gimbal(same, yaw_pitch_roll()), ball = gimbal(again, joint_of(JointType::spherical));
    VectorX q = random.vector(4, 1.2), v = random.vector(4, 2);
    DynamicsWorkspace a(turns), b(ball);
    VectorX vdot, expected;
    forward_dynamics(turns, q, v, VectorX::Zero(4), a, vdot);
    forward_kinematics(turns, q, a);
    forward_velocity(turns, q, v, a);
    const Quaternion R(a.X_WB[0].R);
    VectorX q_ball(5), v_ball(4);
    q_ball << R.w(), R.vec(), q[3];
    v_ball << a.V[0].head<3>(), v[3];
    forward_dynamics(ball, q_ball, v_ball, VectorX::Zero(4), b, expected);
    const JointMotion motion = joint_motion(turns.joints()[0], q.head(3), v.head(3));
    const Vec3 spin_rate = (motion.S * vdot.head(3) + motion.bias).head<3>();
    EXPECT_LT((spin_rate - expected.head(3)).norm(), 1e-11 * (1 + vdot.norm()));
    EXPECT_NEAR(vdot[3], expected[3], 1e-11 * (1 + vdot.norm()));
  }
}

TEST(GimbalLock, InItAndNearItAccelerationsAreFiniteAndAnswerGravity) {
  Random random(77);
  const Model model = gimbal(random, yaw_pitch_roll());
  for (const double off : {0.0, 1e-16, 1e-12, 1e-9, 1e-7, 1e-6, 1e-5, 1e-3, 0.1}) {
    DynamicsWorkspace workspace(model);
    VectorX q = random.vector(4, 1), vdot, tau;
    const VectorX v = random.vector(4, 2);
    q[1] = std::numbers::pi / 2 - off;
    forward_dynamics(model, q, v, VectorX::Zero(4), workspace, vdot);
    ASSERT_TRUE(vdot.allFinite()) << off;
    // Gravity and inertia never push the coordinate that does not move: the equations hold, lock or not. At the onset
    // of the lock, the pushes left out are as small as 1e-6 of the others, like the distance to the lock.
    inverse_dynamics(model, vdot, workspace, tau);
    const bool clear = off == 0 || off > 1e-5;
    EXPECT_LT(tau.norm(), clear ? 1e-9 * (1 + vdot.norm()) : 1e-3) << off;
  }
}

TEST(GimbalLock, SolvesAreRightForForcesThatTheMotionFeelsAndLeast) {
  Random random(78);
  for (int trial = 0; trial < 20; ++trial) {
    const Model model = gimbal(random, yaw_pitch_roll());
    DynamicsWorkspace workspace(model);
    VectorX q = random.vector(4, 1), x, b(4), back(4), y = random.vector(4, 1);
    q[1] = std::numbers::pi / 2;
    forward_kinematics(model, q, workspace);
    factor_mass(model, VectorX(), workspace);
    multiply_mass(model, y, workspace, b);
    solve_mass(model, b, workspace, x);
    multiply_mass(model, x, workspace, back);
    EXPECT_LT((back - b).norm(), 1e-12 * (1 + b.norm()));
    // At the lock yaw and roll turn the same way up to a sign: the least answer does not turn them against each other.
    Eigen::Matrix<double, 6, 3> S;
    VectorX weights(3);
    for (int k = 0; k < 3; ++k) {
      const JointColumn& column = workspace.columns[k];
      S.col(k) << column.S.angular, column.S.linear;
      weights[k] = dot(column.U, column.S);
    }
    Eigen::SelfAdjointEigenSolver<MatrixX> of_motion(MatrixX(S.transpose() * S));
    EXPECT_NEAR(of_motion.eigenvalues()[0], 0, 1e-15);
    const VectorX idle = of_motion.eigenvectors().col(0);
    EXPECT_NEAR(idle.dot(weights.cwiseProduct(x.head(3))), 0, 1e-12 * (1 + x.norm()));
  }
}

TEST(GimbalLock, ExtraOrReflectedInertiaUnlocksTheSolve) {
  Random random(79);
  for (const bool reflected : {false, true}) {
    Joint joint = yaw_pitch_roll();
    if (reflected) joint.reflected_inertia = Vec3(0.1, 0.2, 0.3);
    const Model model = gimbal(random, joint);
    VectorX extra = VectorX::Zero(4), q = random.vector(4, 1);
    if (!reflected) extra.head<3>() = Vec3(0.1, 0.2, 0.3);
    q[1] = std::numbers::pi / 2;
    DynamicsWorkspace workspace(model);
    MatrixX M;
    forward_kinematics(model, q, workspace);
    mass_matrix(model, workspace, M);
    M.diagonal() += extra;
    const VectorX b = random.vector(4, 1), expected = M.ldlt().solve(b);
    VectorX x;
    factor_mass(model, extra, workspace);
    solve_mass(model, b, workspace, x);
    EXPECT_LT((x - expected).norm(), 1e-11 * (1 + expected.norm()));
  }
}

}  // namespace
}  // namespace carom::joint_types_test
