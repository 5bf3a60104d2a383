#include "carom/validation/planar_impact_scores.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace carom::planar_impact_scores_test {
namespace {

constexpr double k = 0.02;

/// Impacts by any impulses at their contacts, with noise on the spin after them, rad/s.
PlanarImpacts made_impacts(double noise) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> arm(-0.03, 0.03), impulse(-2, 2);
  std::normal_distribution<double> normal(0, 1);
  PlanarImpacts impacts{"ellipse", k, {}, {}};
  for (int i = 0; i < 200; ++i) {
    PlanarImpact impact;
    impact.number = 2 * i;
    impact.contact = {arm(random), -0.03 + 0.2 * arm(random)};
    impact.before = {impulse(random), -2, 5 * impulse(random)};
    const Vec2 P(impulse(random), 3 + impulse(random));
    impact.after = impact.before + Vec3(P[0], P[1], (impact.contact[0] * P[1] - impact.contact[1] * P[0]) / (k * k));
    impact.after[2] += noise * normal(random);
    impacts.impacts.push_back(impact);
  }
  return impacts;
}

TEST(PlanarImpactScores, TheKineticErrorIsRelativeToTheChange) {
  PlanarImpact impact;
  impact.before = {0, -2, 0};
  impact.after = {0, 1, 0};
  // Off by 0.3 m/s across, and by a spin of which k times 20 rad/s is 0.4 m/s: 0.5 of a change of 3.
  const PlanarError error = planar_error(impact, k, {0.3, 1, 20});
  EXPECT_NEAR(error.kinetic, 0.5 / 3, 1e-15);
  EXPECT_NEAR(error.plain, std::hypot(0.3, 20), 1e-12);
  EXPECT_FALSE(error.energy_grown);
  EXPECT_TRUE(planar_error(impact, k, {0, 2.01, 0}).energy_grown);
  EXPECT_FALSE(planar_error(impact, k, {0, 2, 0}).energy_grown);
}

TEST(PlanarImpactScores, ImpactsOfOneRecordShareAFold) {
  for (const std::int64_t number : {0, 2, 4, 6, 8}) {
    EXPECT_EQ(planar_fold(number, 5), number / 2);
    EXPECT_EQ(planar_fold(number + 1, 5), planar_fold(number, 5));
    EXPECT_EQ(planar_fold(number + 10, 5), planar_fold(number, 5));
  }
}

TEST(PlanarImpactScores, ScoresOfAnErrorThatAllShareHaveNoSpread) {
  PlanarImpacts impacts = made_impacts(0);
  std::vector<Vec3> predicted;
  for (const PlanarImpact& impact : impacts.impacts) {
    predicted.push_back(impact.after + 0.1 * (impact.after - impact.before));
  }
  const PlanarScore score = planar_score(impacts, predicted);
  for (const Interval& interval : {score.mean, score.median}) {
    EXPECT_NEAR(interval.mean, 0.1, 1e-12);
    EXPECT_NEAR(interval.lower, 0.1, 1e-12);
    EXPECT_NEAR(interval.upper, 0.1, 1e-12);
  }
  EXPECT_NEAR(planar_objective(impacts, predicted), 0.1, 1e-12);
}

TEST(PlanarImpactScores, ArmsOfAnyImpulseAtTheContactAreOne) {
  const MomentBalance balance = moment_balance(made_impacts(0));
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(balance.arms[static_cast<std::size_t>(i)], 1, 1e-12);
  EXPECT_LT(balance.unexplained, 1e-12);
}

TEST(PlanarImpactScores, NoiseStaysWithinTheStandardErrorsOfTheArms) {
  const MomentBalance balance = moment_balance(made_impacts(5));
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_LT(std::abs(balance.arms[i] - 1), 3 * balance.errors[i]);
    EXPECT_LT(balance.errors[i], 0.02);
  }
  EXPECT_GT(balance.unexplained, 0.001);
}

TEST(PlanarImpactScores, AMirroredAxisTurnsTheSignOfOneArm) {
  // As printed by a source whose x runs against the angle. Rows are (1, 0, h) and (0, 1, r_x) of the right-handed
  // frame, but v_x is reversed.
  PlanarImpacts impacts = made_impacts(0);
  for (const PlanarImpact& impact : impacts.impacts) {
    PrintedImpact printed{impact.before, impact.after, impact.contact[0], -impact.contact[1]};
    printed.before[0] = -printed.before[0];
    printed.after[0] = -printed.after[0];
    impacts.printed.push_back(printed);
  }
  const MomentBalance balance = printed_moment_balance(impacts);
  EXPECT_NEAR(balance.arms[0], 1, 1e-12);
  EXPECT_NEAR(balance.arms[1], -1, 1e-12);
  EXPECT_GT(balance.unexplained, 0.1);  // no impulse explains what is mirrored
}

}  // namespace
}  // namespace carom::planar_impact_scores_test
