#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "carom/complementarity/certificate.h"
#include "carom/impact/newton.h"
#include "carom/impact/newton_impact.h"
#include "carom/impact/poisson.h"

namespace carom::restitution_laws_test {
namespace {

TEST(Newton, AsksForTheReboundUnlessTheGapAsksForMore) {
  Block block;
  block.restitution = 0.5;
  block.offset = 2;  // a gap that may still close at 2 m/s
  apply_newton(4, block);
  EXPECT_EQ(block.offset, -2);
  block.offset = -3;  // an overlap that must open at 3 m/s
  apply_newton(4, block);
  EXPECT_EQ(block.offset, -3);
}

TEST(Poisson, OneContactReboundsWithItsCoefficientAndLosesOneMinusESquared) {
  constexpr double mass = 2, speed = 3;
  for (const double e : {0.0, 0.25, 0.8, 1.0}) {
    const Eigen::MatrixXd A = Eigen::MatrixXd::Constant(1, 1, 1 / mass);
    const Eigen::VectorXd u = Eigen::VectorXd::Constant(1, -speed);
    std::array<Block, 1> blocks;
    blocks[0].restitution = e;
    Eigen::VectorXd p(1), after(1);
    PoissonLaw law;
    EXPECT_EQ(law.solve({A, u, blocks}, {}, {}, p, after).status, SolveStatus::solved);
    EXPECT_NEAR(p[0], (1 + e) * mass * speed, 1e-13);
    EXPECT_NEAR(after[0], e * speed, 1e-13);
    EXPECT_NEAR(0.5 * (after[0] + u[0]) * p[0], -0.5 * mass * speed * speed * (1 - e * e), 1e-12);
    EXPECT_EQ(law.expanded(), e > 0);
  }
}

TEST(Poisson, FrictionOfTheExpansionIsBoundedByItsOwnNormalImpulse) {
  // A point of mass 1 that slips so fast that friction never ends the slip: p_t = −μ p_n in both phases.
  constexpr double mu = 0.3, e = 0.6;
  const Eigen::MatrixXd A = Eigen::MatrixXd::Identity(3, 3);
  const Eigen::Vector3d u(10, 0, -2);
  std::array<Block, 1> blocks;
  blocks[0].kind = BlockKind::cone;
  blocks[0].friction = Eigen::Vector2d(mu, mu);
  blocks[0].restitution = e;
  Eigen::VectorXd p(3), after(3);
  PoissonLaw law;
  EXPECT_EQ(law.solve({A, u, blocks}, {}, {}, p, after).status, SolveStatus::solved);
  EXPECT_NEAR(p[2], (1 + e) * 2, 1e-13);
  EXPECT_NEAR(p[0], -mu * p[2], 1e-13);
  EXPECT_NEAR(p[1], 0, 1e-13);
  EXPECT_NEAR(law.expansion_impulse()[0], -mu * law.expansion_impulse()[2], 1e-13);
}

TEST(Poisson, OwesNothingToContactsThatTookNoCompression) {
  // Two contacts on two independent masses; only the first approaches.
  const Eigen::MatrixXd A = Eigen::MatrixXd::Identity(2, 2);
  const Eigen::Vector2d u(-1, 2);
  std::array<Block, 2> blocks;
  blocks[1].row = 1;
  blocks[0].restitution = blocks[1].restitution = 0.9;
  Eigen::VectorXd p(2), after(2);
  PoissonLaw law;
  EXPECT_EQ(law.solve({A, u, blocks}, {}, {}, p, after).status, SolveStatus::solved);
  EXPECT_NEAR(after[0], 0.9, 1e-14);
  EXPECT_EQ(p[1], 0);
  EXPECT_EQ(after[1], 2);
}

/// A ball between two walls that face each other, of which it approaches one: Newton's law would have it leave both.
TEST(NewtonImpact, AWedgedBallStops) {
  Eigen::MatrixXd A(2, 2);
  A << 1, -1, -1, 1;
  const Eigen::VectorXd u = Eigen::Vector2d(-1, 1);
  std::vector<Block> blocks(2);
  blocks[0].kind = blocks[1].kind = BlockKind::unilateral;
  blocks[1].row = 1;
  const std::vector<ImpactSurface> surfaces(2, ImpactSurface{ConstantRestitution{0.5}, 1, 1.5});
  NewtonImpactLaw law;
  Eigen::VectorXd p(2), after(2);
  const ImpactOutcome outcome = law.solve({A, u, blocks, surfaces}, {}, p, after);
  EXPECT_EQ(outcome.status, ImpactStatus::budget);
  EXPECT_LE(after.cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_NEAR(p(0) - p(1), 1, 1e-9);
  EXPECT_LT(p.maxCoeff(), 10);
  EXPECT_LE(outcome.energy_change, 0);
}

}  // namespace
}  // namespace carom::restitution_laws_test
