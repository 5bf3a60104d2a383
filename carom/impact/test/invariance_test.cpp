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
#include "carom/impact/test/layered_blows.h"

namespace carom::invariance_test {
namespace {

using layered::Blow;

/// Rows of J as T J, T turning or mirroring the tangents of every contact.
Blow transformed(const Blow& blow, layered::Random& random, bool mirror, Eigen::MatrixXd& T) {
  T = Eigen::MatrixXd::Identity(blow.u.size(), blow.u.size());
  for (const Block& block : blow.blocks) {
    if (block.kind != BlockKind::cone) continue;
    Eigen::Matrix2d R = Eigen::Rotation2Dd(mirror ? 0 : layered::uniform(random, -3, 3)).toRotationMatrix();
    if (mirror) R(1, 1) = -1;
    T.block<2, 2>(block.row, block.row) = R;
  }
  Blow other = blow;
  other.J = T * blow.J;
  other.assemble();
  return other;
}

Blow reordered(const Blow& blow, layered::Random& random, Eigen::MatrixXd& T) {
  std::vector<int> order(blow.blocks.size());
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  T = Eigen::MatrixXd::Zero(blow.u.size(), blow.u.size());
  Blow other = blow;
  other.blocks.clear();
  other.surfaces.clear();
  int row = 0;
  for (const int b : order) {
    Block block = blow.blocks[b];
    for (int i = 0; i < block.size(); ++i) T(row + i, block.row + i) = 1;
    block.row = row;
    row += block.size();
    other.blocks.push_back(block);
    other.surfaces.push_back(blow.surfaces[b]);
  }
  other.J = T * blow.J;
  other.assemble();
  return other;
}

/// Moderate friction and more freedoms than rows, so that every law has one answer.
Blow regular_blow(layered::Random& random, int contacts) {
  Blow blow;
  const int freedoms = 3 * contacts + 4;
  Eigen::MatrixXd root(freedoms, freedoms);
  for (double& entry : root.reshaped()) entry = layered::uniform(random, -1, 1);
  blow.M = root * root.transpose() + Eigen::MatrixXd::Identity(freedoms, freedoms);
  for (int i = 0; i < contacts; ++i) {
    blow.add(BlockKind::cone, layered::uniform(random, 0, 0.3));
    blow.surfaces.back().stiffness = std::pow(10.0, layered::uniform(random, -1, 1));
  }
  blow.J.resize(3 * contacts, freedoms);
  for (double& entry : blow.J.reshaped()) entry = layered::uniform(random, -1, 1);
  blow.v.resize(freedoms);
  for (double& entry : blow.v) entry = layered::uniform(random, -1, 1);
  blow.set_restitution(layered::uniform(random, 0.2, 1));
  blow.assemble();
  return blow;
}

template <typename Law, typename Options>
void expect_same_world(const Options& options, double tolerance) {
  layered::Random random(21);
  Law law;
  int compared = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const Blow blow = regular_blow(random, 1 + trial % 5);
    const auto k = blow.u.size();
    Eigen::VectorXd p(k), after(k), other_p(k), other_after(k);
    if (law.solve(blow.problem(), options, p, after).status != ImpactStatus::resolved) continue;
    Eigen::MatrixXd T;
    const Blow others[] = {transformed(blow, random, false, T), transformed(blow, random, true, T),
                           reordered(blow, random, T)};
    for (const Blow& other : others) {
      T = other.J * blow.J.transpose() * (blow.J * blow.J.transpose()).inverse();
      if (law.solve(other.problem(), options, other_p, other_after).status != ImpactStatus::resolved) continue;
      SCOPED_TRACE("trial " + std::to_string(trial) + ", world " + std::to_string(&other - others));
      EXPECT_LE((other_after - T * after).cwiseAbs().maxCoeff(), tolerance * blow.u.cwiseAbs().maxCoeff());
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
