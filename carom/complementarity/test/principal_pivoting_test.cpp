#include "carom/complementarity/polyhedral/principal_pivoting.h"

#include <gtest/gtest.h>

#include <vector>

#include "testing/allocation_count.h"
#include "testing/problems/problem_families.h"

namespace carom::principal_pivoting_test {
namespace {

using families::Random;

Eigen::MatrixXd random_matrix(Random& random, int rows, int columns) {
  Eigen::MatrixXd result(rows, columns);
  for (double& entry : result.reshaped()) entry = random.uniform(-1, 1);
  return result;
}

/// Small whole numbers, so that what is singular or tied is so exactly.
Eigen::MatrixXd random_integers(Random& random, int rows, int columns) {
  Eigen::MatrixXd result(rows, columns);
  for (double& entry : result.reshaped()) entry = random.integer(-3, 3);
  return result;
}

TEST(PrincipalPivoting, AgreesWithLemkeOnWhatIsUnique) {
  Random random(51);
  PrincipalPivoting pivoting;
  LemkeSolver lemke;
  int solved = 0, infeasible = 0;
  for (int trial = 0; trial < 1500; ++trial) {
    const int n = 1 + trial % 16, rank = 1 + static_cast<int>(random.uniform(0, 1.3) * n);
    const Eigen::MatrixXd F = random_integers(random, n, rank);
    Eigen::MatrixXd R = F * F.transpose();
    if (n > 1 && trial % 3 == 0) {  // a contact twice
      R.col(n - 1) = R.col(0).eval();
      R.row(n - 1) = R.row(0).eval();
    }
    const Eigen::VectorXd q = random_integers(random, n, 1);
    Eigen::VectorXd z(n), other(n);
    const LcpResult result = pivoting.solve(R, q, {}, {}, z);
    const LcpResult reference = lemke.solve(R, q, {}, other);
    ASSERT_EQ(result.status, reference.status) << trial;
    if (result.status == SolveStatus::secondary_ray) {
      ++infeasible;
      EXPECT_TRUE(proves_infeasible(R, q, pivoting.ray())) << trial;
      continue;
    }
    ++solved;
    EXPECT_LE(lcp_residual(R, q, z), 1e-10) << trial;
    EXPECT_LE((R * (z - other)).norm(), 1e-8 * (1 + z.norm())) << trial;
  }
  EXPECT_GT(solved, 300);
  EXPECT_GT(infeasible, 100);
}

TEST(PrincipalPivoting, StartsFromAnyBasisAndFromTheSolutionsOwnWithoutAPivot) {
  Random random(52);
  PrincipalPivoting pivoting;
  for (int trial = 0; trial < 300; ++trial) {
    const int n = 1 + trial % 12;
    const Eigen::MatrixXd F = random_matrix(random, n, n);
    const Eigen::MatrixXd R = F * F.transpose() + 0.05 * Eigen::MatrixXd::Identity(n, n);
    const Eigen::VectorXd q = random_matrix(random, n, 1);
    Eigen::VectorXd z(n), warm(n);
    ASSERT_EQ(pivoting.solve(R, q, {}, {}, z).status, SolveStatus::solved);
    std::vector<int> basic;
    for (int i = 0; i < n; ++i) {
      if (random.chance(0.5)) basic.push_back(i);
    }
    ASSERT_EQ(pivoting.solve(R, q, basic, {}, warm).status, SolveStatus::solved) << trial;
    EXPECT_LE((warm - z).norm(), 1e-9 * (1 + z.norm())) << trial;
    basic.clear();
    for (int i = 0; i < n; ++i) {
      if (z(i) > 0) basic.push_back(i);
    }
    EXPECT_EQ(pivoting.solve(R, q, basic, {}, warm).pivots, 0) << trial;
    EXPECT_LE((warm - z).norm(), 1e-9 * (1 + z.norm())) << trial;
  }
}

// All ratios tie in every pivot: n equal contacts under one body.
TEST(PrincipalPivoting, EndsOnTiesInEveryPivot) {
  for (int n = 1; n <= 20; ++n) {
    const Eigen::MatrixXd R = Eigen::MatrixXd::Ones(n, n);
    const Eigen::VectorXd q = Eigen::VectorXd::Constant(n, -1);
    Eigen::VectorXd z(n);
    PrincipalPivoting pivoting;
    ASSERT_EQ(pivoting.solve(R, q, {}, {}, z).status, SolveStatus::solved);
    EXPECT_NEAR(z.sum(), 1, 1e-14);
    EXPECT_GE(z.minCoeff(), 0);
  }
}

TEST(PrincipalPivoting, SaysWhereTheMatrixIsNotOfItsClass) {
  PrincipalPivoting pivoting;
  Eigen::VectorXd z(2);
  Eigen::Matrix2d R;
  R << 1, 3, 3, 1;  // eigenvalues 4 and −2; from w₁ upwards z₂'s own pivot is negative
  EXPECT_NE(pivoting.solve(-R, Eigen::Vector2d(-1, -1), {}, {}, z).status, SolveStatus::solved);
  const LcpResult result = pivoting.solve(-Eigen::Matrix2d::Identity(), Eigen::Vector2d(-1, 1), {}, {}, z);
  EXPECT_EQ(result.status, SolveStatus::inaccurate);
  EXPECT_EQ(z.norm(), 0);
  EXPECT_EQ(result.residual, 1);
  LcpOptions options;
  options.max_pivots = 1;
  const Eigen::Matrix2d unit = Eigen::Matrix2d::Identity();
  EXPECT_EQ(pivoting.solve(unit, Eigen::Vector2d(-1, -1), {}, options, z).status, SolveStatus::iteration_limit);
}

TEST(PrincipalPivoting, AllocatesNothingInARepeatedSolve) {
  Random random(53);
  PrincipalPivoting pivoting;
  const Eigen::MatrixXd F = random_matrix(random, 20, 15);
  const Eigen::MatrixXd R = F * F.transpose();
  const Eigen::VectorXd q = R * random_matrix(random, 20, 1);
  Eigen::VectorXd z(20);
  ASSERT_EQ(pivoting.solve(R, q, {}, {}, z).status, SolveStatus::solved);
  const long before = allocation_count();
  for (int n = 1; n <= 20; ++n) {
    ASSERT_EQ(pivoting.solve(R.topLeftCorner(n, n), q.head(n), {}, {}, z.head(n)).status, SolveStatus::solved);
  }
  EXPECT_EQ(allocation_count(), before);
}

}  // namespace
}  // namespace carom::principal_pivoting_test
