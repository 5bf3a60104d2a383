#include "carom/problem_files/solve_linear.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <random>

#include "carom/problem_files/linear_cases.h"

namespace carom::solve_linear_test {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

LinearProblem lcp(const MatrixXd& M, const VectorXd& q) {
  LinearProblem problem;
  problem.M = M;
  problem.q = q;
  problem.complementary.assign(static_cast<std::size_t>(q.size()), true);
  for (int i = 0; i < q.size(); ++i) problem.unknown.push_back(i);
  problem.row = problem.unknown;
  return problem;
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  int integer(int low, int high) {
    return low + static_cast<int>(engine_() % static_cast<std::uint64_t>(high - low + 1));
  }
  /// Small integers: degenerate and singular as real problems are.
  MatrixXd matrix(Eigen::Index rows, Eigen::Index columns, int size) {
    MatrixXd M(rows, columns);
    for (double& value : M.reshaped()) value = integer(-size, size);
    return M;
  }

 private:
  std::mt19937_64 engine_;
};

/// True if a solution exists, by every choice of zeros, of nonsingular bases alone; the random problems here have them.
bool has_basic_solution(const LinearProblem& problem) {
  const auto n = static_cast<int>(problem.size());
  for (int set = 0; set < 1 << n; ++set) {
    MatrixXd basis(n, n);
    bool allowed = true;
    for (int i = 0; i < n; ++i) {
      const bool takes_z = (set >> i & 1) != 0;
      if (!problem.complementary[i] && !takes_z) allowed = false;
      if (takes_z) {
        basis.col(i) = problem.M.col(i);
      } else {
        basis.col(i) = -VectorXd::Unit(n, i);
      }
    }
    if (!allowed) continue;
    const Eigen::FullPivLU<MatrixXd> factors(basis);
    if (!factors.isInvertible()) continue;
    const VectorXd x = factors.solve(-problem.q);
    bool good = true;
    for (int i = 0; i < n; ++i) good = good && (!problem.complementary[i] || x(i) >= -1e-10);
    if (good) return true;
  }
  return false;
}

TEST(LinearCertificate, TellsWhatIsWrong) {
  const LinearProblem problem = lcp((MatrixXd(2, 2) << 2, 1, 1, 2).finished(), Vector2d(-5, -6));
  VectorXd w(2), w3(3);
  EXPECT_LT(certify(problem, Vector2d(4.0 / 3, 7.0 / 3), w).residual, 1e-15);
  EXPECT_NEAR(certify(problem, Vector2d(0, 0), w).negative_w, 1, 1e-15);
  EXPECT_NEAR(certify(problem, Vector2d(-1, 10), w).negative_z, 1.0 / 3, 1e-15);  // 2 · 1 of |q| = 6
  EXPECT_GT(certify(problem, Vector2d(10, 10), w).complementarity, 0.9);
  // An unknown that has run away makes the others no smaller.
  EXPECT_GT(certify(lcp(MatrixXd::Zero(3, 3), Eigen::Vector3d(0, 0, -1)), Eigen::Vector3d(1e30, 0, 0), w3).residual,
            0.9);
  EXPECT_FALSE(std::isfinite(certify(problem, Vector2d(NAN, 0), w).residual));
}

TEST(SolveLinear, MatricesOfEveryKindAreSolvedOrRefuted) {
  Random random(1);
  int solved = 0, infeasible = 0;
  for (int trial = 0; trial < 1500; ++trial) {
    const int n = random.integer(1, 7), kind = random.integer(0, 3);
    MatrixXd M = random.matrix(n, n, 2);
    if (kind == 1) M = (M * M.transpose()).eval();
    if (kind == 2) M = (M - M.transpose()).eval();
    if (kind == 3) M.col(random.integer(0, n - 1)).setZero();
    LinearProblem problem = lcp(M, random.matrix(n, 1, 3));
    for (int i = 0; i < random.integer(0, n / 2); ++i) problem.complementary[i] = false;
    const LinearSolution result = solve_linear(problem, 1e-9);
    VectorXd w(n);
    if (result.status == SolveStatus::solved) {
      ++solved;
      EXPECT_LE(certify(problem, result.z, w).residual, 1e-9);
      EXPECT_EQ(w, result.w);
      continue;
    }
    ++infeasible;
    ASSERT_EQ(result.status, SolveStatus::infeasible) << "trial " << trial << "\n" << M << "\nq\n" << problem.q;
    EXPECT_FALSE(has_basic_solution(problem)) << "trial " << trial << "\n" << M << "\nq\n" << problem.q;
    const std::vector<PairCase> open(static_cast<std::size_t>(n), PairCase::open);
    if (result.dual.size() > 0) {
      EXPECT_TRUE(refutes(problem, open, result.dual));
    } else {
      EXPECT_GT(result.cases, 1);
    }
  }
  EXPECT_GT(solved, 500);
  EXPECT_GT(infeasible, 150);
}

TEST(SolveLinear, MonotoneProblemsOfManyRows) {
  Random random(2);
  for (int trial = 0; trial < 20; ++trial) {
    const int n = random.integer(20, 80), rank = random.integer(5, n);
    const MatrixXd J = random.matrix(n, rank, 3), skew = random.matrix(n, n, 1);
    const MatrixXd M = J * J.transpose() + (trial % 2) * (skew - skew.transpose());
    // A solution is made: z on one half, w on the other.
    VectorXd z = VectorXd::Zero(n), w = VectorXd::Zero(n);
    for (int i = 0; i < n; ++i) (random.integer(0, 1) == 0 ? z : w)(i) = random.integer(0, 5);
    const LinearProblem problem = lcp(M, w - M * z);
    const LinearSolution result = solve_linear(problem, 1e-9);
    EXPECT_EQ(result.status, SolveStatus::solved) << trial << " " << result.certificate.residual;
  }
}

TEST(SolveLinear, InfeasibleProblemComesWithItsVector) {
  // w_1 = −z_2 − 1 < 0 whatever z ≥ 0.
  const LinearProblem problem = lcp((MatrixXd(2, 2) << 0, -1, 1, 0).finished(), Vector2d(-1, 1));
  const LinearSolution result = solve_linear(problem, 1e-9);
  ASSERT_EQ(result.status, SolveStatus::infeasible);
  EXPECT_EQ(result.dual, Vector2d(1, 0));
}

TEST(SolveLinear, FeasibleProblemWithoutSolutionIsRefutedByItsCases) {
  // w_1 = z_2 − 1 needs z_2 ≥ 1, and w_2 = 1 then is not zero.
  const LinearProblem problem = lcp((MatrixXd(2, 2) << 0, 1, 0, 0).finished(), Vector2d(-1, 1));
  const LinearSolution result = solve_linear(problem, 1e-9);
  EXPECT_EQ(result.status, SolveStatus::infeasible);
  EXPECT_EQ(result.dual.size(), 0);
  EXPECT_GE(result.cases, 2);
}

TEST(SolveLinear, ContradictingEquationsAreInfeasible) {
  LinearProblem problem = lcp((MatrixXd(2, 2) << 1, 1, 1, 1).finished(), Vector2d(-1, -2));
  problem.complementary = {false, false};
  EXPECT_EQ(solve_linear(problem, 1e-9).status, SolveStatus::infeasible);
}

TEST(SolveLinear, UnitsDoNotMatter) {
  Random random(3);
  for (int trial = 0; trial < 200; ++trial) {
    const int n = random.integer(2, 6);
    const MatrixXd M = random.matrix(n, n, 2);
    const VectorXd q = random.matrix(n, 1, 3);
    const SolveStatus status = solve_linear(lcp(M, q), 1e-9).status;
    for (const double scale : {1e-9, 1e9}) {
      EXPECT_EQ(solve_linear(lcp(M * scale, q), 1e-9).status, status) << trial;
      EXPECT_EQ(solve_linear(lcp(M, q * scale), 1e-9).status, status) << trial;
    }
  }
}

TEST(Refutes, WrongVectorsDoNotPass) {
  const LinearProblem problem = lcp((MatrixXd(2, 2) << 0, -1, 1, 0).finished(), Vector2d(-1, 1));
  const std::vector<PairCase> open(2, PairCase::open);
  EXPECT_TRUE(refutes(problem, open, Vector2d(1, 0)));
  EXPECT_FALSE(refutes(problem, open, Vector2d(0, 0)));
  EXPECT_FALSE(refutes(problem, open, Vector2d(-1, 0)));
  EXPECT_FALSE(refutes(problem, open, Vector2d(1, 0.9)));
  EXPECT_FALSE(refutes(problem, open, Vector2d(NAN, 0)));
}

}  // namespace
}  // namespace carom::solve_linear_test
