#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "mechanisms.h"

// Joints of several scalar coordinates, and reflected inertia, in motion.
namespace carom::joint_types_test {
namespace {

constexpr double g = 9.81;

Simulation one_body(const SpatialInertia& inertia, const Joint& joint, const VectorX& q, const VectorX& v, double h) {
  ModelBuilder builder;
  builder.set_gravity(Vec3(0, 0, -g));
  builder.add_body("body", inertia);
  builder.add_joint(0, joint);
  State state;
  state.q = q;
  state.v = v;
  Method method;
  method.step = h;
  return Simulation(std::make_shared<const Model>(builder.build()), method, state);
}

TEST(JointTypes, ANutFallsAlongItsThreadAsTheStepsFormulaSays) {
  const double m = 0.4, I = 2e-4, h = 0.002;
  Joint joint;
  joint.type = JointType::screw;
  joint.pitch = 0.01;
  Simulation simulation =
      one_body({m, Vec3::Zero(), Vec3(I, I, I).asDiagonal()}, joint, VectorX::Zero(1), VectorX::Zero(1), h);
  const double a = -g / (1 + I / (m * joint.pitch * joint.pitch));
  for (int n = 1; n <= 200; ++n) {
    simulation.step();
    EXPECT_NEAR(joint.pitch * simulation.state().v[0], n * h * a, 1e-12);
  }
}

TEST(JointTypes, LimitsStopEveryCoordinate) {
  // One coordinate at a time starts towards its limit and stays there, against gravity or by losing its speed.
  for (const JointType type : joint_types) {
    if (!has_scalar_coordinates(type)) continue;
    Joint joint;
    joint.type = type;
    joint.pitch = type == JointType::screw ? 0.1 : 0;
    if (type == JointType::twists) {
      joint.twists.setZero(6, 3);
      joint.twists.col(0) << 0, 0, 1, 0.2, 0, 0;
      joint.twists.col(1) << 0, 1, 0, 0, 0, 0.1;
      joint.twists.col(2) << 0, 0, 0, 1, 0, 1;
    }
    const int size = velocity_size(joint);
    for (int k = 0; k < size; ++k) {
      Joint limited = joint;
      limited.upper = VectorX::Constant(size, std::numeric_limits<double>::infinity());
      limited.upper[k] = 0.05;
      Simulation simulation = one_body({1.5, Vec3(0.1, 0, 0), 0.02 * Mat3::Identity()}, limited, VectorX::Zero(size),
                                       VectorX(3 * VectorX::Unit(size, k)), 0.001);
      bool touched = false;
      for (int i = 0; i < 60; ++i) {
        const StepReport& report = simulation.step();
        ASSERT_EQ(report.status, SolveStatus::solved);
        EXPECT_LE(simulation.state().q[k], 0.05 + 1e-9) << joint_name(type) << " " << k;
        touched = touched || !report.events.empty();
      }
      EXPECT_TRUE(touched) << joint_name(type) << " " << k;
    }
  }
}

TEST(JointTypes, ASpringOnOneCoordinateSwingsAtItsFrequency) {
  // A sleeve on a level shaft: its displacement swings, its angle spins on.
  const double m = 2, stiffness = 50, h = 1e-4, start = 0.1;
  Joint joint;
  joint.type = JointType::cylindrical;
  joint.X_PF.R = exponential(Vec3(0, std::numbers::pi / 2, 0)).toRotationMatrix();
  joint.stiffness = Vec2(0, stiffness);
  joint.reflected_inertia = Vec2(0, 1);
  Simulation simulation = one_body({m, Vec3::Zero(), 0.1 * Mat3::Identity()}, joint, Vec2(0, start), Vec2(4, 0), h);
  const double frequency = std::sqrt(stiffness / (m + 1));
  while (simulation.state().time < 1) simulation.step();
  const double t = simulation.state().time;
  EXPECT_NEAR(simulation.state().q[0], 4 * t, 1e-12 * 100);
  // Backward Euler damps by ½ h ω² t.
  const double damped = start * std::exp(-0.5 * h * frequency * frequency * t);
  EXPECT_NEAR(simulation.state().q[1], damped * std::cos(frequency * t), 1e-3 * start);
}

/// Two links on hinges with rotors, hung on the world or floating.
State swing(ModelBuilder& builder, bool floats) {
  State state;
  const SpatialInertia link{1, Vec3(0, -0.3, 0), 0.05 * Mat3::Identity()};
  int parent = -1;
  if (floats) {
    parent = builder.add_body("base", {3, Vec3(0.1, 0, 0), 0.2 * Mat3::Identity()});
    state.q = (VectorX(9) << 1, 0, 0, 0, 0, 0, 0, 0.3, -0.4).finished();
    state.v = (VectorX(8) << 1, -2, 0.5, 1, 0, 0, 6, -4).finished();
  } else {
    state.q = Vec2(0.3, -0.4);
    state.v = Vec2(6, -4);
  }
  for (const double rotor : {0.3, 0.1}) {
    Joint hinge;
    hinge.type = JointType::revolute;
    hinge.parent = parent;
    hinge.X_PF.p = Vec3(0, -0.6, 0);
    hinge.reflected_inertia = VectorX::Constant(1, rotor);
    parent = builder.add_body("link", link);
    builder.add_joint(parent, hinge);
  }
  return state;
}

TEST(ReflectedInertia, KeepsEnergyAndMomentumOfFreeFlightToRoundOff) {
  for (const bool floats : {false, true}) {
    ModelBuilder builder;
    const State state = swing(builder, floats);
    Method method;
    method.step = 0.005;
    Simulation simulation(std::make_shared<const Model>(builder.build()), method, state);
    const double energy = test::energy(simulation.model(), state);
    const Vec6 momentum = test::momentum(simulation.model(), state);
    for (int i = 0; i < 500; ++i) simulation.step();
    EXPECT_NEAR(test::energy(simulation.model(), simulation.state()), energy, 1e-11 * energy);
    if (floats) {
      EXPECT_LT((test::momentum(simulation.model(), simulation.state()) - momentum).norm(), 1e-11 * momentum.norm());
    }
  }
}

TEST(ReflectedInertia, UnderGravityEnergyDriftsAtTheOrderOfTheStep) {
  const auto drift = [](SmoothParts smooth, double h) {
    ModelBuilder builder;
    builder.set_gravity(Vec3(3, -9, 0));
    const State state = swing(builder, false);
    Method method;
    method.step = h;
    method.smooth = smooth;
    Simulation simulation(std::make_shared<const Model>(builder.build()), method, state);
    const double energy = test::energy(simulation.model(), state);
    double largest = 0;
    while (simulation.state().time < 1 - 0.5 * h) {
      simulation.step();
      largest = std::max(largest, std::abs(test::energy(simulation.model(), simulation.state()) - energy));
    }
    return largest;
  };
  EXPECT_NEAR(drift(SmoothParts::first_order, 1e-3) / drift(SmoothParts::first_order, 5e-4), 2, 0.2);
  EXPECT_NEAR(drift(SmoothParts::second_order, 1e-3) / drift(SmoothParts::second_order, 5e-4), 4, 0.4);
}

/// Turns about z, then y, then x.
Joint yaw_pitch_roll() {
  Joint joint;
  joint.type = JointType::twists;
  joint.twists.setZero(6, 3);
  joint.twists(2, 0) = joint.twists(1, 1) = joint.twists(0, 2) = 1;
  return joint;
}

TEST(JointTypes, OneBodyKeepsItsEnergyToRoundOffWhereNoForceActs) {
  for (const JointType type : joint_types) {
    if (!has_scalar_coordinates(type)) continue;
    Joint joint = yaw_pitch_roll();
    if (type != JointType::twists) joint.twists.resize(6, 0);
    joint.type = type;
    joint.pitch = type == JointType::screw ? 0.1 : 0;
    const int size = velocity_size(joint);
    ModelBuilder builder;
    builder.add_body("body", {1.5, Vec3(0.1, 0.2, 0.1), Vec3(0.02, 0.03, 0.04).asDiagonal()});
    builder.add_joint(0, joint);
    State state;
    state.q = VectorX::Constant(size, 0.3);
    state.v = VectorX::LinSpaced(size, 2, -1);
    Method method;
    method.step = 0.005;
    Simulation simulation(std::make_shared<const Model>(builder.build()), method, state);
    const double energy = test::energy(simulation.model(), state);
    for (int i = 0; i < 200; ++i) simulation.step();
    EXPECT_NEAR(test::energy(simulation.model(), simulation.state()), energy, 1e-11 * energy) << joint_name(type);
  }
}

TEST(GimbalLock, ATopSwingsThroughItAndKeepsItsEnergy) {
  for (const double yaw_rate : {0.0, 1e-9, 0.3}) {
    // Exactly at the lock, and on the way through it.
    for (const double start : {0.0, 0.3}) {
      const double lock = std::numbers::pi / 2;
      Simulation simulation = one_body({1, Vec3(0.2, 0, 0), Vec3(0.02, 0.03, 0.04).asDiagonal()}, yaw_pitch_roll(),
                                       Vec3(0.1, lock - start, 0.2), Vec3(yaw_rate, 3, 0), 0.001);
      const double energy = test::energy(simulation.model(), simulation.state());
      for (int i = 0; i < 300; ++i) {
        simulation.step();
        ASSERT_TRUE(simulation.state().q.allFinite() && simulation.state().v.allFinite()) << yaw_rate << " " << start;
        // Gravity's drift of first order, ½ h g v, and no jump at the lock, where rates grow a thousandfold.
        EXPECT_NEAR(test::energy(simulation.model(), simulation.state()), energy, 5e-3);
      }
    }
  }
}

}  // namespace
}  // namespace carom::joint_types_test
