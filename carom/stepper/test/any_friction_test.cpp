// Friction of any size: what it holds stays, what it cannot hold slides as it should, and both are solved and borne
// out.

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <tuple>

#include "carom/complementarity/certificate.h"
#include "experiment.h"
#include "mechanisms.h"

namespace carom::any_friction_test {
namespace {

constexpr double g = 9.81, angle = 0.35, step = 1e-3;
const Box brick{Vec3(0.1, 0.08, 0.05)};

class AnyFriction : public ::testing::TestWithParam<std::tuple<FrictionCone, StepperKind, double>> {
 protected:
  Method method() const {
    Method method = test::with_step(step, std::get<1>(GetParam()));
    method.cone = std::get<0>(GetParam());
    return method;
  }
  double friction() const { return std::get<2>(GetParam()); }
  void take(Simulation& simulation, int steps) const {
    for (int i = 0; i < steps; ++i) {
      const StepReport& report = simulation.step();
      ASSERT_EQ(report.status, SolveStatus::solved) << i;
      ASSERT_LE(judged_residual(report.contact_certificate, method().cone), 1e-8) << i;
    }
  }
};

TEST_P(AnyFriction, ABoxOnTheFloorStays) {
  test::SceneMaker scene(friction());
  scene.add_static(HalfSpace{});
  scene.add(brick, 2, Vec3(0.3, 0.1, brick.half_extents.z()));
  Simulation simulation = scene.simulation(method());
  take(simulation, 200);
  EXPECT_LE((simulation.state().q - scene.q).cwiseAbs().maxCoeff(), 1e-9);
}

TEST_P(AnyFriction, ABoxOnASlopeStaysOrSlidesAsItShould) {
  test::SceneMaker scene(friction(), 0, g * Vec3(std::sin(angle), 0, -std::cos(angle)));
  scene.add_static(HalfSpace{});
  scene.add(brick, 2, Vec3(0, 0, brick.half_extents.z()));
  Simulation simulation = scene.simulation(method());
  take(simulation, 200);
  const double slides = std::max(0.0, std::sin(angle) - friction() * std::cos(angle));
  EXPECT_NEAR(test::velocity(simulation, 0).x(), slides * g * 200 * step, 1e-7);
  EXPECT_NEAR(test::position(simulation, 0).z(), brick.half_extents.z(), 1e-9);
  if (slides > 0) return;
  EXPECT_LE((simulation.state().q - scene.q).cwiseAbs().maxCoeff(), 1e-9);
}

/// So many contacts that their problem is solved in factors.
TEST_P(AnyFriction, APileStays) {
  test::SceneMaker scene(friction());
  scene.add_static(HalfSpace{});
  for (int i = 0; i < 6; ++i) scene.add(brick, 1, Vec3(0.005 * i, 0, (2 * i + 1) * brick.half_extents.z()));
  Simulation simulation = scene.simulation(method());
  take(simulation, 100);
  EXPECT_LE((simulation.state().q - scene.q).cwiseAbs().maxCoeff(), 1e-7);
}

/// Thrown along the floor it stops sliding at once if friction is high.
TEST_P(AnyFriction, ASphereThatIsThrownRollsOrSlides) {
  test::SceneMaker scene(friction());
  scene.add_static(HalfSpace{});
  scene.add(Sphere{0.1}, 1, Vec3(0, 0, 0.1), Vec3(1, 0, 0));
  Simulation simulation = scene.simulation(method());
  take(simulation, 20);
  // It rolls with 5/7 of its speed, once friction has taken the rest.
  EXPECT_NEAR(test::velocity(simulation, 0).x(), std::max(5.0 / 7, 1 - friction() * g * 20 * step), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Cones, AnyFriction,
                         ::testing::Combine(::testing::Values(FrictionCone::polyhedral, FrictionCone::exact),
                                            ::testing::Values(StepperKind::stewart_trinkle,
                                                              StepperKind::anitescu_potra),
                                            ::testing::Values(0, 1e-3, 1.0, 1e3, 1e7, 1e9, 1e11)));

/// A box that trips over its edges and comes to rest flat: on the way its corners jam with hardly a lever.
class ThrownBox : public ::testing::TestWithParam<std::tuple<StepperKind, double>> {};

TEST_P(ThrownBox, TumblesToRestSolved) {
  const auto [stepper, friction] = GetParam();
  test::SceneMaker scene(friction);
  scene.add_static(HalfSpace{});
  scene.add(Box{Vec3::Constant(0.25)}, 125, Vec3(0, 0, 0.26), Vec3(1, 0.3, 0));
  Method method = test::with_step(step, stepper);
  method.cone = FrictionCone::exact;
  Simulation simulation = scene.simulation(method);
  for (int i = 0; i < 400; ++i) {
    const StepReport& report = simulation.step();
    ASSERT_EQ(report.status, SolveStatus::solved) << i;
    ASSERT_TRUE(borne_out(report)) << i;
  }
  EXPECT_NEAR(test::position(simulation, 0).z(), 0.25, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Steppers, ThrownBox,
                         ::testing::Combine(::testing::Values(StepperKind::stewart_trinkle,
                                                              StepperKind::stewart_trinkle_nonlinear),
                                            ::testing::Values(1e3, 1e5, 1e7, 1e9, 1e11)));
// From 1e9 on some of these steps are left unsolved.
INSTANTIATE_TEST_SUITE_P(AtTheEnd, ThrownBox,
                         ::testing::Combine(::testing::Values(StepperKind::implicit_geometry, StepperKind::quasi_rigid),
                                            ::testing::Values(1e3, 1e5, 1e7)));
// From 1e7 on some of these are.
INSTANTIATE_TEST_SUITE_P(AnitescuPotra, ThrownBox,
                         ::testing::Combine(::testing::Values(StepperKind::anitescu_potra),
                                            ::testing::Values(1e3, 1e5)));

/// Thrown in all ways, it may jam so hard that a step has no solution that is found. Steps that are called solved are.
class WildBox : public ::testing::TestWithParam<std::tuple<StepperKind, double>> {};

TEST_P(WildBox, IsBorneOutWhereItIsSolved) {
  const auto [stepper, friction] = GetParam();
  std::mt19937 random(7);
  const auto draw = [&] { return 2 * static_cast<double>(random()) / static_cast<double>(std::mt19937::max()) - 1; };
  const auto random_vector = [&] { return Vec3{draw(), draw(), draw()}; };
  int solved = 0;
  for (int thrown = 0; thrown < 4; ++thrown) {
    test::SceneMaker scene(friction);
    scene.add_static(HalfSpace{});
    const Vec3 turn = 3 * random_vector(), velocity = 4 * random_vector(), spin = 8 * random_vector();
    scene.add(Box{Vec3(0.15, 0.1, 0.2)}, 12, Vec3(0, 0, 0.35), velocity, exponential(turn), spin);
    Method method = test::with_step(step, stepper);
    method.cone = FrictionCone::exact;
    method.quasi_rigid.halvings = 0;  // a step that is not solved is told at once
    Simulation simulation = scene.simulation(method);
    for (int i = 0; i < 300; ++i) {
      const StepReport& report = simulation.step();
      if (report.status != SolveStatus::solved) continue;
      ++solved;
      ASSERT_LE(report.momentum_residual, 1e-8) << thrown << " " << i;
      ASSERT_TRUE(borne_out(report)) << thrown << " " << i;
    }
  }
  EXPECT_GE(solved, friction <= 1e2 ? 1200 : 1000);
}

INSTANTIATE_TEST_SUITE_P(Steppers, WildBox,
                         ::testing::Combine(::testing::Values(StepperKind::stewart_trinkle, StepperKind::anitescu_potra,
                                                              StepperKind::stewart_trinkle_nonlinear,
                                                              StepperKind::implicit_geometry, StepperKind::quasi_rigid),
                                            ::testing::Values(1e2, 1e7, 1e9, 1e11)));

}  // namespace
}  // namespace carom::any_friction_test
