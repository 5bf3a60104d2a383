#include "carom/complementarity/mixed_lcp.h"

#include <gtest/gtest.h>
#include <Eigen/LU>

#include <string>

#include "carom/complementarity/test/problem_families.h"
#include "carom/error.h"

namespace carom {
namespace {

using families::Random;

Eigen::MatrixXd random_matrix(Random& random, int rows, int columns) {
  Eigen::MatrixXd result(rows, columns);
  for (double& entry : result.reshaped()) entry = random.uniform(-1, 1);
  return result;
}

TEST(MixedLcp, SolvesConvexQuadraticPrograms) {
  // min ½ xᵀ G x + aᵀ x, B x + b ≥ 0: x and the multipliers z solve 0 = G x − Bᵀ z + a, 0 ≤ B x + b ⊥ z ≥ 0.
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

TEST(MixedLcp, RefusesASingularG) {
  Eigen::Matrix2d G;
  G << 1, 2, 2, 4;
  const Eigen::Matrix2d I = Eigen::Matrix2d::Identity();
  const Eigen::Vector2d a(1, 1);
  Eigen::VectorXd x(2), z(2);
  MixedLcpSolver solver;
  try {
    static_cast<void>(solver.solve({G, I, I, I, a, a}, {}, {}, x, z));
    FAIL() << "a singular G was accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("singular (rank 1 of 2)"), std::string::npos) << error.what();
  }
  Eigen::VectorXd short_x(1);
  EXPECT_THROW(static_cast<void>(solver.solve({I, I, I, I, a, a}, {}, {}, short_x, z)), Error);
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
}  // namespace carom
