// The rules by which a compliant impact is integrated, against one another and against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "carom/impact/compliant_impact.h"
#include "carom/impact/test/layered_impacts.h"
#include "testing/allocation_count.h"

namespace carom::compliant_integrators_test {
namespace {

using layered::Impact;
using enum CompliantIntegrator;

struct Result {
  CompliantOutcome outcome;
  Eigen::VectorXd p, after;
};

Result solve(CompliantImpact& law, const Impact& impact, const CompliantOptions& options) {
  Result result{{}, Eigen::VectorXd(impact.u.size()), Eigen::VectorXd(impact.u.size())};
  result.outcome = law.solve(impact.problem(), options, result.p, result.after);
  EXPECT_EQ(result.outcome.status, ImpactStatus::resolved);
  return result;
}

/// Velocities after the impact, relative to the largest before.
double distance(const Impact& impact, const Result& a, const Result& b) {
  return (a.after - b.after).cwiseAbs().maxCoeff() / impact.u.cwiseAbs().maxCoeff();
}

TEST(CompliantIntegrators, AllAgreeOnRandomImpactsWithFriction) {
  layered::Random random(71);
  CompliantImpact law;
  for (int trial = 0; trial < 24; ++trial) {
    SCOPED_TRACE("trial " + std::to_string(trial));
    const Impact impact = layered::random_impact(random, 1 + trial % 4);
    CompliantOptions options;
    options.dissipation = trial % 3 == 0 ? 0.0 : 0.1;
    options.static_ratio = trial % 2 == 0 ? 1.0 : 1.3;
    options.viscous_friction = trial % 4 == 1 ? 0.05 : 0.0;
    options.transition_speed = 0.1;
    options.accuracy = 1e-10;
    const Result exact = solve(law, impact, options);
    for (const CompliantIntegrator integrator : {semi_explicit_euler, implicit_euler}) {
      options.integrator = integrator;
      options.accuracy = 1e-7;
      EXPECT_LE(distance(impact, solve(law, impact, options), exact), 1e-6) << static_cast<int>(integrator);
    }
  }
}

/// The error of n steps of length 1/n is of the rule's order in 1/n. The difference that controls the step is of order
/// 2: a hundredth of the tolerance is a tenth of the step.
TEST(CompliantIntegrators, EulersRulesAreOfFirstOrderAndOfSecondWhereExtrapolated) {
  // Hunt and Crossley's closed form, as in compliant_test.cpp: α (s + r) = ln((1 + α s) / (1 − α r)).
  constexpr double c = 0.2, s = 2, alpha = 1.5 * c;
  const Impact impact = layered::row_of_balls({1, 3}, {1e7}, s);
  double r = 0;
  for (int i = 0; i < 200; ++i) r = (1 - (1 + alpha * s) * std::exp(-alpha * (s + r))) / alpha;
  CompliantImpact law;
  for (const CompliantIntegrator integrator : {semi_explicit_euler, implicit_euler}) {
    for (const bool extrapolate : {false, true}) {
      CompliantOptions options;
      options.dissipation = c;
      options.integrator = integrator;
      options.extrapolate = extrapolate;
      options.accuracy = 1e-4;
      const Result coarse = solve(law, impact, options);
      options.accuracy = 1e-6;
      const Result fine = solve(law, impact, options);
      EXPECT_NEAR(static_cast<double>(fine.outcome.intervals) / coarse.outcome.intervals, 10, 2);
      const double order = std::log10(std::abs(coarse.after(0) - r) / std::abs(fine.after(0) - r));
      EXPECT_NEAR(order, extrapolate ? 2 : 1, 0.25) << static_cast<int>(integrator);
    }
  }
}

TEST(CompliantIntegrators, WithoutExtrapolationFrictionKeepsToItsCone) {
  layered::Random random(72);
  CompliantImpact law;
  for (int trial = 0; trial < 12; ++trial) {
    const Impact impact = layered::random_impact(random, 1 + trial % 4);
    for (const CompliantIntegrator integrator : {semi_explicit_euler, implicit_euler}) {
      CompliantOptions options;
      options.integrator = integrator;
      options.extrapolate = false;
      options.accuracy = 1e-3;
      const Result result = solve(law, impact, options);
      // An implicit step is lawful to what Newton's method leaves.
      layered::expect_lawful(impact, result.p, result.after, integrator == implicit_euler ? 1e-5 : 1e-12);
    }
  }
}

TEST(CompliantIntegrators, AStepOfTheImplicitRuleMayBeLongWhereFrictionSticks) {
  // On four corners, without energy left to slip: explicit rules need steps in proportion to the transition speed, the
  // implicit one does not.
  const Impact impact =
      layered::brick(Eigen::Matrix3d::Identity(), layered::brick_corners(), 0.6, {0.1, 0, -2}, {0, 0, 0});
  CompliantImpact law;
  int steps[2][2] = {};
  for (const bool soft : {false, true}) {
    for (const bool implicit : {false, true}) {
      CompliantOptions options;
      options.accuracy = 1e-4;
      options.dissipation = 0.1;
      options.transition_speed = soft ? 1e-2 : 1e-3;
      options.integrator = implicit ? implicit_euler : semi_explicit_euler;
      steps[soft][implicit] = solve(law, impact, options).outcome.intervals;
    }
  }
  EXPECT_GT(steps[0][0], 4 * steps[1][0]);
  EXPECT_LT(steps[0][1], 2 * steps[1][1]);
}

TEST(CompliantIntegrators, EvaluationsDoNotDependOnACommonStiffness) {
  const Impact soft = layered::brick(Eigen::Matrix3d::Identity(), layered::brick_corners(), 0.2, {1, 0, -2}, {0, 0, 0});
  CompliantImpact law;
  for (const CompliantIntegrator integrator : {runge_kutta_merson, semi_explicit_euler, implicit_euler}) {
    CompliantOptions options;
    options.integrator = integrator;
    options.accuracy = 1e-4;
    const Result reference = solve(law, soft, options);
    Impact stiff = soft;
    for (ImpactSurface& surface : stiff.surfaces) surface.stiffness *= 0x1p40;  // time is scaled by 2⁻¹⁶
    const Result other = solve(law, stiff, options);
    EXPECT_NEAR(other.outcome.evaluations, reference.outcome.evaluations, 0.01 * reference.outcome.evaluations);
    EXPECT_NEAR(other.outcome.time * 0x1p16, reference.outcome.time, 1e-6 * reference.outcome.time);
    EXPECT_LE(distance(soft, other, reference), 1e-6);
  }
}

TEST(CompliantIntegrators, TheTraceRunsFromTheStartToTheOutcome) {
  const Impact impact =
      layered::brick(Eigen::Matrix3d::Identity(), layered::brick_corners(), 0.2, {1, 0, -2}, {0, 0, 0});
  CompliantImpact law;
  CompliantTrace trace;
  Eigen::VectorXd p(impact.u.size()), after(impact.u.size());
  const CompliantOutcome outcome = law.solve(impact.problem(), {}, p, after, &trace);
  const std::size_t last = trace.time.size() - 1;
  EXPECT_EQ(trace.time.size(), static_cast<std::size_t>(outcome.intervals) + 1);
  EXPECT_EQ(trace.time.front(), 0);
  EXPECT_EQ(trace.time.back(), outcome.time);
  EXPECT_TRUE(trace.impulse_at(0).isZero(0));
  EXPECT_EQ(trace.velocity_at(0), impact.u);
  EXPECT_EQ(trace.impulse_at(last), p);
  EXPECT_EQ(trace.velocity_at(last), after);
  for (std::size_t i = 0; i < last; ++i) {
    EXPECT_LT(trace.time[i], trace.time[i + 1]);
    for (int row = 2; row < 12; row += 3) EXPECT_LE(trace.impulse_at(i)[row], trace.impulse_at(i + 1)[row]);
  }
}

TEST(CompliantIntegrators, RepeatedSolvesOfOneSizeAllocateNothing) {
  const Impact impact =
      layered::brick(Eigen::Matrix3d::Identity(), layered::brick_corners(), 0.2, {1, 0, -2}, {0, 0, 0});
  CompliantImpact law;
  CompliantTrace trace;
  Eigen::VectorXd p(impact.u.size()), after(impact.u.size());
  for (const CompliantIntegrator integrator : {runge_kutta_merson, semi_explicit_euler, implicit_euler}) {
    CompliantOptions options;
    options.integrator = integrator;
    options.accuracy = 1e-3;
    EXPECT_EQ(law.solve(impact.problem(), options, p, after, &trace).status, ImpactStatus::resolved);
    const long before = allocation_count();
    EXPECT_EQ(law.solve(impact.problem(), options, p, after, &trace).status, ImpactStatus::resolved);
    EXPECT_EQ(allocation_count(), before);
  }
}

}  // namespace
}  // namespace carom::compliant_integrators_test
