// Propagative impacts as laws among the others: on mechanisms with constraints, friction that they leave out, and
// restitutions.
#include "carom/impact/propagative/propagative_law.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "carom/impact/impact_certificate.h"
#include "carom/impact/plastic.h"
#include "carom/impact/test/random_mechanisms.h"

namespace carom::propagative_law_test {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using impacts::Family;
using impacts::Impact;
using impacts::Random;
using impacts::Touch;
using impacts::World;

int trials() { return std::getenv("CAROM_LONG") != nullptr ? 2500 : 24; }

struct Result {
  ImpactOutcome outcome;
  VectorXd p, u;
};

Result elastic(const Impact& impact, const PropagativeOptions& options = {}, PlusTrace* trace = nullptr) {
  PropagativeLaw law;
  Result result{{}, VectorXd(impact.u.size()), VectorXd(impact.u.size())};
  result.outcome = law.solve(impact.problem(), options, result.p, result.u, trace);
  return result;
}

Result blend(const Impact& impact, const PropagativeOptions& options = {}) {
  PropagativeLaw law;
  Result result{{}, VectorXd(impact.u.size()), VectorXd(impact.u.size())};
  result.outcome = law.solve_blend(impact.problem(), options, result.p, result.u);
  return result;
}

/// Change of energy by a plastic impact without friction, by the complementarity problem.
double plastic_energy_change(Impact impact) {
  for (Block& block : impact.blocks) block.friction.setZero();
  PlasticLaw law;
  VectorXd p(impact.u.size()), u(impact.u.size());
  return law.solve(impact.problem(), {}, p, u).energy_change;
}

class PropagativeMechanismImpacts : public testing::TestWithParam<Family> {};

TEST_P(PropagativeMechanismImpacts, KeepMomentumAndEnergyAndPushAlongNormalsAlone) {
  Random random(81);
  int resolved = 0;
  for (int trial = 0; trial < trials(); ++trial) {
    SCOPED_TRACE(trial);
    const impacts::Surface surface{random.uniform(0, 0.8), random.uniform(0, 1)};
    const Impact impact = impacts::random_world(GetParam(), random, 1 + trial % 8, surface).impact();
    PlusTrace trace;
    const Result result = elastic(impact, {}, &trace);
    std::optional<ImpactPath> path;
    if (!trace.steps.empty()) path = ImpactPath{trace.impulse, trace.velocity};
    const ImpactCertificate certificate = certify_impact(impact.problem(), result.p, result.u, path);
    EXPECT_LE(certificate.momentum_residual, 1e-11);
    EXPECT_LE(certificate.pull, 1e-11);
    EXPECT_LE(certificate.energy_gain, 1e-10);
    for (const Block& block : impact.blocks) {
      EXPECT_EQ(block.kind == BlockKind::cone ? result.p.segment<2>(block.row).norm() : 0, 0);
    }
    if (result.outcome.status != ImpactStatus::resolved) continue;
    ++resolved;
    EXPECT_LE(certificate.approach, 1e-9);
    EXPECT_LE(certificate.bilateral, 1e-9);
    EXPECT_LE(certificate.path_residual.value_or(0), 1e-10);
    EXPECT_EQ(trace.steps.size(), static_cast<std::size_t>(result.outcome.rounds));
    EXPECT_NEAR(impact.kinetic_energy(impact.after(result.p)) / impact.kinetic_energy(impact.v), 1, 1e-10);
  }
  EXPECT_GT(resolved, trials() / 2);
}

/// (16): of what a plastic impact loses, which the complementarity problem says by itself, 1 − e² is lost.
TEST_P(PropagativeMechanismImpacts, BlendsLoseTheirShareOfWhatAPlasticImpactLoses) {
  Random random(82);
  for (int trial = 0; trial < trials(); ++trial) {
    SCOPED_TRACE(trial);
    const double e = random.uniform(0, 1);
    const Impact impact = impacts::random_world(GetParam(), random, 1 + trial % 8, {0.4, e}).impact();
    if (elastic(impact).outcome.status != ImpactStatus::resolved) continue;
    const double plastic = plastic_energy_change(impact), scale = impact.kinetic_energy(impact.v);
    PropagativeOptions energies;
    energies.reading = EnergyReading::energies;
    const Result speeds = blend(impact), other = blend(impact, energies);
    EXPECT_NEAR(speeds.outcome.energy_change, (1 - e * e) * plastic, 1e-8 * scale);
    EXPECT_NEAR(other.outcome.energy_change, (1 - e) * plastic, 1e-8 * scale);
    for (const Result& result : {speeds, other}) {
      EXPECT_TRUE(certify_impact(impact.problem(), result.p, result.u).holds(1e-8));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Each, PropagativeMechanismImpacts, testing::ValuesIn(impacts::families),
                         [](const auto& info) { return impacts::family_name(info.param); });

/// Constraints bend the kinetic metric: the same impact in coordinates of the motions that they allow.
TEST(PropagativeLaw, ConstrainedMechanismsAreThoseOfTheirFreeMotions) {
  Random random(83);
  int compared = 0;
  for (int trial = 0; trial < 200; ++trial) {
    SCOPED_TRACE(trial);
    const Impact impact = impacts::random_world(Family::chains, random, 2 + trial % 3, {0, 1}).impact();
    std::vector<int> bilateral, normals;
    for (const Block& block : impact.blocks) {
      (block.kind == BlockKind::bilateral ? bilateral : normals).push_back(block.normal_row());
    }
    const MatrixXd N = impact.J(bilateral, Eigen::all).fullPivLu().kernel();
    const MatrixXd M = N.transpose() * impact.W.inverse() * N, J = impact.J(normals, Eigen::all) * N;
    const MatrixXd A = J * M.ldlt().solve(J.transpose());
    const NormalImpact free = normal_impact(0.5 * (A + A.transpose()), impact.u(normals));
    ElasticOptions options;
    options.rule = ResetRule::priority;
    const ElasticOutcome expected = elastic_impact(free, options);
    PropagativeOptions first;
    first.order = ResetOrder::first;
    const Result result = elastic(impact, first);
    ASSERT_EQ(result.outcome.status == ImpactStatus::resolved, expected.status == ElasticStatus::feasible);
    if (result.outcome.rounds > 200) continue;  // hundreds of reflections make much of round-off
    ++compared;
    EXPECT_LE((result.u(normals) - expected.velocity).norm(), 1e-9 * (1 + impact.u.norm()));
    EXPECT_EQ(result.outcome.rounds, static_cast<int>(expected.sequence.size()));
  }
  EXPECT_GT(compared, 150);
}

/// Random clusters of spheres: the order of contacts decides the outcome, and reading the list from its end is reading
/// the reversed list.
TEST(PropagativeLaw, LastIsFirstOfTheReversedList) {
  Random random(84);
  int different = 0;
  for (int trial = 0; trial < 100; ++trial) {
    World world = impacts::random_world(Family::spheres, random, 4, {0, 1});
    World reversed = world;
    std::reverse(reversed.touches.begin(), reversed.touches.end());
    PropagativeOptions first, last;
    first.order = ResetOrder::first;
    last.order = ResetOrder::last;
    const Impact impact = world.impact(), other = reversed.impact();
    const Result here = elastic(impact, first), there = elastic(other, last), opposite = elastic(impact, last);
    EXPECT_LE((impact.after(here.p) - other.after(there.p)).norm(), 1e-9 * impact.v.norm());
    if ((here.u - opposite.u).norm() > 1e-6 * impact.u.norm()) ++different;
  }
  EXPECT_GT(different, 5);
}

/// A ball between two walls that meet it from opposite sides, thrown at both by moving them together: no end of resets.
TEST(PropagativeLaw, AWedgedBallIsEndedWithoutRestitution) {
  MatrixXd A(2, 2);
  A << 1, -1, -1, 1;
  const VectorXd u = VectorXd::Constant(2, -1);  // both walls close in: nothing can satisfy them
  std::vector<Block> blocks(2);
  blocks[0].kind = blocks[1].kind = BlockKind::unilateral;
  blocks[1].row = 1;
  const std::vector<ImpactSurface> surfaces(2, ImpactSurface{ConstantRestitution{1}, 1, 1.5});
  PropagativeLaw law;
  PropagativeOptions options;
  options.most_resets = 1000;
  VectorXd p(2), after(2);
  const ImpactOutcome outcome = law.solve({A, u, blocks, surfaces}, options, p, after);
  EXPECT_EQ(outcome.status, ImpactStatus::inconsistent);
  EXPECT_GT(outcome.residual, 0.1);
  EXPECT_TRUE(p.allFinite() && after.allFinite());
}

/// The budget ends with a projection, which leaves nothing that approaches and gains no energy.
TEST(PropagativeLaw, ASpentBudgetStopsWhatIsLeft) {
  const double opening = 1e-3;  // of the corner: π / opening resets at most
  MatrixXd A(2, 2);
  A << 1, -std::cos(opening), -std::cos(opening), 1;
  VectorXd u(2);
  u << -0.3, -1e-4;
  std::vector<Block> blocks(2);
  blocks[0].kind = blocks[1].kind = BlockKind::unilateral;
  blocks[1].row = 1;
  const std::vector<ImpactSurface> surfaces(2, ImpactSurface{ConstantRestitution{1}, 1, 1.5});
  PropagativeLaw law;
  PropagativeOptions options;
  VectorXd p(2), after(2);
  EXPECT_EQ(law.solve({A, u, blocks, surfaces}, options, p, after).status, ImpactStatus::resolved);
  options.most_resets = 10;
  const ImpactOutcome cut = law.solve({A, u, blocks, surfaces}, options, p, after);
  EXPECT_EQ(cut.status, ImpactStatus::budget);
  EXPECT_GE(after.minCoeff(), -1e-9);
  EXPECT_LE(cut.energy_change, 1e-9);
}

/// A contact between two parts that a constraint holds together cannot be reset, and is not.
TEST(PropagativeLaw, ContactsThatConstraintsHoldTakeNoPart) {
  MatrixXd A(3, 3);  // the bilateral row is the first contact's normal; the second is at an angle to both
  A << 1, 1, 0.5, 1, 1, 0.5, 0.5, 0.5, 1;
  VectorXd u(3);
  u << 0, 0, -1;
  std::vector<Block> blocks(3);
  blocks[0].kind = BlockKind::bilateral;
  blocks[1].kind = blocks[2].kind = BlockKind::unilateral;
  blocks[1].row = 1;
  blocks[2].row = 2;
  const std::vector<ImpactSurface> surfaces(3, ImpactSurface{ConstantRestitution{1}, 1, 1.5});
  PropagativeLaw law;
  VectorXd p(3), after(3);
  EXPECT_EQ(law.solve({A, u, blocks, surfaces}, {}, p, after).status, ImpactStatus::resolved);
  EXPECT_NEAR(after(0), 0, 1e-12);
  EXPECT_NEAR(after(1), 0, 1e-12);
  EXPECT_NEAR(after(2), 1, 1e-12);
  EXPECT_EQ(p(1), 0);
}

/// Contacts of different restitution: the shares are averaged with the energy that each one's plastic impulse takes.
/// Two orthogonal contacts know nothing of one another, so the loss is that of each alone.
TEST(PropagativeLaw, RestitutionsOfOrthogonalContactsAreEachTheirOwnShare) {
  Random random(85);
  for (int trial = 0; trial < 50; ++trial) {
    MatrixXd A = MatrixXd::Zero(2, 2);
    A(0, 0) = random.uniform(0.5, 2);
    A(1, 1) = random.uniform(0.5, 2);
    VectorXd u(2);
    u << -random.uniform(0.1, 2), -random.uniform(0.1, 2);
    std::vector<Block> blocks(2);
    blocks[0].kind = blocks[1].kind = BlockKind::unilateral;
    blocks[1].row = 1;
    const double e0 = random.uniform(0, 1), e1 = random.uniform(0, 1);
    const std::vector<ImpactSurface> surfaces = {{ConstantRestitution{e0}, 1, 1.5}, {ConstantRestitution{e1}, 1, 1.5}};
    PropagativeLaw law;
    VectorXd p(2), after(2);
    const ImpactOutcome outcome = law.solve_blend({A, u, blocks, surfaces}, {}, p, after);
    const double lost = 0.5 * ((1 - e0 * e0) * u(0) * u(0) / A(0, 0) + (1 - e1 * e1) * u(1) * u(1) / A(1, 1));
    EXPECT_NEAR(outcome.energy_change, -lost, 1e-12 * (1 + lost));
  }
}

}  // namespace
}  // namespace carom::propagative_law_test
