#include "carom/import/relaxed_inertia.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <random>

namespace carom::relaxed_inertia_test {
namespace {

/// The least eigenvalue of the second moments ½ tr(I) 1 − I relative to the largest: a body's is not negative.
double least_share(const Mat3& I) {
  const Mat3 second = 0.5 * I.trace() * Mat3::Identity() - I;
  const Vec3 values = Eigen::SelfAdjointEigenSolver<Mat3>(second).eigenvalues();
  return values[0] / values[2];
}

TEST(RelaxedInertia, IsABodysAndTheNearestOfMany) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  int changed = 0;
  for (int trial = 0; trial < 200; ++trial) {
    SpatialInertia given;
    given.mass = 2;
    Mat3 I;
    for (double& entry : I.reshaped()) entry = normal(random);
    given.central = I * I.transpose();
    given.central(0, 0) += 3 * std::abs(normal(random));  // larger than the sum of the others, in some
    const std::optional<SpatialInertia> nearest = nearest_inertia(given);
    if (!nearest) continue;
    EXPECT_GE(least_share(nearest->central), 0.99e-6);
    EXPECT_EQ(nearest->mass, given.mass);
    EXPECT_EQ(nearest->center, given.center);
    const auto distance = [&](const Mat3& other) {
      const Mat3 change = other - given.central;
      return (0.5 * change.trace() * Mat3::Identity() - change).norm();
    };
    const double least = distance(nearest->central);
    if (least_share(given.central) > 1e-5) {
      EXPECT_NEAR(least, 0, 1e-12 * given.central.norm());
      continue;
    }
    ++changed;
    // No body's second moments G Gᵀ near it are nearer.
    for (int other = 0; other < 20; ++other) {
      const Mat3 second = 0.5 * nearest->central.trace() * Mat3::Identity() - nearest->central;
      Mat3 G = second.llt().matrixL();
      for (double& entry : G.reshaped()) entry += 0.05 * normal(random);
      const Mat3 moved = G * G.transpose();
      const Mat3 I_other = moved.trace() * Mat3::Identity() - moved;
      EXPECT_GE(distance(I_other), least * (1 - 1e-4) - 1e-5 * given.central.norm());
    }
  }
  EXPECT_GT(changed, 20);
}

}  // namespace
}  // namespace carom::relaxed_inertia_test
