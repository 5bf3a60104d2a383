#include "carom/spatial/exponential_product.h"

#include <gtest/gtest.h>

#include "carom/spatial/test/random_spatial.h"

namespace carom::exponential_product_test {
namespace {

double difference(const Transform& a, const Transform& b) {
  return std::max((a.R - b.R).cwiseAbs().maxCoeff(), (a.p - b.p).cwiseAbs().maxCoeff());
}

/// exp of the 4 × 4 matrix of the twist by its power series, for twists of a few units.
Transform by_power_series(const Vec6& twist) {
  using Mat4 = Eigen::Matrix4d;
  Mat4 A = Mat4::Zero();
  A.topLeftCorner<3, 3>() = skew(twist.head<3>());
  A.topRightCorner<3, 1>() = twist.tail<3>();
  Mat4 term = Mat4::Identity(), sum = Mat4::Identity();
  for (int k = 1; k < 60; ++k) {
    term = (term * A / k).eval();
    sum += term;
  }
  return {sum.topLeftCorner<3, 3>(), sum.topRightCorner<3, 1>()};
}

Twists random_twists(Random& random, int count) {
  Twists twists(6, count);
  for (int k = 0; k < count; ++k) {
    twists.col(k) = random.vector6();
    const bool slides = k % 3 == 2;
    if (slides) twists.col(k).head<3>().setZero();
  }
  return twists;
}

VectorX random_vector(Random& random, int count) {
  VectorX values(count);
  for (double& value : values) value = random.between(-2, 2);
  return values;
}

TEST(ExponentialOfTwist, IsTheSeriesForLargeSmallAndNoTurns) {
  Random random(61);
  for (int trial = 0; trial < 200; ++trial) {
    Vec6 twist = random.vector6();
    const double sizes[] = {1, 3, 1e-2, 1.1e-4, 0.9e-4, 1e-8, 0};
    twist.head<3>() *= sizes[trial % 7];
    EXPECT_LT(difference(exponential_of_twist(twist), by_power_series(twist)), 1e-14) << twist.transpose();
  }
}

TEST(ExponentialOfTwist, KeepsTheAxisOfAScrewWhereItIs) {
  Random random(62);
  for (int trial = 0; trial < 100; ++trial) {
    // Turning at ω about an axis through c with a pitch of p metres per radian: v = c × ω + p ω.
    const Vec3 w = random.vector(), c = random.vector();
    const double pitch = random.between(-1, 1);
    Vec6 twist;
    twist << w, c.cross(w) + pitch * w;
    const Transform X = exponential_of_twist(twist);
    EXPECT_LT((X * c - (c + pitch * w)).norm(), 1e-14);
    EXPECT_LT((X.R * w - w).norm(), 1e-14);
  }
}

TEST(ExponentialProduct, ItsSubspaceIsTheRateOfThePose) {
  Random random(63);
  for (int count = 1; count <= 6; ++count) {
    for (int trial = 0; trial < 30; ++trial) {
      const Twists twists = random_twists(random, count);
      const VectorX q = random_vector(random, count), rates = random_vector(random, count);
      const double e = 1e-5;
      const ExponentialProduct at = exponential_product(twists, q);
      const ExponentialProduct next = exponential_product(twists, q + e * rates);
      const ExponentialProduct last = exponential_product(twists, q - e * rates);
      const Vec6 V = at.S * rates;
      const Mat3 R_rate = (next.X.R - last.X.R) / (2 * e);
      const Vec3 p_rate = (next.X.p - last.X.p) / (2 * e);
      // Third derivatives in up to 12 units of twist, times e².
      EXPECT_LT((at.X.R.transpose() * R_rate - skew(V.head<3>())).norm(), 1e-7);
      EXPECT_LT((at.X.R.transpose() * p_rate - V.tail<3>()).norm(), 1e-6);
      const Vec6 S_rate_rates = (next.S - last.S) * rates / (2 * e);
      EXPECT_LT((S_rate_rates - exponential_product_bias(at.S, rates)).norm(), 1e-6);
    }
  }
}

TEST(ExponentialProduct, BiasIsTheSameVectorInEveryFrame) {
  Random random(64);
  for (int trial = 0; trial < 50; ++trial) {
    const Twists S = random_twists(random, 4);
    const VectorX rates = random_vector(random, 4);
    const Transform X = random.pose();
    Twists moved(6, 4);
    for (int k = 0; k < 4; ++k) moved.col(k) = X.motion(S.col(k));
    EXPECT_LT((exponential_product_bias(moved, rates) - X.motion(exponential_product_bias(S, rates))).norm(),
              1e-13 * 10);
  }
}

TEST(ExponentialProduct, EqualTwistsAddUp) {
  Random random(65);
  for (int trial = 0; trial < 50; ++trial) {
    Twists twice(6, 2), once(6, 1);
    once.col(0) = random.vector6();
    twice << once, once;
    const double a = random.between(-2, 2), b = random.between(-2, 2);
    const ExponentialProduct sum = exponential_product(once, VectorX::Constant(1, a + b));
    EXPECT_LT(difference(exponential_product(twice, Vec2(a, b)).X, sum.X), 1e-13);
  }
}

}  // namespace
}  // namespace carom::exponential_product_test
