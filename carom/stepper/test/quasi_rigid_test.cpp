// Steps that are implicit in the geometry: bodies without layers, and the paper's disc on one.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/error.h"
#include "carom/geometry/test/random_shapes.h"
#include "carom/stepper/test/experiment.h"
#include "carom/stepper/test/mechanisms.h"

namespace carom::quasi_rigid_test {
namespace {

using test::SceneMaker;
using test::with_step;

constexpr double g = 9.81;

const StepReport& solved_step(Simulation& simulation) {
  const StepReport& report = simulation.step();
  EXPECT_EQ(report.status, SolveStatus::solved) << "step " << report.step;
  EXPECT_LT(report.momentum_residual, 1e-9) << "step " << report.step;
  EXPECT_LT(report.penetration, 1e-9) << "step " << report.step;
  EXPECT_LT(report.contact_certificate.cone_violation, 1e-9) << "step " << report.step;
  // Measured by the judge in the state after, which is told a thousand times finer than by the bodies' size.
  EXPECT_LT(report.contact_certificate.normal_complementarity, sound_residual) << "step " << report.step;
  return report;
}

double energy(const Simulation& simulation) { return test::energy(simulation.model(), simulation.state()); }

TEST(QuasiRigid, BallRollsOnWithoutLosingAnything) {
  constexpr double radius = 0.5, speed = 1.3;
  SceneMaker scene(0.5);
  scene.add_static(HalfSpace{});
  scene.add(Sphere{radius}, 2, {0, 0, radius}, {speed, 0, 0}, Quaternion::Identity(), {0, speed / radius, 0});
  Simulation simulation = scene.simulation(with_step(1e-3, StepperKind::implicit_geometry));
  const double before = energy(simulation);
  double iterations = 0;
  for (int k = 0; k < 1000; ++k) iterations += solved_step(simulation).iterations;
  EXPECT_NEAR(energy(simulation), before, 1e-12 * before);
  EXPECT_NEAR(test::position(simulation, 0).x(), speed, 1e-10);
  EXPECT_LT(iterations / 1000, 4);
}

TEST(QuasiRigid, CylinderRollsOnItsRims) {
  constexpr double radius = 0.2, speed = 1.0;
  SceneMaker scene(0.5);
  scene.add_static(HalfSpace{});
  const Quaternion lying(Eigen::AngleAxisd(std::acos(0.0), Vec3::UnitX()));  // its axis along −y
  scene.add(Cylinder{radius, 0.3}, 2, {0, 0, radius}, {speed, 0, 0}, lying, {0, 0, -speed / radius});
  Simulation simulation = scene.simulation(with_step(1e-3, StepperKind::implicit_geometry));
  const double before = energy(simulation);
  for (int k = 0; k < 500; ++k) {
    const StepReport& report = solved_step(simulation);
    ASSERT_EQ(report.contacts.size(), 2U);
  }
  EXPECT_NEAR(energy(simulation), before, 1e-11 * before);
  EXPECT_NEAR(test::position(simulation, 0).x(), 0.5 * speed, 1e-9);
}

TEST(QuasiRigid, BallSlidesUntilItRolls) {
  // Sliding with friction μ: the spin grows until v = ω r at t = 2 v₀ / (7 μ g). From then on v = 5/7 v₀.
  constexpr double radius = 0.1, speed = 2, friction = 0.3, h = 1e-3;
  SceneMaker scene(friction);
  scene.add_static(HalfSpace{});
  scene.add(Sphere{radius}, 1, {0, 0, radius}, {speed, 0, 0});
  Simulation simulation = scene.simulation(with_step(h, StepperKind::implicit_geometry));
  double rolls = -1;
  for (int k = 0; k < 400; ++k) {
    const StepReport& report = solved_step(simulation);
    ASSERT_LE(report.energy.contact_work, 1e-13);
    if (rolls < 0 && report.contacts.at(0).mode == ContactMode::rolling) rolls = report.time;
  }
  EXPECT_NEAR(rolls, 2 * speed / (7 * friction * g), 2 * h);
  EXPECT_NEAR(test::velocity(simulation, 0).x(), 5.0 / 7 * speed, 1e-9);
}

TEST(QuasiRigid, BlockSlidesDownASlopeAsCoulombSays) {
  constexpr double angle = 0.5, friction = 0.3, h = 2e-3;
  SceneMaker scene(friction);
  const Mat3 R = Eigen::AngleAxisd(angle, Vec3::UnitY()).toRotationMatrix();
  scene.add_static(HalfSpace{}, {R, Vec3::Zero()});
  scene.add(Box{Vec3(0.2, 0.15, 0.1)}, 3, R * Vec3(0, 0, 0.1), Vec3::Zero(), Quaternion(R));
  Simulation simulation = scene.simulation(with_step(h, StepperKind::implicit_geometry));
  for (int k = 0; k < 200; ++k) solved_step(simulation);
  const double pull = g * (std::sin(angle) - friction * std::cos(angle));
  EXPECT_NEAR(test::velocity(simulation, 0).dot(R.col(0)), pull * 0.4, 1e-8);
  EXPECT_NEAR(test::velocity(simulation, 0).dot(R.col(2)), 0, 1e-10);
}

TEST(QuasiRigid, TheSameBlockRestsOnARoughSlope) {
  constexpr double angle = 0.5;
  SceneMaker scene(0.8);
  const Mat3 R = Eigen::AngleAxisd(angle, Vec3::UnitY()).toRotationMatrix();
  scene.add_static(HalfSpace{}, {R, Vec3::Zero()});
  scene.add(Box{Vec3(0.2, 0.15, 0.1)}, 3, R * Vec3(0, 0, 0.1), Vec3::Zero(), Quaternion(R));
  Simulation simulation = scene.simulation(with_step(2e-3, StepperKind::implicit_geometry));
  for (int k = 0; k < 200; ++k) solved_step(simulation);
  EXPECT_LT(test::velocity(simulation, 0).norm(), 1e-9);
  EXPECT_LT((test::position(simulation, 0) - R * Vec3(0, 0, 0.1)).norm(), 1e-9);
}

TEST(QuasiRigid, RigidBodiesEndStepsInContactExactly) {
  // Two ellipsoids collide. The gap at the end of every step is that of the collision detector, which knows no
  // inequality. Momentum is kept, and energy only lost.
  RandomShapes random(7);
  int struck = 0;
  for (int trial = 0; trial < 10; ++trial) {
    const Ellipsoid a = random.ellipsoid(), b = random.ellipsoid();
    const Vec3 apart = 1.2 * random.direction();
    SceneMaker scene(trial % 2 == 0 ? 0.0 : 0.5, 0.0, Vec3::Zero());
    scene.add(a, 2, apart, -4 * apart, Quaternion(random.rotation()), random.direction());
    scene.add(b, 3, Vec3::Zero(), Vec3::Zero(), Quaternion(random.rotation()), random.direction());
    Simulation simulation = scene.simulation(with_step(1e-3, StepperKind::implicit_geometry));
    const Vec6 before = test::momentum(simulation.model(), simulation.state());
    const double start = energy(simulation);
    bool met = false;
    for (int k = 0; k < 250; ++k) {
      const StepReport& report = solved_step(simulation);
      for (const ContactReport& contact : report.contacts) {
        if (!(contact.impulse.z() > 1e-6)) continue;
        met = true;
        const auto pose = [&](int body) {
          return Transform{test::orientation(simulation, body).toRotationMatrix(), test::position(simulation, body)};
        };
        const double gap = nearest(points_of(a, pose(0), b, pose(1), std::numeric_limits<double>::infinity())).gap;
        ASSERT_NEAR(gap, 0, 1e-9) << trial << ", " << k;
      }
    }
    struck += met;
    if (met) {
      EXPECT_LT(energy(simulation), start) << trial;
    }
    const Vec6 after = test::momentum(simulation.model(), simulation.state());
    EXPECT_LT((after - before).tail<3>().norm(), 1e-9) << trial;
  }
  EXPECT_GT(struck, 7);
}

/// An ellipsoid of 1 kg, semi-axes 0.3, 0.2, 0.1 m, rocks about y on a frictionless floor. Its centre has no reason to
/// move sideways and is at the height H(θ) = √(a² sin² θ + c² cos² θ). So Lagrange's equation for its angle suffices.
struct Rocking {
  static constexpr double a = 0.3, c = 0.1, start = 0.1, inertia = (a * a + c * c) / 5;

  static double height(double t) {
    return std::sqrt(a * a * std::pow(std::sin(t), 2) + c * c * std::pow(std::cos(t), 2));
  }
  static double slope(double t) { return (a * a - c * c) * std::sin(2 * t) / (2 * height(t)); }
  static double bend(double t) { return ((a * a - c * c) * std::cos(2 * t) - slope(t) * slope(t)) / height(t); }
  static double acceleration(double t, double rate) {
    return -slope(t) * (bend(t) * rate * rate + g) / (inertia + slope(t) * slope(t));
  }
  /// θ after a time, by the classical method of Runge and Kutta.
  static double angle(double time) {
    constexpr int steps = 3000;
    const double h = time / steps;
    double t = start, w = 0;
    for (int k = 0; k < steps; ++k) {
      const double w1 = w, a1 = acceleration(t, w1);
      const double w2 = w + h / 2 * a1, a2 = acceleration(t + h / 2 * w1, w2);
      const double w3 = w + h / 2 * a2, a3 = acceleration(t + h / 2 * w2, w3);
      const double w4 = w + h * a3, a4 = acceleration(t + h * w3, w4);
      t += h / 6 * (w1 + 2 * w2 + 2 * w3 + w4);
      w += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    return t;
  }
  /// The same by steps of length h.
  static double stepped(double time, double h) {
    SceneMaker scene(0);
    scene.add_static(HalfSpace{});
    scene.add(Ellipsoid{Vec3(a, 0.2, c)}, 1, {0, 0, height(start)}, Vec3::Zero(), exponential(start * Vec3::UnitY()));
    Simulation simulation = scene.simulation(with_step(h, StepperKind::implicit_geometry));
    for (int k = static_cast<int>(std::lround(time / h)); k > 0; --k) {
      EXPECT_GT(solved_step(simulation).contacts.at(0).impulse.z(), 0);
    }
    const Mat3 R = test::orientation(simulation, 0).toRotationMatrix();
    const double angle = std::atan2(R(0, 2), R(0, 0));
    EXPECT_NEAR(test::position(simulation, 0).z(), height(angle), 1e-9);
    EXPECT_LT(test::position(simulation, 0).head<2>().norm(), 1e-9);
    return angle;
  }
};

TEST(QuasiRigid, EllipsoidRocksAsLagrangesEquationSaysToFirstOrder) {
  const double time = 0.3, exact = Rocking::angle(time);
  const double coarse = Rocking::stepped(time, 2e-3) - exact, fine = Rocking::stepped(time, 1e-3) - exact;
  EXPECT_LT(std::abs(fine), 0.02);
  EXPECT_NEAR(coarse / fine, 2, 0.3);
}

/// A floor and one body of a material that the caller completes.
template <class Complete>
Simulation one_body(const Shape& shape, double mass, const Vec3& position, const Vec3& velocity, const Vec3& spin,
                    const Method& method, Complete&& complete) {
  ModelBuilder builder;
  builder.set_gravity({0, 0, -g});
  Material material{"surface", Vec2::Zero(), 0.0};
  complete(material);
  const int number = builder.add_material(material);
  const int body = builder.add_body("body", test::solid(shape, mass));
  builder.add_collider({"shape", body, shape, {}, number});
  Material floor{"floor", material.friction, 0.0};
  floor.torsional_friction = material.torsional_friction;
  builder.add_collider({"floor", -1, HalfSpace{}, {}, builder.add_material(floor)});
  State state;
  state.q.resize(7);
  state.q << 1, 0, 0, 0, position;
  state.v.resize(6);
  state.v << spin, velocity;
  return {std::make_shared<const Model>(builder.build()), method, state};
}

TEST(QuasiRigid, TorsionStopsASpinningBall) {
  // I ω̇ = −m g μ e_r about the normal.
  constexpr double radius = 0.1, mass = 2, spin = 3, torsion = 0.01, h = 1e-3;
  Simulation simulation =
      one_body(Sphere{radius}, mass, {0, 0, radius}, Vec3::Zero(), {0, 0, spin},
               with_step(h, StepperKind::implicit_geometry), [](Material& m) { m.torsional_friction = torsion; });
  const double slowing = mass * g * torsion / (0.4 * mass * radius * radius);
  for (int k = 0; k < 200; ++k) {
    solved_step(simulation);
    const double left = std::max(0.0, spin - slowing * simulation.state().time);
    ASSERT_NEAR(simulation.state().v[2], left, left > slowing * h ? 1e-9 : slowing * h + 1e-9) << k;
  }
  EXPECT_NEAR(simulation.state().v[2], 0, 1e-9);
}

/// The paper's unit disc of 1 kg, which falls from 1.5 m onto a layer of 1000 N/m. Without friction a ball does the
/// same.
struct Disc {
  static constexpr double h = 1e-4, stiffness = 1000;
  Simulation simulation;
  double touched = -1, on_core = -1;

  Disc(double thickness, double damping)
      : simulation(one_body(Sphere{1}, 1, {0, 0, 1.5}, Vec3::Zero(), Vec3::Zero(),
                            with_step(h, StepperKind::quasi_rigid), [&](Material& m) {
                              Layer layer;
                              layer.stiffness(2, 2) = stiffness;
                              layer.damping(2, 2) = damping;
                              layer.thickness = thickness;
                              m.layer = layer;
                            })) {}
};

/// The same step worked out by hand: fall; or lie on the layer; or on the core, whichever holds.
struct HandStep {
  double thickness, damping;
  double y = 1.5, v = 0, deflection = 0, layer = 0, core = 0;

  void step() {
    constexpr double h = Disc::h, k = Disc::stiffness;
    const double falling = v - h * g;
    // On the layer: v⁺ = falling + h k δ + c (δ − δ₀) and δ = 1 − y − h v⁺.
    double delta = (1 - y - h * falling + h * damping * deflection) / (1 + h * (h * k + damping));
    layer = h * k * delta + damping * (delta - deflection);
    core = 0;
    if (layer < 0) {
      layer = 0;
      delta = damping * deflection / (h * k + damping);
    }
    double after = falling + layer;
    if (delta > thickness) {
      delta = thickness;
      layer = h * k * delta + damping * (delta - deflection);
      after = (1 - delta - y) / h;
      core = after - falling - layer;
    }
    deflection = delta;
    v = after;
    y += h * v;
  }
};

TEST(QuasiRigid, DiscTakesTheStepsWorkedOutByHand) {
  for (const double thickness : {0.05, 1.0}) {
    for (const double damping : {0.0, 8.0}) {
      Disc disc(thickness, damping);
      HandStep hand{thickness, damping};
      int cores = 0;
      for (int k = 0; k < 4000; ++k) {
        const StepReport& report = solved_step(disc.simulation);
        hand.step();
        ASSERT_NEAR(test::position(disc.simulation, 0).z(), hand.y, 1e-8) << "step " << k << ", " << thickness;
        ASSERT_NEAR(disc.simulation.state().v[5], hand.v, 1e-6) << "step " << k;
        const double pushed = report.contacts.empty() ? 0 : report.contacts[0].impulse.z();
        ASSERT_NEAR(pushed, hand.layer + hand.core, 1e-6) << "step " << k;
        cores += hand.core > 0;
      }
      EXPECT_EQ(cores > 0, thickness < 0.1);
    }
  }
}

TEST(QuasiRigid, UndampedLayerLosesWhatBackwardEulerLoses) {
  Disc disc(1.0, 0);
  double deflection = 0, velocity = 0, whole = energy(disc.simulation), highest = 0;
  for (int k = 0; k < 8000; ++k) {
    solved_step(disc.simulation);
    const auto& memory = disc.simulation.state().contacts;
    const double now = memory.empty() ? 0 : memory[0].deflection[0].z(), speed = disc.simulation.state().v[5];
    const double total = energy(disc.simulation) + 0.5 * Disc::stiffness * now * now;
    // ½ m (Δv)² + ½ k (Δδ)² in a step, exactly, and nothing else but where contact begins or ends within a step.
    const double change = speed - velocity, bend = now - deflection;
    const double known = 0.5 * change * change + 0.5 * Disc::stiffness * bend * bend;
    if ((now > 1e-9) == (deflection > 1e-9)) {
      ASSERT_NEAR(whole - total, known, 1e-8) << k;
    } else {
      ASSERT_GT(whole - total, -1e-9) << k;
    }
    deflection = now;
    velocity = speed;
    whole = total;
    if (disc.simulation.state().time > 0.5) highest = std::max(highest, test::position(disc.simulation, 0).z());
  }
  EXPECT_NEAR(highest, 1.5, 0.02);
  EXPECT_NEAR(disc.simulation.certificate().energy.kinetic + disc.simulation.certificate().energy.potential, whole,
              1e-9);
}

TEST(QuasiRigid, PendulumRubsWithItsTip) {
  // A rod on a hinge, its tip a ball that falls onto a rough floor and stays: joints of the tree, contact at their end.
  ModelBuilder builder;
  builder.set_gravity({0, 0, -g});
  const int rough = builder.add_material({"rough", Vec2(0.2, 0.2), 0.0});
  Joint hinge;
  hinge.name = "hinge";
  hinge.type = JointType::revolute;
  hinge.X_PF = {contact_frame(Vec3::UnitY()), Vec3(0, 0, 1)};
  hinge.X_BM.R = contact_frame(Vec3::UnitY());
  const int rod = builder.add_body("rod", {1, Vec3(0.5, 0, 0), Mat3::Identity() * 0.1});
  builder.add_joint(rod, hinge);
  builder.collide_with_parent(rod);
  builder.add_collider({"tip", rod, Sphere{0.1}, {Mat3::Identity(), Vec3(1, 0, 0)}, rough});
  builder.add_collider({"floor", -1, HalfSpace{}, {Mat3::Identity(), Vec3(0, 0, 0.2)}, rough});
  State state;
  state.q = VectorX::Constant(1, 0.0);
  state.v = VectorX::Zero(1);
  Simulation simulation(std::make_shared<const Model>(builder.build()), with_step(1e-3, StepperKind::implicit_geometry),
                        state);
  for (int k = 0; k < 800; ++k) {
    const StepReport& report = solved_step(simulation);
    ASSERT_LE(report.energy.contact_work, 1e-12);
  }
  // The tip's centre is 0.1 above the floor at 0.2: sin of the angle is 0.7.
  EXPECT_NEAR(std::abs(std::sin(simulation.state().q[0])), 0.7, 1e-9);
  EXPECT_NEAR(simulation.state().v[0], 0, 1e-9);
}

TEST(QuasiRigid, ResumesBitForBit) {
  const auto scene = [] {
    SceneMaker maker(0.4);
    maker.add_static(HalfSpace{});
    maker.add(Ellipsoid{Vec3(0.3, 0.2, 0.1)}, 1, {0, 0, 0.4}, {1, 0.2, 0}, exponential(Vec3(0.3, 0.5, 0.1)), {1, 2, 3});
    maker.add(Sphere{0.1}, 1, {0.5, 0, 0.1}, {-1, 0, 0});
    return maker;
  }();
  Simulation whole = scene.simulation(with_step(2e-3, StepperKind::implicit_geometry));
  for (int k = 0; k < 100; ++k) solved_step(whole);
  Simulation resumed(scene.model(), with_step(2e-3, StepperKind::implicit_geometry), whole.state());
  for (int k = 0; k < 100; ++k) {
    solved_step(whole);
    solved_step(resumed);
    ASSERT_TRUE(identical(whole.state(), resumed.state())) << k;
  }
}

/// A spinning ball on a layer that gives way sideways, with torsion.
Simulation ball_on_layer(const Vec3& position, const Vec3& velocity, double damping, const Method& method) {
  return one_body(Sphere{0.1}, 1.3, position, velocity, {0.4, 1, 3}, method, [&](Material& m) {
    m.friction = Vec2(0.4, 0.3);
    m.torsional_friction = 0.004;
    Layer layer;
    layer.stiffness = Vec3(700, 600, 2100).asDiagonal();
    layer.damping = Vec3(3, 2, damping).asDiagonal();
    layer.sideways = true;
    m.layer = layer;
  });
}

Method soft(double h) {
  Method method = with_step(h, StepperKind::quasi_rigid);
  method.quasi_rigid.slip = SlipKinematics::of_layers;
  return method;
}

TEST(QuasiRigid, ResumesBitForBitOnALayerWithTorsion) {
  Simulation whole = ball_on_layer({0, 0, 0.11}, {0.5, 0.2, -0.3}, 4, soft(1e-3));
  for (int k = 0; k < 100; ++k) solved_step(whole);
  ASSERT_FALSE(whole.state().contacts.empty());
  ASSERT_NE(whole.state().contacts[0].deflection[0].head<2>(), Vec2(0, 0));
  ASSERT_NE(whole.state().contacts[0].spin_impulse, 0);
  Simulation resumed(std::make_shared<const Model>(whole.model()), soft(1e-3), whole.state());
  for (int k = 0; k < 100; ++k) {
    solved_step(whole);
    solved_step(resumed);
    ASSERT_TRUE(identical(whole.state(), resumed.state())) << k;
  }
}

TEST(QuasiRigid, StepsThatAreNotSolvedSaySo) {
  Simulation before = ball_on_layer({0, 0, 0.11}, {0.5, 0.2, -0.3}, 4, soft(1e-3));
  EnergyLedger whole;
  for (int k = 0; k < 150; ++k) whole = solved_step(before).energy;
  Method method = soft(1e-3);
  method.quasi_rigid.tolerance = 1e-300;
  Simulation simulation(std::make_shared<const Model>(before.model()), method, before.state());
  const StepReport& report = simulation.step();
  EXPECT_NE(report.status, SolveStatus::solved);
  EXPECT_GT(report.solve_residual, 0);
  ASSERT_EQ(report.events.size(), 1U);  // the contact stays what it was
  EXPECT_EQ(report.events[0].kind, EventKind::unsolved);
  EXPECT_EQ(simulation.state().q, before.state().q);
  EXPECT_EQ(simulation.state().contacts, before.state().contacts);
  EXPECT_NEAR(simulation.state().time, before.state().time + 1e-3, 1e-12);
  EXPECT_NEAR(report.energy.kinetic, whole.kinetic, 1e-12 * whole.kinetic);
  EXPECT_NEAR(report.energy.potential, whole.potential, 1e-12 * std::abs(whole.potential));
}

TEST(QuasiRigid, StartInOverlapIsALayerPressedInAndNoImpact) {
  // Only the spring acts against its weight: m v = h (K δ − m g) to first order in h, whatever the damping.
  constexpr double depth = 0.01, h = 1e-5;
  for (const double damping : {0.0, 50.0}) {
    Simulation simulation = ball_on_layer({0, 0, 0.1 - depth}, Vec3::Zero(), damping, soft(h));
    const StepReport& report = solved_step(simulation);
    EXPECT_NEAR(report.contacts.at(0).impulse.z(), h * 2100 * depth, 0.01 * h * 2100 * depth) << damping;
    EXPECT_LE(report.contact_certificate.worst_work, 1e-12);
  }
}

}  // namespace
}  // namespace carom::quasi_rigid_test
