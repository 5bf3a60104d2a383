// Nearest points against closed forms: projections on planes and spheres, with bounds and inequalities in the way, and
// conditions that nothing can meet.
#include "carom/study/least_change.h"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <cmath>
#include <limits>
#include <random>

namespace carom::least_change_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double unbounded = std::numeric_limits<double>::infinity();

template <class F>
LeastChangeProblem problem_of(const VectorXd& start, std::vector<bool> inequality, F conditions) {
  LeastChangeProblem problem;
  problem.start = start;
  problem.lower = VectorXd::Constant(start.size(), -unbounded);
  problem.upper = VectorXd::Constant(start.size(), unbounded);
  problem.inequality = std::move(inequality);
  problem.conditions = [conditions](const VectorXd& y) -> std::optional<VectorXd> { return conditions(y); };
  return problem;
}

MatrixXd random_matrix(std::mt19937_64& random, Eigen::Index rows, Eigen::Index columns) {
  std::normal_distribution<double> normal;
  return MatrixXd::NullaryExpr(rows, columns, [&] { return normal(random); });
}

TEST(LeastChange, projects_on_planes) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100; ++i) {
    const Eigen::Index m = 1 + i % 4, n = m + 1 + i % 5;
    const MatrixXd A = random_matrix(random, m, n);
    const VectorXd b = random_matrix(random, m, 1), start = random_matrix(random, n, 1);
    const LeastChangeResult result = least_change(
        problem_of(start, std::vector<bool>(m, false), [&](const VectorXd& y) -> VectorXd { return A * y - b; }));
    ASSERT_TRUE(result.met);
    const VectorXd expected = start - A.completeOrthogonalDecomposition().solve(A * start - b);
    EXPECT_LT((result.at - expected).norm(), 1e-8 * (1 + expected.norm())) << i;
    EXPECT_LT(result.stationarity, 1e-7);
  }
}

TEST(LeastChange, projects_on_spheres) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 50; ++i) {
    const VectorXd start = 3 * random_matrix(random, 2 + i % 6, 1);
    const LeastChangeResult result = least_change(problem_of(
        start, {false}, [](const VectorXd& y) -> VectorXd { return VectorXd::Constant(1, y.squaredNorm() - 1); }));
    ASSERT_TRUE(result.met);
    EXPECT_LT((result.at - start.normalized()).norm(), 1e-7) << start.transpose();
  }
}

TEST(LeastChange, ends_where_the_gradients_say_so) {
  // The distance to a curve in space: at the nearest point y − y₀ is a combination of the conditions' gradients.
  std::mt19937_64 random(3);
  for (int i = 0; i < 30; ++i) {
    const VectorXd start = random_matrix(random, 4, 1);
    const auto conditions = [](const VectorXd& y) -> VectorXd {
      return Eigen::Vector2d(std::sin(y[0]) + y[1] * y[2] - 0.3, std::exp(0.5 * y[3]) - y[0] * y[1] - 1.2);
    };
    const LeastChangeResult result = least_change(problem_of(start, {false, false}, conditions));
    ASSERT_TRUE(result.met);
    const VectorXd& y = result.at;
    MatrixXd J(2, 4);
    J << std::cos(y[0]), y[2], y[1], 0, -y[1], -y[0], 0, 0.5 * std::exp(0.5 * y[3]);
    const VectorXd moved = y - start;
    const VectorXd outside = moved - J.transpose() * J.transpose().colPivHouseholderQr().solve(moved);
    EXPECT_LT(outside.norm(), 1e-6 * (1 + moved.norm())) << i;
  }
}

TEST(LeastChange, goes_round_bounds) {
  LeastChangeProblem problem = problem_of(Eigen::Vector2d(0, 0), {false}, [](const VectorXd& y) -> VectorXd {
    return VectorXd::Constant(1, y[0] + y[1] - 1);
  });
  problem.upper[0] = 0.2;
  const LeastChangeResult result = least_change(problem);
  ASSERT_TRUE(result.met);
  EXPECT_NEAR(result.at[0], 0.2, 1e-15);
  EXPECT_NEAR(result.at[1], 0.8, 1e-12);
  EXPECT_EQ(result.at_bound, (std::vector<int>{1, 0}));
}

TEST(LeastChange, leaves_bounds_that_are_in_nobodys_way) {
  // From a corner, where the way to the nearest point leads along one bound only.
  LeastChangeProblem problem = problem_of(Eigen::Vector2d(0, 0), {false}, [](const VectorXd& y) -> VectorXd {
    return VectorXd::Constant(1, y[0] - 2 * y[1] - 1);
  });
  problem.lower.setZero();
  const LeastChangeResult result = least_change(problem);
  ASSERT_TRUE(result.met);
  EXPECT_LT((result.at - Eigen::Vector2d(1, 0)).norm(), 1e-10);
  EXPECT_EQ(result.at_bound, (std::vector<int>{0, -1}));
}

TEST(LeastChange, keeps_inequalities) {
  const auto half_plane = [](const VectorXd& y) -> VectorXd { return VectorXd::Constant(1, y[0] + y[1] - 1); };
  const LeastChangeResult inside = least_change(problem_of(Eigen::Vector2d(2, 3), {true}, half_plane));
  ASSERT_TRUE(inside.met);
  EXPECT_EQ((inside.at - Eigen::Vector2d(2, 3)).norm(), 0);
  const LeastChangeResult outside = least_change(problem_of(Eigen::Vector2d(0, -1), {true}, half_plane));
  ASSERT_TRUE(outside.met);
  EXPECT_LT((outside.at - Eigen::Vector2d(1, 0)).norm(), 1e-9);
}

TEST(LeastChange, minimises_something_else) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 20; ++i) {
    const VectorXd c = random_matrix(random, 3, 1);
    LeastChangeProblem problem = problem_of(random_matrix(random, 3, 1), {true}, [](const VectorXd& y) -> VectorXd {
      return VectorXd::Constant(1, 1 - y.squaredNorm());
    });
    problem.objective = [c](const VectorXd& y) -> std::optional<double> { return c.dot(y); };
    const LeastChangeResult result = least_change(problem);
    ASSERT_TRUE(result.met);
    EXPECT_LT((result.at + c.normalized()).norm(), 1e-5) << i;
  }
}

TEST(LeastChange, minimises_whatever_the_unit_of_the_objective) {
  // The least of c · y on a plane within a box: at the corner of it that is cheapest.
  for (const double unit : {1e-9, 1e-3, 1.0, 1e3, 1e6, 1e12}) {
    LeastChangeProblem problem = problem_of(Eigen::Vector3d(0.4, 0.3, 0.3), {false}, [](const VectorXd& y) -> VectorXd {
      return VectorXd::Constant(1, y.sum() - 1);
    });
    problem.lower.setZero();
    problem.upper.setConstant(0.75);
    problem.objective = [unit](const VectorXd& y) -> std::optional<double> {
      return unit * (3 * y[0] + 2 * y[1] + y[2]);
    };
    const LeastChangeResult result = least_change(problem);
    ASSERT_TRUE(result.met);
    EXPECT_LT((result.at - Eigen::Vector3d(0, 0.25, 0.75)).norm(), 1e-6) << unit << ": " << result.at.transpose();
    EXPECT_GE(result.stationarity, 0) << unit;
    EXPECT_LT(result.stationarity, 1e-6) << unit;
  }
}

TEST(LeastChange, goes_far_along_a_condition_with_long_steps) {
  // A circle of 2e5 units: what lies a step downhill is far from its tangent.
  static constexpr double R = 2e5, slope = 1e4;
  LeastChangeProblem problem =
      problem_of(Eigen::Vector2d(R * std::cos(0.3), R * std::sin(0.3)), {false},
                 [](const VectorXd& y) -> VectorXd { return VectorXd::Constant(1, (y / R).squaredNorm() - 1); });
  problem.objective = [](const VectorXd& y) -> std::optional<double> { return -slope * y[0]; };
  LeastChangeOptions options;
  options.max_descents = 2000;  // of at most 1e3 units each
  const LeastChangeResult result = least_change(problem, options);
  ASSERT_TRUE(result.met);
  EXPECT_LT((result.at - Eigen::Vector2d(R, 0)).norm(), 1e-3 * R) << result.at.transpose();
}

TEST(LeastChange, tells_that_there_was_no_way_down) {
  LeastChangeProblem problem =
      problem_of(VectorXd::Constant(1, 4), {false}, [](const VectorXd& y) -> VectorXd { return y; });
  problem.objective = [](const VectorXd&) -> std::optional<double> { return {}; };
  const LeastChangeResult result = least_change(problem);
  EXPECT_TRUE(result.met);
  EXPECT_LT(result.stationarity, 0);
}

TEST(LeastChange, says_which_bound_is_in_the_way) {
  LeastChangeProblem problem = problem_of(Eigen::Vector3d(0, 0, 0.5), {false}, [](const VectorXd& y) -> VectorXd {
    return VectorXd::Constant(1, y[0] + y[1] - 3);
  });
  problem.lower.setZero();
  problem.upper.setOnes();
  const LeastChangeResult result = least_change(problem);
  EXPECT_FALSE(result.met);
  EXPECT_LT((result.at.head(2) - Eigen::Vector2d(1, 1)).norm(), 1e-9);
  EXPECT_EQ(result.blocking, (std::vector<int>{0, 1}));
}

TEST(LeastChange, says_that_conditions_contradict_each_other) {
  const LeastChangeResult result =
      least_change(problem_of(Eigen::Vector2d(0.3, 0), {false, false}, [](const VectorXd& y) -> VectorXd {
        return Eigen::Vector2d(y[0] + y[1], y[0] + y[1] - 1);
      }));
  EXPECT_FALSE(result.met);
  EXPECT_TRUE(result.blocking.empty());
  EXPECT_EQ(result.rank, 1);
  EXPECT_NEAR(result.values[0], 0.5, 1e-6);  // least squares
}

TEST(LeastChange, keeps_out_of_where_there_is_nothing) {
  LeastChangeProblem problem = problem_of(VectorXd::Constant(1, 4), {false}, [](const VectorXd& y) { return y; });
  problem.conditions = [](const VectorXd& y) -> std::optional<VectorXd> {
    if (!(y[0] > 0)) return {};
    return VectorXd::Constant(1, std::log(y[0]) + 3);
  };
  const LeastChangeResult result = least_change(problem);  // Newton's first step would go to 4 − 4 (log 4 + 3) < 0
  ASSERT_TRUE(result.met);
  EXPECT_NEAR(result.at[0], std::exp(-3), 1e-12);
}

}  // namespace
}  // namespace carom::least_change_test
