// Friction of one contact with a tangential spring, its rates against the energy that the spring stores.
#include "carom/impact/sprung_slip.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "carom/tangential_spring.h"

namespace carom::sprung_slip_test {
namespace {

using Eigen::Vector2d;

/// Work is 1 / (1 + loss) of what is stored, and the rest is lost. A spring that gives back nothing gives 0.0004.
TEST(TangentialSpringMaterial, UnwindingGivesBackTheSquareOfItsRestitution) {
  for (const double e : {1.0, 0.8, 0.3, 0.02, 0.0}) {
    const double least = std::max(e * e, 0.0004);
    EXPECT_NEAR(1 / (1 + TangentialSpring{0.8, e}.unwinding_loss()), least, 1e-15) << e;
  }
}

/// In the rows of ImpactRows, E = ½ g·D⁻¹ g / k with D⁻¹ = diag(μ²). Its rate is the power of the slip, −g·v, while the
/// spring is wound up, and that over e_t² while it gives back.
TEST(SprungSlip, StoresTheWorkOfWindingAndGivesBackAPart) {
  const double friction_x = 0.3, friction_y = 0.5, slope = 7, restitution = 0.4;
  const TangentialSpring spring{0.8, restitution};
  const SprungSlip slip(spring, friction_x, friction_y);
  const Vector2d square(friction_x * friction_x, friction_y * friction_y);
  const double stiffness = spring.stiffness * slope;
  for (const Vector2d& g : {Vector2d(0.2, -0.1), Vector2d(-0.3, 0.05), Vector2d(0.0, 0.4)}) {
    for (const Vector2d& v : {Vector2d(1.0, 0.5), Vector2d(-2.0, 1.5), Vector2d(0.3, -0.7)}) {
      const Vector2d rate = slip.free_rate(g, v, slope, 0);
      const double stored = g.dot(square.cwiseProduct(rate)) / stiffness, power = g.dot(v);
      const double expected = power < 0 ? -power : -power / (restitution * restitution);
      EXPECT_NEAR(stored, expected, 1e-13 * (1 + std::abs(expected)));
    }
  }
}

TEST(SprungSlip, GrowsWithTheStiffnessWhereNothingSlips) {
  const SprungSlip slip({0.8, 1}, 0.3, 0.3);
  const Vector2d g(0.2, -0.1);
  EXPECT_LE((slip.free_rate(g, Vector2d::Zero(), 7, 2.5) - 2.5 * g).norm(), 1e-15);
}

/// Fast slips begin sliding, slow ones stick; friction opposes the slip.
TEST(SprungSlip, BeginsByTheRatioOfSlipAndApproach) {
  SprungSlip slip({0.5, 1}, 0.2, 0.2);
  const Vector2d v(0.6, 0.8);  // winds up with κ |v| / μ² = 12.5
  slip.begin(v, 13);
  EXPECT_FALSE(slip.sliding);
  slip.begin(v, 12);
  EXPECT_TRUE(slip.sliding);
  EXPECT_LE((slip.direction + v).norm(), 1e-15);
  EXPECT_NEAR(slip.winding(v, 3), 3 * 12.5, 1e-12);
}

/// An axis without friction bears none, whatever slips along it.
TEST(SprungSlip, BearsNothingAlongAnAxisWithoutFriction) {
  const SprungSlip slip({0.8, 1}, 0.3, 0);
  EXPECT_EQ(slip.free_rate({0.1, 0}, {0.5, 4}, 7, 1)[1], 0);
}

}  // namespace
}  // namespace carom::sprung_slip_test
