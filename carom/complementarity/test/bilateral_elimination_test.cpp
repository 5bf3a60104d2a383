#include "carom/complementarity/bilateral_elimination.h"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <vector>

#include "testing/problems/problem_families.h"

namespace carom {
namespace {

using families::Family;
using families::Mechanics;
using families::Random;

std::vector<int> rows_of(const Mechanics& m, bool bilateral) {
  std::vector<int> rows;
  for (const Block& block : m.blocks) {
    if ((block.kind == BlockKind::bilateral) != bilateral) continue;
    for (int i = 0; i < block.size(); ++i) rows.push_back(block.row + i);
  }
  return rows;
}

/// The mechanism moved under any impulses of the other rows, bilateral rows holding by those of least norm.
Eigen::VectorXd velocity_held(const Mechanics& m, const std::vector<int>& held, const std::vector<int>& others,
                              const Eigen::VectorXd& p_c) {
  Eigen::VectorXd p = Eigen::VectorXd::Zero(m.u.size());
  p(others) = p_c;
  const Eigen::MatrixXd A_bb = m.A(held, held);
  Eigen::VectorXd owed = (m.u + m.A * p)(held);
  int row = 0;
  for (const Block& block : m.blocks) {
    if (block.kind == BlockKind::bilateral) owed[row++] += block.offset;
  }
  p(held) = -A_bb.completeOrthogonalDecomposition().solve(owed);
  return m.u + m.A * p;
}

TEST(BilateralElimination, AnswersImpulsesAsTheHeldMechanismDoes) {
  Random random(61);
  int eliminated = 0;
  BilateralElimination elimination;
  for (int trial = 0; trial < 200; ++trial) {
    const Mechanics m = families::make(Family::mechanism, 1 + trial % 8, random);
    const std::vector<int> held = rows_of(m, true), others = rows_of(m, false);
    ASSERT_EQ(elimination.eliminate(m.problem()), !held.empty() && !others.empty()) << trial;
    if (held.empty() || others.empty()) continue;
    ++eliminated;
    const ContactProblem reduced = elimination.problem();
    ASSERT_EQ(std::vector<int>(elimination.rows().begin(), elimination.rows().end()), others);
    Eigen::VectorXd p_c(others.size());
    for (double& p : p_c) p = random.uniform(-1, 1);
    const Eigen::VectorXd expected = velocity_held(m, held, others, p_c);
    const Eigen::VectorXd velocity = reduced.u + reduced.A.dense() * p_c;
    EXPECT_LE((velocity - expected(others)).norm(),
              1e-9 * (m.u.norm() + (m.A * Eigen::VectorXd::Ones(m.u.size())).norm()))
        << trial;

    Eigen::VectorXd p(m.u.size());
    elimination.expand(p_c.data(), p.data());
    Eigen::VectorXd w = m.u + m.A * p;
    elimination.correct(w.data(), p.data());
    w = m.u + m.A * p;
    EXPECT_LE((w - expected).norm(), 1e-9 * (m.u.norm() + (m.A * p).norm())) << trial;
    EXPECT_EQ(Eigen::VectorXd(p(others)), p_c) << trial;
  }
  EXPECT_GT(eliminated, 100);
}

TEST(BilateralElimination, KeepsTheBlocksOfTheOthersInTheirOrder) {
  Random random(62);
  BilateralElimination elimination;
  for (int trial = 0; trial < 50; ++trial) {
    const Mechanics m = families::make(Family::torsion, 2 + trial % 6, random);
    if (!elimination.eliminate(m.problem())) continue;
    const ContactProblem reduced = elimination.problem();
    ASSERT_EQ(reduced.blocks.size(), elimination.block_indices().size());
    for (std::size_t b = 0; b < reduced.blocks.size(); ++b) {
      const Block& block = m.blocks[elimination.block_indices()[b]];
      EXPECT_NE(block.kind, BlockKind::bilateral);
      EXPECT_EQ(block.kind, reduced.blocks[b].kind);
      EXPECT_EQ(block.friction, reduced.blocks[b].friction);
      EXPECT_EQ(block.row, elimination.rows()[reduced.blocks[b].row]);
    }
  }
}

TEST(BilateralElimination, HasNothingToDoWithoutBilateralRows) {
  Random random(63);
  const Mechanics m = families::make(Family::stack, 4, random);
  BilateralElimination elimination;
  EXPECT_FALSE(elimination.eliminate(m.problem()));
}

}  // namespace
}  // namespace carom
