// The rows that flows along the impulse see: joints eliminated, normals first, friction cones round.
#include "carom/impact/impact_rows.h"

#include <gtest/gtest.h>

#include "carom/error.h"
#include "carom/impact/test/random_mechanisms.h"

namespace carom::impact_rows_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using impacts::Random;

/// Whatever P: what is scattered keeps momentum, holds the joints, and moves the contacts as v = w + B P says.
TEST(ImpactRows, AreTheSameImpactWithoutItsJoints) {
  Random random(81);
  for (int trial = 0; trial < 200; ++trial) {
    impacts::Impact impact =
        impacts::random_world(impacts::families[trial % 4], random, 1 + trial % 7, {0.4, 0.5}).impact();
    for (Block& block : impact.blocks) {
      if (block.kind == BlockKind::cone) block.friction = {random.uniform(0.1, 1), random.uniform(0.1, 1)};
      if (block.kind == BlockKind::bilateral && trial % 2 == 0) block.offset = random.uniform(-1, 1);
    }
    ImpactRows rows;
    rows.gather(impact.problem());
    const int m = rows.rows();
    const MatrixXd B = Eigen::Map<const MatrixXd>(rows.matrix(), m, m);
    EXPECT_LE((B - B.transpose()).norm(), 1e-12 * B.norm());
    VectorXd P(m), p(impact.u.size()), u(impact.u.size());
    for (double& entry : P) entry = random.uniform(-1, 1);
    rows.scatter(impact.problem(), P.data(), p, u);
    const double size = impact.u.norm() + impact.A.norm() * p.norm();
    EXPECT_LE((u - impact.u - impact.A * p).norm(), 1e-11 * size) << trial;
    const VectorXd v = Eigen::Map<const VectorXd>(rows.velocity(), m) + B * P;
    for (const Block& block : impact.blocks) {
      if (block.kind != BlockKind::bilateral) continue;
      EXPECT_NEAR(u[block.row], -block.offset, 1e-9 * size) << trial;
    }
    for (int i = 0; i < rows.contacts(); ++i) {
      const ImpactRows::Contact& contact = rows.list()[i];
      const Block& block = impact.blocks[contact.block];
      EXPECT_NEAR(v[i], u[block.normal_row()], 1e-9 * size) << trial;
      EXPECT_NEAR(P[i], p[block.normal_row()], 1e-12) << trial;
      for (int axis = 0; axis < 2; ++axis) {
        EXPECT_NEAR(v[contact.tangent + axis], block.friction[axis] * u[block.row + axis], 1e-9 * size) << trial;
        EXPECT_NEAR(P[contact.tangent + axis] * block.friction[axis], p[block.row + axis], 1e-12) << trial;
      }
    }
  }
}

TEST(ImpactRows, ContactsWithoutFrictionHaveNoTangents) {
  const impacts::Impact impact = impacts::row_of_balls({1, 2, 3}, 2, 1);
  ImpactRows rows;
  rows.gather(impact.problem());
  EXPECT_EQ(rows.contacts(), 2);
  EXPECT_EQ(rows.rows(), 2);
  for (const ImpactRows::Contact& contact : rows.list()) EXPECT_EQ(contact.tangent, -1);
  EXPECT_EQ(rows.speed(), 2);
}

TEST(CheckSizes, NamesWhatALawCannotRead) {
  impacts::Impact impact = impacts::point({0, 0, -1}, 0.3, ConstantRestitution{0});
  check_sizes(impact.problem());
  impact.surfaces[0].stiffness = 0;
  EXPECT_THROW(check_sizes(impact.problem()), Error);
  impact.surfaces[0] = {ConstantRestitution{0}, 1, 0.5};
  EXPECT_THROW(check_sizes(impact.problem()), Error);
  impact.surfaces[0].exponent = 1;
  impact.blocks[0].kind = BlockKind::ellipsoid;
  EXPECT_THROW(check_sizes(impact.problem()), Error);
  impact.blocks[0].kind = BlockKind::cone;
  impact.surfaces.clear();
  EXPECT_THROW(check_sizes(impact.problem()), Error);
}

}  // namespace
}  // namespace carom::impact_rows_test
