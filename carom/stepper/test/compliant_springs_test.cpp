// Stepper compliant with tangential springs against closed forms, small steps of another rule, law lzb and the
// conservation laws.

#include <gtest/gtest.h>

#include <cmath>

#include "carom/stepper/compliant/contact_springs.h"
#include "carom/stepper/test/mechanisms.h"

namespace carom::compliant_springs_test {
namespace {

using test::run;

constexpr double g = 9.81, radius = 0.1, mass = 2;

struct Elastic {
  double modulus = 1e8, friction = 0.3, dissipation = 0;
  TangentialSpring spring = {};

  /// K of the ball on a plane of the same material, Hertz with a Poisson's ratio of 0.3.
  double stiffness() const { return 4.0 / 3 * modulus / (2 * (1 - 0.09)) * std::sqrt(radius); }
};

test::SceneMaker scene_of(const Elastic& elastic, const Vec3& gravity = Vec3::Zero(), bool has_spring = true) {
  test::SceneMaker scene(0, 0.0, gravity);
  Material material;
  material.name = "elastic";
  material.friction = Vec2::Constant(elastic.friction);
  material.youngs_modulus = elastic.modulus;
  material.dissipation = elastic.dissipation;
  scene.material = scene.builder.add_material(material);
  if (has_spring) {
    NamedPair pair;
    pair.friction = material.friction;
    pair.tangential_spring = elastic.spring;
    scene.builder.set_pair(scene.material, scene.material, pair);
  }
  return scene;
}

Method compliant(double step, double tolerance = 1e-11) {
  Method method;
  method.stepper = StepperKind::compliant;
  method.step = step;
  method.tolerance = tolerance;
  return method;
}

/// Velocity of a ball's surface at the floor: slip along x and y, and the normal velocity.
Vec3 at_floor(const Simulation& simulation, int body = 0) {
  const Vec3 spin = test::orientation(simulation, body) * Vec3(simulation.state().v.segment<3>(6 * body));
  return test::velocity(simulation, body) + spin.cross(Vec3(0, 0, -radius));
}

struct Struck {
  Vec3 after;  ///< at_floor
  EnergyLedger ledger;
  double gain = 0;  ///< largest that contacts gave in a step, J
};

/// The ball strikes the floor with this velocity, and leaves.
Struck strike(const Elastic& elastic, const Vec3& velocity, const Vec3& spin = Vec3::Zero(), bool has_spring = true,
              double transition_speed = 0.01) {
  test::SceneMaker scene = scene_of(elastic, Vec3::Zero(), has_spring);
  scene.add_static(HalfSpace{});
  scene.add(Sphere{radius}, mass, Vec3(0, 0, radius + 1e-3), velocity, Quaternion::Identity(), spin);
  // Errors of velocities are parts of the speed and L / (10 h) = 0.5 m/s together.
  Method method = compliant(0.02, 2e-11);
  method.compliant.transition_speed = transition_speed;
  Simulation simulation = scene.simulation(method);
  run(simulation, 0.06);
  EXPECT_GT(simulation.state().q[6], radius) << "it has not left";
  return {at_floor(simulation), simulation.certificate().energy, simulation.certificate().contact_work_gain};
}

/// The same ball, slip and normal velocity alone, by small steps that map the deflection back onto the cone in each.
Vec2 by_small_steps(const Elastic& elastic, Vec2 u) {
  const double a = 1.5 * elastic.spring.stiffness, K = elastic.stiffness(), e = elastic.spring.restitution;
  const double depth = std::pow(5.0 / 4 * mass * u[1] * u[1] / K, 0.4), h = depth / -u[1] / 40000;
  double z = 0, d = 0;
  do {
    // Positions half a step before velocities: second order but for the mapping.
    z -= h * u[1];
    const double damping = std::max(0.0, 1 - 1.5 * elastic.dissipation * u[1]);
    d += h * u[0] * (u[0] * d < 0 ? 1 / (e * e) : 1);
    const double cone = elastic.friction * damping * std::max(0.0, z) / a;
    d = std::clamp(d, -cone, cone);
    const double secant = K * std::pow(z * z + a * d * d, 0.25);
    u += h / mass * Vec2(-3.5 * secant * a * d, secant * damping * z);
  } while (z > 0);
  return u;
}

TEST(CompliantSprings, ABallsImpactsEqualThoseOfSmallSteps) {
  int back = 0, slid = 0;
  // So hard that the ball's radius is the arm of friction.
  for (const Elastic& elastic : {Elastic{1e13, 0.1}, Elastic{1e13, 0.5, 0.1}, Elastic{1e13, 0.3, 0, {0.5, 0.4}}}) {
    for (const double degrees : {1.0, 5.0, 20.0, 40.0, 75.0}) {
      const double angle = degrees * M_PI / 180;
      const Vec2 u(2 * std::sin(angle), -2 * std::cos(angle)), expected = by_small_steps(elastic, u);
      const Vec3 after = strike(elastic, Vec3(u[0], 0, u[1])).after;
      EXPECT_NEAR(after[0], expected[0], 1e-3) << elastic.friction << " " << degrees;
      EXPECT_NEAR(after[2], expected[1], 1e-3) << elastic.friction << " " << degrees;
      EXPECT_EQ(after[1], 0);
      back += after[0] < -1e-3 ? 1 : 0;
      slid += after[0] > 0.1 ? 1 : 0;
    }
  }
  EXPECT_GE(back, 2);
  EXPECT_GE(slid, 4);
}

/// A ball that rests and sticks has two small oscillations. The one along the normal has k/m. That of its surface has
/// κ k (1/m + R²/I) = 7/2 κ k/m.
TEST(CompliantSprings, AStickingBallSwingsAlongTheFloorAtTheRatioOfStiffnesses) {
  for (const double ratio : {0.3, 0.82, 2.0}) {
    const Elastic elastic{1e8, 0.5, 0, {ratio, 1}};
    const double z = std::pow(mass * g / elastic.stiffness(), 2.0 / 3);
    const double normal = std::sqrt(1.5 * elastic.stiffness() * std::sqrt(z) / mass),
                 along = std::sqrt(3.5 * ratio) * normal;
    test::SceneMaker scene = scene_of(elastic, Vec3(0, 0, -g));
    scene.add_static(HalfSpace{});
    const double little = 1e-3 * z * normal;
    scene.add(Sphere{radius}, mass, Vec3(0, 0, radius - z), Vec3(little, 0.5 * little, -little));
    Simulation simulation = scene.simulation(compliant(0.25 / normal, 1e-13));
    for (int i = 1; i <= 60; ++i) {
      simulation.step();
      const double t = simulation.state().time;
      const Vec3 u = at_floor(simulation) / little;
      EXPECT_NEAR(u.x(), std::cos(along * t), 0.02) << ratio << " " << t * normal;
      EXPECT_NEAR(u.y(), 0.5 * std::cos(along * t), 0.01);
      EXPECT_NEAR(u.z(), -std::cos(normal * t), 0.02);
    }
    EXPECT_NEAR(simulation.certificate().energy.contact_work, 0, 1e-14);
  }
}

/// A ball bounces on without parting, far from small oscillations. While it sticks it keeps its energy, on a path where
/// it is pressed together while it is sheared, and the other way round.
TEST(CompliantSprings, AStickingBallKeepsItsEnergyOnAnyPath) {
  const Elastic elastic{1e8, 50};
  const double z = std::pow(mass * g / elastic.stiffness(), 2.0 / 3), speed = 0.5 * std::sqrt(g * z);
  test::SceneMaker scene = scene_of(elastic, Vec3(0, 0, -g));
  scene.add_static(HalfSpace{});
  scene.add(Sphere{radius}, mass, Vec3(0, 0, radius - z), Vec3(speed, 0, -speed), Quaternion::Identity(),
            speed / radius * Vec3(0.5, -1, 0));
  Simulation simulation = scene.simulation(compliant(1e-3, 1e-12));
  const double scale = 0.5 * mass * speed * speed;
  double start = 0, least = 1, most = 0;
  for (int i = 0; i < 200; ++i) {
    const StepReport& report = simulation.step();
    if (i == 0) start = report.energy.kinetic + report.energy.potential;
    EXPECT_NEAR(report.energy.kinetic + report.energy.potential, start, 1e-6 * scale) << i;
    ASSERT_EQ(report.contacts.size(), 1u);
    EXPECT_EQ(report.contacts[0].mode, ContactMode::rolling);
    least = std::min(least, -report.contacts[0].gap);
    most = std::max(most, -report.contacts[0].gap);
  }
  EXPECT_NEAR(simulation.certificate().energy.contact_work, 0, 1e-9 * scale);
  EXPECT_GT(most, 1.5 * least) << "it hardly bounces";
}

/// Sliding, damping and a lower restitution lose; contacts give in no step, and the ledger closes.
TEST(CompliantSprings, EnergyIsNeverGained) {
  const Vec3 velocity(1, -0.4, -2), spin(3, 8, 20);
  const double start = 0.5 * mass * (velocity.squaredNorm() + 0.4 * radius * radius * spin.squaredNorm());
  for (const double ratio : {0.3, 3.0}) {
    for (const double friction : {0.1, 0.5, 5.0}) {
      for (const double e : {1.0, 0.3}) {
        const auto [after, ledger, gain] = strike({1e8, friction, 0.02, {ratio, e}}, velocity, spin);
        EXPECT_LE(gain, 1e-9 * start) << ratio << " " << friction << " " << e;
        EXPECT_NEAR(ledger.free_motion_error, 0, 1e-7 * start);
        EXPECT_LT(ledger.kinetic_change, -1e-3 * start);
      }
    }
  }
}

/// Law lzb has f = k(z) d and Hertz's force unsheared: what differs is of the order μ²/(6 κ).
TEST(CompliantSprings, AnElasticBallReboundsAsLawLzbSays) {
  const double friction = 0.05;
  const Elastic elastic{1e10, friction};
  for (const double degrees : {2.0, 8.0, 20.0, 60.0}) {
    const double angle = degrees * M_PI / 180;
    const Vec3 velocity(std::sin(angle), 0, -std::cos(angle));
    test::SceneMaker scene = scene_of(elastic, Vec3::Zero(), false);
    NamedPair pair;
    pair.friction = Vec2::Constant(friction);
    pair.restitution = ConstantRestitution{1};
    pair.tangential_spring = elastic.spring;
    scene.builder.set_pair(scene.material, scene.material, pair);
    scene.add_static(HalfSpace{});
    scene.add(Sphere{radius}, mass, Vec3(0, 0, radius + 1e-3), velocity);
    Method method;
    method.stepper = StepperKind::event_driven;
    method.law = LawKind::lzb;
    method.step = 0.02;
    Simulation by_law = scene.simulation(method);
    run(by_law, 0.06);
    EXPECT_LT((strike(elastic, velocity).after - at_floor(by_law)).norm(), 1e-3) << degrees;
  }
}

/// A stiff spring leaves of the slip what the law without one leaves: none of a ball that sticks.
TEST(CompliantSprings, AStiffOneIsNone) {
  for (const double angle : {0.2, 1.0}) {
    const Vec3 velocity(std::sin(angle), 0, -std::cos(angle));
    const Vec3 rigid = strike({1e8, 0.3}, velocity, Vec3::Zero(), false, 1e-4).after;
    double before = 1;
    for (const double ratio : {1e1, 1e2, 1e3}) {
      const double miss = (strike({1e8, 0.3, 0, {ratio, 0.5}}, velocity).after - rigid).norm();
      EXPECT_LT(miss, std::max(0.7 * before, 2e-3)) << angle << " " << ratio;
      before = miss;
    }
    EXPECT_LT(before, 0.02);
  }
}

TEST(CompliantSprings, TurningAndMirroringTheSceneDoesSoToTheMotion) {
  const Quaternion turn(Eigen::AngleAxisd(1.1, Vec3(1, -2, 0.5).normalized()));
  const auto end_of = [&](const Quaternion& R, double mirror) {
    test::SceneMaker scene = scene_of({1e7, 0.3, 0.1, {0.82, 0.6}}, R * Vec3(0, 0, -g));
    scene.add_static(HalfSpace{}, Transform{R.toRotationMatrix(), Vec3::Zero()});
    const auto placed = [&](const Vec3& x) { return Vec3(R * Vec3(x.x(), mirror * x.y(), x.z())); };
    // A spin is a pseudovector.
    scene.add(Sphere{radius}, 1, placed({0, 0, 0.12}), placed({1, 0.5, -1}), R, Vec3(mirror * 3, 10, mirror * 20));
    scene.add(Sphere{radius}, 1, placed({0.5, 0.21, 0.13}), placed({-1, 0.3, 0}));
    Simulation simulation = scene.simulation(compliant(0.01, 1e-12));
    run(simulation, 0.4);
    std::vector<Vec3> ends;
    for (const int body : {0, 1}) {
      const Vec3 x = R.conjugate() * test::position(simulation, body);
      ends.emplace_back(x.x(), mirror * x.y(), x.z());
    }
    return ends;
  };
  const auto straight = end_of(Quaternion::Identity(), 1), turned = end_of(turn, 1),
             mirrored = end_of(Quaternion::Identity(), -1);
  for (const std::size_t body : {0, 1}) {
    EXPECT_LT((straight[body] - turned[body]).norm(), 1e-6) << body;
    EXPECT_LT((straight[body] - mirrored[body]).norm(), 1e-6) << body;
  }
}

/// A block on a slope with springs that bear its weight, m g sin(slope) / Σ k, stays for good; without it creeps.
TEST(CompliantSprings, ABlockOnASlopeStays) {
  const double half = 0.02, side = 0.2, tip = 0.01, slope = 0.2;
  const Elastic elastic{1e7, 0.5, 1};
  test::SceneMaker scene = scene_of(elastic, g * Vec3(std::sin(slope), 0, -std::cos(slope)));
  scene.add_static(HalfSpace{});
  const double K = elastic.stiffness() * std::sqrt(tip / radius), z = std::pow(g * std::cos(slope) / 4 / K, 2.0 / 3);
  const double borne = g * std::sin(slope) / (4 * elastic.spring.stiffness * 1.5 * K * std::sqrt(z));
  scene.add(Box{Vec3(side, side, half)}, 1, Vec3(0, 0, half - z));
  State state = scene.state();
  for (int corner = 0; corner < 4; ++corner) {
    ContactMemory memory;
    memory.id = {1, 0, corner};
    memory.deflection[0] = Vec3(borne, 0, 0);
    state.contacts.push_back(memory);
  }
  Simulation simulation(scene.model(), compliant(0.05, 1e-9), state);
  run(simulation, 2);
  EXPECT_NEAR(test::position(simulation, 0).x(), 0, 0.1 * borne);
  EXPECT_LT(test::velocity(simulation, 0).norm(), 1e-3);
}

/// A ball thrown along the floor slides at μ g, and rolls with 5/7 of its speed once it sticks.
TEST(CompliantSprings, ASlidingBallComesToRoll) {
  const Elastic elastic{1e9, 0.3, 0.1, {0.82, 0.5}};
  test::SceneMaker scene = scene_of(elastic, Vec3(0, 0, -g));
  scene.add_static(HalfSpace{});
  const double z = std::pow(mass * g / elastic.stiffness(), 2.0 / 3);
  scene.add(Sphere{radius}, mass, Vec3(0, 0, radius - z), Vec3(0.8, 0.6, 0));
  Simulation simulation = scene.simulation(compliant(0.05, 1e-9));
  run(simulation, 0.05);
  EXPECT_NEAR(test::velocity(simulation, 0).norm(), 1 - 0.3 * g * 0.05, 1e-3);
  run(simulation, 0.4);
  EXPECT_LT((test::velocity(simulation, 0) - 5.0 / 7 * Vec3(0.8, 0.6, 0)).norm(), 2e-3);
  EXPECT_EQ(simulation.step().contacts.at(0).mode, ContactMode::rolling);
}

TEST(CompliantSprings, AResumedRunHasTheSameBits) {
  test::SceneMaker scene = scene_of({1e7, 0.4, 0.1, {0.82, 0.7}}, Vec3(0, 0, -g));
  scene.add_static(HalfSpace{});
  scene.add(Box{Vec3(0.1, 0.06, 0.05)}, 1, Vec3(0, 0, 0.2), Vec3(1, 0, 0), Quaternion::Identity(), Vec3(1, 2, 3));
  scene.add(Sphere{radius}, 1, Vec3(0.6, 0, 0.101), Vec3(-0.2, 0, 0));
  const Method method = compliant(0.01, 1e-9);
  Simulation whole = scene.simulation(method);
  double deflection = 0;
  for (int i = 0; i < 30; ++i) {
    const State start = whole.state();
    for (const ContactMemory& memory : start.contacts) deflection = std::max(deflection, memory.deflection[0].norm());
    Simulation resumed(scene.model(), method, start);
    whole.step();
    resumed.step();
    ASSERT_TRUE(identical(whole.state(), resumed.state())) << i;
  }
  EXPECT_GT(deflection, 1e-7) << "no spring was remembered";
}

/// A deflection stays in its tangent plane, as long as it was, and turns with the normal.
TEST(ContactSprings, ADeflectionIsCarriedToAnotherNormal) {
  Contact before;
  before.id = {0, 1, 0};
  ContactSprings springs;
  springs.keep(before, Vec2(0.3, 0.4), false);
  Contact after = before;
  after.R_WC = Eigen::AngleAxisd(0.7, Vec3::UnitY()).toRotationMatrix() * Eigen::AngleAxisd(0.2, Vec3::UnitZ());
  const Vec3 carried = after.R_WC.leftCols<2>() * (springs.turn(0, after).transpose() * Vec2(0.3, 0.4));
  EXPECT_LT((carried - Eigen::AngleAxisd(0.7, Vec3::UnitY()) * Vec3(0.3, 0.4, 0)).norm(), 1e-14);
}

}  // namespace
}  // namespace carom::compliant_springs_test
