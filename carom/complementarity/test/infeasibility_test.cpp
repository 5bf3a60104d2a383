#include "carom/complementarity/infeasibility.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include "carom/complementarity/linear/nonnegative_least_squares.h"
#include "carom/complementarity/polyhedral/lemke.h"
#include "testing/problems/problem_families.h"

namespace carom::infeasibility_test {
namespace {

using families::Family;
using families::Mechanics;
using families::Random;
using families::Recipe;

int trials(int full, int subset) { return std::getenv("CAROM_LONG") != nullptr ? full : subset; }

/// A problem of one's own matrix J, with M = 1.
struct Rows {
  Eigen::MatrixXd A;
  Eigen::VectorXd u;
  std::vector<Block> blocks;
  ContactProblem problem() const { return {A, u, blocks}; }
};

Rows rows_of(const Eigen::MatrixXd& J, const Eigen::VectorXd& v, BlockKind kind) {
  Rows rows;
  rows.A = J * J.transpose();
  rows.u = J * v;
  for (int i = 0; i < static_cast<int>(J.rows()); ++i) {
    Block block;
    block.kind = kind;
    block.row = i;
    rows.blocks.push_back(block);
  }
  return rows;
}

/// A ball between two walls with friction, rows x, y, normal each; both overlap it.
Mechanics pinched_ball(BlockKind kind, double offset) {
  families::Assembly assembly;
  assembly.bodies.emplace_back();
  assembly.bodies[0].gyration.setConstant(0.6);
  for (const double side : {-1.0, 1.0}) {
    const Eigen::Vector3d normal(-side, 0, 0);
    Block& block = assembly.add_contact({0, -1, -normal, Eigen::Vector3d::Zero(), normal}, kind);
    if (block.is_contact()) block.friction = {0.7, 0.4};
    if (kind == BlockKind::ellipsoid) block.torsion = 0.1;
    block.offset = offset;
  }
  return assembly.finish();
}

TEST(Infeasibility, ABallPinchedByTwoWallsHasNoWayOut) {
  for (const BlockKind kind : {BlockKind::unilateral, BlockKind::cone, BlockKind::ellipsoid}) {
    const Mechanics m = pinched_ball(kind, -0.3);
    Eigen::VectorXd y(m.u.size());
    ASSERT_TRUE(find_infeasibility(m.problem(), y));
    // The only impulses in balance: the walls press with equal force.
    Eigen::VectorXd expected = Eigen::VectorXd::Zero(m.u.size());
    for (const Block& block : m.blocks) expected(block.normal_row()) = 1;
    EXPECT_LE((y - expected).norm(), 1e-14);
    EXPECT_TRUE(proves_infeasible(m.problem(), expected));
    const Mechanics open = pinched_ball(kind, 0);
    EXPECT_FALSE(find_infeasibility(open.problem(), y));
    EXPECT_EQ(y.norm(), 0);
    EXPECT_FALSE(proves_infeasible(open.problem(), expected));
  }
}

TEST(Infeasibility, TamperedProofsAreRejected) {
  const Mechanics m = pinched_ball(BlockKind::cone, -0.3);
  Eigen::VectorXd y = Eigen::VectorXd::Zero(6);
  y(2) = y(5) = 1;
  ASSERT_TRUE(proves_infeasible(m.problem(), y));
  EXPECT_FALSE(proves_infeasible(m.problem(), -y));
  EXPECT_FALSE(proves_infeasible(m.problem(), 0 * y));
  EXPECT_FALSE(proves_infeasible(m.problem(), y.head(3)));
  for (int i = 0; i < 6; ++i) {
    for (const double change : {1e-6, -1e-6, std::numeric_limits<double>::quiet_NaN()}) {
      Eigen::VectorXd tampered = y;
      tampered(i) += change;
      EXPECT_FALSE(proves_infeasible(m.problem(), tampered)) << i << " " << change;
    }
  }
}

TEST(Infeasibility, BilateralRowsThatContradictEachOther) {
  Eigen::MatrixXd J(3, 4);
  J << 1, 0, 2, 0, 0, 1, 0, 1, 1, 1, 2, 1;  // the third is the sum of the others
  const Eigen::Vector4d v(0.3, -0.2, 0.5, 0.1);
  Rows rows = rows_of(J, v, BlockKind::bilateral);
  Eigen::VectorXd y(3);
  EXPECT_FALSE(find_infeasibility(rows.problem(), y));
  for (const double contradiction : {0.1, -0.1}) {
    rows.blocks[0].offset = 0.2;
    rows.blocks[2].offset = 0.2 + contradiction;
    ASSERT_TRUE(find_infeasibility(rows.problem(), y));
    EXPECT_LE((y / y(2) - Eigen::Vector3d(-1, -1, 1)).norm(), 1e-13);
    EXPECT_LT(y(2) * contradiction, 0);
  }
  rows.blocks[2].offset = 0.2;  // of all three the same: consistent again
  EXPECT_FALSE(find_infeasibility(rows.problem(), y));
}

TEST(Infeasibility, BoundedRowsCountAsTheirMissingBoundsAllow) {
  // The same motion is asked to be ≥ 1 and, by a row that pushes without limit, ≤ 0, = 0 or ≥ 0.
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const Eigen::Matrix2d A = Eigen::Matrix2d::Ones();
  const Eigen::Vector2d u(0.4, 0.4);
  std::vector<Block> blocks(2);
  blocks[0].offset = -1;
  blocks[1].kind = BlockKind::bounded;
  blocks[1].row = 1;
  Eigen::VectorXd y(2);
  const auto infeasible = [&](double lower, double upper) {
    blocks[1].lower = lower;
    blocks[1].upper = upper;
    return find_infeasibility({A, u, blocks}, y);
  };
  EXPECT_FALSE(infeasible(-1e6, 1e6));
  EXPECT_FALSE(infeasible(0, infinity));
  EXPECT_TRUE(infeasible(-infinity, 0));
  EXPECT_LE((y - Eigen::Vector2d(1, -1)).norm(), 1e-15);
  EXPECT_TRUE(infeasible(-infinity, infinity));
  EXPECT_LE((y - Eigen::Vector2d(1, -1)).norm(), 1e-15);
  blocks[1].upper = 1e6;
  blocks[1].lower = -1e6;
  EXPECT_FALSE(proves_infeasible({A, u, blocks}, y));
}

TEST(Infeasibility, IsFoundInEveryProblemMadeInfeasible) {
  // Some rows are made to balance under weights y, Jᵀ y = 0, and then asked to give way altogether.
  Random random(31);
  for (int trial = 0; trial < trials(4000, 400); ++trial) {
    const int rows = random.integer(2, 30), freedoms = random.integer(1, 20), members = random.integer(2, rows);
    Eigen::MatrixXd J(rows, freedoms);
    Eigen::VectorXd v(freedoms), y = Eigen::VectorXd::Zero(rows), found(rows);
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < freedoms; ++j) J(i, j) = random.uniform(-1, 1);
    }
    for (int j = 0; j < freedoms; ++j) v(j) = random.uniform(-1, 1);
    Rows problem = rows_of(J, v, BlockKind::unilateral);
    for (int i = 0; i < rows; ++i) {
      if (random.chance(0.3)) problem.blocks[i].kind = BlockKind::bilateral;
      if (i < members) y(i) = random.logarithmic(-2, 2);
      if (problem.blocks[i].kind == BlockKind::bilateral && random.chance(0.5)) y(i) = -y(i);
    }
    J.row(members - 1) = -(J.topRows(members - 1).transpose() * y.head(members - 1)).transpose() / y(members - 1);
    const std::vector<Block> blocks = problem.blocks;
    problem = rows_of(J, v, BlockKind::unilateral);
    problem.blocks = blocks;
    double work = 0, terms = 0;
    for (int i = 0; i < rows; ++i) {
      problem.blocks[i].offset = random.uniform(-1, 1);
      work += y(i) * problem.blocks[i].offset;
      terms += std::abs(y(i));
    }
    // The last member's offset sets the work.
    problem.blocks[members - 1].offset -= (work + random.logarithmic(-4, 0) * terms) / y(members - 1);
    ASSERT_TRUE(find_infeasibility(problem.problem(), found)) << trial;
    EXPECT_TRUE(proves_infeasible(problem.problem(), found)) << trial;
    const Eigen::VectorXd balance = J.transpose() * found;
    EXPECT_LE(balance.norm(), 1e-7 * J.norm()) << trial;  // A y = 0 to round-off leaves its root to Jᵀ y
    const Eigen::SparseMatrix<double> sparse = problem.A.sparseView();
    Eigen::VectorXd found_in_sparse(rows);
    EXPECT_TRUE(find_infeasibility({sparse, problem.u, problem.blocks}, found_in_sparse)) << trial;
    EXPECT_LE((found - found_in_sparse).norm(), 1e-9) << trial;
  }
}

TEST(Infeasibility, IsNeverFoundWhereAMotionMeetsEveryCondition) {
  // The solvable families have v⁺ = 0 as a solution; with offsets shifted by a motion, that motion.
  Random random(32);
  for (const Family family : families::solvable) {
    for (int trial = 0; trial < trials(1000, 40); ++trial) {
      const Recipe recipe{family, 1 + trial % 30, static_cast<std::uint64_t>(trial), 1e6};
      Mechanics m = make(recipe);
      Eigen::VectorXd y(m.u.size()), motion(m.v.size());
      EXPECT_FALSE(find_infeasibility(m.problem(), y)) << describe(recipe);
      for (Eigen::Index j = 0; j < motion.size(); ++j) motion(j) = random.uniform(-2, 2);
      for (Block& block : m.blocks) block.offset -= m.J.row(block.normal_row()).dot(motion);
      EXPECT_FALSE(find_infeasibility(m.problem(), y)) << describe(recipe);
    }
  }
}

TEST(Infeasibility, AgreesWithLemkeOnTheFrictionlessProblem) {
  // A is positive semidefinite: Lemke's path solves the frictionless problem if and only if it is feasible.
  LemkeSolver lemke;
  int infeasible = 0;
  for (int trial = 0; trial < trials(1000, 100); ++trial) {
    const Recipe recipe{Family::wedged, 1 + trial % 60, static_cast<std::uint64_t>(trial)};
    const Mechanics m = make(recipe);
    const auto n = static_cast<Eigen::Index>(m.blocks.size());
    Eigen::MatrixXd R(n, n);
    Eigen::VectorXd q(n), z(n), y(m.u.size());
    for (Eigen::Index i = 0; i < n; ++i) {
      q(i) = m.u(3 * i + 2) + m.blocks[static_cast<std::size_t>(i)].offset;
      for (Eigen::Index j = 0; j < n; ++j) R(i, j) = m.A(3 * i + 2, 3 * j + 2);
    }
    const SolveStatus status = lemke.solve(R, q, {}, z).status;
    const bool found = find_infeasibility(m.problem(), y);
    infeasible += found;
    if (found) {
      EXPECT_NE(status, SolveStatus::solved) << describe(recipe);
    } else {
      EXPECT_NE(status, SolveStatus::secondary_ray) << describe(recipe);
    }
  }
  EXPECT_GT(infeasible, trials(1000, 100) / 10);
}

TEST(NonnegativeLeastSquares, MeetsTheConditionsOfOptimality) {
  Random random(33);
  for (int trial = 0; trial < trials(5000, 500); ++trial) {
    const int m = random.integer(1, 20), n = random.integer(1, 20), rank = random.integer(1, 20);
    Eigen::MatrixXd left(m, rank), right(rank, n);
    for (double& entry : left.reshaped()) entry = random.uniform(-1, 1);
    for (double& entry : right.reshaped()) entry = random.uniform(-1, 1);
    const Eigen::MatrixXd B = left * right;
    Eigen::VectorXd b(m), x(n);
    for (double& entry : b) entry = random.uniform(-1, 1);
    std::vector<bool> free(static_cast<std::size_t>(n));
    for (int j = 0; j < n; ++j) free[static_cast<std::size_t>(j)] = random.chance(0.2);
    const NonnegativeResult result = nonnegative_least_squares(B, b, free, {}, x);
    ASSERT_TRUE(result.converged) << trial;
    const Eigen::VectorXd rest = b - B * x, gradient = B.transpose() * rest;
    const double round_off = 1e-10 * (b.norm() + B.norm() * x.norm()) * (1 + B.norm());
    EXPECT_NEAR(result.residual, rest.norm(), 1e-12 * (b.norm() + B.norm() * x.norm())) << trial;
    for (int j = 0; j < n; ++j) {
      EXPECT_TRUE(free[j] || x(j) >= 0) << trial;
      EXPECT_LE(free[j] || x(j) > 0 ? std::abs(gradient(j)) : gradient(j), round_off) << trial;
    }
  }
}

}  // namespace
}  // namespace carom::infeasibility_test
