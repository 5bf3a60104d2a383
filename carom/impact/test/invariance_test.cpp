// A world that is turned, mirrored or told in another order is the same world.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <numeric>
#include <string>

#include "carom/impact/compliant_impact.h"
#include "carom/impact/lzb.h"
#include "carom/impact/newton_impact.h"
#include "carom/impact/plastic.h"
#include "carom/impact/poisson_impact.h"
#include "carom/impact/stronge.h"
#include "carom/impact/test/layered_impacts.h"

namespace carom::invariance_test {
namespace {

using layered::Impact;

/// Rows of J as T J, T turning or mirroring the tangents of every contact.
Impact transformed(const Impact& impact, layered::Random& random, bool mirror, Eigen::MatrixXd& T) {
  T = Eigen::MatrixXd::Identity(impact.u.size(), impact.u.size());
  for (const Block& block : impact.blocks) {
    if (block.kind != BlockKind::cone) continue;
    Eigen::Matrix2d R = Eigen::Rotation2Dd(mirror ? 0 : layered::uniform(random, -3, 3)).toRotationMatrix();
    if (mirror) R(1, 1) = -1;
    T.block<2, 2>(block.row, block.row) = R;
  }
  Impact other = impact;
  other.J = T * impact.J;
  other.assemble();
  return other;
}

Impact reordered(const Impact& impact, layered::Random& random, Eigen::MatrixXd& T) {
  std::vector<int> order(impact.blocks.size());
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  T = Eigen::MatrixXd::Zero(impact.u.size(), impact.u.size());
  Impact other = impact;
  other.blocks.clear();
  other.surfaces.clear();
  int row = 0;
  for (const int b : order) {
    Block block = impact.blocks[b];
    for (int i = 0; i < block.size(); ++i) T(row + i, block.row + i) = 1;
    block.row = row;
    row += block.size();
    other.blocks.push_back(block);
    other.surfaces.push_back(impact.surfaces[b]);
  }
  other.J = T * impact.J;
  other.assemble();
  return other;
}

/// Moderate friction and more freedoms than rows, so that every law has one answer.
Impact regular_impact(layered::Random& random, int contacts) {
  Impact impact;
  const int freedoms = 3 * contacts + 4;
  Eigen::MatrixXd root(freedoms, freedoms);
  for (double& entry : root.reshaped()) entry = layered::uniform(random, -1, 1);
  impact.M = root * root.transpose() + Eigen::MatrixXd::Identity(freedoms, freedoms);
  for (int i = 0; i < contacts; ++i) {
    impact.add(BlockKind::cone, layered::uniform(random, 0, 0.3));
    impact.surfaces.back().stiffness = std::pow(10.0, layered::uniform(random, -1, 1));
  }
  impact.J.resize(3 * contacts, freedoms);
  for (double& entry : impact.J.reshaped()) entry = layered::uniform(random, -1, 1);
  impact.v.resize(freedoms);
  for (double& entry : impact.v) entry = layered::uniform(random, -1, 1);
  impact.set_restitution(layered::uniform(random, 0.2, 1));
  impact.assemble();
  return impact;
}

template <typename Law, typename Options>
void expect_same_world(const Options& options, double tolerance) {
  layered::Random random(21);
  Law law;
  int compared = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const Impact impact = regular_impact(random, 1 + trial % 5);
    const auto k = impact.u.size();
    Eigen::VectorXd p(k), after(k), other_p(k), other_after(k);
    if (law.solve(impact.problem(), options, p, after).status != ImpactStatus::resolved) continue;
    Eigen::MatrixXd T;
    const Impact others[] = {transformed(impact, random, false, T), transformed(impact, random, true, T),
                             reordered(impact, random, T)};
    for (const Impact& other : others) {
      T = other.J * impact.J.transpose() * (impact.J * impact.J.transpose()).inverse();
      if (law.solve(other.problem(), options, other_p, other_after).status != ImpactStatus::resolved) continue;
      SCOPED_TRACE("trial " + std::to_string(trial) + ", world " + std::to_string(&other - others));
      EXPECT_LE((other_after - T * after).cwiseAbs().maxCoeff(), tolerance * impact.u.cwiseAbs().maxCoeff());
      ++compared;
    }
  }
  EXPECT_GT(compared, 120);
}

TEST(SameWorld, Plastic) { expect_same_world<PlasticLaw>(EndLawOptions{}, 1e-9); }
TEST(SameWorld, Newton) { expect_same_world<NewtonImpactLaw>(EndLawOptions{}, 1e-9); }
TEST(SameWorld, Poisson) { expect_same_world<PoissonImpactLaw>(EndLawOptions{}, 1e-9); }
TEST(SameWorld, Stronge) { expect_same_world<StrongeLaw>(StrongeOptions{}, 2e-5); }
TEST(SameWorld, Lzb) { expect_same_world<LzbLaw>(LzbOptions{}, 2e-5); }
TEST(SameWorld, Compliant) {
  CompliantOptions options;
  options.accuracy = 1e-8;
  expect_same_world<CompliantImpact>(options, 1e-5);
}

}  // namespace
}  // namespace carom::invariance_test
