#include <gtest/gtest.h>

#include <cmath>

#include "experiment.h"
#include "mechanisms.h"

// Stepper hybrid-dca: symmetries of whole motions, closed forms of one coordinate, and energy.
namespace carom::hybrid_dca_motion_test {
namespace {

Method hybrid(double step) {
  Method method;
  method.stepper = StepperKind::hybrid_dca;
  method.cone = FrictionCone::exact;
  method.step = step;
  return method;
}

/// Places of four balls, turned back. Rods between points off their centres tie the balls to a ring. It is thrown on a
/// floor in a world turned (or mirrored) by `turn`.
std::vector<Vec3> thrown_ring(const Mat3& turn) {
  const double side = turn.determinant();
  test::SceneMaker scene(0.4, 0.0, turn * Vec3(0.3, 0.1, -9.81));
  Transform floor;
  floor.R = contact_frame(turn * Vec3(0, 0, 1));
  scene.add_static(HalfSpace{}, floor);
  const Vec3 corners[] = {{0, 0, 0.2}, {0.5, 0, 0.25}, {0.5, 0.4, 0.16}, {0, 0.45, 0.3}};
  const Vec3 ties[] = {{0.05, 0.02, 0.01}, {-0.03, 0.04, 0.02}, {0.01, -0.05, 0.03}, {0.02, 0.02, -0.05}};
  for (int i = 0; i < 4; ++i) {
    const Vec3 spin(0.5, -1, 2), velocity = Vec3(1.2, 0.3, -1) + spin.cross(corners[i]);
    scene.add(Sphere{0.1}, 1 + 0.3 * i, turn * corners[i], turn * velocity, Quaternion::Identity(),
              side * (turn * spin));
  }
  for (int i = 0; i < 4; ++i) {
    const int j = (i + 1) % 4;
    Constraint rod;
    rod.name = "rod" + std::to_string(i);
    rod.kind = ConstraintKind::rod;
    rod.body_a = i;
    rod.body_b = j;
    rod.X_AF.p = turn * ties[i];
    rod.X_BG.p = turn * ties[j];
    rod.length = (corners[i] + ties[i] - corners[j] - ties[j]).norm();
    scene.builder.add_constraint(rod);
  }
  Simulation simulation = scene.simulation(hybrid(0.004));
  int pressing = 0;
  for (int i = 0; i < 100; ++i) {
    const StepReport& report = simulation.step();
    EXPECT_EQ(report.status, SolveStatus::solved) << i;
    for (const ContactReport& contact : report.contacts) pressing += contact.impulse[2] > 0;
  }
  EXPECT_GT(pressing, 50);
  std::vector<Vec3> positions;
  positions.reserve(4);
  for (int i = 0; i < 4; ++i) positions.emplace_back(turn.transpose() * test::position(simulation, i));
  return positions;
}

TEST(HybridDcaMotion, IsTheSameInAWorldThatIsTurnedOrMirrored) {
  const std::vector<Vec3> plain = thrown_ring(Mat3::Identity());
  const Mat3 about_vertical = exponential(Vec3(0, 0, 0.7)).toRotationMatrix();
  const Mat3 oblique = exponential(Vec3(0.9, -0.4, 1.3)).toRotationMatrix();
  const Mat3 mirror = Vec3(-1, 1, 1).asDiagonal();
  for (const Mat3& turn : {about_vertical, oblique, mirror, Mat3(oblique * mirror)}) {
    const std::vector<Vec3> other = thrown_ring(turn);
    for (int i = 0; i < 4; ++i) EXPECT_LT((other[i] - plain[i]).norm(), 1e-6) << i;
  }
}

/// A slider of 2 kg along a line.
struct Slider {
  ModelBuilder builder;
  Joint joint;
  double start = 0, speed = 0;

  explicit Slider(const Vec3& along, double gravity = 9.81) {
    builder.set_gravity(Vec3(0, 0, -gravity));
    builder.add_body("slider", {2, Vec3::Zero(), Vec3(0.1, 0.1, 0.1).asDiagonal()});
    joint.name = "rail";
    joint.type = JointType::prismatic;
    joint.X_PF.R = joint.X_BM.R = contact_frame(along);
  }
  Simulation simulation(double h) {
    builder.add_joint(0, joint);
    State state;
    state.q = test::one(start);
    state.v = test::one(speed);
    return Simulation(std::make_shared<const Model>(builder.build()), hybrid(h), state);
  }
};

TEST(HybridDcaMotion, ALimitBearsAWeight) {
  Slider slider(Vec3::UnitZ());
  slider.joint.lower = test::one(-0.1);
  slider.joint.upper = test::one(1);
  Simulation simulation = slider.simulation(0.01);
  for (int i = 0; i < 40; ++i) ASSERT_EQ(simulation.step().status, SolveStatus::solved);
  EXPECT_NEAR(simulation.state().q[0], -0.1, 1e-12);
  const StepReport& report = simulation.step();
  ASSERT_EQ(report.contacts.size(), 1u);
  EXPECT_NEAR(report.contacts[0].impulse[2], 2 * 9.81 * 0.01, 1e-12);
}

TEST(HybridDcaMotion, DryFrictionSlowsDownAndHolds) {
  Slider slider(Vec3::UnitX());
  slider.joint.friction = test::one(5);
  slider.speed = 1;
  Simulation simulation = slider.simulation(0.01);
  for (int i = 1; i <= 60; ++i) {
    ASSERT_EQ(simulation.step().status, SolveStatus::solved);
    ASSERT_NEAR(simulation.state().v[0], std::max(0.0, 1 - 2.5 * 0.01 * i), 1e-12) << i;
  }
}

TEST(HybridDcaMotion, AServoPushesNoHarderThanItsLimit) {
  Slider slider(Vec3::UnitX());
  Drive servo{"servo", DriveKind::servo, 0, 0, TimeFunction::constant(1)};
  servo.stiffness = 1000;
  servo.limit = 3;
  slider.builder.add_drive(servo);
  Simulation simulation = slider.simulation(0.01);
  for (int i = 1; i <= 50; ++i) {
    ASSERT_EQ(simulation.step().status, SolveStatus::solved);
    ASSERT_NEAR(simulation.state().v[0], 1.5 * 0.01 * i, 1e-12) << i;
  }
}

TEST(HybridDcaMotion, APrescribedMotionIsKept) {
  Slider slider(Vec3(1, 0, 1).normalized());
  slider.speed = 0.5;
  Constraint motion;
  motion.name = "way";
  motion.kind = ConstraintKind::motion;
  motion.body_a = 0;
  motion.target.polynomial = {0, 0.5, 2};
  slider.builder.add_constraint(motion);
  Simulation simulation = slider.simulation(0.01);
  for (int i = 1; i <= 50; ++i) {
    ASSERT_EQ(simulation.step().status, SolveStatus::solved);
    const double t = 0.01 * i;
    ASSERT_NEAR(simulation.state().q[0], 0.5 * t + 2 * t * t, 1e-12) << i;
    ASSERT_NEAR(simulation.state().v[0], 0.5 + 4 * t, 1e-12) << i;
  }
}

/// A ball that hangs on a rope.
TEST(HybridDcaMotion, ARopeBearsAWeight) {
  test::SceneMaker scene(0);
  scene.add(Sphere{0.1}, 3, Vec3(0, 0, 1));
  Constraint rope;
  rope.name = "rope";
  rope.kind = ConstraintKind::rope;
  rope.body_a = 0;
  rope.X_BG.p = Vec3(0, 0, 1.5);
  rope.length = 0.6;
  scene.builder.add_constraint(rope);
  Simulation simulation = scene.simulation(hybrid(0.01));
  for (int i = 0; i < 60; ++i) ASSERT_EQ(simulation.step().status, SolveStatus::solved);
  EXPECT_NEAR(test::position(simulation, 0).z(), 0.9, 1e-9);
  const StepReport& report = simulation.step();
  ASSERT_EQ(report.contacts.size(), 1u);
  EXPECT_NEAR(report.contacts[0].impulse[2], 3 * 9.81 * 0.01, 1e-10);
}

/// Two unequal bodies on a ball joint, of which the top slides on a plane without friction, its point in it.
double energy_error(double h) {
  test::SceneMaker scene(0);
  scene.add_static(HalfSpace{});
  const SpatialInertia inertia{1, Vec3(0, 0, -0.5), Vec3(1, 2, 3).asDiagonal()};
  const int first = scene.builder.add_body("first", inertia), second = scene.builder.add_body("second", inertia);
  scene.builder.add_collider({"top", first, Sphere{0}, {}, scene.material});
  Joint ball;
  ball.name = "ball";
  ball.type = JointType::spherical;
  ball.parent = first;
  ball.X_PF.p = Vec3(0, 0, -1);
  scene.builder.add_joint(second, ball);
  State state;
  state.q.resize(11);
  state.q << std::cos(1), 0, std::sin(1), 0, 0, 0, 0, std::cos(1), std::sin(1), 0, 0;
  state.v.setZero(9);
  Simulation simulation(scene.model(), hybrid(h), state);
  const double before = test::energy(simulation.model(), state);
  double worst = 0;
  while (simulation.state().time < 1.5 - 1e-9) {
    EXPECT_EQ(simulation.step().status, SolveStatus::solved);
    worst = std::max(worst, std::abs(test::energy(simulation.model(), simulation.state()) - before));
  }
  return worst;
}

TEST(HybridDcaMotion, EnergyOfASlidingDoublePendulumErrsByFirstOrder) {
  const double coarse = energy_error(4e-3), middle = energy_error(2e-3), fine = energy_error(1e-3);
  EXPECT_LT(fine, 0.01 * 2 * 9.81);  // of what it falls by
  EXPECT_NEAR(coarse / middle, 2, 0.3);
  EXPECT_NEAR(middle / fine, 2, 0.3);
}

}  // namespace
}  // namespace carom::hybrid_dca_motion_test
