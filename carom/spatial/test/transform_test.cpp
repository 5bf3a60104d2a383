#include "carom/spatial/transform.h"

#include <gtest/gtest.h>

#include "carom/spatial/test/random_spatial.h"

namespace carom::transform_test {
namespace {

double difference(const Transform& a, const Transform& b) {
  return std::max((a.R - b.R).cwiseAbs().maxCoeff(), (a.p - b.p).cwiseAbs().maxCoeff());
}

TEST(Transform, ComposesAsAGroup) {
  Random random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const Transform a = random.pose(), b = random.pose(), c = random.pose();
    const Vec3 p = random.vector();
    EXPECT_LT((a * (b * p) - (a * b) * p).norm(), 1e-14);
    EXPECT_LT(difference((a * b) * c, a * (b * c)), 1e-14);
    EXPECT_LT(difference(a * a.inverse(), Transform::identity()), 1e-14);
    EXPECT_LT(difference(a.inverse() * a, Transform::identity()), 1e-14);
    EXPECT_LT(difference((a * b).inverse(), b.inverse() * a.inverse()), 1e-14);
    EXPECT_EQ(difference(a * Transform::identity(), a), 0);
  }
}

TEST(Transform, MotionIsTheVelocityFieldSeenFromElsewhere) {
  Random random(2);
  for (int trial = 0; trial < 200; ++trial) {
    const Transform X_AB = random.pose();
    const Vec6 V_B = random.vector6(), V_A = X_AB.motion(V_B);
    // Every point of the body has the same velocity in both frames: v + ω × p.
    const Vec3 p_B = random.vector(), p_A = X_AB * p_B;
    const Vec3 in_B = V_B.tail<3>() + V_B.head<3>().cross(p_B), in_A = V_A.tail<3>() + V_A.head<3>().cross(p_A);
    EXPECT_LT((X_AB.R * in_B - in_A).norm(), 1e-14);
    EXPECT_LT((X_AB.inverse_motion(V_A) - V_B).norm(), 1e-14);
    EXPECT_LT((X_AB.inverse().motion(V_A) - V_B).norm(), 1e-14);
  }
}

TEST(Transform, ForceIsTheSameWrenchSeenFromElsewhere) {
  Random random(3);
  for (int trial = 0; trial < 200; ++trial) {
    const Transform X_AB = random.pose(), X_BC = random.pose();
    // A force f at the point p has the moment p × f about the origin of each frame.
    const Vec3 p_B = random.vector(), f_B = random.vector(), p_A = X_AB * p_B, f_A = X_AB.R * f_B;
    Vec6 F_B, F_A;
    F_B << p_B.cross(f_B), f_B;
    F_A << p_A.cross(f_A), f_A;
    EXPECT_LT((X_AB.force(F_B) - F_A).norm(), 1e-14);
    EXPECT_LT((X_AB.inverse_force(F_A) - F_B).norm(), 1e-14);
    const Vec6 F = random.vector6(), V = random.vector6();
    EXPECT_LT(((X_AB * X_BC).force(F) - X_AB.force(X_BC.force(F))).norm(), 1e-14);
    // Power does not depend on the frame.
    EXPECT_NEAR(X_AB.force(F).dot(X_AB.motion(V)), F.dot(V), 1e-13);
  }
}

TEST(CrossProducts, AreTheRatesOfMovedVectors) {
  Random random(4);
  const double h = 1e-6;
  for (int trial = 0; trial < 200; ++trial) {
    const Vec6 V = random.vector6(), m = random.vector6(), f = random.vector6();
    const auto moved = [&](double t) {
      return Transform{exponential(t * Vec3(V.head<3>())).toRotationMatrix(), t * Vec3(V.tail<3>())};
    };
    const Vec6 motion_rate = (moved(h).motion(m) - moved(-h).motion(m)) / (2 * h);
    const Vec6 force_rate = (moved(h).force(f) - moved(-h).force(f)) / (2 * h);
    EXPECT_LT((cross_motion(V, m) - motion_rate).norm(), 1e-9);
    EXPECT_LT((cross_force(V, f) - force_rate).norm(), 1e-9);
    // Dual: f·(V × m) = −m·(V ×* f), so the power f·m is kept.
    EXPECT_NEAR(f.dot(cross_motion(V, m)), -m.dot(cross_force(V, f)), 1e-14);
    EXPECT_LT(cross_motion(V, V).norm(), 1e-15);
  }
}

}  // namespace
}  // namespace carom::transform_test
