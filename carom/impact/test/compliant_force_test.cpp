#include "carom/impact/compliant_force.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <cmath>
#include <random>

#include "carom/impact/stribeck.h"

namespace carom::compliant_force_test {
namespace {

TEST(Stribeck, RisesToItsPeakFallsAndGrows) {
  const Stribeck curve{0.6, 0.4, 0.1, 0.02};
  EXPECT_EQ(curve.at(0), 0);
  EXPECT_NEAR(curve.at(0.02), 0.6 + 0.1 * 0.02, 1e-15);
  EXPECT_NEAR(curve.at(0.06), 0.4 + 0.1 * 0.06, 1e-15);
  EXPECT_NEAR(curve.at(7), 0.4 + 0.1 * 7, 1e-15);
  EXPECT_NEAR(curve.at(0.01), 0.3 + 0.1 * 0.01, 1e-15);  // S(1/2) = 1/2
}

TEST(Stribeck, SlopeIsTheDerivative) {
  const Stribeck curve{0.6, 0.4, 0.1, 0.02};
  for (double slip = 0.001; slip < 0.1; slip += 0.00037) {
    const double step = 1e-7, slope = (curve.at(slip + step) - curve.at(slip - step)) / (2 * step);
    EXPECT_NEAR(curve.slope(slip), slope, 1e-5) << slip;
  }
}

/// Pieces fit with two derivatives.
TEST(Stribeck, IsSmoothWhereItsPiecesMeet) {
  const Stribeck curve{0.6, 0.4, 0.1, 0.02};
  for (const double place : {0.02, 0.06}) {
    const double step = 1e-9;
    EXPECT_NEAR(curve.at(place - step), curve.at(place + step), 1e-8);
    EXPECT_NEAR(curve.slope(place - step), curve.slope(place + step), 1e-5);
  }
}

CompliantSurfaces random_surfaces(std::mt19937& random) {
  std::uniform_real_distribution<double> share(0, 1);
  CompliantSurfaces surfaces;
  surfaces.layer = {std::pow(10, 3 + 6 * share(random)), share(random) < 0.5 ? 1.5 : 1.0};
  surfaces.dissipation = share(random) < 0.3 ? 0 : share(random);
  surfaces.friction = {share(random) < 0.2 ? 0 : share(random), share(random) < 0.2 ? 0 : share(random)};
  surfaces.static_friction = surfaces.friction + 0.3 * share(random) * Eigen::Vector2d::Ones();
  surfaces.viscous_friction = share(random) < 0.5 ? 0 : 0.1 * share(random);
  surfaces.transition_speed = std::pow(10, -4 + 3 * share(random));
  return surfaces;
}

/// Power that it takes is f·u + dE/dt with dE/dt = −F u_n. It never pulls, and is nothing apart.
TEST(CompliantForce, TakesPowerAndNeverPulls) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 20000; ++i) {
    const CompliantSurfaces surfaces = random_surfaces(random);
    const double z = 1e-3 * normal(random);
    const Eigen::Vector3d u =
        std::pow(10, normal(random)) * Eigen::Vector3d(normal(random), normal(random), normal(random));
    const Eigen::Vector3d force = compliant_force(surfaces, z, u);
    ASSERT_GE(force[2], 0);
    if (z <= 0) {
      ASSERT_EQ(force, Eigen::Vector3d::Zero());
      continue;
    }
    const double elastic = surfaces.layer.force(z), scale = force.norm() * u.norm() + elastic * std::abs(u[2]);
    ASSERT_LE(force.dot(u) - elastic * u[2], 1e-14 * scale);
    ASSERT_LE(force.head<2>().dot(u.head<2>()), 1e-14 * scale);
  }
}

/// Turning the contact frame turns the force, if friction is the same in all directions, and its size is μ f_n.
TEST(CompliantForce, IsotropicFrictionKnowsNoDirection) {
  CompliantSurfaces surfaces;
  surfaces.layer = {1e6, 1.5};
  surfaces.friction = {0.3, 0.3};
  surfaces.static_friction = {0.5, 0.5};
  surfaces.viscous_friction = 0.02;
  const double slip = 0.4, z = 1e-3;
  const Eigen::Vector3d straight = compliant_force(surfaces, z, {slip, 0, -0.1});
  EXPECT_NEAR(straight[0], -(0.3 + 0.02 * slip) * straight[2], 1e-12 * straight[2]);
  for (double angle = 0; angle < 6; angle += 0.7) {
    const Eigen::Rotation2D<double> turn(angle);
    const Eigen::Vector2d u = turn * Eigen::Vector2d(slip, 0);
    const Eigen::Vector3d force = compliant_force(surfaces, z, {u[0], u[1], -0.1});
    EXPECT_NEAR((force.head<2>() - turn * Eigen::Vector2d(straight.head<2>())).norm(), 0, 1e-12 * straight[2]);
    EXPECT_EQ(force[2], straight[2]);
  }
}

/// An axis without friction slips freely.
TEST(CompliantForce, AnAxisWithoutFrictionIsFree) {
  CompliantSurfaces surfaces;
  surfaces.layer = {1e6, 1.5};
  surfaces.friction = surfaces.static_friction = {0.4, 0};
  const Eigen::Vector3d force = compliant_force(surfaces, 1e-3, {0.2, 0.7, 0});
  EXPECT_EQ(force[1], 0);
  EXPECT_NEAR(force[0], -0.4 * force[2], 1e-12 * force[2]);
}

}  // namespace
}  // namespace carom::compliant_force_test
