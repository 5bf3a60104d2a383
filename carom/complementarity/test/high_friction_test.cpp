// Friction of any size: what is called solved is, and no size of friction is in the way of a solution.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "carom/complementarity/certificate.h"
#include "carom/complementarity/cone/cone_system.h"
#include "carom/complementarity/contact_solver.h"
#include "carom/complementarity/island_certificate.h"
#include "testing/problems/problem_families.h"

namespace carom::high_friction_test {
namespace {

using families::Family;
using families::Mechanics;
using families::Random;

constexpr double frictions[] = {0, 1e-3, 1, 1e3, 1e7, 1e9, 1e11};
constexpr FrictionCone cones[] = {FrictionCone::polyhedral, FrictionCone::exact};

ContactOptions with(FrictionCone cone) {
  ContactOptions options;
  options.cone = cone;
  return options;
}

struct Solved {
  ContactSolution solution;
  Eigen::VectorXd impulse, velocity;
  double residual = 0;
  double worst_condition = 0;  // of the normal impulses, of the cones and of friction's power
};

Solved solve(const ContactProblem& problem, FrictionCone cone, const Eigen::VectorXd& start = {}) {
  Solved result;
  result.impulse.setZero(problem.u.size());
  result.velocity = result.impulse;
  const std::span<const double> warm_start(start.data(), static_cast<std::size_t>(start.size()));
  result.solution = ContactSolver().solve(problem, with(cone), warm_start, result.impulse, result.velocity);
  const SolveCertificate certificate = IslandCertifier().certify(problem, result.impulse, generators(with(cone)));
  result.residual = judged_residual(certificate, cone);
  result.worst_condition =
      std::max({certificate.normal_complementarity, certificate.cone_violation, certificate.dissipation_residual});
  return result;
}

/// Bodies that wedge one another at random, where with polygons one in a hundred may be too hard; but what is called
/// solved is.
TEST(HighFriction, IsSolvedInEveryFamilyAndBorneOut) {
  constexpr int trials = 200;
  for (const FrictionCone cone : cones) {
    for (const double friction : frictions) {
      Random random(5);
      int unsolved = 0;
      for (int trial = 0; trial < trials; ++trial) {
        const Family family = families::all[trial % 4];
        Mechanics m = families::make(family, 1 + trial % 9, random, 100);
        for (Block& block : m.blocks) block.friction = {friction, friction};
        const Solved cold = solve(m.problem(), cone);
        if (cold.solution.status != SolveStatus::solved) {
          ++unsolved;
          continue;
        }
        SCOPED_TRACE(families::name(family) + " " + std::to_string(trial) + ", friction " + std::to_string(friction));
        EXPECT_LE(cold.residual, 1e-8);
        EXPECT_LE(cold.worst_condition, 1e-8);
        const Solved warm = solve(m.problem(), cone, cold.impulse);
        EXPECT_EQ(warm.solution.status, SolveStatus::solved);
        EXPECT_LE(warm.residual, 1e-8);
        EXPECT_LE(warm.worst_condition, 1e-8);
      }
      EXPECT_LE(unsolved, friction > 100 && cone == FrictionCone::polyhedral ? 4 : 0) << friction;
    }
  }
}

/// A box of 0.5 m that rocks to rest, tilted so little that friction at its four corners has hardly a lever. With
/// enough of it they jam, and impulses are larger the flatter it lies. Slips are small beside all velocities, and
/// friction has to oppose them all the same.
TEST(HighFriction, JamsABoxThatRocksToRest) {
  constexpr double half = 0.25, mass = 125, step = 1e-3, closing = 0.018;
  for (const double tilt : {1e-3, 2.4e-5}) {
    families::Assembly assembly;
    families::FreeBody box;
    box.mass = mass;
    box.gyration.setConstant(half * std::sqrt(2.0 / 3));
    const Eigen::Matrix3d R = Eigen::AngleAxisd(-tilt, Eigen::Vector3d::UnitY()).toRotationMatrix();
    box.angular = closing / (2 * half) * Eigen::Vector3d::UnitY();
    box.linear = box.angular.cross(R * Eigen::Vector3d(half, 0, half)) - 9.81 * step * Eigen::Vector3d::UnitZ();
    assembly.bodies.push_back(box);
    for (const double x : {half, -half}) {
      for (const double y : {half, -half}) {
        families::Touch touch;
        touch.a = 0;
        touch.r_a = R * Eigen::Vector3d(x, y, -half);
        const double gap = x > 0 ? 0.3 * closing * step : 0;
        assembly.add_contact(touch, BlockKind::cone).offset = gap / step;
      }
    }
    Mechanics m = assembly.finish();
    for (const FrictionCone cone : cones) {
      for (const double friction : {0.5, 10.0, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11}) {
        // Lemke's pivots know no friction beyond.
        if (cone == FrictionCone::polyhedral && friction > 1e7) continue;
        for (Block& block : m.blocks) block.friction = {friction, friction};
        const Solved rocking = solve(m.problem(), cone);
        SCOPED_TRACE(std::to_string(tilt) + ", friction " + std::to_string(friction));
        EXPECT_EQ(rocking.solution.status, SolveStatus::solved);
        EXPECT_LE(rocking.residual, 1e-8);
        EXPECT_LE(rocking.worst_condition, 1e-8);
      }
    }
  }
}

/// A body between two walls that push it a million times harder than what stops it. That excuses neither a slip nor a
/// wall that it goes into. The natural map, which is relative to the pushes, hardly notices either.
TEST(HighFriction, CountsNoVelocityBesideItsImpulses) {
  constexpr double push = 1e6, error = 1e-6;
  Eigen::Matrix<double, 6, 3> J;
  J << Eigen::Matrix3d::Identity(), -Eigen::Matrix3d::Identity();
  const Eigen::MatrixXd A = J * J.transpose();
  const Eigen::VectorXd u = J * Eigen::Vector3d(0.3, 0, -1);
  std::vector<Block> blocks(2);
  for (int i = 0; i < 2; ++i) {
    Block& block = blocks[static_cast<std::size_t>(i)];
    block.kind = BlockKind::cone;
    block.row = 3 * i;
    block.friction = {1, 1};
  }
  const ContactProblem problem{A, u, blocks};
  ConeSystem system;
  system.prepare(problem);
  Eigen::VectorXd p(6);
  p << -0.3, 0, push + 1, 0, 0, push;
  const auto residual = [&](const Eigen::VectorXd& impulse) {
    const Eigen::VectorXd w = u + A * impulse;
    return system.residual(impulse.data(), w.data());
  };
  EXPECT_LE(residual(p), 1e-10);
  for (const int row : {0, 2}) {
    Eigen::VectorXd wrong = p;
    wrong(row) -= error;
    EXPECT_GE(residual(wrong), 0.05 * error);
    EXPECT_LE(certify(problem, wrong, 0).natural_map, 1e-11);
  }
}

/// A ball that slides and falls onto the ground: enough friction stops both, and the impulse is known.
TEST(HighFriction, StopsWhatSlides) {
  const Eigen::Matrix3d A = Eigen::Vector3d(3.5, 3.5, 1).asDiagonal();
  const Eigen::Vector3d u(7, 0, -1);
  for (const FrictionCone cone : cones) {
    for (const double friction : frictions) {
      std::vector<Block> blocks(1);
      blocks[0].kind = BlockKind::cone;
      blocks[0].friction = {friction, friction};
      const Solved ball = solve({A, u, blocks}, cone);
      EXPECT_EQ(ball.solution.status, SolveStatus::solved);
      EXPECT_LE(ball.residual, 1e-8);
      EXPECT_NEAR(ball.impulse(2), 1, 1e-8) << friction;
      EXPECT_NEAR(ball.impulse(0), -std::min(friction, 2.0), 1e-8) << friction;
    }
  }
}

/// A ball on rails, which may have any friction along and little across. Slip across is slowed by that much, whatever
/// the friction along them.
TEST(HighFriction, AlongOneAxisLeavesTheOtherAsItIs) {
  const Eigen::Matrix3d A = Eigen::Vector3d(3.5, 3.5, 1).asDiagonal();
  for (const FrictionCone cone : cones) {
    for (const double along : {1.0, 1e3, 1e5, 1e7, 1e9}) {
      for (const bool turned : {false, true}) {
        SCOPED_TRACE(std::to_string(along) + (turned ? ", turned" : ""));
        const int across = turned ? 0 : 1;
        Eigen::Vector3d u(0, 0, -1);
        u(across) = 7;
        std::vector<Block> blocks(1);
        blocks[0].kind = BlockKind::cone;
        blocks[0].friction.setConstant(along);
        blocks[0].friction(across) = 0.5;
        const Solved ball = solve({A, u, blocks}, cone);
        EXPECT_EQ(ball.solution.status, SolveStatus::solved);
        EXPECT_LE(ball.residual, 1e-8);
        EXPECT_NEAR(ball.impulse(2), 1, 1e-8);
        EXPECT_NEAR(ball.impulse(across), -0.5, 1e-8);
        EXPECT_NEAR(ball.impulse(1 - across), 0, 1e-8);
      }
    }
  }
}

/// Whatever the friction and the round-off of the slip, no impulse is no solution of a contact that closes.
TEST(HighFriction, ExcusesNoContactThatCloses) {
  const Eigen::Matrix3d A = Eigen::Matrix3d::Identity();
  for (const double friction : frictions) {
    std::vector<Block> blocks(1);
    blocks[0].kind = BlockKind::cone;
    blocks[0].friction = {friction, friction};
    for (const double slip : {0.0, 1e-17, 1e-12, 1e-3}) {
      const Eigen::Vector3d u(slip, 0, -1e-2);
      EXPECT_GE(certify({A, u, blocks}, Eigen::Vector3d::Zero(), 0).natural_map, 1e-3) << friction << " " << slip;
      EXPECT_GE(certify({A, u, blocks}, Eigen::Vector3d::Zero(), 8).normal_complementarity, 1e-3);
      // Nor is one that slides, as if it had hardly a normal impulse, while the contact closes.
      const Eigen::Vector3d sliding(-0.5 * slip, 0, friction > 0 ? 0.5 * slip / friction : 0);
      EXPECT_GE(certify({A, u, blocks}, sliding, 0).natural_map, 1e-3) << friction << " " << slip;
    }
  }
}

/// A contact that sticks is judged by its slip, not by what so much friction could take from it.
TEST(HighFriction, JudgesASlipThatShouldBeNoneByItsSize) {
  const Eigen::Matrix3d A = Eigen::Matrix3d::Identity();
  const Eigen::Vector3d u(-0.3, 0, -1);
  for (const double friction : {1.0, 1e3, 1e7, 1e11}) {
    std::vector<Block> blocks(1);
    blocks[0].kind = BlockKind::cone;
    blocks[0].friction = {friction, friction};
    for (const double slip : {1e-12, 1e-5}) {
      const Eigen::Vector3d p(0.3 + slip, 0, 1);
      for (const int directions : {0, 8}) {
        const SolveCertificate certificate = certify({A, u, blocks}, p, directions);
        EXPECT_LE(certificate.dissipation_residual, 2 * slip);
        EXPECT_GE(certificate.dissipation_residual, 0.1 * slip);
        if (directions > 0) continue;
        EXPECT_LE(certificate.natural_map, 3 * slip);
        EXPECT_GE(certificate.natural_map, 0.1 * slip);
      }
    }
  }
}

}  // namespace
}  // namespace carom::high_friction_test
