#include "carom/complementarity/bilateral_elimination.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <cmath>
#include <vector>

#include "testing/problems/problem_families.h"

namespace carom::bilateral_elimination_test {
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

/// Twelve coordinates of very different inertias and two contacts. The first `held` bilateral rows are independent, and
/// others repeat combinations of them. In every second trial a row moves nothing.
struct Redundant {
  int held;
  Eigen::VectorXd inverse_mass, v;
  Eigen::MatrixXd J, A;
  Eigen::VectorXd u;
  std::vector<Block> blocks;

  Redundant(int held, int dependent, int nothing, Random& random) : held(held) {
    constexpr int n = 12, contacts = 2;
    const auto matrix = [&](int rows, int columns) {
      Eigen::MatrixXd m(rows, columns);
      for (double& entry : m.reshaped()) entry = random.uniform(-1, 1);
      return m;
    };
    inverse_mass.resize(n);
    for (double& m : inverse_mass) m = random.logarithmic(-2, 2);
    v = matrix(n, 1);
    const int b = held + dependent + nothing;
    J.setZero(b + 3 * contacts, n);
    J.topRows(held) = matrix(held, n);
    J.middleRows(held, dependent) = matrix(dependent, held) * J.topRows(held);
    J.bottomRows(3 * contacts) = matrix(3 * contacts, n);
    A = J * inverse_mass.asDiagonal() * J.transpose();
    u = J * v;
    for (int i = 0; i < b; ++i) blocks.push_back({.kind = BlockKind::bilateral, .row = i});
    for (int c = 0; c < contacts; ++c) blocks.push_back({.kind = BlockKind::cone, .row = b + 3 * c});
  }
  /// The same with A and u wrong by up to `off` of what each row could be.
  Redundant perturbed(double off, Random& random) const {
    Redundant other = *this;
    const double least = off * A.diagonal().maxCoeff();
    for (int i = 0; i < A.rows(); ++i) {
      other.u(i) += off * random.uniform(-1, 1);
      for (int j = 0; j <= i; ++j) {
        const double size = std::sqrt(A(i, i) * A(j, j)) + (i == j ? 1e-4 * least : 0);
        other.A(i, j) = other.A(j, i) = A(i, j) + off * random.uniform(i == j ? 0 : -1, 1) * size;
      }
    }
    return other;
  }
  ContactProblem problem() const { return {A, u, blocks}; }
  /// Velocities after the impulses.
  Eigen::VectorXd moved(const Eigen::VectorXd& p) const { return v + inverse_mass.asDiagonal() * J.transpose() * p; }
};

TEST(BilateralElimination, RowsThatOnlyRoundOffTellFromOthersGetNoImpulse) {
  Random random(64);
  BilateralElimination elimination;
  for (int trial = 0; trial < 200; ++trial) {
    const Redundant exact(1 + trial % 5, 1 + trial % 4, trial % 2, random);
    const Redundant off = exact.perturbed(1e-12, random);
    Eigen::VectorXd p_c(6);
    for (double& p : p_c) p = random.uniform(-1, 1);

    // Motion by the rows that say everything, alone.
    const int others = static_cast<int>(exact.u.size()) - 6;
    Eigen::VectorXd expected = Eigen::VectorXd::Zero(exact.u.size());
    expected.tail(6) = p_c;
    const Eigen::VectorXd owed = exact.J.topRows(exact.held) * exact.moved(expected);
    expected.head(exact.held) = -exact.A.topLeftCorner(exact.held, exact.held).ldlt().solve(owed);

    ASSERT_TRUE(elimination.eliminate(off.problem()));
    Eigen::VectorXd p(exact.u.size());
    elimination.expand(p_c.data(), p.data());
    const Eigen::VectorXd w = off.u + off.A * p;
    elimination.correct(w.data(), p.data());
    EXPECT_EQ((p.head(others).array() != 0).count(), exact.held) << trial;
    const Eigen::VectorXd v = exact.moved(expected);
    EXPECT_LE((exact.moved(p) - v).norm(), 1e-7 * v.norm()) << trial;
  }
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
}  // namespace carom::bilateral_elimination_test
