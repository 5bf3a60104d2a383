#include "carom/complementarity/polyhedral/lemke.h"

#include <gtest/gtest.h>
#include <Eigen/LU>

#include <cstring>

#include "testing/problems/problem_families.h"

namespace carom::lemke_test {
namespace {

using families::Random;

LcpResult solve(const Eigen::MatrixXd& R, const Eigen::VectorXd& q, Eigen::VectorXd& z) {
  LemkeSolver solver;
  z.resize(q.size());
  return solver.solve(R, q, {}, z);
}

/// All solutions of a small problem, by trying every complementary basis.
std::vector<Eigen::VectorXd> enumerate(const Eigen::MatrixXd& R, const Eigen::VectorXd& q) {
  const int n = static_cast<int>(q.size());
  std::vector<Eigen::VectorXd> found;
  for (int set = 0; set < (1 << n); ++set) {
    Eigen::MatrixXd B = Eigen::MatrixXd::Identity(n, n);
    for (int j = 0; j < n; ++j) {
      if (set >> j & 1) B.col(j) = -R.col(j);
    }
    const Eigen::FullPivLU<Eigen::MatrixXd> lu(B);
    if (!lu.isInvertible()) continue;
    const Eigen::VectorXd x = lu.solve(q);
    if (x.minCoeff() < -1e-11) continue;
    Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
    for (int j = 0; j < n; ++j) {
      if (set >> j & 1) z(j) = x(j);
    }
    found.push_back(z);
  }
  return found;
}

Eigen::MatrixXd random_matrix(Random& random, int rows, int columns) {
  Eigen::MatrixXd result(rows, columns);
  for (double& entry : result.reshaped()) entry = random.uniform(-1, 1);
  return result;
}

// Murty (1978): R lower triangular, 1 on the diagonal and 2 below, q = −1. For n rows the path has 2ⁿ − 1 bases when it
// starts badly. The solution is e₁: w = R e₁ − e = (0, 1, 1, …).
TEST(Lemke, SolvesMurtysExponentialExample) {
  for (int n = 1; n <= 8; ++n) {
    Eigen::MatrixXd R = Eigen::MatrixXd::Identity(n, n);
    R.triangularView<Eigen::StrictlyLower>().setConstant(2);
    for (const bool transposed : {false, true}) {
      const Eigen::MatrixXd matrix = transposed ? Eigen::MatrixXd(R.transpose()) : R;
      const Eigen::VectorXd q = Eigen::VectorXd::Constant(n, -1);
      Eigen::VectorXd z;
      const LcpResult result = solve(matrix, q, z);
      ASSERT_EQ(result.status, SolveStatus::solved);
      EXPECT_LE((z - Eigen::VectorXd::Unit(n, transposed ? n - 1 : 0)).norm(), 1e-14);
      EXPECT_LE(result.pivots, 1 << n);
    }
  }
}

// Cottle, Pang and Stone (1992, section 4.9) show by degenerate problems of this kind, with all q equal, that rules
// without an order may cycle. R is a P-matrix, so the one solution is z = −R⁻¹ q = 1/3.
TEST(Lemke, ResolvesTiesInEveryPivot) {
  Eigen::MatrixXd R(3, 3);
  R << 1, 2, 0, 0, 1, 2, 2, 0, 1;
  Eigen::VectorXd z;
  ASSERT_EQ(solve(R, Eigen::Vector3d::Constant(-1), z).status, SolveStatus::solved);
  EXPECT_LE((z - Eigen::Vector3d::Constant(1.0 / 3)).norm(), 1e-15);
}

TEST(Lemke, NeedsNoPivotWhereZeroIsTheSolution) {
  Eigen::VectorXd z;
  const LcpResult result = solve(-Eigen::Matrix2d::Identity(), Eigen::Vector2d(0, 3), z);
  EXPECT_EQ(result.status, SolveStatus::solved);
  EXPECT_EQ(result.pivots, 0);
  EXPECT_EQ(z.norm(), 0);
  Eigen::VectorXd empty;
  EXPECT_EQ(solve(Eigen::MatrixXd(0, 0), Eigen::VectorXd(0), empty).status, SolveStatus::solved);
}

TEST(Lemke, FindsTheOneSolutionOfPositiveDefiniteProblems) {
  Random random(1);
  for (int trial = 0; trial < 400; ++trial) {
    const int n = 1 + trial % 7;
    const Eigen::MatrixXd F = random_matrix(random, n, n), S = random_matrix(random, n, n);
    const Eigen::MatrixXd R = F * F.transpose() + 0.1 * Eigen::MatrixXd::Identity(n, n) + S - S.transpose();
    const Eigen::VectorXd q = random_matrix(random, n, 1);
    Eigen::VectorXd z;
    ASSERT_EQ(solve(R, q, z).status, SolveStatus::solved);
    const auto all = enumerate(R, q);
    ASSERT_FALSE(all.empty());
    EXPECT_LE((all.front() - z).norm(), 1e-9 * (1 + z.norm())) << trial;
  }
}

TEST(Lemke, FindsASolutionOfSingularProblemsWheneverOneExists) {
  // For R positive semidefinite Lemke's method finds a solution or the problem has no feasible point.
  Random random(2);
  int solved = 0, infeasible = 0;
  for (int trial = 0; trial < 600; ++trial) {
    const int n = 2 + trial % 6;
    const Eigen::MatrixXd F = random_matrix(random, n, 1 + trial % n);
    Eigen::MatrixXd R = F * F.transpose();
    if (trial % 3 == 0) {  // a row twice
      R.col(n - 1) = R.col(0);
      R.row(n - 1) = R.row(0);
    }
    const Eigen::VectorXd q = random_matrix(random, n, 1);
    LemkeSolver solver;
    Eigen::VectorXd z(n);
    const LcpResult result = solver.solve(R, q, {}, z);
    if (result.status == SolveStatus::solved) {
      ++solved;
      EXPECT_LE(lcp_residual(R, q, z), 1e-9);
      continue;
    }
    ++infeasible;
    ASSERT_EQ(result.status, SolveStatus::secondary_ray) << trial;
    const Eigen::VectorXd d = solver.ray();
    EXPECT_GE(d.minCoeff(), 0);
    EXPECT_GT(d.norm(), 0);
    EXPECT_LE((R.transpose() * d).maxCoeff(), 1e-9 * d.norm());
    EXPECT_LT(q.dot(d), 0);
    EXPECT_TRUE(proves_infeasible(R, q, d));
  }
  EXPECT_GT(solved, 100);
  EXPECT_GT(infeasible, 100);
}

TEST(Lemke, ReportsARayWhoseDirectionIsComplementary) {
  // With R = −I and q < 0, no z ≥ 0 is feasible.
  const Eigen::Matrix2d R = -Eigen::Matrix2d::Identity();
  const Eigen::Vector2d q(-1, -2);
  LemkeSolver solver;
  Eigen::VectorXd z(2);
  const LcpResult result = solver.solve(R, q, {}, z);
  EXPECT_EQ(result.status, SolveStatus::secondary_ray);
  EXPECT_GT(result.residual, 0.1);
  const Eigen::VectorXd d = solver.ray();
  EXPECT_GE(d.minCoeff(), 0);
  EXPECT_GT(d.norm(), 0);
  EXPECT_LE(d.dot(R * d), 0);
  EXPECT_TRUE(proves_infeasible(R, q, d));
  EXPECT_FALSE(proves_infeasible(R, -q, d));
  EXPECT_FALSE(proves_infeasible(Eigen::Matrix2d::Identity(), q, Eigen::Vector2d(1, 1)));
}

TEST(Lemke, StopsAtThePivotLimitAndSaysSo) {
  Random random(3);
  const Eigen::MatrixXd F = random_matrix(random, 12, 12);
  const Eigen::MatrixXd R = F * F.transpose();
  const Eigen::VectorXd q = Eigen::VectorXd::Constant(12, -1);
  LemkeSolver solver;
  Eigen::VectorXd z(12);
  LcpOptions options;
  options.max_pivots = 2;
  const LcpResult result = solver.solve(R, q, options, z);
  EXPECT_EQ(result.status, SolveStatus::iteration_limit);
  EXPECT_GT(result.residual, options.residual_tolerance);
}

TEST(Lemke, AnswersTheSameInAnyUnits) {
  Random random(4);
  for (int trial = 0; trial < 100; ++trial) {
    const int n = 2 + trial % 10;
    const Eigen::MatrixXd F = random_matrix(random, n, n);
    const Eigen::MatrixXd R = F * F.transpose() + 1e-3 * Eigen::MatrixXd::Identity(n, n);
    const Eigen::VectorXd q = random_matrix(random, n, 1);
    Eigen::VectorXd z, scaled;
    ASSERT_EQ(solve(R, q, z).status, SolveStatus::solved);
    const double impulse = 3.7e5, velocity = 2.3e-4;  // one unit of each, in the new units
    ASSERT_EQ(solve(R * (velocity / impulse), q * velocity, scaled).status, SolveStatus::solved);
    EXPECT_LE((scaled / impulse - z).norm(), 1e-9 * (1 + z.norm()));
    Eigen::VectorXd rows(n);  // and with every row and column in a unit of its own
    for (double& entry : rows) entry = std::pow(10.0, random.uniform(-3, 3));
    LemkeSolver solver;
    LcpOptions options;
    options.residual_tolerance = 1;
    const Eigen::MatrixXd R_scaled = rows.asDiagonal() * R * rows.asDiagonal();
    const Eigen::VectorXd q_scaled = rows.cwiseProduct(q);
    static_cast<void>(solver.solve(R_scaled, q_scaled, options, scaled));
    EXPECT_LE((scaled.cwiseProduct(rows) - z).norm(), 1e-8 * (1 + z.norm())) << trial;
  }
}

TEST(Lemke, GivesTheSameBitsWhateverCameBefore) {
  Random random(5);
  LemkeSolver used;
  for (int trial = 0; trial < 60; ++trial) {
    const int n = random.integer(1, 30);
    const Eigen::MatrixXd F = random_matrix(random, n, n / 2 + 1);
    const Eigen::MatrixXd R = F * F.transpose();
    const Eigen::VectorXd q = R * random_matrix(random, n, 1);
    Eigen::VectorXd z(n), fresh;
    static_cast<void>(used.solve(R, q, {}, z));
    static_cast<void>(solve(R, q, fresh));
    ASSERT_EQ(std::memcmp(z.data(), fresh.data(), sizeof(double) * n), 0);
  }
}

TEST(Lemke, StartsFromAnyBasisAndArrivesAtTheSameSolution) {
  Random random(6);
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 1 + trial % 9;
    const Eigen::MatrixXd F = random_matrix(random, n, n);
    const Eigen::MatrixXd R = F * F.transpose() + 0.05 * Eigen::MatrixXd::Identity(n, n);
    const Eigen::VectorXd q = random_matrix(random, n, 1);
    Eigen::VectorXd z, warm(n);
    ASSERT_EQ(solve(R, q, z).status, SolveStatus::solved);
    std::vector<int> basic;
    for (int i = 0; i < n; ++i) {
      if (random.uniform(0, 1) < 0.5) basic.push_back(i);
    }
    LemkeSolver solver;
    ASSERT_EQ(solver.solve_from(R, q, {basic, {}}, {}, warm).status, SolveStatus::solved) << trial;
    EXPECT_LE((warm - z).norm(), 1e-9 * (1 + z.norm()));
    basic.clear();
    for (int i = 0; i < n; ++i) {
      if (z(i) > 0) basic.push_back(i);
    }
    EXPECT_EQ(solver.solve_from(R, q, {basic, {}}, {}, warm).pivots, 0);  // the solution's own basis
    EXPECT_LE((warm - z).norm(), 1e-9 * (1 + z.norm()));
  }
}

TEST(LcpResidual, SeesEveryViolation) {
  const Eigen::Matrix2d R = Eigen::Matrix2d::Identity();
  const Eigen::Vector2d q(-2, 1);
  EXPECT_EQ(lcp_residual(R, q, Eigen::Vector2d(2, 0)), 0);
  EXPECT_EQ(lcp_residual(R, q, Eigen::Vector2d(0, 0)), 1);       // w₁ = −2, the whole demand
  EXPECT_EQ(lcp_residual(R, q, Eigen::Vector2d(4, 0)), 1);       // both z₁ and w₁ positive
  EXPECT_EQ(lcp_residual(R, q, Eigen::Vector2d(2, -1)), 0.5);    // z₂ < 0
  EXPECT_EQ(lcp_residual(R, q, Eigen::Vector2d(2, 0.5)), 0.25);  // z₂ where w₂ > 0
  EXPECT_FALSE(lcp_residual(R, q, Eigen::Vector2d(2, std::nan(""))) <= 1);
}

}  // namespace
}  // namespace carom::lemke_test
