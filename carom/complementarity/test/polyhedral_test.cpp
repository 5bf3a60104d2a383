#include "carom/complementarity/polyhedral/polyhedral.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "carom/complementarity/certificate.h"
#include "testing/problems/problem_families.h"

namespace carom::polyhedral_test {
namespace {

using families::Family;
using families::Mechanics;
using families::Random;

TEST(Polyhedral, SolvesEveryProblemOfAllFamilies) {
  PolyhedralSolver solver;
  const PolyhedralOptions options;
  for (const Family family : families::all) {
    Random random(100 + static_cast<int>(family));
    for (int trial = 0; trial < 500; ++trial) {
      const Mechanics mechanics = families::make(family, 1 + trial % 20, random);
      const ContactProblem problem = mechanics.problem();
      Eigen::VectorXd impulse(problem.u.size()), velocity(problem.u.size());
      const ContactSolution solution = solver.solve(problem, options, impulse, velocity);
      ASSERT_EQ(solution.status, SolveStatus::solved)
          << families::name(family) << " " << trial << ": " << status_name(solution.status) << " " << solution.residual;
      const SolveCertificate certificate = certify(problem, impulse, options.directions);
      EXPECT_LE(certificate.normal_complementarity, 1e-8) << families::name(family) << " " << trial;
      EXPECT_LE(certificate.cone_violation, 1e-8) << families::name(family) << " " << trial;
      EXPECT_LE(certificate.dissipation_residual, 1e-8) << families::name(family) << " " << trial;
      const double energy = 0.5 * mechanics.v.dot(mechanics.M * mechanics.v);
      EXPECT_LE(certificate.contact_work, 1e-12 * energy) << families::name(family) << " " << trial;
    }
  }
}

/// A step keeps impulses of a solve that stopped short by their residual.
TEST(Polyhedral, ASolveThatStopsShortTellsItsResidual) {
  Random random(31);
  PolyhedralSolver solver;
  PolyhedralOptions options;
  options.lcp.max_pivots = 1;
  for (int trial = 0; trial < 20; ++trial) {
    const Mechanics m = families::make(Family::stack, 8 + trial, random);
    Eigen::VectorXd impulse(m.u.size()), velocity(m.u.size()), v_plus(m.v.size());
    for (const bool mixed : {false, true}) {
      const ContactSolution solution = mixed ? solver.solve_mixed(m.M, m.J, m.v, m.blocks, options, impulse, v_plus)
                                             : solver.solve(m.problem(), options, impulse, velocity);
      EXPECT_EQ(solution.status, SolveStatus::iteration_limit);
      EXPECT_GT(solution.residual, options.lcp.residual_tolerance);
      EXPECT_EQ(solution.tolerance, 0);
    }
  }
}

Mechanics permuted(const Mechanics& m, const std::vector<int>& order) {
  Mechanics result = m;
  for (std::size_t b = 0; b < order.size(); ++b) {
    result.blocks[b] = m.blocks[order[b]];
    result.blocks[b].row = 3 * static_cast<int>(b);
    result.J.middleRows<3>(3 * b) = m.J.middleRows<3>(3 * order[b]);
    result.u.segment<3>(3 * b) = m.u.segment<3>(3 * order[b]);
    for (std::size_t c = 0; c < order.size(); ++c) {
      result.A.block<3, 3>(3 * b, 3 * c) = m.A.block<3, 3>(3 * order[b], 3 * order[c]);
    }
  }
  return result;
}

TEST(Polyhedral, IsFreeOfTheOrderOfBlocks) {
  Random random(21);
  PolyhedralSolver solver;
  for (int trial = 0; trial < 200; ++trial) {
    const Mechanics m = families::make(Family::full_rank, 2 + trial % 12, random);
    std::vector<int> order(m.blocks.size());
    for (std::size_t b = 0; b < order.size(); ++b) order[b] = static_cast<int>(b);
    for (std::size_t b = order.size() - 1; b > 0; --b)
      std::swap(order[b], order[random.integer(0, static_cast<int>(b))]);
    const Mechanics other = permuted(m, order);
    Eigen::VectorXd p(m.u.size()), v(m.u.size()), p_other(m.u.size()), v_other(m.u.size());
    ASSERT_EQ(solver.solve(m.problem(), {}, p, v).status, SolveStatus::solved);
    ASSERT_EQ(solver.solve(other.problem(), {}, p_other, v_other).status, SolveStatus::solved);
    for (std::size_t b = 0; b < order.size(); ++b) {
      EXPECT_LE((v_other.segment<3>(3 * b) - v.segment<3>(3 * order[b])).norm(), 1e-8) << trial;
    }
  }
}

TEST(Polyhedral, MixedFormAgreesWithThePureOne) {
  Random random(22);
  PolyhedralSolver pure, mixed;
  for (int trial = 0; trial < 200; ++trial) {
    const Mechanics m = families::make(families::all[trial % 4], 1 + trial % 10, random);
    Eigen::VectorXd p(m.u.size()), velocity(m.u.size()), p_mixed(m.u.size()), v_plus(m.v.size());
    ASSERT_EQ(pure.solve(m.problem(), {}, p, velocity).status, SolveStatus::solved);
    const ContactSolution solution = mixed.solve_mixed(m.M, m.J, m.v, m.blocks, {}, p_mixed, v_plus);
    ASSERT_EQ(solution.status, SolveStatus::solved);
    EXPECT_LE(certify(m.problem(), p_mixed, 8).dissipation_residual, 1e-8);
    const Eigen::VectorXd momentum = m.M * (v_plus - m.v) - m.J.transpose() * p_mixed;
    EXPECT_LE(momentum.norm(), 1e-11 * (1 + p_mixed.norm()));
    const Eigen::VectorXd v_pure = m.v + m.M.llt().solve(m.J.transpose() * p);
    EXPECT_LE((v_plus - v_pure).norm(), 1e-9 * (1 + v_pure.norm()))
        << families::name(families::all[trial % 4]) << trial;
  }
}

TEST(Polyhedral, HasTheSizeOfThePaper) {
  Random random(23);
  PolyhedralSolver solver;
  const Mechanics seven = families::make(Family::full_rank, 7, random);
  Eigen::VectorXd p(21), v(21);
  EXPECT_EQ(solver.solve(seven.problem(), {}, p, v).size, 70);
  Mechanics smooth = seven;
  for (Block& block : smooth.blocks) block.friction.setZero();
  EXPECT_EQ(solver.solve(smooth.problem(), {}, p, v).size, 7);
  for (int b = 0; b < 7; ++b) EXPECT_EQ((p.segment<2>(3 * b).norm()), 0);
}

TEST(Polyhedral, GivesSeparatingContactsNoImpulseAndNoPivot) {
  Random random(24);
  PolyhedralSolver solver;
  for (int trial = 0; trial < 50; ++trial) {
    Mechanics m = families::make(Family::full_rank, 6, random);
    for (Block& block : m.blocks) {
      block.offset = 100;
      block.push_speed = 0;
    }
    Eigen::VectorXd p(18), v(18);
    const ContactSolution solution = solver.solve(m.problem(), {}, p, v);
    EXPECT_EQ(solution.status, SolveStatus::solved);
    EXPECT_EQ(solution.iterations, 0);
    EXPECT_EQ(p.norm(), 0);
    EXPECT_EQ((v - m.u).norm(), 0);
  }
}

TEST(Polyhedral, SticksBelowTheConeAndSlidesAboveIt) {
  // A point mass pressed down at 1 m/s and dragged at s. It stops if s ≤ μ along a generator, else slides at s − μ.
  PolyhedralSolver solver;
  const Eigen::Matrix3d A = Eigen::Matrix3d::Identity() / 3.0;
  std::vector<Block> blocks(1);
  blocks[0].kind = BlockKind::cone;
  blocks[0].friction = {0.6, 0.3};
  for (const int directions : {3, 4, 5, 8, 12, 16}) {
    Eigen::Matrix2Xd d;
    cone_directions(directions, d);
    for (int j = 0; j < directions; ++j) {
      for (const double factor : {0.5, 0.99, 1.01, 3.0}) {
        const Eigen::Vector2d most = blocks[0].friction.cwiseProduct(d.col(j));
        const Eigen::Vector3d u(-factor * most.x(), -factor * most.y(), -1);
        Eigen::Vector3d p, v;
        ASSERT_EQ(solver.solve({A, u, blocks}, {directions, {}}, p, v).status, SolveStatus::solved);
        EXPECT_NEAR(p.z(), 3, 1e-14);
        // Round-off of p, which is 3, and of the sum of generators that makes it.
        const double round_off = 3 * directions * std::numeric_limits<double>::epsilon();
        EXPECT_LE(v.head<2>().norm(), std::max(0.0, factor - 1) * most.norm() + round_off);
        EXPECT_LE(certify({A, u, blocks}, p, directions).dissipation_residual, 1e-14);
        EXPECT_LE(certify({A, u, blocks}, p, directions).cone_violation, 1e-15);
      }
    }
  }
}

TEST(Polyhedral, GivesWhatTheFloorOwes) {
  // Two unit masses; the first owes 0.5 N s whatever its velocity, and its friction bound counts that.
  PolyhedralSolver solver;
  const Eigen::MatrixXd A = Eigen::MatrixXd::Identity(4, 4);
  std::vector<Block> blocks(2);
  blocks[0].kind = BlockKind::cone;
  blocks[0].friction = {0.4, 0.4};
  blocks[0].floor = 0.5;
  blocks[1].row = 3;
  Eigen::VectorXd p(4), v(4);
  const Eigen::Vector4d departing(1, 0, 0.1, -2);
  ASSERT_EQ(solver.solve({A, departing, blocks}, {}, p, v).status, SolveStatus::solved);
  EXPECT_LE((p - Eigen::Vector4d(-0.2, 0, 0.5, 2)).norm(), 1e-15);
  const Eigen::Vector4d pressed(1, 0, -0.7, 1);
  ASSERT_EQ(solver.solve({A, pressed, blocks}, {}, p, v).status, SolveStatus::solved);
  EXPECT_LE((p - Eigen::Vector4d(-0.28, 0, 0.7, 0)).norm(), 1e-15);
}

TEST(Polyhedral, SolvesAnisotropicAndUnilateralMixtures) {
  Random random(25);
  PolyhedralSolver solver;
  for (int trial = 0; trial < 600; ++trial) {
    Mechanics m = families::make(families::all[trial % 4], 1 + trial % 12, random);
    for (Block& block : m.blocks) {
      block.friction = {random.uniform(0, 1), random.uniform(0, 1) < 0.3 ? 0.0 : random.uniform(0, 1)};
      if (random.uniform(0, 1) < 0.2) block.friction.setZero();
    }
    const PolyhedralOptions options{3 + trial % 10, {}};
    Eigen::VectorXd p(m.u.size()), v(m.u.size());
    ASSERT_EQ(solver.solve(m.problem(), options, p, v).status, SolveStatus::solved) << trial;
    const SolveCertificate c = certify(m.problem(), p, options.directions);
    EXPECT_LE(c.normal_complementarity, 1e-8);
    EXPECT_LE(c.cone_violation, 1e-8);
    EXPECT_LE(c.dissipation_residual, 1e-8);
    EXPECT_LE((v - m.u - m.A * p).norm(), 1e-12 * (1 + v.norm()));
    for (const Block& block : m.blocks) {
      EXPECT_TRUE(p(block.normal_row()) > 0 || p.segment<2>(block.row).norm() == 0);
    }
  }
}

TEST(Polyhedral, VelocityFormAlwaysHasASolution) {
  // Anitescu and Potra (1997): with offset 0, any friction, and velocities that bodies can have.
  Random random(26);
  PolyhedralSolver solver;
  for (int trial = 0; trial < 800; ++trial) {
    Mechanics m = families::make(families::all[trial % 4], 1 + trial % 14, random);
    for (Block& block : m.blocks) {
      block.offset = 0;
      block.friction.setConstant(3);  // far beyond where sliding contacts jam
    }
    Eigen::VectorXd p(m.u.size()), v(m.u.size());
    EXPECT_EQ(solver.solve(m.problem(), {}, p, v).status, SolveStatus::solved) << trial;
  }
}

TEST(Polyhedral, ReportsAnImpossiblePushOutWithARay) {
  // One body between two walls that both overlap it: nothing can push it out of both.
  Eigen::Matrix2d A;
  A << 1, -1, -1, 1;
  const Eigen::Vector2d u(0, 0);
  std::vector<Block> blocks(2);
  blocks[1].row = 1;
  blocks[0].offset = blocks[1].offset = -1;
  PolyhedralSolver solver;
  Eigen::VectorXd p(2), v(2);
  const ContactSolution solution = solver.solve({A, u, blocks}, {}, p, v);
  EXPECT_EQ(solution.status, SolveStatus::secondary_ray);
  EXPECT_TRUE(proves_infeasible(A, Eigen::Vector2d(-1, -1), solver.ray()));
}

TEST(ConeDirections, AreMirroredToTheBit) {
  Eigen::Matrix2Xd d;
  for (int K = 3; K <= 40; ++K) {
    cone_directions(K, d);
    for (int j = 0; j < K; ++j) {
      const long double angle = 2 * std::numbers::pi_v<long double> * j / K;
      EXPECT_NEAR(d(0, j), static_cast<double>(std::cos(angle)), 2.3e-16);
      EXPECT_NEAR(d(1, j), static_cast<double>(std::sin(angle)), 2.3e-16);
      EXPECT_TRUE(K % 2 == 1 || (d.col(j) + d.col((j + K / 2) % K)).norm() == 0) << K << " " << j;
    }
  }
}

}  // namespace
}  // namespace carom::polyhedral_test
