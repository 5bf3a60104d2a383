// Every law on random impacts: what none may break, whatever it decides.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <type_traits>

#include "carom/complementarity/infeasibility.h"
#include "carom/impact/compliant_impact.h"
#include "carom/impact/lzb.h"
#include "carom/impact/newton_impact.h"
#include "carom/impact/plastic.h"
#include "carom/impact/poisson_impact.h"
#include "carom/impact/stronge.h"
#include "carom/impact/test/layered_impacts.h"
#include "testing/allocation_count.h"

namespace carom::random_impacts_test {
namespace {

using layered::Impact;

int trials() { return std::getenv("CAROM_LONG") != nullptr ? 100000 : 1000; }

/// Newton's condition asks for rebounds that rows which depend on one another may not be able to have at once.
bool can_rebound(const Impact& impact, double e) {
  std::vector<Block> blocks = impact.blocks;
  for (Block& block : blocks) {
    if (block.kind != BlockKind::bilateral) block.offset = std::min(0.0, e * impact.u(block.normal_row()));
  }
  Eigen::VectorXd y(impact.u.size());
  return !find_infeasibility({impact.A, impact.u, blocks}, y);
}

/// Solves random impacts of 1 to 12 contacts and looks at each outcome. One e for all contacts of an impact. Returns
/// how many were not resolved.
template <typename Law, typename Options>
int solve_random(Law& law, const Options& options, bool never_gains, std::uint64_t seed, bool with_friction = true) {
  constexpr bool is_newton = std::is_same_v<Law, NewtonImpactLaw>;
  layered::Random random(seed);
  int unresolved = 0;
  for (int trial = 0; trial < trials() && !::testing::Test::HasFailure(); ++trial) {
    SCOPED_TRACE("trial " + std::to_string(trial));
    Impact impact = layered::random_impact(random, 1 + trial % 12, with_friction);
    const int kind = trial / 12 % 4;
    const double e = kind == 0 ? 0 : kind == 1 ? 1 : layered::uniform(random, 0, 1);
    impact.set_restitution(e);
    Eigen::VectorXd p(impact.u.size()), after(impact.u.size());
    const ImpactOutcome outcome = law.solve(impact.problem(), options, p, after);
    if (outcome.status != ImpactStatus::resolved && (!is_newton || can_rebound(impact, e))) ++unresolved;
    if (outcome.status == ImpactStatus::inconsistent) continue;
    layered::expect_lawful(impact, p, after, 1e-10);
    EXPECT_LE(outcome.residual, 1e-9);
    // The energy of the mechanism itself, by its masses.
    const Eigen::VectorXd v = impact.v + impact.M.inverse() * (impact.J.transpose() * p);
    const double change = 0.5 * v.dot(impact.M * v) - impact.energy();
    const double exchanged = p.cwiseAbs().dot(impact.A.cwiseAbs() * p.cwiseAbs());  // its round-off is that of change
    EXPECT_NEAR(change, outcome.energy_change, 1e-12 * (impact.energy() + exchanged));
    if (never_gains || outcome.status == ImpactStatus::budget) {
      EXPECT_LE(change, 1e-12 * (impact.energy() + exchanged));
    }
  }
  return unresolved;
}

TEST(RandomImpacts, Plastic) {
  PlasticLaw law;
  EXPECT_LE(solve_random(law, EndLawOptions{}, true, 1), trials() / 100);
}

TEST(RandomImpacts, Newton) {
  NewtonImpactLaw law;
  // All but those so near to a contradiction of their rows that impulses outgrow the digits.
  EXPECT_LE(solve_random(law, EndLawOptions{}, false, 2, false), trials() / 10000);
  solve_random(law, EndLawOptions{}, false,
               3);  // wedges that friction locks have no such rebound, and the status says so
}

TEST(RandomImpacts, Poisson) {
  PoissonImpactLaw law;
  EXPECT_LE(solve_random(law, EndLawOptions{}, false, 8), trials() / 100);
}

TEST(RandomImpacts, Stronge) {
  StrongeLaw law;
  // Not resolved are wedges that let nothing rebound, and rows that depend on one another.
  EXPECT_LE(solve_random(law, StrongeOptions{}, true, 4), trials() / 10);
}

TEST(RandomImpacts, Lzb) {
  LzbLaw law;
  EXPECT_LE(solve_random(law, LzbOptions{}, true, 5), trials() / 20);
}

/// Friction of the laws of end velocities takes power from the slip that is left.
TEST(RandomImpacts, FrictionOpposesTheSlipAfterAnEndLaw) {
  layered::Random random(6);
  PlasticLaw plastic;
  NewtonImpactLaw newton;
  for (int trial = 0; trial < 200; ++trial) {
    Impact impact = layered::random_impact(random, 1 + trial % 8);
    impact.set_restitution(0.5);
    Eigen::VectorXd p(impact.u.size()), after(impact.u.size());
    for (const bool is_plastic : {true, false}) {
      const ImpactOutcome outcome =
          is_plastic ? plastic.solve(impact.problem(), {}, p, after) : newton.solve(impact.problem(), {}, p, after);
      if (outcome.status != ImpactStatus::resolved) continue;
      for (const Block& block : impact.blocks) {
        if (block.kind != BlockKind::cone) continue;
        const double most = block.friction.x() * p(block.row + 2) * after.segment<2>(block.row).norm();
        EXPECT_NEAR(p.segment<2>(block.row).dot(after.segment<2>(block.row)), -most,
                    1e-9 * (1 + p.cwiseAbs().maxCoeff()));
      }
    }
  }
}

template <typename Law, typename Options>
void expect_no_allocation(const Options& options) {
  layered::Random random(7);
  std::vector<Impact> all;
  all.reserve(12);
  for (int i = 0; i < 12; ++i) all.push_back(layered::random_impact(random, 1 + i));
  Law law;
  Eigen::VectorXd p(64), after(64);
  const auto solve_all = [&] {
    for (const Impact& impact : all) {
      const auto k = impact.u.size();
      (void)law.solve({impact.A, impact.u, impact.blocks, impact.surfaces}, options, p.head(k), after.head(k));
    }
  };
  solve_all();
  const long before = allocation_count();
  solve_all();
  EXPECT_EQ(allocation_count(), before);
}

TEST(RandomImpacts, NoLawAllocatesInASecondSolve) {
  expect_no_allocation<PlasticLaw>(EndLawOptions{});
  expect_no_allocation<NewtonImpactLaw>(EndLawOptions{});
  expect_no_allocation<PoissonImpactLaw>(EndLawOptions{});
  expect_no_allocation<StrongeLaw>(StrongeOptions{});
  expect_no_allocation<LzbLaw>(LzbOptions{});
  CompliantOptions options;
  options.max_steps = 1000;
  expect_no_allocation<CompliantImpact>(options);
}

}  // namespace
}  // namespace carom::random_impacts_test
