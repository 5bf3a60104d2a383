// The order of methods for problems in factors, and each of them by itself, judged by the certificate, which has no
// code of theirs.

#include "carom/complementarity/factored/factored_solver.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numeric>
#include <vector>

#include "carom/complementarity/factored/augmented_lagrangian.h"
#include "carom/complementarity/factored/cone_interior.h"
#include "carom/complementarity/factored/factored_problem.h"
#include "carom/complementarity/factored/nonmonotone_newton.h"
#include "carom/complementarity/factored/proximal_rounds.h"
#include "carom/complementarity/test/factored_problems.h"

namespace carom::factored_test {
namespace {

using families::Family;
using families::Mechanics;
using families::Random;

constexpr double loose = 1e-6;

struct Solved {
  ContactSolution solution;
  Eigen::VectorXd p, u;
};

Solved solve(const Mechanics& m, const ContactFactors& G, const FactoredOptions& options) {
  Solved all{{}, Eigen::VectorXd(m.u.size()), Eigen::VectorXd(m.u.size())};
  all.solution = FactoredSolver().solve({G, m.u, m.blocks}, options, {}, all.p, all.u);
  return all;
}

bool all_known(const Mechanics& m, int directions) {
  return std::all_of(m.blocks.begin(), m.blocks.end(),
                     [&](const Block& block) { return FactoredProblem::knows(block, directions); });
}

/// Bilateral rows, limits, dry friction, ellipsoids and polygons among them, for which some of the methods are not
/// made.
TEST(FactoredSolver, SolvesToTheToleranceThatItTells) {
  Random random(701);
  int solved = 0, count = 0;
  for (const Family family : families::solvable) {
    for (int trial = 0; trial < 24; ++trial) {
      const Mechanics m = families::make(family, 2 + trial, random);
      FactoredOptions options;
      options.directions = trial % 2 == 0 ? 0 : 8;
      options.enough = trial % 3 == 0 ? options.tolerance : loose;
      if (!all_known(m, options.directions)) continue;
      const Solved all = solve(m, factors_of(m), options);
      ++count;
      EXPECT_LE((all.u - m.u - m.A * all.p).norm(), 1e-11 * (m.u.norm() + (m.A.cwiseAbs() * all.p.cwiseAbs()).norm()));
      if (all.solution.status != SolveStatus::solved) continue;
      ++solved;
      EXPECT_LE(all.solution.residual, all.solution.tolerance);
      EXPECT_LE(worst(certify(m.problem(), all.p, options.directions), options.directions),
                100 * all.solution.tolerance)
          << families::name(family) << " " << trial;
    }
  }
  // The others ContactSolver hands to methods for matrices.
  EXPECT_GE(solved, 9 * count / 10) << "of " << count;
}

/// Each method alone, where friction is too low for several motions: what moves is the same.
TEST(FactoredSolver, MethodsFindTheSameVelocity) {
  Random random(702);
  int by_newton = 0, by_interior = 0, by_rounds = 0, trials = 0;
  for (int trial = 0; trial < 30; ++trial) {
    Mechanics m = families::make(Family::full_rank, 3 + trial, random);
    for (Block& block : m.blocks) block.friction = {0.2, 0.2};
    const ContactFactors G = factors_of(m);
    const ContactProblem problem{G, m.u, m.blocks};
    Eigen::VectorXd p(m.u.size()), reference(m.u.size()), u(m.u.size());
    if (by_multipliers(problem, 0, {}, p, reference).status != SolveStatus::solved) continue;
    ++trials;
    const auto agrees = [&](const ContactSolution& solution, double tolerance) {
      if (solution.status != SolveStatus::solved) return 0;
      EXPECT_LE((u - reference).lpNorm<Eigen::Infinity>(), 1e3 * tolerance * m.u.lpNorm<Eigen::Infinity>()) << trial;
      return 1;
    };
    by_newton += agrees(by_one_method(problem, 0, 1e-9, {}, p, u,
                                      [](FactoredProblem& posed, std::vector<double>& q) {
                                        return NonmonotoneNewton().run(posed, {.max_steps = 60}, q);
                                      }),
                        1e-9);
    by_interior += agrees(by_one_method(problem, 0, 1e-7, {}, p, u,
                                        [](FactoredProblem& posed, std::vector<double>& q) {
                                          return ConeInterior().run(posed, {.tolerance = 1e-7, .start = 0.1}, q);
                                        }),
                          1e-7);
    by_rounds += agrees(by_one_method(problem, 0, 1e-9, {}, p, u,
                                      [](FactoredProblem& posed, std::vector<double>& q) {
                                        return ProximalRounds().run(posed, {.max_steps = 200}, q);
                                      }),
                        1e-9);
  }
  // None of them arrives always; all of them mostly.
  EXPECT_GE(trials, 27);
  EXPECT_GE(by_newton, trials / 2);
  EXPECT_GE(by_interior, trials / 2);
  EXPECT_GE(by_rounds, trials / 2);
}

/// Solves leave nothing behind for later ones: so a run that is resumed has the same bits.
TEST(FactoredSolver, RemembersNothing) {
  Random random(704);
  FactoredSolver used;
  for (int trial = 0; trial < 20; ++trial) {
    const Mechanics m = families::make(trial % 3 == 0 ? Family::stack : Family::redundant, 4 + trial, random);
    const ContactFactors G = factors_of(m);
    FactoredOptions options;
    options.enough = trial % 2 == 0 ? loose : options.tolerance;
    options.directions = trial % 4 == 3 ? 8 : 0;
    const Solved fresh = solve(m, G, options);
    Eigen::VectorXd p(m.u.size()), u(m.u.size());
    const ContactSolution solution = used.solve({G, m.u, m.blocks}, options, {}, p, u);
    EXPECT_EQ(p, fresh.p) << trial;
    EXPECT_EQ(solution.iterations, fresh.solution.iterations) << trial;
  }
}

/// Tangents turned about their normals, and contacts in another order: the same motion where there is but one.
TEST(FactoredSolver, TangentsAndOrderAreNobodysBusiness) {
  Random random(705);
  for (int trial = 0; trial < 20; ++trial) {
    Mechanics m = families::make(Family::full_rank, 6 + trial, random);
    for (Block& block : m.blocks) block.friction = {0.2, 0.2};
    FactoredOptions options;
    options.enough = loose;
    const Solved one = solve(m, factors_of(m), options);
    Mechanics turned = m;
    const auto count = static_cast<int>(m.blocks.size());
    std::vector<int> order(count);
    std::iota(order.begin(), order.end(), 0);
    for (int i = count - 1; i > 0; --i) std::swap(order[i], order[static_cast<int>(random.uniform(0, i + 1))]);
    Eigen::MatrixXd S = Eigen::MatrixXd::Zero(m.u.size(), m.u.size());  // rows of the other problem
    for (int i = 0; i < count; ++i) {
      const Eigen::Matrix2d turn = Eigen::Rotation2Dd(random.uniform(0, 6)).toRotationMatrix();
      const int from = m.blocks[order[i]].row, to = 3 * i;
      S.block<2, 2>(to, from) = turn;
      S(to + 2, from + 2) = 1;
      turned.blocks[i] = m.blocks[order[i]];
      turned.blocks[i].row = to;
    }
    turned.J = S * m.J;
    turned.u = S * m.u;
    turned.A = S * m.A * S.transpose();
    const Solved two = solve(turned, factors_of(turned), options);
    if (one.solution.status != SolveStatus::solved || two.solution.status != SolveStatus::solved) continue;
    EXPECT_LE((S * one.u - two.u).lpNorm<Eigen::Infinity>(), 1e3 * loose * m.u.lpNorm<Eigen::Infinity>()) << trial;
  }
}

/// High friction, and all of it with rows twice over.
TEST(FactoredSolver, TakesHighFrictionAndRepeatedContacts) {
  Random random(706);
  int solved = 0, count = 0;
  for (const double mu : {2.0, 10.0, 80.0}) {
    for (int trial = 0; trial < 12; ++trial) {
      Mechanics m = families::make(trial % 2 == 0 ? Family::redundant : Family::stack, 5 + trial, random);
      for (Block& block : m.blocks) block.friction = {mu, mu};
      FactoredOptions options;
      options.enough = loose;
      const Solved all = solve(m, factors_of(m), options);
      ++count;
      if (all.solution.status != SolveStatus::solved) continue;
      ++solved;
      EXPECT_LE(certify(m.problem(), all.p, 0).natural_map, 100 * all.solution.tolerance) << mu << " " << trial;
    }
  }
  EXPECT_GE(solved, 8 * count / 10) << "of " << count;
}

/// Rows of one direction on one body that contradict one another by less than the looser tolerance. Together they bear
/// the load at either tolerance. At the strict one the row that asks for most bears all of it.
TEST(FactoredSolver, SolvesContradictionsToTheToleranceAsked) {
  constexpr int count = 6;
  const EqualRows rows(count, 1e-7);
  const std::vector<double> start(count, 0.5 / count);
  const ContactProblem problem = rows.problem();
  Eigen::VectorXd p(count), w(count);
  FactoredOptions options;
  const ContactSolution strict = FactoredSolver().solve(problem, options, start, p, w);
  ASSERT_EQ(strict.status, SolveStatus::solved);
  EXPECT_LE(certify(problem, p, 0).natural_map, 1e-9);
  EXPECT_NEAR(p[0], 1, 1e-6);
  options.enough = 1e-5;
  const ContactSolution enough = FactoredSolver().solve(problem, options, start, p, w);
  ASSERT_EQ(enough.status, SolveStatus::solved);
  EXPECT_LE(certify(problem, p, 0).natural_map, 1e-5);
  EXPECT_LE(enough.residual, enough.tolerance);
  EXPECT_NEAR(p.sum(), 1, 1e-4);
}

TEST(ConeInterior, LeavesWhatItDoesNotKnow) {
  Random random(707);
  const auto known = [](const Mechanics& m, int directions) {
    FactoredProblem posed;
    const ContactFactors G = factors_of(m);
    posed.pose({G, m.u, m.blocks}, directions);
    return ConeInterior::knows(posed, directions);
  };
  Mechanics m = families::make(Family::redundant, 6, random);
  EXPECT_TRUE(known(m, 0));
  EXPECT_FALSE(known(m, 8));
  m.blocks[2].floor = 0.1;
  EXPECT_FALSE(known(m, 0));
  EXPECT_FALSE(known(families::make(Family::torsion, 6, random), 0));
}

/// Far from every start it comes near, stacks of redundant contacts included: that is what it is for.
TEST(ConeInterior, ComesNearFromNothing) {
  Random random(708);
  int near = 0, count = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const Mechanics m = families::make(trial % 2 == 0 ? Family::stack : Family::redundant, 4 + trial, random);
    const ContactFactors G = factors_of(m);
    Eigen::VectorXd p(m.u.size()), u(m.u.size());
    ConeInteriorOptions options;
    options.start = 0.3;
    const ContactSolution solution = by_one_method(
        {G, m.u, m.blocks}, 0, options.tolerance, {}, p, u,
        [&](FactoredProblem& posed, std::vector<double>& q) { return ConeInterior().run(posed, options, q); });
    ++count;
    if (solution.status != SolveStatus::solved) continue;
    ++near;
    EXPECT_LE(certify(m.problem(), p, 0).natural_map, 10 * options.tolerance) << trial;
  }
  EXPECT_GE(near, count / 2);
}

}  // namespace
}  // namespace carom::factored_test
