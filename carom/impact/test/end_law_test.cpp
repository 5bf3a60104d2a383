// Properties that laws which are one complementarity problem share.
#include "carom/impact/end_law.h"

#include <gtest/gtest.h>

#include "carom/error.h"
#include "carom/impact/test/random_impacts.h"

namespace carom::end_law_test {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

TEST(PlainBlocks, KeepKindsFrictionAndTheTargetsOfBilateralRowsAlone) {
  std::vector<Block> given(3), plain(7);
  given[0].kind = BlockKind::bilateral;
  given[1].kind = BlockKind::unilateral;
  given[1].row = 1;
  given[2].kind = BlockKind::cone;
  given[2].row = 2;
  given[2].friction = {0.3, 0.4};
  for (Block& block : given) block.offset = block.floor = block.restitution = block.push_speed = 0.7;
  const Eigen::MatrixXd A = Eigen::MatrixXd::Identity(5, 5);
  const VectorXd u = VectorXd::Zero(5);
  const std::vector<ImpactSurface> surfaces(3);
  plain_blocks({A, u, given, surfaces}, plain);
  ASSERT_EQ(plain.size(), 3u);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(plain[i].kind, given[i].kind);
    EXPECT_EQ(plain[i].row, given[i].row);
    EXPECT_EQ(plain[i].friction, given[i].friction);
    EXPECT_EQ(plain[i].offset, i == 0 ? 0.7 : 0);
    EXPECT_EQ(plain[i].floor + plain[i].restitution + plain[i].push_speed, 0);
  }
}

/// A point of 2 kg comes with (3, −4, −2) m/s on friction 0.3. It is stopped, or sent back at the speed that its block
/// is told. It loses 0.3 times its normal impulse along the slip.
TEST(EndLaw, SolvesForTheVelocityThatItsBlocksAskFor) {
  const impacts::Impact impact = impacts::point({3, -4, -2}, 0.3, ConstantRestitution{0.5}, 2);
  for (const double back : {0.0, 1.0}) {
    EndLaw law;
    law.begin(impact.problem())[0].offset = -back;
    VectorXd p(3), u(3);
    const ImpactOutcome outcome = law.solve(impact.problem(), {}, p, u);
    EXPECT_EQ(outcome.status, ImpactStatus::resolved);
    const double speed = 5 - 0.3 * (2 + back);
    EXPECT_LE((u - Vector3d(0.6 * speed, -0.8 * speed, back)).norm(), 1e-11);
    EXPECT_NEAR(p[2], 2 * (2 + back), 1e-11);
    EXPECT_NEAR(outcome.energy_change, 0.5 * 2 * (u.squaredNorm() - 29), 1e-10);
  }
}

TEST(EndLaw, BeginsAnewWithEveryImpact) {
  const impacts::Impact impact = impacts::point({0, 0, -2}, 0.3, ConstantRestitution{0.5});
  EndLaw law;
  law.begin(impact.problem())[0].offset = -5;
  EXPECT_EQ(law.begin(impact.problem())[0].offset, 0);
  VectorXd short_u = impact.u.head(2);
  EXPECT_THROW(law.begin({impact.A, short_u, impact.blocks, impact.surfaces}), Error);
}

/// Walls that close on a block from both sides: what is left is in the residual, and the status says so.
TEST(EndLaw, SaysWhatNoImpulseCanDo) {
  Eigen::MatrixXd A(2, 2);
  A << 1, -1, -1, 1;
  const VectorXd u = VectorXd::Constant(2, -1.0);
  std::vector<Block> blocks(2);
  blocks[1].row = 1;
  const std::vector<ImpactSurface> surfaces(2);
  EndLaw law;
  law.begin({A, u, blocks, surfaces});
  VectorXd p(2), after(2);
  const ImpactOutcome outcome = law.solve({A, u, blocks, surfaces}, {}, p, after);
  EXPECT_EQ(outcome.status, ImpactStatus::inconsistent);
  EXPECT_GE(outcome.residual, 1 - 1e-9);  // the sum of both velocities stays −2
}

TEST(StatusOf, BelievesTheResidualRatherThanTheSolver) {
  ContactSolution solution;
  ImpactOutcome outcome;
  solution.status = SolveStatus::inaccurate;
  solution.residual = 1e-11;
  EXPECT_EQ(status_of(solution, outcome), ImpactStatus::resolved);
  solution.residual = 1e-6;
  EXPECT_EQ(status_of(solution, outcome), ImpactStatus::inconsistent);
  solution.status = SolveStatus::solved;
  EXPECT_EQ(status_of(solution, outcome), ImpactStatus::resolved);
  outcome.residual = 1e-6;  // something still approaches
  EXPECT_EQ(status_of(solution, outcome), ImpactStatus::inconsistent);
}

}  // namespace
}  // namespace carom::end_law_test
