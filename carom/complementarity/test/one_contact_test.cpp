#include "carom/complementarity/cone/one_contact.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "carom/complementarity/certificate.h"
#include "testing/problems/contact_mechanics.h"

namespace carom::one_contact_test {
namespace {

using families::Random;

int trials(int full, int subset) { return std::getenv("CAROM_LONG") != nullptr ? full : subset; }

/// Impulse of the block's own solution; u is the velocity without it.
Eigen::VectorXd solve(const Block& block, const Eigen::MatrixXd& A, const Eigen::VectorXd& u) {
  OneContact contact;
  contact.prepare(block, A.data(), static_cast<int>(A.outerStride()));
  Eigen::VectorXd p = Eigen::VectorXd::Constant(block.size(), -1);
  contact.solve(u.data(), p.data());
  return p;
}

SolveCertificate judge(const Block& block, const Eigen::MatrixXd& A, const Eigen::VectorXd& u,
                       const Eigen::VectorXd& p) {
  return certify({A, u, std::span<const Block>(&block, 1)}, p, 0);
}

Block cone(double mu_x, double mu_y) {
  Block block;
  block.kind = BlockKind::cone;
  block.friction = {mu_x, mu_y};
  return block;
}

Block random_block(Random& random) {
  Block block;
  block.kind = static_cast<BlockKind>(random.integer(0, 4));
  if (block.is_contact()) {
    block.friction = {random.uniform(0.05, 1.5), random.uniform(0.05, 1.5)};
    if (random.uniform(0, 1) < 0.4) block.friction.y() = block.friction.x();
    if (random.uniform(0, 1) < 0.1) block.friction.x() = 0;
    if (random.uniform(0, 1) < 0.1) block.friction.y() = 0;
    if (block.kind == BlockKind::ellipsoid && random.uniform(0, 1) < 0.8) block.torsion = random.uniform(0.01, 0.5);
  }
  block.offset = random.uniform(-1, 1);
  if (block.kind == BlockKind::bounded) {
    block.lower = random.uniform(-1, 0);
    block.upper = random.uniform(0, 1);
  } else if (block.kind != BlockKind::bilateral && random.uniform(0, 1) < 0.3) {
    block.floor = random.uniform(0, 1);
  }
  return block;
}

/// J M⁻¹ Jᵀ of one to three bodies' worth of random directions.
Eigen::MatrixXd random_matrix(int size, Random& random) {
  Eigen::MatrixXd J(size, size + random.integer(1, 6));
  for (Eigen::Index i = 0; i < J.size(); ++i) J.data()[i] = random.uniform(-1, 1);
  return std::pow(10.0, random.uniform(-3, 3)) * (J * J.transpose() + 0.01 * Eigen::MatrixXd::Identity(size, size));
}

TEST(OneContact, SolvesRandomBlocksOfAllKindsToRoundOff) {
  Random random(1);
  for (int trial = 0; trial < trials(100000, 20000); ++trial) {
    const Block block = random_block(random);
    const Eigen::MatrixXd A = random_matrix(block.size(), random);
    Eigen::VectorXd u(block.size());
    for (double& entry : u) entry = random.uniform(-2, 2);
    const Eigen::VectorXd p = solve(block, A, u);
    const SolveCertificate certificate = judge(block, A, u, p);
    // Round-off of the terms of u + A p, as impulses and relative to the solution.
    const double terms = (A.cwiseAbs() * p.cwiseAbs() + u.cwiseAbs()).maxCoeff() / (A.trace() / block.size());
    const double round_off = p.norm() > 0 ? 1e-14 * std::max(1.0, terms / p.norm()) : 1e-14;
    ASSERT_LE(certificate.natural_map, round_off) << "trial " << trial;
    ASSERT_LE(certificate.cone_violation, 1e-14) << "trial " << trial;
  }
}

TEST(OneContact, PointMassOpensSticksAndSlidesAsInTheTextbook) {
  const double mass = 2;
  const Eigen::MatrixXd A = Eigen::MatrixXd::Identity(3, 3) / mass;
  EXPECT_EQ(solve(cone(0.5, 0.5), A, Eigen::Vector3d(1, 0, 0.1)), Eigen::Vector3d::Zero());
  const Eigen::Vector3d stick = solve(cone(0.5, 0.5), A, Eigen::Vector3d(0.3, 0.3, -1));
  EXPECT_NEAR((stick - mass * Eigen::Vector3d(-0.3, -0.3, 1)).norm(), 0, 1e-15);
  const Eigen::Vector3d slide = solve(cone(0.5, 0.5), A, Eigen::Vector3d(3, 4, -1));
  EXPECT_NEAR((slide - mass * Eigen::Vector3d(-0.5 * 0.6, -0.5 * 0.8, 1)).norm(), 0, 1e-14);
}

TEST(OneContact, RotatesWithTheFrame) {
  Random random(2);
  for (int trial = 0; trial < 1000; ++trial) {
    const Eigen::MatrixXd A = random_matrix(3, random);
    const Eigen::Vector3d u = random.vector(1);
    const double mu = random.uniform(0.1, 1), angle = random.uniform(0, 6);
    Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
    R.topLeftCorner<2, 2>() << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
    const Eigen::MatrixXd turned = R * A * R.transpose();
    const Eigen::Vector3d p = solve(cone(mu, mu), A, u), q = solve(cone(mu, mu), turned, R * u);
    // Beyond Painlevé's limit several solutions may exist, of which round-off may pick another.
    if (A(2, 2) < mu * A.topRightCorner<2, 1>().norm()) continue;
    EXPECT_LE((R * p - q).norm(), 1e-11 * p.norm()) << trial;
  }
}

TEST(OneContact, AnswersSingularBlocks) {
  Random random(3);
  for (int trial = 0; trial < 5000; ++trial) {
    // One degree of freedom, or two: what moves lies in the range of A.
    const int freedom = random.integer(1, 2);
    Eigen::MatrixXd J(3, freedom);
    for (Eigen::Index i = 0; i < J.size(); ++i) J.data()[i] = random.uniform(-1, 1);
    if (random.uniform(0, 1) < 0.5) J.row(random.integer(0, 1)).setZero();
    Eigen::VectorXd v(freedom);
    for (double& entry : v) entry = random.uniform(-1, 1);
    const Eigen::MatrixXd A = J * J.transpose();
    const Eigen::VectorXd u = J * v;
    const Block block = cone(0.3, 0.3);
    const Eigen::VectorXd p = solve(block, A, u);
    ASSERT_TRUE(p.allFinite()) << trial;
    // A rod that one freedom lets only slide into the ground, jammed, has no solution: its Delassus entry along the
    // cone is negative. Everything else is solved.
    double least = 1;
    for (int i = 0; i < 360; ++i) {
      const double a = i * 0.0174532925;
      least = std::min(least, A.row(2).dot(Eigen::Vector3d(0.3 * std::cos(a), 0.3 * std::sin(a), 1)));
    }
    if (least > 1e-3) {
      ASSERT_LE(judge(block, A, u, p).natural_map, 1e-11) << trial;
    }
  }
}

TEST(OneContact, TakesFrictionFromNoneToAnyAmount) {
  Random random(4);
  for (const double mu : {0.0, 1e-12, 1e-6, 1e3, 1e6}) {
    for (int trial = 0; trial < 200; ++trial) {
      // Without coupling between normal and tangent, so that high friction does not jam.
      Eigen::MatrixXd A = random_matrix(3, random);
      A.col(2).head<2>().setZero();
      A.row(2).head<2>().setZero();
      const Eigen::Vector3d u = random.vector(1);
      const Eigen::VectorXd p = solve(cone(mu, mu), A, u);
      ASSERT_TRUE(p.allFinite());
      // The natural map multiplies the round-off of the slip by μ.
      EXPECT_LE(judge(cone(mu, mu), A, u, p).natural_map, 1e-13 * std::max(1.0, mu)) << mu;
      if (mu == 0) {
        EXPECT_EQ(p.head<2>().norm(), 0);
      }
    }
  }
}

TEST(OneContact, LeavesBlocksThatNothingMovesAlone) {
  for (const BlockKind kind : {BlockKind::bilateral, BlockKind::bounded, BlockKind::unilateral, BlockKind::cone}) {
    Block block;
    block.kind = kind;
    block.friction = kind == BlockKind::cone ? Eigen::Vector2d(0.5, 0.5) : Eigen::Vector2d(0, 0);
    const Eigen::MatrixXd A = Eigen::MatrixXd::Zero(block.size(), block.size());
    EXPECT_EQ(solve(block, A, Eigen::VectorXd::Constant(block.size(), -1)).norm(), 0);
    EXPECT_EQ(solve(block, A, Eigen::VectorXd::Constant(block.size(), 1)).norm(), 0);
  }
}

TEST(OneContact, FloorsHoldWhateverTheVelocity) {
  Block block = cone(0.4, 0.4);
  block.floor = 3;
  const Eigen::MatrixXd A = Eigen::MatrixXd::Identity(3, 3);
  // Leaving: the floor is paid, and friction is that of the floor.
  const Eigen::Vector3d leaving = solve(block, A, Eigen::Vector3d(5, 0, 1));
  EXPECT_NEAR((leaving - Eigen::Vector3d(-1.2, 0, 3)).norm(), 0, 1e-14);
  // Coming in faster than the floor stops.
  const Eigen::Vector3d coming = solve(block, A, Eigen::Vector3d(0, -5, -7));
  EXPECT_NEAR((coming - Eigen::Vector3d(0, 2.8, 7)).norm(), 0, 1e-13);
}

TEST(OneContact, MeasuresAsTheCertificateDoes) {
  Random random(5);
  for (int trial = 0; trial < 2000; ++trial) {
    Block block = random_block(random);
    const Eigen::MatrixXd A = random_matrix(block.size(), random);
    Eigen::VectorXd u(block.size()), p(block.size());
    for (double& entry : u) entry = random.uniform(-2, 2);
    for (double& entry : p) entry = random.uniform(-2, 2);
    for (int i = 0; i < block.size(); ++i) {  // axes without friction carry no impulse
      if (i != block.normal_row() && (i < 2 ? block.friction(i) : block.torsion) == 0) p(i) = 0;
    }
    OneContact contact;
    contact.prepare(block, A.data(), static_cast<int>(A.outerStride()));
    const Eigen::VectorXd w = u + A * p;
    const double size = p.head(std::min(3, block.size())).norm();
    EXPECT_NEAR(contact.natural_map(p.data(), w.data()) / size, judge(block, A, u, p).natural_map,
                1e-12 * (1 + w.norm() / contact.mean_diagonal() / size))
        << trial;
  }
}

}  // namespace
}  // namespace carom::one_contact_test
