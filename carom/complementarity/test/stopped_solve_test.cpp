// A solve can be stopped in any of its iterations, and one that is known to be in vain is not begun.

#include <gtest/gtest.h>

#include "carom/complementarity/contact_solver.h"
#include "carom/complementarity/infeasibility.h"
#include "carom/stop_signal.h"
#include "testing/problems/problem_families.h"

namespace carom::stopped_solve_test {
namespace {

using families::Family;
using families::Mechanics;
using families::Random;

constexpr FrictionCone cones[] = {FrictionCone::polyhedral, FrictionCone::exact};

ContactSolution solve(ContactSolver& solver, const ContactProblem& problem, FrictionCone cone,
                      const StopSignal* stop = nullptr) {
  ContactOptions options;
  options.cone = cone;
  options.stop = stop;
  Eigen::VectorXd p(problem.u.size()), w(problem.u.size());
  return solver.solve(problem, options, {}, p, w);
}

TEST(StoppedSolve, AsksInEveryIteration) {
  Random random(11);
  for (const FrictionCone cone : cones) {
    for (const Family family : {Family::full_rank, Family::redundant, Family::stack, Family::jammed}) {
      for (int contacts = 1; contacts <= 12; ++contacts) {
        const Mechanics m = families::make(family, contacts, random);
        long asked = 0, left = 0;
        const StopSignal never([&] { return ++asked < 0; });
        ContactSolver solver;
        const ContactSolution whole = solve(solver, m.problem(), cone, &never);
        EXPECT_GE(asked, whole.iterations) << families::name(family);
        const StopSignal later([&] { return left-- <= 0; });
        for (const double part : {0.0, 0.5, 0.99}) {
          left = static_cast<long>(part * static_cast<double>(asked));
          if (left >= asked) continue;
          EXPECT_THROW(static_cast<void>(solve(solver, m.problem(), cone, &later)), Stopped);
        }
        // A solver that was stopped solves the next problem as if it had not been.
        const ContactSolution again = solve(solver, m.problem(), cone);
        EXPECT_EQ(again.status, whole.status);
        EXPECT_EQ(again.iterations, whole.iterations);
        EXPECT_EQ(again.residual, whole.residual);
      }
    }
  }
}

/// The same where the problem falls into islands that are solved on several threads, in factors.
TEST(StoppedSolve, AsksOnEveryThread) {
  constexpr int pairs = 400;
  // Balls on the ground, each on three points: rows of x, y, z over the velocity of their ball.
  ContactFactors G;
  G.group_start.assign(1, 0);
  G.clear_rows();
  std::vector<Block> blocks;
  for (int ball = 0; ball < pairs; ++ball) {
    G.group_start.push_back(3 * (ball + 1));
    for (int point = 0; point < 3; ++point) {
      Block block;
      block.kind = BlockKind::cone;
      block.friction = {0.5, 0.5};
      block.row = static_cast<int>(3 * blocks.size());
      blocks.push_back(block);
      for (int axis = 0; axis < 3; ++axis) {
        G.group.push_back(ball);
        for (int i = 0; i < 3; ++i) G.value.push_back(i == axis ? 1 + 0.1 * point : 0.05 * point);
        G.row_start.push_back(static_cast<int>(G.group.size()));
        G.value_start.push_back(static_cast<int>(G.value.size()));
      }
    }
  }
  const Eigen::VectorXd u = Eigen::VectorXd::Constant(G.rows(), -1);
  const ContactProblem problem{ContactOperator(G), u, blocks};
  for (const FrictionCone cone : cones) {
    ContactSolver solver;
    long left = 100;
    const StopSignal stop([&] { return left-- <= 0; });
    EXPECT_THROW(static_cast<void>(solve(solver, problem, cone, &stop)), Stopped);
  }
}

/// A block that two walls press from both sides while they close in: the second solve knows it from the first.
TEST(SuspectedInfeasibility, IsAskedForFirst) {
  Eigen::MatrixXd A(3, 3);
  A << 1, -1, 0, -1, 1, 0, 0, 0, 2;
  const Eigen::Vector3d u(-1, -1, -1);
  std::vector<Block> blocks(3);
  for (int i = 0; i < 3; ++i) blocks[i].row = i;
  blocks[0].offset = blocks[1].offset = -0.5;
  const ContactProblem problem{A, u, blocks};
  for (const FrictionCone cone : cones) {
    ContactSolver solver;
    const ContactSolution first = solve(solver, problem, cone);
    ASSERT_EQ(first.status, SolveStatus::infeasible);
    const std::vector<double> dual(solver.infeasibility().begin(), solver.infeasibility().end());
    solver.suspect(dual);
    Eigen::VectorXd p(3), w(3);
    ContactOptions options;
    options.cone = cone;
    const ContactSolution second = solver.solve(problem, options, {}, p, w);
    EXPECT_EQ(second.status, SolveStatus::infeasible);
    EXPECT_LE(second.iterations, 1);  // of the island that can be solved
    EXPECT_TRUE(proves_infeasible(problem, Eigen::Map<const Eigen::VectorXd>(solver.infeasibility().data(), 3)));
    EXPECT_EQ(p(0), 0);
    EXPECT_NEAR(p(2), 0.5, 1e-12);
    // Walls that leave room again: a suspicion is no judgement, and is not kept.
    solver.suspect(dual);
    blocks[0].offset = blocks[1].offset = 2;
    EXPECT_EQ(solve(solver, {A, u, blocks}, cone).status, SolveStatus::solved);
    blocks[0].offset = blocks[1].offset = -0.5;
    EXPECT_GE(solve(solver, {A, u, blocks}, cone).iterations, first.iterations);
  }
}

}  // namespace
}  // namespace carom::stopped_solve_test
