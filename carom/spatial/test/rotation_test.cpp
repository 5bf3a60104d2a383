#include "carom/spatial/rotation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/spatial/test/random_spatial.h"

namespace carom::rotation_test {
namespace {

constexpr double pi = std::numbers::pi;

TEST(Skew, IsTheCrossProduct) {
  Random random(1);
  for (int trial = 0; trial < 100; ++trial) {
    const Vec3 a = random.vector(), b = random.vector();
    EXPECT_LT((skew(a) * b - a.cross(b)).norm(), 1e-15);
    EXPECT_EQ(skew(a).transpose(), -skew(a));
  }
}

TEST(Exponential, TurnsAboutTheAxisByTheAngle) {
  Random random(2);
  for (int trial = 0; trial < 1000; ++trial) {
    const Vec3 axis = random.vector().normalized(), p = random.vector();
    const double angle = std::pow(10, random.between(-12, 0.9));
    // Rodrigues' formula.
    const Vec3 expected =
        std::cos(angle) * p + std::sin(angle) * axis.cross(p) + (1 - std::cos(angle)) * axis.dot(p) * axis;
    const Quaternion q = exponential(angle * axis);
    EXPECT_NEAR(q.norm(), 1, 1e-15);
    EXPECT_LT((q * p - expected).norm(), 1e-14) << angle;
  }
  EXPECT_EQ(exponential(Vec3::Zero()).coeffs(), Quaternion::Identity().coeffs());
}

TEST(Exponential, KeepsEveryDigitOfSmallTurns) {
  // Angles where the series takes over from the quotient, and far below: the vector part is r/2 (1 − |r|²/24 + …).
  for (const double angle : {1e-300, 1e-20, 1e-8, 0.99e-4, 1.01e-4, 1e-3}) {
    const double expected = angle / 2 * (1 - angle * angle / 24 + std::pow(angle, 4) / 1920);
    EXPECT_NEAR(exponential(Vec3(angle, 0, 0)).x() / expected, 1, 4e-16) << angle;
  }
}

TEST(Logarithm, IsTheInverseOfTheExponential) {
  Random random(3);
  for (int trial = 0; trial < 2000; ++trial) {
    const double angle = std::min(pi - 1e-6, std::pow(10, random.between(-15, 0.5)));
    const Vec3 r = angle * random.vector().normalized();
    EXPECT_LT((logarithm(exponential(r)) - r).norm(), 4e-15 * r.norm()) << r.norm();
    // q and −q are one rotation.
    Quaternion q = exponential(r);
    q.coeffs() *= -1;
    EXPECT_LT((logarithm(q) - r).norm(), 4e-15 * r.norm());
  }
  EXPECT_EQ(logarithm(Quaternion::Identity()), Vec3::Zero());
}

TEST(Logarithm, TakesTheShorterWay) {
  Random random(4);
  for (int trial = 0; trial < 1000; ++trial) {
    const Vec3 axis = random.vector().normalized();
    const double angle = random.between(pi, 2 * pi);
    EXPECT_LT((logarithm(exponential(angle * axis)) + (2 * pi - angle) * axis).norm(), 1e-13);
    EXPECT_LE(logarithm(exponential(random.between(0, 20) * axis)).norm(), pi);
  }
  EXPECT_NEAR(logarithm(Quaternion(0, 0, 1, 0)).norm(), pi, 1e-15);
}

TEST(ContactFrame, IsRightHandedAboutTheNormal) {
  Random random(5);
  for (int trial = 0; trial < 1000; ++trial) {
    const Vec3 n = random.vector().normalized();
    const Mat3 R = contact_frame(n);
    EXPECT_EQ(R.col(2), n);
    EXPECT_LT((R.transpose() * R - Mat3::Identity()).cwiseAbs().maxCoeff(), 1e-15);
    EXPECT_NEAR(R.determinant(), 1, 1e-15);
  }
}

TEST(ContactFrame, StartsAlongTheWorldsX) {
  EXPECT_EQ(contact_frame(Vec3::UnitZ()), Mat3::Identity());
  EXPECT_EQ(contact_frame(-Vec3::UnitZ()).col(0), Vec3::UnitX());
  EXPECT_EQ(contact_frame(Vec3::UnitX()).col(0), Vec3::UnitY());
  EXPECT_EQ(contact_frame(-Vec3::UnitX()).col(0), Vec3::UnitY());
  // On a slope that falls along x, the x tangent is the line of fall.
  const double slope = 0.3;
  const Vec3 n(std::sin(slope), 0, std::cos(slope));
  EXPECT_LT((contact_frame(n).col(0) - Vec3(std::cos(slope), 0, -std::sin(slope))).norm(), 1e-15);
}

}  // namespace
}  // namespace carom::rotation_test
