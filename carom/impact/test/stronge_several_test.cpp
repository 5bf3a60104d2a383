// Energetic restitution of several contacts at once. Each gives back e² of the work that it took, or more where the
// others push it; nothing is gained.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "carom/impact/plastic.h"
#include "carom/impact/poisson_impact.h"
#include "carom/impact/stronge.h"
#include "carom/impact/test/layered_impacts.h"

namespace carom::stronge_several_test {
namespace {

using layered::Impact;
using layered::uniform;

/// A brick that lands nearly flat, turning, with two to four corners.
Impact landing(layered::Random& random, int corners, double e) {
  std::vector<Eigen::Vector3d> vertices = layered::brick_corners();
  vertices.resize(static_cast<std::size_t>(corners));
  const Eigen::Vector3d velocity(uniform(random, -1, 1), uniform(random, -1, 1), uniform(random, -1, 0));
  const Eigen::Vector3d angular(uniform(random, -3, 3), uniform(random, -3, 3), uniform(random, -1, 1));
  Impact impact = layered::brick(Eigen::Matrix3d::Identity(), vertices, uniform(random, 0, 1), velocity, angular);
  impact.set_restitution(e);
  return impact;
}

TEST(StrongeSeveral, EachContactOfABrickGivesBackItsWork) {
  layered::Random random(21);
  StrongeLaw law;
  PlasticLaw plastic;
  const StrongeOptions options;
  int compared = 0, unresolved = 0;
  constexpr int trials = 600;
  for (int trial = 0; trial < trials; ++trial) {
    SCOPED_TRACE("trial " + std::to_string(trial));
    const double e = uniform(random, 0.05, 0.9);
    const Impact impact = landing(random, 2 + trial % 3, e);
    Eigen::VectorXd p(impact.u.size()), after(impact.u.size()), first(p.size()), middle(p.size());
    const ImpactOutcome outcome = law.solve(impact.problem(), options, p, after);
    layered::expect_lawful(impact, p, after);
    EXPECT_LE(outcome.energy_change, 1e-12 * impact.energy());
    if (outcome.status != ImpactStatus::resolved) {
      ++unresolved;
      continue;
    }
    (void)plastic.solve(impact.problem(), options.phases, first, middle);
    double largest = 0;
    for (int n = 2; n < p.size(); n += 3) largest = std::max(largest, -0.5 * (impact.u[n] + middle[n]) * first[n]);
    for (int n = 2; n < p.size(); n += 3) {
      const double taken = -0.5 * (impact.u[n] + middle[n]) * first[n];
      const double given = 0.5 * (middle[n] + after[n]) * (p[n] - first[n]);
      if (taken <= 1e-5 * largest) continue;
      EXPECT_GE(given, e * e * taken - 1e-5 * e * e * largest) << n;
      if (after[n] > 1e-9) ++compared;
    }
  }
  EXPECT_LE(unresolved, trials / 100);
  EXPECT_GT(compared, trials);
}

/// Without friction, with one e and with all contacts approaching and pressed nothing is left to search: the law is
/// Poisson's.
TEST(StrongeSeveral, IsPoissonsWithoutFriction) {
  layered::Random random(23);
  StrongeLaw law;
  PoissonImpactLaw poisson;
  PlasticLaw plastic;
  int compared = 0;
  for (int trial = 0; trial < 200; ++trial) {
    SCOPED_TRACE("trial " + std::to_string(trial));
    Impact impact = landing(random, 2 + trial % 3, uniform(random, 0.05, 1));
    for (Block& block : impact.blocks) block.friction.setZero();
    Eigen::VectorXd p(impact.u.size()), after(impact.u.size()), other(impact.u.size()), expected(impact.u.size());
    (void)plastic.solve(impact.problem(), {}, p, after);
    bool all_pressed = true;
    for (int n = 2; n < p.size(); n += 3) all_pressed = all_pressed && p[n] > 1e-6 && impact.u[n] < 0;
    if (!all_pressed) continue;
    ++compared;
    EXPECT_EQ(law.solve(impact.problem(), {}, p, after).status, ImpactStatus::resolved);
    (void)poisson.solve(impact.problem(), {}, other, expected);
    for (int n = 2; n < p.size(); n += 3) EXPECT_NEAR(after[n], expected[n], 1e-6 * impact.u.cwiseAbs().maxCoeff());
  }
  EXPECT_GT(compared, 20);
}

/// Corners about which the brick turns are pressed without moving: they hold up nobody's search.
TEST(StrongeSeveral, ACornerThatIsPressedAtRestHoldsNothingUp) {
  layered::Random random(22);
  StrongeLaw law;
  for (int trial = 0; trial < 200; ++trial) {
    SCOPED_TRACE("trial " + std::to_string(trial));
    const std::vector<Eigen::Vector3d> corners = layered::brick_corners();
    const double rate = uniform(random, 0.5, 3);
    // It turns about the edge of the first two corners, which are at rest but for round-off.
    const Eigen::Vector3d angular(0, rate, 1e-14 * uniform(random, -1, 1));
    const Eigen::Vector3d velocity = corners[0].cross(angular) + Eigen::Vector3d(0, 0, -1e-14);
    Impact impact = layered::brick(Eigen::Matrix3d::Identity(), corners, uniform(random, 0.2, 1), velocity, angular);
    impact.set_restitution(uniform(random, 0.05, 0.9));
    Eigen::VectorXd p(impact.u.size()), after(impact.u.size());
    EXPECT_EQ(law.solve(impact.problem(), {}, p, after).status, ImpactStatus::resolved);
    EXPECT_GT(after[8], 0);
  }
}

}  // namespace
}  // namespace carom::stronge_several_test
