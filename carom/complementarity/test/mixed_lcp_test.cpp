#include "carom/complementarity/mixed/mixed_lcp.h"

#include <gtest/gtest.h>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <vector>

#include "carom/complementarity/mixed/box_lcp.h"
#include "carom/complementarity/test/ncp_problems.h"
#include "carom/error.h"
#include "testing/allocation_count.h"

namespace carom::mixed_lcp_test {
namespace {

using ncp_problems::Random;
using ncp_problems::random_matrix;

TEST(MixedLcp, SolvesConvexQuadraticPrograms) {
  // min ½ xᵀ G x + aᵀ x, B x + b ≥ 0. Its x and multipliers z solve 0 = G x − Bᵀ z + a, 0 ≤ B x + b ⊥ z ≥ 0.
  Random random(31);
  MixedLcpSolver solver;
  for (int trial = 0; trial < 200; ++trial) {
    const int m = 1 + trial % 9, n = 1 + trial % 13;
    const Eigen::MatrixXd F = random_matrix(random, m, m), B = random_matrix(random, n, m);
    const Eigen::MatrixXd G = F * F.transpose() + 0.1 * Eigen::MatrixXd::Identity(m, m), H = -B.transpose();
    const Eigen::MatrixXd R = Eigen::MatrixXd::Zero(n, n);
    const Eigen::VectorXd a = random_matrix(random, m, 1);
    const Eigen::VectorXd inside = random_matrix(random, m, 1), slack = random_matrix(random, n, 1).cwiseAbs();
    const Eigen::VectorXd b = slack - B * inside;
    Eigen::VectorXd x(m), z(n);
    const MixedLcpProblem problem{G, H, B, R, a, b};
    const LcpResult result = solver.solve(problem, {}, {}, x, z);
    ASSERT_EQ(result.status, SolveStatus::solved) << trial;
    EXPECT_LE(mixed_lcp_residual(problem, x, z), 1e-11);
    // Duality: no feasible point is better than the least of the Lagrangian, which x attains.
    const auto cost = [&](const Eigen::VectorXd& y) { return 0.5 * y.dot(G * y) + a.dot(y); };
    EXPECT_LE(cost(x), cost(inside) + 1e-12);
    EXPECT_NEAR(z.dot(B * x + b), 0, 1e-10);
    Eigen::VectorXd bad = x;
    bad(0) += 0.1;
    EXPECT_GT(mixed_lcp_residual(problem, bad, z), 1e-4);
  }
}

TEST(MixedLcp, ProjectsOntoTheSimplexThroughASingularG) {
  // min ½ ‖z − c‖², Σ z = 1, z ≥ 0. The conditions are 0 = 1 − Σ z (x free), 0 ≤ z − c + x ⊥ z ≥ 0, G = 0. By sorting:
  // z = max(c − x, 0) with the x that makes the sum one. Written twice, the equation has two multipliers, of which only
  // the sum is determined.
  Random random(33);
  MixedLcpSolver solver;
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 1 + trial % 15, m = 1 + trial % 2;
    const Eigen::VectorXd c = 2 * random_matrix(random, n, 1);
    std::vector<double> sorted(c.begin(), c.end());
    std::sort(sorted.rbegin(), sorted.rend());
    double sum = -1, level = 0;
    for (int k = 0; k < n; ++k) {
      sum += sorted[k];
      if (sorted[k] > sum / (k + 1)) level = sum / (k + 1);
    }
    const Eigen::MatrixXd G = Eigen::MatrixXd::Zero(m, m), H = -Eigen::MatrixXd::Ones(m, n), K = -H.transpose();
    const Eigen::MatrixXd R = Eigen::MatrixXd::Identity(n, n);
    const Eigen::VectorXd a = Eigen::VectorXd::Ones(m), b = -c;
    Eigen::VectorXd x(m), z(n);
    const MixedLcpProblem problem{G, H, K, R, a, b};
    const LcpResult result = solver.solve(problem, {}, {}, x, z);
    ASSERT_EQ(result.status, SolveStatus::solved) << trial;
    EXPECT_EQ(result.residual, mixed_lcp_residual(problem, x, z));
    EXPECT_NEAR(x.sum(), level, 1e-11);
    EXPECT_LE((z - (c.array() - level).max(0).matrix()).norm(), 1e-11);
  }
}

TEST(MixedLcp, ContradictingEquationsAreNotCalledSolved) {
  const Eigen::MatrixXd G = Eigen::MatrixXd::Ones(2, 2), H = Eigen::MatrixXd::Zero(2, 1);
  const Eigen::MatrixXd K = Eigen::MatrixXd::Zero(1, 2), R = Eigen::MatrixXd::Identity(1, 1);
  const Eigen::Vector2d consistent(1, 1), contrary(1, 2);
  const Eigen::VectorXd b = Eigen::VectorXd::Constant(1, -1);
  Eigen::VectorXd x(2), z(1);
  MixedLcpSolver solver;
  EXPECT_EQ(solver.solve({G, H, K, R, consistent, b}, {}, {}, x, z).status, SolveStatus::solved);
  EXPECT_NEAR(x.sum(), -1, 1e-14);
  EXPECT_NEAR(z(0), 1, 1e-14);
  const LcpResult result = solver.solve({G, H, K, R, contrary, b}, {}, {}, x, z);
  EXPECT_NE(result.status, SolveStatus::solved);
  EXPECT_GT(result.residual, 0.1);
  Eigen::VectorXd short_x(1);
  EXPECT_THROW(static_cast<void>(solver.solve({G, H, K, R, contrary, b}, {}, {}, short_x, z)), Error);
}

TEST(BoxLcp, PlaysMatrixGames) {
  // Rows x of the player who maximizes xᵀ A y, columns y of the other; v, w free: the value, twice. The matrix of the
  // problem is skew, both equations have a zero on the diagonal.
  Random random(34);
  BoxLcpSolver solver;
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 1 + trial % 7, m = 1 + trial % 11, size = n + m + 2;
    Eigen::MatrixXd A = random_matrix(random, n, m);
    if (trial % 3 == 0) A = A.unaryExpr([](double entry) { return std::round(2 * entry); });  // ties
    Eigen::MatrixXd S = Eigen::MatrixXd::Zero(size, size);
    S.block(0, n, n, m) = -A;
    S.block(0, n + m, n, 1).setOnes();
    S.block(n, n + m + 1, m, 1).setConstant(-1);
    S.triangularView<Eigen::StrictlyLower>() = (-S.transpose()).triangularView<Eigen::StrictlyLower>();
    Eigen::VectorXd b = Eigen::VectorXd::Zero(size), lower = Eigen::VectorXd::Zero(size), x(size);
    const Eigen::VectorXd upper = Eigen::VectorXd::Constant(size, INFINITY);
    b(n + m) = 1;
    b(n + m + 1) = -1;
    lower.tail(2).setConstant(-INFINITY);
    const LcpResult result = solver.solve({S, b, lower, upper}, {}, false, x);
    ASSERT_EQ(result.status, SolveStatus::solved) << trial << ' ' << result.residual;
    const Eigen::VectorXd rows = x.head(n), columns = x.segment(n, m);
    EXPECT_NEAR(rows.sum(), 1, 1e-11);
    EXPECT_NEAR(columns.sum(), 1, 1e-11);
    const double value = x(n + m);
    EXPECT_NEAR((A * columns).maxCoeff(), value, 1e-10);  // neither can do better against the other
    EXPECT_NEAR((rows.transpose() * A).minCoeff(), value, 1e-10);
  }
}

TEST(BoxLcp, FindsTheOnlySolutionOfMonotoneProblemsWithBoundsOfEveryKind) {
  Random random(35);
  BoxLcpSolver solver;
  for (int trial = 0; trial < 300; ++trial) {
    const int n = 1 + trial % 20;
    ncp_problems::Problem problem;
    problem.solution = random_matrix(random, n, 1);
    Eigen::VectorXd F;
    ncp_problems::place(random, trial % 2 == 0, problem, F);
    const Eigen::MatrixXd half = random_matrix(random, n, n), skew = random_matrix(random, n, n);
    const Eigen::MatrixXd A = half * half.transpose() + skew - skew.transpose() + 0.1 * Eigen::MatrixXd::Identity(n, n);
    const Eigen::VectorXd b = F - A * problem.solution;
    const BoxLcpProblem box{A, b, problem.lower, problem.upper};
    Eigen::VectorXd x = problem.solution + 0.1 * random_matrix(random, n, 1);
    const LcpResult result = solver.solve(box, {}, trial % 3 == 0, x);
    ASSERT_EQ(result.status, SolveStatus::solved) << trial << ' ' << result.residual;
    EXPECT_LE((x - problem.solution).norm(), 1e-9) << trial;
    EXPECT_EQ(result.residual, box_lcp_residual(box, x));
    EXPECT_TRUE((x.array() >= problem.lower.array()).all() && (x.array() <= problem.upper.array()).all());
    x(0) += 0.1;
    EXPECT_GT(box_lcp_residual(box, x), 1e-4);
  }
}

TEST(BoxLcp, NoAllocationInARepeatedSolve) {
  Random random(36);
  BoxLcpSolver solver;
  ncp_problems::Problem problem;
  problem.solution = random_matrix(random, 30, 1);
  Eigen::VectorXd F;
  ncp_problems::place(random, false, problem, F);
  const Eigen::MatrixXd half = random_matrix(random, 30, 30), A = half * half.transpose();
  const Eigen::VectorXd b = F - A * problem.solution;
  Eigen::VectorXd x(30);
  const BoxLcpProblem box{A, b, problem.lower, problem.upper};
  EXPECT_EQ(solver.solve(box, {}, false, x).status, SolveStatus::solved);
  const long before = allocation_count();
  EXPECT_EQ(solver.solve(box, {}, false, x).status, SolveStatus::solved);
  EXPECT_EQ(allocation_count(), before);
}

TEST(DenseLu, SolvesAndSeesTheRank) {
  Random random(32);
  DenseLu lu;
  for (int trial = 0; trial < 100; ++trial) {
    const int n = 1 + trial % 20, rank = 1 + trial % n;
    const Eigen::MatrixXd full = random_matrix(random, n, n);
    const Eigen::MatrixXd low = random_matrix(random, n, rank) * random_matrix(random, rank, n);
    Eigen::Map<Eigen::MatrixXd>(lu.prepare(n), n, n) = low;
    EXPECT_EQ(lu.factor(1e-11), rank) << trial;
    Eigen::Map<Eigen::MatrixXd>(lu.prepare(n), n, n) = full;
    ASSERT_EQ(lu.factor(1e-14), n);
    const Eigen::VectorXd b = random_matrix(random, n, 1);
    Eigen::VectorXd x = b;
    lu.solve(x.data());
    EXPECT_LE((full * x - b).norm(), 1e-12 * (1 + x.norm()));
  }
}

}  // namespace
}  // namespace carom::mixed_lcp_test
