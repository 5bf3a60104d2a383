#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/error.h"
#include "carom/impact/compliant_impact.h"
#include "carom/impact/test/layered_impacts.h"

namespace carom::compliant_test {
namespace {

using layered::Impact;

CompliantOutcome solve(const Impact& impact, const CompliantOptions& options, Eigen::VectorXd& p,
                       Eigen::VectorXd& after) {
  CompliantImpact law;
  p.resize(impact.u.size());
  after.resize(impact.u.size());
  return law.solve(impact.problem(), options, p, after);
}

TEST(Compliant, ALinearSpringHoldsForHalfAPeriodAndAHertzianOneForItsOwnTime) {
  constexpr double K = 3e5, s = 1.3;  // two masses of 2 kg: 1 kg in relative motion
  CompliantOptions options;
  options.accuracy = 1e-10;
  Eigen::VectorXd p, after;
  Impact impact = layered::row_of_balls({2, 2}, {K}, s, 1);
  EXPECT_NEAR(solve(impact, options, p, after).time / (std::numbers::pi / std::sqrt(K)), 1, 0.02);
  EXPECT_NEAR(after(0), s, 1e-7);
  // Hertz 1882: T = 2 z_max / s ∫ dx / √(1 − x^(5/2)) = 2.9432… z_max / s
  impact = layered::row_of_balls({2, 2}, {K}, s, 1.5);
  const double depth = std::pow(1.25 * s * s / K, 0.4);
  const double integral = std::sqrt(std::numbers::pi) * std::tgamma(1.4) / std::tgamma(0.9);
  EXPECT_NEAR(solve(impact, options, p, after).time / (2 * integral * depth / s), 1, 0.02);
  EXPECT_NEAR(after(0), s, 1e-7);
}

TEST(Compliant, DampingAfterHuntAndCrossleyHasItsClosedForm) {
  // The equation is m z″ = −f(z)(1 + α z′) with α = 3/2 c. Equal ∫ f dz in and out give α (s + r) = ln((1 + α s) / (1 −
  // α r)).
  for (const double c : {0.01, 0.1, 0.5}) {
    const Impact impact = layered::row_of_balls({1, 3}, {1e7}, 2);
    CompliantOptions options;
    options.accuracy = 1e-9;
    options.dissipation = c;
    Eigen::VectorXd p, after;
    EXPECT_EQ(solve(impact, options, p, after).status, ImpactStatus::resolved);
    const double alpha = 1.5 * c, r = after(0);
    EXPECT_NEAR(alpha * (2 + r), std::log((1 + alpha * 2) / (1 - alpha * r)), 1e-6);
  }
}

TEST(Compliant, FrictionOfAFastSlipIsTheDynamicOneAndTheViscousOneGrowsWithIt) {
  Impact impact;
  impact.add(BlockKind::cone, 0.3);
  impact.A = Eigen::Matrix3d::Identity();
  impact.u = Eigen::Vector3d(30, 40, -1);
  CompliantOptions options;
  options.accuracy = 1e-9;
  Eigen::VectorXd p, after;
  EXPECT_EQ(solve(impact, options, p, after).status, ImpactStatus::resolved);
  EXPECT_NEAR(p(2), 2, 1e-7);
  EXPECT_NEAR(p(0), -0.3 * 2 * 0.6, 1e-6);
  EXPECT_NEAR(p(1), -0.3 * 2 * 0.8, 1e-6);
  options.viscous_friction = 0.01;
  EXPECT_EQ(solve(impact, options, p, after).status, ImpactStatus::resolved);
  // d|u_t| / dp_n = −μ (1 + 0.01 |u_t|), from 50 m/s over 2 N s
  const double slip = (50 + 100) * std::exp(-0.3 * 0.01 * 2) - 100;
  EXPECT_NEAR(after.head<2>().norm(), slip, 1e-6);
}

TEST(Compliant, TheResultHoldsAtAnyCommonStiffness) {
  Eigen::VectorXd p, after, q, other;
  Impact impact = layered::row_of_balls({1, 2, 1, 3}, {1e6, 3e6, 1e6}, 1);
  CompliantOptions options;
  options.accuracy = 1e-7;
  const CompliantOutcome soft = solve(impact, options, p, after);
  for (ImpactSurface& surface : impact.surfaces) surface.stiffness *= 1e4;
  const CompliantOutcome stiff = solve(impact, options, q, other);
  EXPECT_LE((after - other).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_NEAR(soft.time / stiff.time, std::pow(1e4, 0.4), 1e-4 * std::pow(1e4, 0.4));
}

TEST(Compliant, OptionsOutOfRangeAreRefused) {
  const Impact impact = layered::row_of_balls({1, 1}, {1}, 1);
  Eigen::VectorXd p, after;
  CompliantOptions options;
  options.transition_speed = 0;
  EXPECT_THROW((void)solve(impact, options, p, after), Error);
  options = {};
  options.dissipation = -1;
  EXPECT_THROW((void)solve(impact, options, p, after), Error);
}

}  // namespace
}  // namespace carom::compliant_test
