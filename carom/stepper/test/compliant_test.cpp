// Stepper compliant against Hertz's closed forms, quadratures of Hunt and Crossley's impact, the event-driven stepper
// and the conservation laws.

#include <gtest/gtest.h>

#include <cmath>

#include "carom/error.h"
#include "carom/stepper/compliant/compliant_contacts.h"
#include "carom/stepper/test/experiment.h"
#include "carom/stepper/test/mechanisms.h"

namespace carom::compliant_test {
namespace {

using test::run;

constexpr double g = 9.81, radius = 0.1;

struct Elastic {
  double modulus = 1e8;  // E, Pa
  double dissipation = 0;
  double friction = 0;
  double poisson = 0.3;

  /// E* of two surfaces of this material.
  double effective() const { return modulus / (2 * (1 - poisson * poisson)); }
  /// K of this sphere on a plane, Hertz.
  double stiffness(double of_radius = radius) const { return 4.0 / 3 * effective() * std::sqrt(of_radius); }
};

/// Like SceneMaker, of one elastic material.
test::SceneMaker scene_of(const Elastic& elastic, const Vec3& gravity = {0, 0, -g}) {
  test::SceneMaker scene(0, 0.0, gravity);
  Material material;
  material.name = "elastic";
  material.friction = Vec2(elastic.friction, elastic.friction);
  material.youngs_modulus = elastic.modulus;
  material.poisson_ratio = elastic.poisson;
  material.dissipation = elastic.dissipation;
  scene.material = scene.builder.add_material(material);
  return scene;
}

Method compliant(double step, double tolerance = 1e-11) {
  Method method;
  method.stepper = StepperKind::compliant;
  method.step = step;
  method.tolerance = tolerance;
  return method;
}

/// Hunt and Crossley's impact, m z̈ = −K zⁿ (1 + λ ż). The speed after it, e v, is where ∫ w dw / (1 + λ w) from v to 0
/// has been paid back. That is λ v − ln(1 + λ v) = −λ e v − ln(1 − λ e v), whatever m, K and n.
double rebound(double speed, double dissipation) {
  const double a = 1.5 * dissipation * speed;
  if (a == 0) return 1;
  const double given = a - std::log1p(a);
  double low = 0, high = std::min(1.0, 1 / a);
  for (int i = 0; i < 100; ++i) {
    const double e = 0.5 * (low + high);
    (-a * e - std::log1p(-a * e) < given ? low : high) = e;
  }
  return low;
}

/// Depth (5 m v²/(4 K))^(2/5), duration 2 ∫₀¹ dx/√(1 − x^(5/2)) δ/v = 2.94 δ/v (Johnson 1985, eqs. 11.22, 11.24).
TEST(Compliant, AnElasticBallReboundsAfterHertzsTime) {
  const double share = 2 * std::sqrt(M_PI) * std::tgamma(1.4) / std::tgamma(0.9);
  for (const double modulus : {1e7, 2e11}) {
    for (const double speed : {0.01, 3.0}) {
      const Elastic elastic{modulus};
      test::SceneMaker scene = scene_of(elastic, Vec3::Zero());
      scene.add_static(HalfSpace{});
      scene.add(Sphere{radius}, 2, Vec3(0, 0, radius + 0.1 * speed), Vec3(0, 0, -speed));
      Simulation simulation = scene.simulation(compliant(0.05, 1e-13));
      const auto events = run(simulation, 0.3);
      const double depth = std::pow(5.0 / 4 * 2 * speed * speed / elastic.stiffness(), 0.4);
      ASSERT_EQ(events.size(), 2u);
      EXPECT_EQ(events[0].kind, EventKind::touch);
      EXPECT_EQ(events[1].kind, EventKind::separate);
      EXPECT_NEAR(events[0].time, 0.1, 1e-9);
      EXPECT_NEAR(events[1].time - events[0].time, share * depth / speed, 1e-4 * share * depth / speed);
      EXPECT_NEAR(test::velocity(simulation, 0).z(), speed, 1e-6 * speed);
      EXPECT_NEAR(simulation.certificate().penetration, depth, 0.01 * depth);  // of the integration's own instants
      EXPECT_LE(simulation.certificate().penetration, depth * (1 + 1e-6));
    }
  }
}

TEST(Compliant, ABallReboundsAsHuntAndCrossleySay) {
  for (const double dissipation : {0.02, 0.2, 2.0}) {
    for (const double speed : {0.1, 1.0, 4.0}) {
      test::SceneMaker scene = scene_of({1e9, dissipation}, Vec3::Zero());
      scene.add_static(HalfSpace{});
      scene.add(Sphere{radius}, 2, Vec3(0, 0, radius + 0.01), Vec3(0, 0, -speed));
      Simulation simulation = scene.simulation(compliant(0.01));
      run(simulation, 0.02 + 0.01 / speed);
      const double e = rebound(speed, dissipation);
      EXPECT_NEAR(test::velocity(simulation, 0).z(), e * speed, 1e-6 * speed) << dissipation << " " << speed;
      const EnergyLedger& energy = simulation.certificate().energy;
      EXPECT_NEAR(energy.contact_work, -0.5 * 2 * speed * speed * (1 - e * e), 1e-5 * speed * speed);
      EXPECT_LE(simulation.certificate().contact_work_gain, 1e-12);
    }
  }
}

/// z = (m g/K)^(2/3) of a ball; of a block on its corners each bears a quarter, on a tip of the material's radius.
TEST(Compliant, WhatLiesIsPressedInByItsWeight) {
  const Elastic elastic{1e7, 1.0};
  test::SceneMaker scene = scene_of(elastic);
  scene.add_static(HalfSpace{});
  const double ball = std::pow(2 * g / elastic.stiffness(), 2.0 / 3);
  const double block = std::pow(3 * g / 4 / elastic.stiffness(0.01), 2.0 / 3);
  scene.add(Sphere{radius}, 2, Vec3(0, 0, radius));
  scene.add(Box{Vec3(0.2, 0.1, 0.05)}, 3, Vec3(1, 0, 0.05));
  Simulation simulation = scene.simulation(compliant(0.05, 1e-10));
  run(simulation, 4);
  EXPECT_NEAR(radius - test::position(simulation, 0).z(), ball, 1e-4 * ball);
  EXPECT_NEAR(0.05 - test::position(simulation, 1).z(), block, 1e-4 * block);
  const StepReport& report = simulation.step();
  ASSERT_EQ(report.contacts.size(), 5u);
  double on_block = 0;
  for (const ContactReport& contact : report.contacts) {
    if (contact.body_a == 1) on_block += contact.impulse[2];
    EXPECT_EQ(contact.mode, ContactMode::rolling);
  }
  EXPECT_NEAR(on_block, 3 * g * 0.05, 1e-4 * 3 * g * 0.05);
}

/// A corner that passes over the edge of a table becomes two points, which share its load. The force on the box, and
/// its moment, do not jump.
TEST(Compliant, ACornerThatPartsInTwoBearsAsMuch) {
  const double half = 0.1, reach = half * std::sqrt(2), depth = 1e-3;
  const Elastic elastic{1e7, 1.0};
  const auto force = [&](double overhang, std::size_t points) {
    test::SceneMaker scene = scene_of(elastic);
    scene.add_static(Box{Vec3(0.3, 0.3, 0.1)}, Transform{Mat3::Identity(), Vec3(0, 0, -0.1)});
    scene.add(Box{Vec3(half, half, 0.05)}, 3, Vec3(0.3 - reach + overhang, 0, 0.05 - depth), Vec3::Zero(),
              Quaternion(Eigen::AngleAxisd(M_PI / 4, Vec3::UnitZ())));
    const auto model = scene.model();
    const State state = scene.state();
    DynamicsWorkspace workspace(*model);
    forward_kinematics(*model, state.q, workspace);
    forward_velocity(*model, state.q, state.v, workspace);
    CompliantContacts contacts(*model, {});
    VectorX tau = VectorX::Zero(6);
    ContactSprings none;
    contacts.evaluate(*model, state.q, state.v, workspace, none, nullptr, nullptr, tau);
    EXPECT_EQ(contacts.list().size(), points) << overhang;
    return tau;
  };
  const VectorX inside = force(-1e-7, 4), over = force(1e-7, 5);
  EXPECT_NEAR(inside[5], 4 * elastic.stiffness(0.01) * std::pow(depth, 1.5), 1e-9 * inside[5]);
  EXPECT_LT((over - inside).norm(), 1e-5 * inside[5]);
}

/// Without dissipation and friction the sum of kinetic energy, gravity's and the layers' stays.
TEST(Compliant, WithoutLossesEnergyStays) {
  test::SceneMaker scene = scene_of({1e7});
  scene.add_static(HalfSpace{});
  scene.add(Sphere{radius}, 2, Vec3(0, 0, 0.3), Vec3(0.5, 0, 0));
  scene.add(Box{Vec3(0.1, 0.06, 0.05)}, 1, Vec3(0.05, 0, 0.7), Vec3::Zero(),
            Quaternion(Eigen::AngleAxisd(0.4, Vec3(1, 2, 0).normalized())));
  Simulation simulation = scene.simulation(compliant(0.01, 1e-12));
  const double before = test::energy(simulation.model(), simulation.state());
  double touching = 0;
  while (simulation.state().time < 1) {
    const StepReport& report = simulation.step();
    ASSERT_EQ(report.status, SolveStatus::solved);
    EXPECT_NEAR(report.energy.kinetic + report.energy.potential, before, 1e-7 * before) << report.time;
    touching += report.contacts.size();
  }
  EXPECT_GT(touching, 5);
  EXPECT_NEAR(simulation.certificate().energy.contact_work, 0, 1e-12 * before);
}

/// The momentum about the line on the ground is kept. So a ball that slides ends with 5/7 of its speed, and 2/7 of its
/// energy is lost.
TEST(Compliant, ASlidingBallComesToRoll) {
  const Elastic elastic{1e9, 0.1, 0.3};
  test::SceneMaker scene = scene_of(elastic);
  scene.add_static(HalfSpace{});
  const double depth = std::pow(2 * g / elastic.stiffness(), 2.0 / 3);
  scene.add(Sphere{radius}, 2, Vec3(0, 0, radius - depth), Vec3(1, 0, 0));
  Method method = compliant(0.05, 1e-10);
  method.compliant.transition_speed = 1e-3;
  Simulation simulation = scene.simulation(method);
  // While it slides it slows down by μ g.
  run(simulation, 0.05);
  EXPECT_NEAR(test::velocity(simulation, 0).x(), 1 - 0.3 * g * 0.05, 1e-5);
  run(simulation, 1);
  EXPECT_NEAR(test::velocity(simulation, 0).x(), 5.0 / 7, 1e-4);
  EXPECT_NEAR(simulation.state().v[1] * radius, 5.0 / 7, 1e-4);
  EXPECT_NEAR(simulation.certificate().energy.contact_work, -0.5 * 2 * 2.0 / 7, 1e-4);
}

/// On a slope below the angle of friction a block creeps down at the speed at which friction bears its weight:
/// S(x) = tan(slope)/μ; S of the paper's curve.
TEST(Compliant, WhatFrictionHoldsCreeps) {
  const double slope = 0.2, transition = 1e-3;
  test::SceneMaker scene = scene_of({1e7, 1.0, 0.5}, g * Vec3(std::sin(slope), 0, -std::cos(slope)));
  scene.add_static(HalfSpace{});
  scene.add(Box{Vec3(0.2, 0.2, 0.02)}, 1, Vec3(0, 0, 0.02));
  Method method = compliant(0.05, 1e-9);
  method.compliant.transition_speed = transition;
  Simulation simulation = scene.simulation(method);
  run(simulation, 2);
  double low = 0, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double x = 0.5 * (low + high);
    (x * x * x * (10 - 15 * x + 6 * x * x) < std::tan(slope) / 0.5 ? low : high) = x;
  }
  EXPECT_NEAR(test::velocity(simulation, 0).x(), low * transition, 1e-3 * transition);
}

std::vector<double> row_after(StepperKind stepper, double modulus) {
  test::SceneMaker scene = scene_of({modulus}, Vec3::Zero());
  if (stepper == StepperKind::event_driven) {
    const int material = scene.material;
    NamedPair elastic;
    elastic.restitution = ConstantRestitution{1};
    scene.builder.set_pair(material, material, elastic);
  }
  constexpr int balls = 4;
  for (int i = 0; i < balls; ++i) scene.add(Sphere{radius}, 1, Vec3(2 * radius * i, 0, 0));
  scene.add(Sphere{radius}, 1, Vec3(2 * radius * balls + 0.1, 0, 0), Vec3(-2, 0, 0));
  Method method = compliant(0.1, 1e-12);
  method.stepper = stepper;
  if (stepper == StepperKind::event_driven) method.law = LawKind::lzb;
  Simulation simulation = scene.simulation(method);
  run(simulation, 0.3);
  std::vector<double> speeds;
  for (int i = 0; i <= balls; ++i) speeds.push_back(test::velocity(simulation, i).x());
  return speeds;
}

/// Hertzian balls that touch disperse an impact, and stiffness only sets its clock. Law lzb, which knows ratios of
/// stiffness alone, says the same.
TEST(Compliant, ARowOfBallsDispersesAnImpactWhateverTheStiffness) {
  const auto soft = row_after(StepperKind::compliant, 1e8), stiff = row_after(StepperKind::compliant, 1e10);
  const auto by_law = row_after(StepperKind::event_driven, 1e8);
  double momentum = 0, energy = 0;
  for (std::size_t i = 0; i < soft.size(); ++i) {
    EXPECT_NEAR(soft[i], stiff[i], 1e-6) << i;
    EXPECT_NEAR(soft[i], by_law[i], 1e-4) << i;
    momentum += soft[i];
    energy += soft[i] * soft[i];
  }
  EXPECT_NEAR(momentum, -2, 1e-9);
  EXPECT_NEAR(energy, 4, 1e-7);
  EXPECT_LT(std::abs(soft.front()), 1.99);  // not all of it leaves with the last
  EXPECT_GT(std::abs(soft[1]), 0.01);
}

/// As the stiffness rises the impact shortens as E^(−2/5), and the motion nears that with impacts at an instant.
TEST(Compliant, StiffContactsNearAnImpactAtAnInstant) {
  const double until = 0.5;
  const auto end_of = [&](StepperKind stepper, double modulus) {
    test::SceneMaker scene = scene_of({modulus, 0, 0.1});
    if (stepper == StepperKind::event_driven) {
      NamedPair pair;
      pair.friction = Vec2(0.1, 0.1);
      pair.restitution = ConstantRestitution{1};
      scene.builder.set_pair(scene.material, scene.material, pair);
    }
    scene.add_static(HalfSpace{});
    scene.add(Sphere{radius}, 2, Vec3(0, 0, radius + 0.2), Vec3(3, 0, 0));
    Method method = compliant(0.01, 1e-11);
    method.stepper = stepper;
    if (stepper == StepperKind::event_driven) method.law = LawKind::plus;
    Simulation simulation = scene.simulation(method);
    run(simulation, until);
    return simulation.state();
  };
  const State exact = end_of(StepperKind::event_driven, 1e9);
  const auto error = [&](double modulus) {
    return (end_of(StepperKind::compliant, modulus).v - exact.v).cwiseAbs().maxCoeff();
  };
  const double soft = error(1e7), stiff = error(1e12);
  const double ratio = std::pow(1e5, 0.4);
  EXPECT_LT(soft, 0.1);
  EXPECT_LT(stiff, 1.5 * soft / ratio);
}

/// The same scene turned as a whole goes the same way, turned.
TEST(Compliant, TurningTheSceneTurnsTheMotion) {
  const Quaternion turn(Eigen::AngleAxisd(1.1, Vec3(1, -2, 0.5).normalized()));
  const auto end_of = [&](const Quaternion& R) {
    test::SceneMaker scene = scene_of({1e8, 0.1, 0.4}, R * Vec3(0, 0, -g));
    scene.add_static(HalfSpace{}, Transform{R.toRotationMatrix(), Vec3::Zero()});
    const Quaternion tilt(Eigen::AngleAxisd(0.7, Vec3(1, 1, 1).normalized()));
    scene.add(Box{Vec3(0.1, 0.06, 0.05)}, 1, R * Vec3(0, 0, 0.25), R * Vec3(1, 0.5, 0), R * tilt, Vec3(1, 0, 3));
    scene.add(Sphere{radius}, 1, R * Vec3(0.5, 0, 0.3), R * Vec3(-1, 0.3, 0));
    Simulation simulation = scene.simulation(compliant(0.01, 1e-12));
    run(simulation, 0.4);
    return std::pair(test::position(simulation, 0), test::position(simulation, 1));
  };
  const auto straight = end_of(Quaternion::Identity()), turned = end_of(turn);
  EXPECT_LT((turn * straight.first - turned.first).norm(), 1e-6);
  EXPECT_LT((turn * straight.second - turned.second).norm(), 1e-6);
}

/// Oblique impact of two balls with friction, in flight: momentum and angular momentum are kept, energy is not.
TEST(Compliant, AnImpactInFlightKeepsMomentum) {
  test::SceneMaker scene = scene_of({1e7, 0.1, 0.4}, Vec3::Zero());
  scene.add(Sphere{radius}, 2, Vec3(0, 0, 0), Vec3(1, 0, 0), Quaternion::Identity(), Vec3(0, 5, 20));
  scene.add(Sphere{radius}, 1, Vec3(0.3, 0.1, 0.05), Vec3(-1, 0, 0));
  Simulation simulation = scene.simulation(compliant(0.02, 1e-12));
  const Vec6 before = test::momentum(simulation.model(), simulation.state());
  run(simulation, 0.2);
  const Vec6 after = test::momentum(simulation.model(), simulation.state());
  EXPECT_LT((after - before).norm(), 1e-9 * before.norm());
  EXPECT_LT(simulation.certificate().energy.contact_work, -0.01);
  EXPECT_NEAR(simulation.certificate().energy.free_motion_error, 0, 1e-8);
}

TEST(Compliant, AResumedRunHasTheSameBits) {
  test::SceneMaker scene = scene_of({1e7, 0.1, 0.4});
  scene.add_static(HalfSpace{});
  scene.add(Box{Vec3(0.1, 0.06, 0.05)}, 1, Vec3(0, 0, 0.2), Vec3(1, 0, 0), Quaternion::Identity(), Vec3(1, 2, 3));
  scene.add(Sphere{radius}, 1, Vec3(0.4, 0, 0.101), Vec3(-1, 0, 0));
  Simulation whole = scene.simulation(compliant(0.01, 1e-9));
  State at_half;
  for (int i = 0; i < 40; ++i) {
    if (i == 17) at_half = whole.state();
    whole.step();
  }
  Simulation rest(scene.model(), whole.method(), at_half);
  for (int i = 17; i < 40; ++i) rest.step();
  EXPECT_TRUE(identical(whole.state(), rest.state()));
}

Method with_stops(double stiffness, double dissipation) {
  Method method = compliant(0.01);
  method.compliant.limit_stiffness = stiffness;
  method.compliant.limit_dissipation = dissipation;
  return method;
}

/// A block of 2 kg runs into the limit of its slide. Without losses it takes half a period π √(m/k). Else it has Hunt
/// and Crossley's rebound, which does not depend on the exponent.
TEST(Compliant, AStopIsASpring) {
  const double k = 2e4, speed = 1.5;
  for (const double dissipation : {0.0, 0.3}) {
    Model model = test::slider([](Joint& joint, ModelBuilder&, int) {
      joint.lower = test::one(-std::numeric_limits<double>::infinity());
      joint.upper = test::one(0.3);
    });
    test::Experiment block(std::move(model), with_stops(k, dissipation), test::one(0), test::one(speed));
    const auto events = run(block.simulation, 0.5);
    ASSERT_EQ(events.size(), 2u);
    EXPECT_NEAR(events[0].time, 0.3 / speed, 1e-9);
    EXPECT_NEAR(block.v(), -rebound(speed, dissipation) * speed, 1e-7);
    if (dissipation > 0) continue;
    EXPECT_NEAR(events[1].time - events[0].time, M_PI * std::sqrt(2 / k), 1e-6);
    EXPECT_NEAR(block.simulation.certificate().constraint_drift, speed * std::sqrt(2 / k), 0.01 * std::sqrt(2 / k));
  }
}

/// Thrown out to the end of a rope, a ball comes back with its speed.
TEST(Compliant, ARopeIsASpringToo) {
  test::SceneMaker scene = scene_of({1e8}, Vec3::Zero());
  const int ball = scene.add(Sphere{radius}, 2, Vec3(0.2, 0, 0), Vec3(1, 0, 0));
  Constraint rope;
  rope.name = "rope";
  rope.kind = ConstraintKind::rope;
  rope.body_a = ball;
  rope.length = 0.5;
  scene.builder.add_constraint(rope);
  Simulation simulation = scene.simulation(with_stops(2e4, 0));
  const auto events = run(simulation, 0.5);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_NEAR(events[0].time, 0.3, 1e-9);
  EXPECT_NEAR(events[1].time - events[0].time, M_PI * std::sqrt(2 / 2e4), 1e-6);
  EXPECT_NEAR(test::velocity(simulation, 0).x(), -1, 1e-7);
}

/// Dry friction of a joint takes m v²/2 on the way m v²/(2 F).
TEST(Compliant, DryFrictionOfAJointStopsABlock) {
  Model model = test::slider([](Joint& joint, ModelBuilder&, int) { joint.friction = test::one(3); });
  Method method = compliant(0.01);
  method.compliant.transition_speed = 1e-5;
  test::Experiment block(std::move(model), method, test::one(0), test::one(0.6));
  run(block.simulation, 1);
  EXPECT_NEAR(block.q(), 2 * 0.36 / (2 * 3), 1e-5);
  EXPECT_NEAR(block.energy().joint_friction, -0.36, 1e-9);
  EXPECT_NEAR(block.energy().free_motion_error, 0, 1e-9);
}

/// A rod hung on a ball constraint swings as one on a hinge, strikes a post, and keeps to its place.
TEST(Compliant, AConstraintHoldsThroughAnImpact) {
  const auto build = [](bool loop) {
    ModelBuilder builder;
    builder.set_gravity({0, 0, -g});
    Material material;
    material.youngs_modulus = 1e7;
    const int elastic = builder.add_material(material);
    const int bob = builder.add_body("bob", {1, Vec3(0, 0, 0), 0.004 * Mat3::Identity()});
    builder.add_collider({"bob", bob, Sphere{radius}, {}, elastic});
    const int post = builder.add_body("post", {3, Vec3::Zero(), 0.01 * Mat3::Identity()});
    builder.add_collider({"post", post, Sphere{radius}, {}, elastic});
    Joint slide;
    slide.type = JointType::prismatic;
    slide.X_PF.R = slide.X_BM.R = contact_frame(Vec3::UnitX());
    slide.X_PF.p = Vec3(-0.3, 0, -1.0);
    slide.stiffness = test::one(500);
    slide.rest = test::one(0);
    builder.add_joint(post, slide);
    if (loop) {
      Constraint pin;
      pin.name = "pin";
      pin.body_a = bob;
      pin.X_AF.p = Vec3(0, 0, 1);
      builder.add_constraint(pin);
    } else {
      Joint hinge;
      hinge.type = JointType::revolute;
      hinge.X_PF.R = hinge.X_BM.R = contact_frame(Vec3::UnitY());
      hinge.X_BM.p = Vec3(0, 0, 1);
      builder.add_joint(bob, hinge);
    }
    return std::make_shared<const Model>(builder.build());
  };
  const double angle = 0.5;
  State free_start, hinged;
  free_start.q = VectorX::Zero(8);
  const Quaternion turn(Eigen::AngleAxisd(-angle, Vec3::UnitY()));
  free_start.q << turn.w(), turn.vec(), turn * Vec3(0, 0, -1), 0;
  free_start.v = VectorX::Zero(7);
  hinged.q = Vec2(-angle, 0);
  hinged.v = Vec2::Zero();
  const Method method = compliant(0.02, 1e-11);
  Simulation loop(build(true), method, free_start), tree(build(false), method, hinged);
  EXPECT_EQ(run(loop, 1.5).size(), run(tree, 1.5).size());
  const Vec3 expected = Quaternion(Eigen::AngleAxisd(tree.state().q[0], Vec3::UnitY())) * Vec3(0, 0, -1);
  EXPECT_LT((Vec3(loop.state().q.segment<3>(4)) - expected).norm(), 1e-6);
  EXPECT_NEAR(loop.state().q[7], tree.state().q[1], 1e-6);
  EXPECT_GT(tree.certificate().largest_contact_count, 0);
  EXPECT_LT(loop.certificate().constraint_drift, 1e-9);
  EXPECT_NEAR(loop.certificate().energy.free_motion_error, 0, 1e-7);
}

/// A ball so fast that a step of the report takes it through a plate, and far beyond.
TEST(Compliant, NothingIsJumpedOver) {
  test::SceneMaker scene = scene_of({1e9}, Vec3::Zero());
  scene.add_static(Box{Vec3(1, 1, 0.01)});
  scene.add(Sphere{0.02}, 0.1, Vec3(0, 0, 3.5), Vec3(0, 0, -20));
  Simulation simulation = scene.simulation(compliant(1));
  simulation.step();
  EXPECT_NEAR(test::velocity(simulation, 0).z(), 20, 1e-5);
}

TEST(Compliant, AnEmptyBudgetIsTold) {
  test::SceneMaker scene = scene_of({1e9});
  scene.add_static(HalfSpace{});
  scene.add(Sphere{radius}, 2, Vec3(0, 0, radius));
  Method method = compliant(0.1);
  method.compliant.most_steps = 7;
  Simulation simulation = scene.simulation(method);
  const StepReport& report = simulation.step();
  EXPECT_EQ(report.status, SolveStatus::iteration_limit);
  EXPECT_EQ(report.iterations, 7);
  EXPECT_EQ(report.events.back().kind, EventKind::unsolved);
  EXPECT_EQ(simulation.certificate().unsolved_steps, 1);
}

std::string refusal(const test::SceneMaker& scene, const Method& method) {
  try {
    scene.simulation(method);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(Compliant, RefusesWhatItCannotCompute) {
  const auto with = [](double modulus, const Restitution& restitution, double dissipation) {
    test::SceneMaker scene(0.1);
    Material material{"felt", Vec2(0.1, 0.1), restitution};
    material.youngs_modulus = modulus;
    material.dissipation = dissipation;
    scene.material = scene.builder.add_material(material);
    scene.add_static(HalfSpace{});
    scene.add(Sphere{radius}, 1, Vec3(0, 0, 1));
    return scene;
  };
  const auto says = [&](const test::SceneMaker& scene, const Method& method, const std::string& what) {
    EXPECT_NE(refusal(scene, method).find(what), std::string::npos) << refusal(scene, method);
  };
  says(with(0, 0.0, 0.1), compliant(0.01),
       "youngs_modulus (Pa) of one of any two materials that meet, for Hertz's "
       "stiffness; there is none of material 'felt'");
  says(with(1e7, 0.5, 0), compliant(0.01), "the restitution of material 'felt' says nothing to stepper compliant");
  EXPECT_EQ(refusal(with(1e7, 0.5, 0.1), compliant(0.01)), "");
  EXPECT_EQ(refusal(with(1e7, 1.0, 0), compliant(0.01)), "");
  Method law = compliant(0.01);
  law.law = LawKind::newton;
  says(with(1e7, 0.0, 0), law, "law newton");
  for (const Ratchet ratchet : {Ratchet::none, Ratchet::forward}) {
    test::SceneMaker scene = with(1e7, 0.0, 0);
    const int wheel = scene.add(Sphere{radius}, 1, Vec3::Zero());
    Joint hinge;
    hinge.name = "hub";
    hinge.type = JointType::revolute;
    if (ratchet == Ratchet::none) hinge.upper = test::one(1), hinge.lower = test::one(-1);
    hinge.ratchet = {ratchet};
    scene.builder.add_joint(wheel, hinge);
    says(scene, compliant(0.01),
         ratchet == Ratchet::none ? "limit_stiffness under the method's key "
                                    "compliant (N m/rad or N/m); there are 'hub'"
                                  : "joint 'hub' has a ratchet");
  }
}

}  // namespace
}  // namespace carom::compliant_test
