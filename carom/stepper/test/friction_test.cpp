#include <gtest/gtest.h>

#include <numbers>

#include "mechanisms.h"

// Coulomb friction in a step against closed forms: a sliding box and a box on a slope.
namespace carom::friction_test {
namespace {

constexpr double g = 9.81;
const Box box{Vec3(0.1, 0.08, 0.05)};

struct Slide {
  double distance, deviation, polyhedral_error;
  double penetration;
};

/// A box set sliding with speed v at an angle to the first generator, until it has come to rest.
Slide slide(double mu, double v, double angle, double h, int directions) {
  test::SceneMaker scene(mu);
  scene.add_static(HalfSpace{});
  const Vec3 along(std::cos(angle), std::sin(angle), 0);
  scene.add(box, 2, Vec3(0, 0, box.half_extents.z()), v * along);
  Method method;
  method.step = h;
  method.cone = FrictionCone::polyhedral;
  method.directions = directions;
  Simulation simulation = scene.simulation(method);
  Slide result{};
  const int steps = static_cast<int>(1.6 * v / (mu * g) / h);
  for (int i = 0; i < steps; ++i) {
    const StepReport& report = simulation.step();
    EXPECT_EQ(report.status, SolveStatus::solved);
    result.polyhedral_error = std::max(result.polyhedral_error, report.contact_certificate.polyhedral_error);
  }
  EXPECT_LT(test::velocity(simulation, 0).norm(), 1e-12);
  const Vec3 moved = test::position(simulation, 0) - Vec3(0, 0, box.half_extents.z());
  result.distance = moved.dot(along);
  result.deviation = (moved - result.distance * along).norm();
  result.penetration = simulation.certificate().penetration;
  return result;
}

TEST(SlidingBox, StopsAlongAGeneratorWithinOneStepOfTheClosedForm) {
  constexpr double mu = 0.3, v = 2;
  for (const int directions : {4, 8, 12}) {
    for (int j = 0; j < directions; ++j) {
      for (const double h : {0.01, 0.0025}) {
        const Slide result = slide(mu, v, 2 * std::numbers::pi * j / directions, h, directions);
        EXPECT_NEAR(result.distance, v * v / (2 * mu * g), v * h) << directions << " directions, generator " << j;
        EXPECT_LT(result.deviation, 1e-10);
        EXPECT_LT(result.polyhedral_error, 1e-9);
        EXPECT_LT(result.penetration, 1e-12);
      }
    }
  }
}

TEST(SlidingBox, BetweenGeneratorsThePolyhedralErrorBoundsTheStoppingDistance) {
  constexpr double mu = 0.3, v = 2, h = 0.005;
  for (const int directions : {4, 8, 16}) {
    for (const double part : {0.1, 0.25, 0.5}) {
      const Slide result = slide(mu, v, 2 * std::numbers::pi * part / directions, h, directions);
      const double exact = v * v / (2 * mu * g);
      // The polygon's friction along the slip is between cos(π/K) and 1 of the disc's.
      EXPECT_GT(result.distance, exact - v * h);
      EXPECT_LT(result.distance, exact / std::cos(std::numbers::pi / directions) + v * h);
      EXPECT_GT(result.polyhedral_error, 1e-4);
      EXPECT_LE(result.polyhedral_error, 1 - std::cos(std::numbers::pi / directions) + 1e-9);
    }
  }
}

TEST(SlidingBox, AnisotropicFrictionStopsByTheAxisOfTheSlide) {
  test::SceneMaker scene(0);
  const int slick = scene.builder.add_material({"grained", Vec2(0.2, 0.6), 0});
  scene.builder.set_pair(scene.material, slick, {Vec2(0.2, 0.6), 0});
  scene.builder.add_collider({"floor", -1, HalfSpace{}, {}, slick});
  scene.add(box, 2, Vec3(0, 0, box.half_extents.z()), Vec3(1, 0, 0));
  Method method;
  method.step = 0.002;
  Simulation along_x = scene.simulation(method);
  scene.v.tail<3>() = Vec3(0, 1, 0);
  Simulation along_y = scene.simulation(method);
  for (int i = 0; i < 500; ++i) {
    EXPECT_EQ(along_x.step().status, SolveStatus::solved);
    EXPECT_EQ(along_y.step().status, SolveStatus::solved);
  }
  EXPECT_NEAR(test::position(along_x, 0).x(), 1 / (2 * 0.2 * g), 0.002);
  EXPECT_NEAR(test::position(along_y, 0).y(), 1 / (2 * 0.6 * g), 0.002);
}

class Slope : public testing::TestWithParam<int> {};

TEST_P(Slope, DoesNotCreepBelowThePolyhedronsAngle) {
  constexpr double mu = 0.5;
  const int directions = GetParam();
  const double steepest = 0.99 * std::atan(mu * std::cos(std::numbers::pi / directions));
  for (const double part : {0.3, 0.9, 1.0}) {
    for (const double azimuth : {0.0, 0.21, std::numbers::pi / directions, 2.0}) {
      const double angle = part * steepest;
      const Vec3 gravity =
          g * Vec3(std::sin(angle) * std::cos(azimuth), std::sin(angle) * std::sin(azimuth), -std::cos(angle));
      test::SceneMaker scene(mu, 0, gravity);
      scene.add_static(HalfSpace{});
      const Vec3 start(0, 0, box.half_extents.z());
      scene.add(box, 2, start);
      Method method;
      method.step = 0.01;
      method.cone = FrictionCone::polyhedral;
      method.directions = directions;
      Simulation simulation = scene.simulation(method);
      for (int i = 0; i < 1000; ++i) ASSERT_EQ(simulation.step().status, SolveStatus::solved);
      EXPECT_LT((test::position(simulation, 0) - start).norm(), 1e-11) << directions << " " << part << " " << azimuth;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Directions, Slope, testing::Values(4, 5, 8, 16));

TEST(SteepSlope, SlidesWithTheDifferenceOfGravityAndFriction) {
  constexpr double mu = 0.5, angle = 0.7, T = 0.5;
  test::SceneMaker scene(mu, 0, g * Vec3(std::sin(angle), 0, -std::cos(angle)));
  scene.add_static(HalfSpace{});
  scene.add(box, 2, Vec3(0, 0, box.half_extents.z()));
  Method method;
  method.step = 0.001;
  Simulation simulation = scene.simulation(method);
  for (int i = 0; i < 500; ++i) ASSERT_EQ(simulation.step().status, SolveStatus::solved);
  EXPECT_NEAR(test::velocity(simulation, 0).x(), g * (std::sin(angle) - mu * std::cos(angle)) * T, 1e-9);
}

}  // namespace
}  // namespace carom::friction_test
