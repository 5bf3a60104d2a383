#include "carom/complementarity/cone/cone_solver.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "carom/complementarity/certificate.h"
#include "carom/error.h"
#include "testing/allocation_count.h"
#include "testing/problems/problem_families.h"

namespace carom::cone_solver_test {
namespace {

using families::Family;
using families::Mechanics;
using families::Random;

struct Answer {
  ContactSolution solution;
  Eigen::VectorXd impulse, velocity;
};

Answer solve(const ContactProblem& problem, const ConeOptions& options = {}, const Eigen::VectorXd& start = {}) {
  ConeSolver solver;
  Answer answer{{}, Eigen::VectorXd(problem.u.size()), Eigen::VectorXd(problem.u.size())};
  const std::span<const double> from(start.data(), static_cast<std::size_t>(start.size()));
  answer.solution = solver.solve(problem, options, from, answer.impulse, answer.velocity);
  return answer;
}

/// A with eigenvalues from 1/10 to 1, and friction so low that the solution is unique.
Mechanics well_posed(int contacts, Random& random) {
  Mechanics m = families::make(Family::full_rank, contacts, random);
  for (Block& block : m.blocks) block.friction = {random.uniform(0.02, 0.1), random.uniform(0.02, 0.1)};
  return m;
}

TEST(ConeSolver, EveryMethodAloneFindsTheSameMotion) {
  Random random(31);
  for (int trial = 0; trial < 60; ++trial) {
    const Mechanics m = well_posed(1 + trial % 8, random);
    const Answer driver = solve(m.problem());
    ASSERT_EQ(driver.solution.status, SolveStatus::solved);
    for (const SolverKind method : {SolverKind::gauss_seidel, SolverKind::newton, SolverKind::proximal}) {
      ConeOptions options;
      options.method = method;
      options.tolerance = 1e-8;
      const Answer alone = solve(m.problem(), options);
      ASSERT_EQ(alone.solution.status, SolveStatus::solved) << trial << " " << solver_name(method);
      EXPECT_LE(certify(m.problem(), alone.impulse, 0).natural_map, 1e-8);
      EXPECT_LE((alone.velocity - driver.velocity).norm(), 1e-6 * (1 + driver.velocity.norm()))
          << trial << " " << solver_name(method);
    }
  }
}

TEST(ConeSolver, TurnsWithTheTangents) {
  Random random(32);
  for (int trial = 0; trial < 60; ++trial) {
    Mechanics m = well_posed(1 + trial % 10, random);
    for (Block& block : m.blocks) block.friction.setConstant(block.friction.x());
    const Answer before = solve(m.problem());
    Eigen::MatrixXd Q = Eigen::MatrixXd::Identity(m.u.size(), m.u.size());
    for (const Block& block : m.blocks) {
      const double angle = random.uniform(-std::numbers::pi, std::numbers::pi);
      Q.block<2, 2>(block.row, block.row) = Eigen::Rotation2Dd(angle).toRotationMatrix();
    }
    const Eigen::MatrixXd A = Q * m.A * Q.transpose();
    const Eigen::VectorXd u = Q * m.u;
    const Answer after = solve({A, u, m.blocks});
    ASSERT_EQ(after.solution.status, SolveStatus::solved);
    EXPECT_LE((after.impulse - Q * before.impulse).norm(), 1e-6 * before.impulse.norm()) << trial;
  }
}

TEST(ConeSolver, KnowsNoUnitsOrderOrHand) {
  Random random(33);
  for (int trial = 0; trial < 60; ++trial) {
    const Mechanics m = well_posed(2 + trial % 9, random);
    const Answer plain = solve(m.problem());
    // Units: A in other units of mass, u in others of speed.
    const double mass = random.logarithmic(-9, 9), speed = random.logarithmic(-6, 6);
    const Eigen::MatrixXd A = m.A / mass;
    const Eigen::VectorXd u = speed * m.u;
    std::vector<Block> blocks = m.blocks;
    for (Block& block : blocks) block.offset *= speed;
    const Answer scaled = solve({A, u, blocks});
    EXPECT_LE((scaled.impulse / (mass * speed) - plain.impulse).norm(), 1e-6 * plain.impulse.norm()) << trial;
    // Order and hand: contacts backwards, x of each mirrored.
    const auto n = static_cast<Eigen::Index>(m.blocks.size());
    Eigen::MatrixXd S = Eigen::MatrixXd::Zero(3 * n, 3 * n);
    for (Eigen::Index c = 0; c < n; ++c) {
      S.block<3, 3>(3 * c, 3 * (n - 1 - c)) = Eigen::Vector3d(-1, 1, 1).asDiagonal();
      blocks[static_cast<std::size_t>(c)] = m.blocks[static_cast<std::size_t>(n - 1 - c)];
      blocks[static_cast<std::size_t>(c)].row = static_cast<int>(3 * c);
    }
    const Eigen::MatrixXd mirrored_A = S * m.A * S.transpose();
    const Eigen::VectorXd mirrored_u = S * m.u;
    const Answer mirrored = solve({mirrored_A, mirrored_u, blocks});
    EXPECT_LE((mirrored.impulse - S * plain.impulse).norm(), 1e-6 * plain.impulse.norm()) << trial;
  }
}

class Product : public ContactProduct {
 public:
  explicit Product(const Eigen::MatrixXd& A) : A_(A) {}
  Eigen::Index rows() const override { return A_.rows(); }
  void multiply(const Eigen::Ref<const Eigen::VectorXd>& p, Eigen::Ref<Eigen::VectorXd> y) const override {
    y = A_ * p;
  }

 private:
  const Eigen::MatrixXd& A_;
};

TEST(ConeSolver, SolvesEveryFormOfTheOperator) {
  Random random(34);
  for (int trial = 0; trial < 40; ++trial) {
    const Family family = trial % 2 == 0 ? Family::stack : Family::torsion;
    const Mechanics m = families::make(family, 2 + trial % 9, random);
    const Eigen::SparseMatrix<double> sparse = m.A.sparseView();
    const Product product(m.A);
    const Answer dense = solve(m.problem());
    ASSERT_EQ(dense.solution.status, SolveStatus::solved);
    for (const ContactOperator& A : {ContactOperator(sparse), ContactOperator(product)}) {
      const Answer other = solve({A, m.u, m.blocks});
      ASSERT_EQ(other.solution.status, SolveStatus::solved) << trial;
      EXPECT_LE(certify(m.problem(), other.impulse, 0).natural_map, 1e-8);
    }
  }
}

/// Many balls, each on its own plane: a product that is never written out.
class Balls : public ContactProduct {
 public:
  explicit Balls(int count) : count_(count) {}
  Eigen::Index rows() const override { return 3 * count_; }
  void multiply(const Eigen::Ref<const Eigen::VectorXd>& p, Eigen::Ref<Eigen::VectorXd> y) const override {
    for (Eigen::Index c = 0; c < count_; ++c) {
      y.segment<3>(3 * c) = Eigen::Vector3d(3.5, 3.5, 1).cwiseProduct(p.segment<3>(3 * c));
    }
  }

 private:
  int count_;
};

TEST(ConeSolver, SolvesALargeProductByProductsAlone) {
  // A ball that falls with speed 1 and slips: the friction that stops its slip is s / 3.5, at most μ.
  const Balls product(600);
  ASSERT_GT(product.rows(), ConeSystem::largest_stored);
  Eigen::VectorXd u(product.rows());
  std::vector<Block> blocks(600);
  for (int c = 0; c < 600; ++c) {
    blocks[c].kind = BlockKind::cone;
    blocks[c].row = 3 * c;
    blocks[c].friction.setConstant(0.3);
    u.segment<3>(3 * c) = Eigen::Vector3d(0.01 * c, -0.002 * c, -1);
  }
  const Answer answer = solve({product, u, blocks});
  ASSERT_EQ(answer.solution.status, SolveStatus::solved);
  EXPECT_EQ(answer.solution.solver, SolverKind::proximal);
  for (int c = 0; c < 600; ++c) {
    const Eigen::Vector2d slip = u.segment<2>(3 * c);
    const double friction = std::min(slip.norm() / 3.5, 0.3);
    EXPECT_NEAR(answer.impulse(3 * c + 2), 1, 1e-7);
    EXPECT_NEAR(answer.impulse.segment<2>(3 * c).norm(), friction, 1e-7) << c;
  }
}

TEST(ConeSolver, NeedsNothingFromItsOwnSolution) {
  Random random(35);
  for (int trial = 0; trial < 60; ++trial) {
    const Mechanics m = families::make(families::all[trial % 4], 1 + trial % 20, random);
    const Answer first = solve(m.problem());
    ASSERT_EQ(first.solution.status, SolveStatus::solved);
    const Answer again = solve(m.problem(), {}, first.impulse);
    EXPECT_EQ(again.solution.status, SolveStatus::solved);
    EXPECT_EQ(again.solution.iterations, 0) << trial;
    // A misleading start costs time, not the solution.
    const Eigen::VectorXd wrong = 10 * random.uniform(-1, 1) * first.impulse.reverse();
    EXPECT_EQ(solve(m.problem(), {}, wrong).solution.status, SolveStatus::solved) << trial;
  }
}

TEST(ConeSolver, TakesNoWorkFromContacts) {
  Random random(36);
  for (int trial = 0; trial < 200; ++trial) {
    const Mechanics m = families::make(families::all[trial % 4], 1 + trial % 16, random);
    const Answer answer = solve(m.problem());
    ASSERT_EQ(answer.solution.status, SolveStatus::solved);
    const double energy = 0.5 * m.v.dot(m.M * m.v);
    const Eigen::VectorXd v = m.v + m.M.llt().solve(m.J.transpose() * answer.impulse);
    EXPECT_LE(0.5 * v.dot(m.M * v), energy * (1 + 1e-9)) << trial;
  }
}

TEST(ConeSolver, SaysInfeasibleWhereNothingHelps) {
  // A ball between two walls that both want it out.
  Eigen::MatrixXd J(6, 3);
  J << 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, -1, 0, 0, 0, -1;
  const Eigen::MatrixXd A = J * J.transpose();
  const Eigen::VectorXd u = Eigen::VectorXd::Zero(6);
  std::vector<Block> blocks(2);
  for (int c = 0; c < 2; ++c) {
    blocks[c].kind = BlockKind::cone;
    blocks[c].row = 3 * c;
    blocks[c].friction.setConstant(0.5);
    blocks[c].offset = -0.1;
  }
  EXPECT_EQ(solve({A, u, blocks}).solution.status, SolveStatus::infeasible);
}

TEST(ConeSolver, DoesNotCallSolvedWhatNothingMoves) {
  const Eigen::MatrixXd A = Eigen::MatrixXd::Zero(3, 3);
  const Eigen::Vector3d u(0, 0, -1);
  std::vector<Block> blocks(1);
  blocks[0].kind = BlockKind::cone;
  blocks[0].friction.setConstant(0.5);
  EXPECT_EQ(solve({A, u, blocks}).solution.status, SolveStatus::infeasible);
}

TEST(ConeSolver, TakesRowsWithOneBound) {
  // Ratchets: any impulse one way. Drives lose their speed, so that rest is always feasible.
  Random random(40);
  for (int trial = 0; trial < 20; ++trial) {
    Mechanics m = families::make(Family::mechanism, 2 + trial % 5, random);
    for (Block& block : m.blocks) {
      if (block.kind != BlockKind::bounded) continue;
      block.upper = std::numeric_limits<double>::infinity();
      block.offset = 0;
    }
    const Answer answer = solve(m.problem());
    ASSERT_EQ(answer.solution.status, SolveStatus::solved) << trial;
    EXPECT_LE(certify(m.problem(), answer.impulse, 0).natural_map, 1e-8);
  }
}

TEST(ConeSolver, BudgetIsKept) {
  Random random(37);
  const Mechanics m = families::make(Family::stack, 40, random);
  for (const int budget : {1, 3, 10}) {
    ConeOptions options;
    options.max_iterations = budget;
    const Answer answer = solve(m.problem(), options);
    EXPECT_LE(answer.solution.iterations, budget);
    if (answer.solution.status != SolveStatus::solved) {
      EXPECT_EQ(answer.solution.status, SolveStatus::iteration_limit);
      EXPECT_GT(answer.solution.residual, options.tolerance);
    }
  }
}

TEST(ConeSolver, RefusesAWarmStartOfAnotherSize) {
  Random random(38);
  const Mechanics m = well_posed(2, random);
  EXPECT_THROW(solve(m.problem(), {}, Eigen::VectorXd::Zero(5)), Error);
}

TEST(ConeSolver, ARepeatedSolveAllocatesNothing) {
  Random random(39);
  ConeSolver solver;
  solver.reserve(20);
  for (int trial = 0; trial < 40; ++trial) {
    const Mechanics m = families::make(families::all[trial % 4], 1 + trial % 20, random);
    Eigen::VectorXd p(m.u.size()), w(m.u.size());
    const ContactProblem problem = m.problem();
    const long before = allocation_count();
    const ContactSolution solution = solver.solve(problem, {}, {}, p, w);
    EXPECT_EQ(allocation_count(), before) << trial;
    EXPECT_EQ(solution.status, SolveStatus::solved);
  }
}

}  // namespace
}  // namespace carom::cone_solver_test
