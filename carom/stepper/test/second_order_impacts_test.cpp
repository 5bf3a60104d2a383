// Impacts and rest in steps of second order: where surfaces meet, how high things bounce, what the ledger says of it.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/stepper/test/mechanisms.h"
#include "carom/stepper/test/second_order.h"

namespace carom::second_order_impacts_test {
namespace {

class SecondOrderImpacts : public testing::TestWithParam<StepperKind> {
 protected:
  static Method method(double step) { return test::second_order(step, GetParam()); }
};

/// A ball thrown at the floor and at a wall ends its impact where they meet, and rolls on at rest with the floor.
TEST_P(SecondOrderImpacts, ImpactsEndWhereSurfacesMeet) {
  test::SceneMaker scene(0.5);
  scene.add_static(HalfSpace{}, {});
  scene.add(Sphere{0.1}, 1, {0, 0, 0.35}, {1, 0, -2});
  Simulation simulation = scene.simulation(method(0.01));
  double deepest = 0;
  for (int i = 0; i < 100; ++i) {
    const StepReport& report = simulation.step();
    EXPECT_EQ(report.status, SolveStatus::solved);
    deepest = std::max(deepest, report.penetration);
  }
  EXPECT_LT(deepest, 1e-9);
  EXPECT_NEAR(test::position(simulation, 0).z(), 0.1, 1e-9);
  EXPECT_NEAR(test::velocity(simulation, 0).z(), 0, 1e-9);
}

/// A ball without friction that spins about no axis of its own keeps energy and momentum of its spin when it bounces.
TEST_P(SecondOrderImpacts, AnImpactLeavesTheSpinAlone) {
  const Mat3 central = Vec3(0.01, 0.02, 0.025).asDiagonal();
  ModelBuilder builder;
  builder.set_gravity({0, 0, -10});
  const int smooth = builder.add_material({"smooth", Vec2::Zero(), 0.95});
  builder.add_collider({"floor", -1, HalfSpace{}, {}, smooth});
  builder.add_collider({"ball", builder.add_body("ball", {1, Vec3::Zero(), central}), Sphere{0.1}, {}, smooth});
  const Model model = builder.build();
  // Fast, so that the step turns it by half a rad, and slowly, so that an impact takes two parts of the step.
  for (const double fast : {30.0, 3.0}) {
    VectorX v(6);
    v << fast, fast / 6, fast / 1.5, 0, 0, -1;
    Method newton = method(0.02);
    newton.law = LawKind::newton;
    test::Experiment at(model, newton, test::free_pose({0, 0, 0.3}), v);
    const auto spin = [&] { return Vec3(at.simulation.state().v.head<3>()); };
    const double energy = spin().dot(central * spin()), momentum = (central * spin()).norm();
    for (int i = 0; i < 100; ++i) EXPECT_LT(at.simulation.step().kinematic_residual, 1e-10);
    EXPECT_NEAR(spin().dot(central * spin()), energy, 1e-9 * energy);
    EXPECT_NEAR((central * spin()).norm(), momentum, 1e-9 * momentum);
  }
}

/// A ball falls 1 m and rebounds to e² of it, at first and second order of the step alike.
TEST_P(SecondOrderImpacts, ReboundsGoAsHighAsNewtonSays) {
  const double e = 0.8;
  test::SceneMaker scene(0.0, e, {0, 0, -10});
  scene.add_static(HalfSpace{}, {});
  scene.add(Sphere{0.1}, 1, {0, 0, 1.1});
  Method newton = method(1e-3);
  newton.law = LawKind::newton;
  Simulation simulation = scene.simulation(newton);
  double highest = 0;
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(simulation.step().status, SolveStatus::solved);
    if (test::velocity(simulation, 0).z() > 0) highest = std::max(highest, test::position(simulation, 0).z() - 0.1);
  }
  EXPECT_NEAR(highest, e * e, 1e-3);
}

/// A ball bounces, and where in a step it lands is anywhere: the mean error of many heights falls by four.
TEST(SecondOrderBounces, NearTheClosedForm) {
  const double e = 0.8, g = 10, until = 1.3;
  const auto mean_error = [&](double step) {
    double sum = 0;
    for (int i = 0; i < 40; ++i) {
      const double height = 1 + 0.003 * i;
      test::SceneMaker scene(0.0, e, {0, 0, -g});
      scene.add_static(HalfSpace{});
      scene.add(Sphere{0.1}, 1, {0, 0, 0.1 + height});
      Method newton = test::second_order(step, StepperKind::stewart_trinkle);
      newton.law = LawKind::newton;
      Simulation simulation = scene.simulation(newton);
      simulation.run_until(until);
      double left = until - std::sqrt(2 * height / g), up = e * std::sqrt(2 * g * height);
      for (; left > 2 * up / g; up *= e) left -= 2 * up / g;
      sum += std::abs(test::position(simulation, 0).z() - 0.1 - (up * left - 0.5 * g * left * left));
      EXPECT_LE(simulation.certificate().contact_work_gain, 0);
    }
    return sum / 40;
  };
  const double coarse = mean_error(4e-3), fine = mean_error(1e-3);
  EXPECT_GT(coarse / fine, 9) << coarse << " " << fine;
  EXPECT_LT(fine, 1e-4);
}

/// Energy that the ledger gives to contacts is that of the impact, 1 − e² of what the ball had there.
TEST_P(SecondOrderImpacts, TheLedgerOfAnImpactIsTheImpacts) {
  const double e = 0.5, height = 0.5;
  for (const bool rebounds : {false, true}) {
    Method settings = method(1e-3);
    if (rebounds) settings.law = LawKind::newton;
    test::SceneMaker own(0.0, rebounds ? e : 0, {0, 0, -10});
    own.add_static(HalfSpace{});
    own.add(Sphere{0.1}, 1, {0, 0, 0.1 + height});
    Simulation simulation = own.simulation(settings);
    simulation.run_until(0.4);  // landed once, at 0.316 s
    const EnergyLedger& energy = simulation.certificate().energy;
    const double lost = rebounds ? 1 - e * e : 1;
    EXPECT_NEAR(energy.contact_work + energy.opposed_work, -lost * 1 * 10 * height, 1e-3) << rebounds;
    EXPECT_NEAR(energy.free_motion_error, 0, 1e-3) << rebounds;
  }
}

/// A ball that is thrown up at a ceiling, where its weight slows it, is thrown back by no more than it had.
TEST_P(SecondOrderImpacts, GiveNothingWhereForcesSlowTheApproach) {
  for (const double height : {0.5, 0.5007, 0.5013}) {
    test::SceneMaker scene(0.0, 1, {0, 0, -10});
    scene.add_static(HalfSpace{}, {Quaternion(Eigen::AngleAxisd(std::numbers::pi, Vec3::UnitX())).toRotationMatrix(),
                                   Vec3(0, 0, height)});
    scene.add(Sphere{0.1}, 1, {0, 0, 0.3}, {0, 0, 4});
    Method newton = method(1e-3);
    newton.law = LawKind::newton;
    Simulation simulation = scene.simulation(newton);
    const double energy = test::energy(simulation.model(), simulation.state());
    simulation.run_until(0.06);
    EXPECT_LT(test::velocity(simulation, 0).z(), -3);
    EXPECT_LE(simulation.certificate().contact_work_gain, 1e-9 * energy);
    EXPECT_NEAR(test::energy(simulation.model(), simulation.state()), energy, 1e-4 * energy);
  }
}

/// A box that rests but for a gap closes it in one step, and is still in the next.
TEST_P(SecondOrderImpacts, WhatHardlyMovesClosesItsGapAtOnce) {
  test::SceneMaker scene(0.5);
  scene.add_static(HalfSpace{});
  scene.add(Box{Vec3(0.1, 0.2, 0.05)}, 2, {0, 0, 0.05 + 1e-7});
  Simulation simulation = scene.simulation(method(0.01));
  for (int i = 0; i < 2; ++i) EXPECT_EQ(simulation.step().status, SolveStatus::solved);
  EXPECT_NEAR(test::position(simulation, 0).z(), 0.05, 1e-13);
  EXPECT_LT(simulation.state().v.norm(), 1e-11);
}

/// A box slides on the floor by μ g until it rests: the way is known, and the second order ends within what a step's
/// stop leaves open.
TEST_P(SecondOrderImpacts, SlidingStopsWhereCoulombSays) {
  test::SceneMaker scene(0.5, 0.0, {0, 0, -10});
  scene.add_static(HalfSpace{}, {});
  scene.add(Box{Vec3(0.1, 0.1, 0.02)}, 1, {0, 0, 0.02}, {1, 0, 0});
  Simulation simulation = scene.simulation(method(0.007));
  for (int i = 0; i < 60; ++i) EXPECT_EQ(simulation.step().status, SolveStatus::solved);
  EXPECT_NEAR(test::position(simulation, 0).x(), 0.1, 5 * 0.007 * 0.007);  // (μ g h²)
  EXPECT_LT(test::velocity(simulation, 0).norm(), 1e-9);
}

/// A box that rests stays, and bears its weight.
TEST_P(SecondOrderImpacts, WhatRestsStays) {
  test::SceneMaker scene(0.5);
  scene.add_static(HalfSpace{}, {});
  scene.add(Box{Vec3(0.1, 0.2, 0.05)}, 2, {0, 0, 0.05});
  Simulation simulation = scene.simulation(method(0.01));
  for (int i = 0; i < 100; ++i) EXPECT_EQ(simulation.step().status, SolveStatus::solved);
  EXPECT_LT((test::position(simulation, 0) - Vec3(0, 0, 0.05)).norm(), 1e-12);
  EXPECT_LT(simulation.state().v.norm(), 1e-9);
  double weight = 0;
  for (const ContactReport& contact : simulation.step().contacts) weight += contact.impulse.z();
  EXPECT_NEAR(weight, 2 * 9.81 * 0.01, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Steppers, SecondOrderImpacts, testing::ValuesIn(test::second_order_steppers),
                         [](const auto& info) { return test::label(info.param); });

}  // namespace
}  // namespace carom::second_order_impacts_test
