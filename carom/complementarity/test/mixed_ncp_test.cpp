#include "carom/complementarity/mixed/mixed_ncp_solver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "carom/complementarity/mixed/jacobian_check.h"
#include "carom/complementarity/mixed/mixed_ncp.h"
#include "carom/complementarity/mixed/ncp_iterate.h"
#include "carom/complementarity/test/ncp_problems.h"
#include "carom/error.h"
#include "testing/allocation_count.h"

namespace carom::mixed_ncp_test {
namespace {

using namespace ncp_problems;

constexpr MixedNcpOptions only_semismooth{.first = NcpMethod::semismooth_newton, .fall_back = false};
constexpr MixedNcpOptions only_josephy{.first = NcpMethod::newton_josephy, .fall_back = false};

/// n unknowns ≥ 0 with given functions.
Problem nonnegative(Eigen::Index n, decltype(Problem::function) function, decltype(Problem::jacobian) jacobian) {
  Problem problem;
  problem.lower = Eigen::VectorXd::Zero(n);
  problem.upper = Eigen::VectorXd::Constant(n, infinity);
  problem.function = std::move(function);
  problem.jacobian = std::move(jacobian);
  return problem;
}

/// Kojima and Shindo's (1986): F_2 and F_3 differ from Josephy's (1979) by three coefficients.
Problem kojima_shindo(double a, double b, double c) {
  return nonnegative(
      4,
      [=](const Input& x, Eigen::Ref<Eigen::VectorXd> F) {
        F(0) = 3 * x(0) * x(0) + 2 * x(0) * x(1) + 2 * x(1) * x(1) + x(2) + 3 * x(3) - 6;
        F(1) = 2 * x(0) * x(0) + x(0) + x(1) * x(1) + a * x(2) + 2 * x(3) - 2;
        F(2) = 3 * x(0) * x(0) + x(0) * x(1) + 2 * x(1) * x(1) + 2 * x(2) + b * x(3) - c;
        F(3) = x(0) * x(0) + 3 * x(1) * x(1) + 2 * x(2) + 3 * x(3) - 3;
        return true;
      },
      [=](const Input& x, Eigen::Ref<Eigen::MatrixXd> J) {
        J.row(0) << 6 * x(0) + 2 * x(1), 2 * x(0) + 4 * x(1), 1, 3;
        J.row(1) << 4 * x(0) + 1, 2 * x(1), a, 2;
        J.row(2) << 6 * x(0) + x(1), x(0) + 4 * x(1), 2, b;
        J.row(3) << 2 * x(0), 6 * x(1), 2, 3;
        return true;
      });
}

/// Mathiesen's economy (1987) with one consumer; its prices x_1, x_2 must be positive.
Problem walras() {
  constexpr double alpha = 0.75, b_2 = 1, b_3 = 0.5;
  const auto defined = [](const Input& x) { return x(1) > 0 && x(2) > 0; };
  return nonnegative(
      4,
      [=](const Input& x, Eigen::Ref<Eigen::VectorXd> F) {
        if (!defined(x)) return false;
        const double income = b_2 * x(2) + b_3 * x(3);
        F << -x(1) + x(2) + x(3), x(0) - alpha * income / x(1), b_2 - x(0) - (1 - alpha) * income / x(2), b_3 - x(0);
        return true;
      },
      [=](const Input& x, Eigen::Ref<Eigen::MatrixXd> J) {
        if (!defined(x)) return false;
        const double income = b_2 * x(2) + b_3 * x(3);
        J.row(0) << 0, -1, 1, 1;
        J.row(1) << 1, alpha * income / (x(1) * x(1)), -alpha * b_2 / x(1), -alpha * b_3 / x(1);
        J.row(2) << -1, 0, (1 - alpha) * b_3 * x(3) / (x(2) * x(2)), -(1 - alpha) * b_3 / x(2);
        J.row(3) << -1, 0, 0, 0;
        return true;
      });
}

TEST(MixedNcp, KojimaShindoAndJosephyFromRandomStarts) {
  const Eigen::Vector4d degenerate(std::sqrt(6) / 2, 0, 0, 0.5), second(1, 0, 3, 0);
  MixedNcpSolver solver;
  for (const bool josephy : {false, true}) {
    Random random(51);
    const Problem problem = josephy ? kojima_shindo(3, 3, 1) : kojima_shindo(10, 9, 9);
    for (int trial = 0; trial < 200; ++trial) {
      Eigen::VectorXd x = 5 * random_matrix(random, 4, 1);
      const MixedNcpResult result = solver.solve(problem.view(), {}, x);
      ASSERT_EQ(result.status, NcpStatus::solved) << trial;
      EXPECT_LE(result.residual, 1e-10);
      const double to_second = josephy ? infinity : (x - second).norm();
      EXPECT_LE(std::min((x - degenerate).norm(), to_second), 1e-8) << trial << ": " << x.transpose();
    }
  }
}

TEST(MixedNcp, BillupsProblemWhereNewtonMethodsAreTrapped) {
  // Every descent from zero ends at the minimum of the merit near it; only further starts lead on.
  const Problem problem = nonnegative(
      1,
      [](const Input& x, Eigen::Ref<Eigen::VectorXd> F) {
        F(0) = (x(0) - 1) * (x(0) - 1) - 1.01;
        return true;
      },
      [](const Input& x, Eigen::Ref<Eigen::MatrixXd> J) {
        J(0, 0) = 2 * (x(0) - 1);
        return true;
      });
  MixedNcpSolver solver;
  Eigen::VectorXd x = Eigen::VectorXd::Zero(1);
  MixedNcpResult result = solver.solve(problem.view(), only_semismooth, x);
  EXPECT_NE(result.status, NcpStatus::solved);
  EXPECT_GT(result.residual, 1e-3);
  x.setZero();
  result = solver.solve(problem.view(), {}, x);
  EXPECT_EQ(result.status, NcpStatus::solved);
  EXPECT_NEAR(x(0), 1 + std::sqrt(1.01), 1e-9);
  EXPECT_GT(result.starts, 1);
}

TEST(MixedNcp, WalrasianEquilibriumOfPricesCountedInOneOfThem) {
  // Prices have no scale: every (1/2, 3t, t, 2t), t > 0 is an equilibrium. The bounds of the second price fix t; its
  // own market then clears by itself.
  Random random(52);
  MixedNcpSolver solver;
  Problem problem = walras();
  for (int trial = 0; trial < 100; ++trial) {
    const double t = random.uniform(0.5, 2);
    problem.lower(2) = problem.upper(2) = t;
    Eigen::VectorXd x = Eigen::VectorXd::Constant(4, 1.05) + random_matrix(random, 4, 1);
    const MixedNcpResult result = solver.solve(problem.view(), {}, x);
    ASSERT_EQ(result.status, NcpStatus::solved) << trial;
    EXPECT_LE((x - Eigen::Vector4d(0.5, 3 * t, t, 2 * t)).norm(), 1e-8) << x.transpose();
    Eigen::VectorXd F(4);
    EXPECT_TRUE(problem.function(x, F));
    EXPECT_NEAR(F(2), 0, 1e-8);
  }
}

TEST(MixedNcp, CournotEquilibriumIsEveryFirmsBestAnswer) {
  // Murphy, Sherali and Soyster (1982): price p(Q) = (5000 / Q)^(1/γ), five firms with convex costs, here with
  // capacities.
  const Eigen::ArrayXd c = (Eigen::ArrayXd(5) << 10, 8, 6, 4, 2).finished(), L = Eigen::ArrayXd::Constant(5, 5);
  const Eigen::ArrayXd inverse = (Eigen::ArrayXd(5) << 1.2, 1.1, 1, 0.9, 0.8).finished().inverse();
  constexpr double power = 1 / 1.1;
  const auto price = [=](double Q) { return std::pow(5000 / Q, power); };
  const auto profit = [=](double q, double others, int i) {
    const double cost = c(i) * q + std::pow(L(i), -inverse(i)) * std::pow(q, 1 + inverse(i)) / (1 + inverse(i));
    return q * price(q + others) - cost;
  };
  Problem problem = nonnegative(
      5,
      [=](const Input& q, Eigen::Ref<Eigen::VectorXd> F) {
        const double Q = q.sum();
        if (!(Q > 0)) return false;
        F = c + (q.array() / L).pow(inverse) - price(Q) + q.array() * (power * price(Q) / Q);
        return true;
      },
      [=](const Input& q, Eigen::Ref<Eigen::MatrixXd> J) {
        const double Q = q.sum(), slope = -power * price(Q) / Q, curve = -(1 + power) * slope / Q;
        for (int i = 0; i < 5; ++i) J.row(i).setConstant(-slope - q(i) * curve);
        J.diagonal().array() += inverse / L * (q.array() / L).pow(inverse - 1) - slope;
        return true;
      });
  problem.upper << infinity, infinity, 40, infinity, 30;
  MixedNcpSolver solver;
  Random random(53);
  Eigen::VectorXd first;
  for (int trial = 0; trial < 50; ++trial) {
    Eigen::VectorXd q = Eigen::VectorXd::Constant(5, 25) + 24 * random_matrix(random, 5, 1);
    ASSERT_TRUE(check_jacobian(problem.view(), q).agrees) << check_jacobian(problem.view(), q).sentence;
    const MixedNcpResult result = solver.solve(problem.view(), {}, q);
    ASSERT_EQ(result.status, NcpStatus::solved) << trial;
    if (trial == 0) first = q;
    EXPECT_LE((q - first).norm(), 1e-7);
  }
  for (int i = 0; i < 5; ++i) {
    const double others = first.sum() - first(i), best = profit(first(i), others, i);
    for (double q = 0.5; q <= std::min(problem.upper(i), 200.0); q += 0.5) EXPECT_LE(profit(q, others, i), best + 1e-9);
  }
  EXPECT_DOUBLE_EQ(first(2), 40);
  EXPECT_DOUBLE_EQ(first(4), 30);
}

TEST(MixedNcp, TautStringIsTheConcaveHullOfItsObstacle) {
  Random random(54);
  MixedNcpSolver solver;
  for (int trial = 0; trial < 20; ++trial) {
    const String string = random_string(random, 50 + 20 * trial);
    const Eigen::VectorXd expected = string.concave_hull();
    Eigen::VectorXd u = string.lower.cwiseMax(0);
    const MixedNcpResult result = solver.solve(string.view(), {}, u);
    ASSERT_EQ(result.status, NcpStatus::solved) << trial << ' ' << result.residual;
    EXPECT_LE((u - expected).lpNorm<Eigen::Infinity>(), 1e-6 * expected.lpNorm<Eigen::Infinity>()) << trial;
  }
}

TEST(MixedNcp, WarmStartTakesAFewIterations) {
  Random random(55);
  MixedNcpSolver solver;
  for (int trial = 0; trial < 50; ++trial) {
    const Problem problem = monotone(random, 30, false);
    Eigen::VectorXd x = problem.solution + 1e-3 * random_matrix(random, 30, 1);
    const MixedNcpResult near = solver.solve(problem.view(), {}, x);
    ASSERT_EQ(near.status, NcpStatus::solved);
    EXPECT_LE(near.iterations, 4) << trial;
    const MixedNcpResult again = solver.solve(problem.view(), {}, x);
    EXPECT_EQ(again.iterations, 0);
    EXPECT_EQ(again.function_calls, 2);
  }
}

TEST(MixedNcp, ProblemsWithoutSolutionGetAnHonestStatus) {
  const auto one = [](auto f, auto slope, double l, double u) {
    Problem problem = nonnegative(
        1,
        [=](const Input& x, Eigen::Ref<Eigen::VectorXd> F) {
          F(0) = f(x(0));
          return true;
        },
        [=](const Input& x, Eigen::Ref<Eigen::MatrixXd> J) {
          J(0, 0) = slope(x(0));
          return true;
        });
    problem.lower(0) = l;
    problem.upper(0) = u;
    return problem;
  };
  const Problem problems[] = {
      one([](double x) { return x * x + 1; }, [](double x) { return 2 * x; }, -infinity, infinity),
      one([](double x) { return -1 - x; }, [](double) { return -1; }, 0, infinity),
      one([](double x) { return std::exp(-x); }, [](double x) { return -std::exp(-x); }, -infinity, infinity),
      one([](double) { return -2; }, [](double) { return 0; }, 0, infinity),
  };
  MixedNcpSolver solver;
  for (const Problem& problem : problems) {
    for (const double start : {0.0, 3.0}) {
      Eigen::VectorXd x = Eigen::VectorXd::Constant(1, start);
      const MixedNcpResult result = solver.solve(problem.view(), {}, x);
      EXPECT_NE(result.status, NcpStatus::solved);
      EXPECT_GT(result.residual, 1e-3);
      EXPECT_EQ(result.residual, mixed_ncp_residual(problem.view(), x));
    }
  }
  // Two equations that contradict each other in one pair of unknowns.
  Problem contrary = nonnegative(
      2,
      [](const Input& x, Eigen::Ref<Eigen::VectorXd> F) {
        F << x(0) + x(1) - 1, x(0) + x(1) - 2;
        return true;
      },
      [](const Input&, Eigen::Ref<Eigen::MatrixXd> J) {
        J.setOnes();
        return true;
      });
  contrary.lower.setConstant(-infinity);
  Eigen::VectorXd x = Eigen::VectorXd::Zero(2);
  const MixedNcpResult result = solver.solve(contrary.view(), {}, x);
  EXPECT_EQ(result.status, NcpStatus::local_minimum);
  EXPECT_NEAR(x.sum(), 1.5, 1e-6);  // as good as it gets
}

TEST(MixedNcp, FunctionIsCalledInTheBoxOnlyAndMayBeUndefined) {
  // ln x = −5 from a start whose full Newton step leaves the domain; the bound is far below the solution.
  bool left = false;
  Problem problem = nonnegative(
      1,
      [&](const Input& x, Eigen::Ref<Eigen::VectorXd> F) {
        left = left || x(0) < 0;
        if (x(0) <= 0) return false;
        F(0) = std::log(x(0)) + 5;
        return true;
      },
      [](const Input& x, Eigen::Ref<Eigen::MatrixXd> J) {
        J(0, 0) = 1 / x(0);
        return true;
      });
  MixedNcpSolver solver;
  for (const MixedNcpOptions& options : {only_semismooth, only_josephy}) {
    Eigen::VectorXd x = Eigen::VectorXd::Constant(1, 20);
    const MixedNcpResult result = solver.solve(problem.view(), options, x);
    EXPECT_EQ(result.status, NcpStatus::solved) << method_name(options.first);
    EXPECT_NEAR(x(0), std::exp(-5), 1e-9);
  }
  EXPECT_FALSE(left);
  Eigen::VectorXd x = Eigen::VectorXd::Zero(1);
  EXPECT_EQ(solver.solve(problem.view(), only_semismooth, x).status, NcpStatus::function_undefined);
  x(0) = 0;  // further starts find where it is defined
  EXPECT_EQ(solver.solve(problem.view(), {}, x).status, NcpStatus::solved);
}

TEST(MixedNcp, ResidualDoesNotDependOnUnitsOfRows) {
  Random random(56);
  for (int trial = 0; trial < 50; ++trial) {
    const Problem problem = monotone(random, 8, false);
    Problem scaled = problem;
    const Eigen::ArrayXd factor = (20 * random_matrix(random, 8, 1)).array().exp();
    scaled.function = [=](const Input& x, Eigen::Ref<Eigen::VectorXd> F) {
      problem.function(x, F);
      F.array() *= factor;
      return true;
    };
    scaled.jacobian = [=](const Input& x, Eigen::Ref<Eigen::MatrixXd> J) {
      problem.jacobian(x, J);
      J.array().colwise() *= factor;
      return true;
    };
    Eigen::VectorXd x = random_matrix(random, 8, 1).cwiseMax(problem.lower).cwiseMin(problem.upper);
    const double residual = mixed_ncp_residual(problem.view(), x);
    EXPECT_NEAR(mixed_ncp_residual(scaled.view(), x), residual, 1e-12 * residual);
    EXPECT_NEAR(mixed_ncp_residual(problem.sparse_view(), x), residual, 1e-12 * residual);
    EXPECT_LE(mixed_ncp_residual(problem.view(), problem.solution), 1e-14);
    MixedNcpSolver solver;
    EXPECT_EQ(solver.solve(scaled.view(), {}, x).status, NcpStatus::solved);
    EXPECT_LE((x - problem.solution).lpNorm<Eigen::Infinity>(), 1e-8);
  }
}

TEST(MixedNcp, AGivenRowSizeExcusesNothingBeyondIt) {
  // The first row is off by 1e-3, which a change of x_1 by 1e-12 of its own size would mend.
  const auto function = [](const Input& x, Eigen::Ref<Eigen::VectorXd> F) {
    F << x(0) + 1e9 * x(1) + 1e-3, x(1);
    return true;
  };
  const auto jacobian = [](const Input&, Eigen::Ref<Eigen::MatrixXd> J) {
    J << 1, 1e9, 0, 1;
    return true;
  };
  Problem problem = nonnegative(2, function, jacobian);
  problem.lower.setConstant(-infinity);
  const Eigen::Vector2d x = Eigen::Vector2d::Zero();
  EXPECT_NEAR(mixed_ncp_residual(problem.view(), x), 1e-12, 1e-24);
  const std::vector<double> first_alone{1, 0};
  MixedNcp sized = problem.view();
  sized.row_sizes = first_alone;
  EXPECT_NEAR(mixed_ncp_residual(sized, x), 1e-3, 1e-15);
  MixedNcpSolver solver;
  Eigen::VectorXd solved = x;
  EXPECT_EQ(solver.solve(problem.view(), {}, solved).iterations, 0);
  EXPECT_EQ(solver.solve(sized, {}, solved).status, NcpStatus::solved);
  EXPECT_LE(std::abs(solved(0) + 1e9 * solved(1) + 1e-3), 1e-10);
  // Polishing keeps to the same measure, and the result tells that of the point.
  MixedNcpOptions options;
  options.polish = true;
  solved = x;
  const MixedNcpResult result = solver.solve(sized, options, solved);
  EXPECT_EQ(result.status, NcpStatus::solved);
  EXPECT_EQ(result.residual, mixed_ncp_residual(sized, solved));
}

TEST(MixedNcp, PolishingLeavesRoundOffOfWhatATolerancePasses) {
  Random random(60);
  MixedNcpSolver solver;
  constexpr double tolerance = 1e-3;
  int better = 0, trials = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Problem problem = trial % 2 == 0 ? monotone(random, 1 + trial % 13, true) : redundant(random, 6, 2);
    const Eigen::VectorXd start = random_matrix(random, problem.size(), 1);
    for (const MixedNcpOptions& method : {only_semismooth, only_josephy}) {
      MixedNcpOptions options = method;
      options.tolerance = tolerance;
      Eigen::VectorXd plain = start, polished = start;
      if (solver.solve(problem.view(), options, plain).status != NcpStatus::solved) continue;
      options.polish = true;
      const MixedNcpResult result = solver.solve(problem.view(), options, polished);
      ASSERT_EQ(result.status, NcpStatus::solved);
      const double before = mixed_ncp_residual(problem.view(), plain);
      const double after = mixed_ncp_residual(problem.view(), polished);
      EXPECT_LE(after, tolerance);
      EXPECT_LE(result.residual, before);
      better += after <= std::max(1e-2 * before, 1e-13) ? 1 : 0;
      ++trials;
    }
  }
  EXPECT_GE(trials, 300);
  EXPECT_GE(better, 0.8 * trials);
}

TEST(MixedNcp, AnswerDoesNotDependOnWhatWasSolvedBefore) {
  Random random(57);
  MixedNcpSolver used;
  for (int trial = 0; trial < 40; ++trial) {
    const Problem problem = trial % 2 == 0 ? monotone(random, 1 + trial % 13, true) : redundant(random, 6, 2);
    const Eigen::VectorXd start = random_matrix(random, problem.size(), 1);
    const MixedNcpOptions options = trial % 3 == 0 ? only_josephy : MixedNcpOptions{};
    for (const bool sparse : {false, true}) {
      MixedNcpSolver fresh;
      Eigen::VectorXd x = start, y = start;
      const MixedNcpResult one = used.solve(sparse ? problem.sparse_view() : problem.view(), options, x);
      const MixedNcpResult two = fresh.solve(sparse ? problem.sparse_view() : problem.view(), options, y);
      EXPECT_EQ(x, y) << trial;
      EXPECT_EQ(one.residual, two.residual);
      EXPECT_EQ(one.iterations, two.iterations);
    }
  }
}

TEST(MixedNcp, NoAllocationInARepeatedDenseSolve) {
  Random random(58);
  MixedNcpSolver solver;
  Eigen::VectorXd M(40 * 40), q(40), start(40), x(40);
  const Eigen::VectorXd lower = Eigen::VectorXd::Zero(40), upper = Eigen::VectorXd::Constant(40, infinity);
  int n = 0;
  const auto solve = [&](const MixedNcpOptions& options) {
    const MixedNcp problem{lower.head(n),
                           upper.head(n),
                           [&](const Input& z, Eigen::Ref<Eigen::VectorXd> F) {
                             F = q.head(n);
                             F.noalias() += Eigen::Map<Eigen::MatrixXd>(M.data(), n, n) * z;
                             F.array() += z.array().cube();
                             return true;
                           },
                           [&](const Input& z, Eigen::Ref<Eigen::MatrixXd> J) {
                             J = Eigen::Map<Eigen::MatrixXd>(M.data(), n, n);
                             J.diagonal().array() += 3 * z.array().square();
                             return true;
                           },
                           {},
                           {}};
    x = start;
    const long before = allocation_count();
    const MixedNcpResult result = solver.solve(problem, options, x.head(n));
    EXPECT_EQ(result.status, NcpStatus::solved);
    return allocation_count() - before;
  };
  for (const int size : {40, 40, 17, 40}) {
    n = size;
    const Eigen::MatrixXd half = random_matrix(random, n, n - 1);  // singular
    Eigen::Map<Eigen::MatrixXd>(M.data(), n, n) = half * half.transpose();
    q.head(n) = random_matrix(random, n, 1);
    start = random_matrix(random, 40, 1);
    for (const MixedNcpOptions& options : {only_semismooth, only_josephy}) {
      static_cast<void>(solve(options));  // the first of a size may grow buffers
      EXPECT_EQ(solve(options), 0) << n << ' ' << method_name(options.first);
    }
  }
}

TEST(MixedNcp, RefusesWhatIsMalformed) {
  Problem problem = kojima_shindo(10, 9, 9);
  EXPECT_NO_THROW(check(problem.view()));
  const auto sentence = [](const MixedNcp& p) {
    try {
      check(p);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  MixedNcp both = problem.view();
  both.sparse_jacobian = problem.sparse_view().sparse_jacobian;
  EXPECT_NE(sentence(both).find("both a dense and a sparse Jacobian"), std::string::npos);
  both.sparse_jacobian = nullptr;
  both.dense_jacobian = nullptr;
  EXPECT_NE(sentence(both).find("neither"), std::string::npos);
  const std::vector<double> sizes = {1, 0, 1, 1};
  MixedNcp sized = problem.view();
  sized.sizes = sizes;
  EXPECT_NE(sentence(sized).find("size of unknown 1"), std::string::npos);
  const std::vector<double> row_sizes = {1, -1, 1, 1}, too_few = {1};
  sized.sizes = {};
  sized.row_sizes = row_sizes;
  EXPECT_NE(sentence(sized).find("size of row 1"), std::string::npos);
  sized.row_sizes = too_few;
  EXPECT_NE(sentence(sized).find("1 sizes of rows; it must have 4"), std::string::npos);
  problem.lower(2) = 1;
  problem.upper(2) = 0;
  EXPECT_NE(sentence(problem.view()).find("bounds of unknown 2"), std::string::npos);
  problem.upper = Eigen::VectorXd::Zero(3);
  EXPECT_NE(sentence(problem.view()).find("4 lower bounds, 3 upper"), std::string::npos);
  MixedNcpSolver solver;
  Eigen::VectorXd x(3), four = Eigen::VectorXd::Ones(4);
  EXPECT_THROW(static_cast<void>(solver.solve(kojima_shindo(1, 1, 1).view(), {}, x)), Error);
  const Problem sound = kojima_shindo(10, 9, 9);
  MixedNcp short_of_rows = sound.view();
  short_of_rows.row_sizes = too_few;
  EXPECT_THROW(static_cast<void>(solver.solve(short_of_rows, {}, four)), Error);
}

TEST(JacobianCheck, FindsTheWrongEntryAndOnlyThat) {
  Random random(59);
  for (int trial = 0; trial < 200; ++trial) {
    const Eigen::Index n = 2 + trial % 11;
    const Problem problem = trial % 2 == 0 ? monotone(random, n, true) : redundant(random, n, 1 + n / 4);
    const Eigen::VectorXd x = random_matrix(random, problem.size(), 1);
    const JacobianReport good = check_jacobian(problem.view(), x);
    EXPECT_TRUE(good.agrees) << good.sentence;
    EXPECT_TRUE(check_jacobian(problem.sparse_view(), x).agrees);
    // A wrong entry in a column that can be checked: a fixed unknown's cannot.
    int column = random.integer(0, static_cast<int>(problem.size()) - 1);
    if (problem.lower(column) == problem.upper(column)) continue;
    const int row = random.integer(0, static_cast<int>(problem.size()) - 1);
    const double wrong = random.uniform(1e-3, 1) * (random.uniform(0, 1) < 0.5 ? -1 : 1);
    Problem bad = problem;
    bad.jacobian = [=, right = problem.jacobian](const Input& y, Eigen::Ref<Eigen::MatrixXd> J) {
      right(y, J);
      J(row, column) += wrong;
      return true;
    };
    const JacobianReport report = check_jacobian(bad.view(), x);
    EXPECT_FALSE(report.agrees);
    EXPECT_EQ(report.row, row);
    EXPECT_EQ(report.column, column);
    EXPECT_NEAR(report.given - report.difference, wrong, 1e-6);
    const std::string place = "row " + std::to_string(row) + ", column " + std::to_string(column);
    EXPECT_NE(report.sentence.find(place), std::string::npos) << report.sentence;
  }
}

TEST(JacobianCheck, StaysInTheBoxAndSaysWhatItCannotCheck) {
  Problem problem = nonnegative(
      2,
      [](const Input& x, Eigen::Ref<Eigen::VectorXd> F) {
        if (x(0) < 0) return false;
        F << x(0) * std::sqrt(x(0)), x(1) * x(0);
        return true;
      },
      [](const Input& x, Eigen::Ref<Eigen::MatrixXd> J) {
        J << 1.5 * std::sqrt(x(0)), 0, x(1), x(0);
        return true;
      });
  problem.lower(1) = problem.upper(1) = 2;
  Eigen::VectorXd x = Eigen::Vector2d(1e-9, 2);
  JacobianReport report = check_jacobian(problem.view(), x);
  EXPECT_EQ(report.unchecked, 1);
  problem.function = [](const Input&, Eigen::Ref<Eigen::VectorXd>) { return false; };
  report = check_jacobian(problem.view(), x);
  EXPECT_FALSE(report.agrees);
  EXPECT_NE(report.sentence.find("not defined"), std::string::npos);
}

}  // namespace
}  // namespace carom::mixed_ncp_test
