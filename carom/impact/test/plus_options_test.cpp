#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "carom/error.h"
#include "carom/impact/impact_certificate.h"
#include "carom/impact/plus.h"
#include "carom/impact/test/random_impacts.h"
#include "testing/allocation_count.h"

namespace carom::plus_options_test {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using impacts::Impact;
using impacts::Random;

struct Result {
  ImpactOutcome outcome;
  VectorXd p, u;
};

Result strike(PlusLaw& law, const Impact& impact, const PlusOptions& options = {}, PlusTrace* trace = nullptr) {
  Result result{{}, VectorXd(impact.u.size()), VectorXd(impact.u.size())};
  result.outcome = law.solve(impact.problem(), options, result.p, result.u, trace);
  return result;
}

/// A rigid beam that lands flat on several supports in a row; frictionless.
Impact beam(const std::vector<double>& places) {
  impacts::Body body;
  body.linear = {0, 0, -1};
  std::vector<impacts::Touch> touches;
  for (const double x : places) {
    impacts::Touch touch;
    touch.kind = BlockKind::unilateral;
    touch.r_a = {x, 0, 0};
    touches.push_back(touch);
  }
  return impacts::make({body}, touches);
}

TEST(PlusOptions, StifferContactsCarryMoreWhereTheSplitIsOpen) {
  // Three supports, of which the outer two are alike. Force balance p₁ + p₂ + p₃ = 1 and moment balance p₁ = p₃ leave
  // one choice. The least Σ p²/K has p₁/K₁ = p₂/K₂; with 2 p₁ + p₂ = 1 that gives p₂ = K₂ / (2 K₁ + K₂).
  Impact impact = beam({-1, 0, 1});
  PlusLaw law;
  PlusOptions options;
  EXPECT_NEAR(strike(law, impact, options).p[1], 1.0 / 3, 1e-14);
  impact.surfaces[1].stiffness = 6;
  EXPECT_NEAR(strike(law, impact, options).p[1], 1.0 / 3, 1e-14);  // not asked for
  options.weigh_by_stiffness = true;
  const Result result = strike(law, impact, options);
  EXPECT_NEAR(result.p[1], 6.0 / 8, 1e-14);
  EXPECT_NEAR(result.p[0], 1.0 / 8, 1e-14);
  // Only ratios matter.
  for (ImpactSurface& surface : impact.surfaces) surface.stiffness *= 1e9;
  EXPECT_NEAR(strike(law, impact, options).p[1], 6.0 / 8, 1e-13);
}

TEST(PlusOptions, TheExhaustiveSearchNeverHasALongerImpulse) {
  PlusLaw law;
  Random random(51);
  PlusOptions plain, exhaustive;
  plain.intervals = exhaustive.intervals = PlusIntervals::direction_change;
  exhaustive.exhaustive = true;
  impacts::RandomKind kind;
  kind.friction = false;
  int shorter = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Impact impact = impacts::random_impact(random, random.integer(1, 5), kind);
    PlusTrace a, b;
    const Result pruned = strike(law, impact, plain, &a), searched = strike(law, impact, exhaustive, &b);
    EXPECT_LE(certify_impact(impact.problem(), searched.p, searched.u).momentum_residual, 1e-12);
    if (a.steps.empty() || a.steps[0].status != LabelStatus::admissible) continue;
    EXPECT_LE(b.impulse_of(0).norm(), a.impulse_of(0).norm() * (1 + 1e-8)) << trial;
    shorter += b.impulse_of(0).norm() < a.impulse_of(0).norm() * (1 - 1e-6) ? 1 : 0;
    EXPECT_EQ(b.steps[0].status, LabelStatus::admissible);
  }
  RecordProperty("shorter", shorter);
}

TEST(PlusOptions, TheExhaustiveSearchObeysFriction) {
  PlusLaw law;
  Random random(52);
  PlusOptions options;
  options.exhaustive = true;
  for (int trial = 0; trial < 60; ++trial) {
    const Impact impact = impacts::random_impact(random, random.integer(1, 3));
    PlusTrace trace;
    const Result result = strike(law, impact, options, &trace);
    const ImpactCertificate certificate = certify_impact(impact.problem(), result.p, result.u);
    EXPECT_LE(certificate.cone_violation, 1e-8) << trial;
    EXPECT_LE(certificate.energy_gain, 1e-9) << trial;
  }
}

TEST(PlusOptions, OptimalityIsJudgedWhereAsked) {
  PlusLaw law;
  PlusOptions options;
  options.judge_optimality = true;
  const Impact box = impacts::flat_box(2, {0.8, 0.6, 0.4}, {0, 0, -3}, Vector3d::Zero(), 0, ConstantRestitution{0});
  EXPECT_EQ(strike(law, box, options).outcome.intervals, law.optimality().optimal);
  EXPECT_EQ(strike(law, box).outcome.intervals, 1);
  EXPECT_EQ(law.optimality().optimal + law.optimality().within + law.optimality().unknown, 0);
  // Against the search: where the bound says optimal, the search finds nothing shorter.
  Random random(53);
  impacts::RandomKind kind;
  kind.friction = false;
  PlusOptions searched;
  searched.exhaustive = true;
  int optimal = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const Impact impact = impacts::random_impact(random, random.integer(1, 5), kind);
    PlusTrace a, b;
    EXPECT_EQ(strike(law, impact, options, &a).outcome.status == ImpactStatus::inconsistent, false);
    EXPECT_EQ(strike(law, impact, searched, &b).outcome.status == ImpactStatus::inconsistent, false);
    if (a.steps.empty() || a.steps[0].optimality != Optimality::optimal) continue;
    ++optimal;
    EXPECT_GE(b.impulse_of(0).norm(), a.impulse_of(0).norm() * (1 - 2e-6)) << trial;
  }
  EXPECT_GT(optimal, 50);
}

TEST(PlusOptions, ASpentBudgetLeavesNothingApproachingAndGainsNothing) {
  PlusLaw law;
  Random random(54);
  for (int trial = 0; trial < 300; ++trial) {
    Impact impact = impacts::random_impact(random, random.integer(2, 8));
    impact.hold();  // what joints lose first is a round beside the budget
    for (const int budget : {1, 2, 3}) {
      PlusOptions options;
      options.round_budget = budget;
      PlusTrace trace;
      const Result result = strike(law, impact, options, &trace);
      EXPECT_LE(result.outcome.rounds, budget);
      if (result.outcome.status == ImpactStatus::resolved) continue;
      ASSERT_EQ(result.outcome.status, ImpactStatus::budget) << trial;
      EXPECT_TRUE(trace.steps.back().ending);
      const ImpactCertificate certificate =
          certify_impact(impact.problem(), result.p, result.u, ImpactPath{trace.impulse, trace.velocity});
      EXPECT_LE(certificate.momentum_residual, 1e-12) << trial;
      EXPECT_LE(certificate.approach, 1e-9) << trial;
      EXPECT_LE(certificate.cone_violation, 1e-8) << trial;
      EXPECT_LE(certificate.energy_gain, 1e-9) << trial;
    }
  }
}

TEST(PlusOptions, TheEnergyLimitDoesNothingWhereNothingIsGained) {
  PlusLaw law;
  PlusOptions free;
  free.energy_limit = false;
  for (const double e : {0.3, 1.0}) {
    const Impact impact = impacts::row_of_balls({3, 1, 2}, 2, e);
    EXPECT_EQ(strike(law, impact).p, strike(law, impact, free).p);
  }
}

TEST(PlusOptions, RowsThatContradictEachOtherAreInconsistent) {
  // Two drives that want different speeds of one body.
  impacts::Body body;
  std::vector<impacts::Touch> touches(2);
  for (impacts::Touch& touch : touches) touch.kind = BlockKind::bilateral;
  Impact impact = impacts::make({body}, touches);
  impact.blocks[0].offset = -1;
  impact.blocks[1].offset = -3;
  PlusLaw law;
  const Result result = strike(law, impact);
  EXPECT_EQ(result.outcome.status, ImpactStatus::inconsistent);
  EXPECT_NEAR(result.u[0], 2, 1e-12);  // both missed by the same
  EXPECT_NEAR(result.outcome.residual, 1.0 / 3, 1e-12);
  // A contact that a drive presses on.
  touches[1].kind = BlockKind::unilateral;
  impact = impacts::make({body}, touches);
  impact.blocks[0].offset = 2;
  EXPECT_EQ(strike(law, impact).outcome.status, ImpactStatus::inconsistent);
}

TEST(PlusOptions, TheOperatorMayHaveAnyForm) {
  const Impact impact = impacts::flat_box(2, {0.8, 0.6, 0.4}, {-2, 1, -3}, {0.3, 0, 1}, 0.2, ConstantRestitution{0.5});
  PlusLaw law;
  const Result dense = strike(law, impact);
  const Eigen::SparseMatrix<double> sparse = impact.A.sparseView();
  VectorXd p(impact.u.size()), u(impact.u.size());
  const ImpactOutcome outcome = law.solve({sparse, impact.u, impact.blocks, impact.surfaces}, {}, p, u);
  EXPECT_EQ(outcome.rounds, dense.outcome.rounds);
  EXPECT_LE((p - dense.p).norm(), 1e-12);
}

TEST(PlusOptions, MalformedProblemsAreRefusedWithASentence) {
  Impact impact = impacts::point({0, 0, -1}, 0.3, ConstantRestitution{0.5});
  PlusLaw law;
  VectorXd p(3), u(3), two(2);
  EXPECT_THROW(static_cast<void>(law.solve(impact.problem(), {}, two, u)), Error);
  EXPECT_THROW(static_cast<void>(law.solve({impact.A, impact.u, impact.blocks, {}}, {}, p, u)), Error);
  impact.blocks[0].row = 1;
  EXPECT_THROW(static_cast<void>(law.solve(impact.problem(), {}, p, u)), Error);
  impact.blocks[0].row = 0;
  impact.blocks[0].kind = BlockKind::bounded;
  EXPECT_THROW(static_cast<void>(law.solve(impact.problem(), {}, p, u)), Error);
}

TEST(PlusOptions, NothingIsAllocatedInProblemsNoLargerThanOneBefore) {
  Random random(55);
  std::vector<Impact> problems;
  for (int i = 0; i < 60; ++i) problems.push_back(impacts::random_impact(random, 1 + i % 12));
  PlusLaw law;
  PlusTrace trace;
  VectorXd p(60), u(60);
  double sum[2] = {0, 0};
  long before = 0;
  for (double& total : sum) {
    before = allocation_count();
    for (const Impact& impact : problems) {
      const auto k = impact.u.size();
      total += law.solve(impact.problem(), {}, p.head(k), u.head(k), &trace).energy_change;
    }
  }
  EXPECT_EQ(allocation_count(), before);
  EXPECT_EQ(sum[0], sum[1]);  // and the same bits
}

TEST(PlusOptions, AReservedLawAllocatesNothingAtAll) {
  Random random(56);
  std::vector<Impact> problems;
  for (int i = 0; i < 60; ++i) problems.push_back(impacts::random_impact(random, 1 + i % 12));
  PlusLaw law;
  law.reserve(16);
  VectorXd p(60), u(60);
  for (const Impact& impact : problems) {
    const auto k = impact.u.size();
    const long before = allocation_count();
    EXPECT_NE(law.solve(impact.problem(), {}, p.head(k), u.head(k)).status, ImpactStatus::inconsistent);
    EXPECT_EQ(allocation_count(), before);
  }
}

TEST(PlusOptions, TheTraceAddsUpToTheOutcome) {
  Random random(57);
  PlusLaw law;
  PlusTrace trace;
  for (int trial = 0; trial < 200; ++trial) {
    const Impact impact = impacts::random_impact(random, random.integer(1, 8));
    const Result result = strike(law, impact, {}, &trace);
    VectorXd sum = VectorXd::Zero(impact.u.size());
    int intervals = 0;
    for (std::size_t i = 0; i < trace.steps.size(); ++i) {
      sum += trace.impulse_of(i);
      intervals += trace.steps[i].ending ? 0 : 1;
      EXPECT_GT(trace.steps[i].alpha, 0);
      EXPECT_LE(trace.steps[i].alpha, 1);
    }
    EXPECT_EQ(intervals, result.outcome.intervals);
    EXPECT_LE((sum - result.p).norm(), 1e-12 * (1e-300 + result.p.norm()));
    EXPECT_EQ(result.p, strike(law, impact).p);  // and asking for it changes nothing
  }
}

}  // namespace
}  // namespace carom::plus_options_test
