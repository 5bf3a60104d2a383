// Figures and tables of Uchida, Sherman and Delp 2015.
#include <gtest/gtest.h>

#include <vector>

#include "carom/impact/plus.h"
#include "carom/impact/test/impacts.h"

namespace carom::plus_paper_test {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using impacts::Impact;

struct Result {
  ImpactOutcome outcome;
  VectorXd p, u;
  PlusTrace trace;
};

Result strike(const Impact& impact, const PlusOptions& options) {
  Result result;
  result.p.resize(impact.u.size());
  result.u.resize(impact.u.size());
  PlusLaw law;
  result.outcome = law.solve(impact.problem(), options, result.p, result.u, &result.trace);
  EXPECT_EQ(result.outcome.status, ImpactStatus::resolved);
  return result;
}

/// Example 1, table A1: each friction with its restitution.
Result example_one(double friction, double direction_change) {
  const double e = friction == 0.125 ? 0.392 : friction == 0.225 ? 0.387 : 0.373;
  PlusOptions options = PlusOptions::paper();
  options.direction_change = direction_change;
  return strike(impacts::brick_on_vertex(friction, CaptureRestitution{0.01, 0.1, e}), options);
}

TEST(PlusPaper, FigureTenCountsItsIntervals) {
  EXPECT_EQ(example_one(0.325, 0.01).outcome.intervals, 116);
  EXPECT_EQ(example_one(0.325, 0.15).outcome.intervals, 11);
  EXPECT_EQ(example_one(0.325, 0.25).outcome.intervals, 8);
}

TEST(PlusPaper, FiguresEightAndNineRollNeverLateOrEarly) {
  const auto first_rolling = [](double friction) {
    const Result result = example_one(friction, 0.01);
    for (std::size_t i = 0; i < result.trace.steps.size(); ++i) {
      if (result.trace.motion(i, 0) == PlusMotion::rolling) return result.trace.role(i, 0);
    }
    return PlusRole::observing;
  };
  EXPECT_EQ(first_rolling(0.125), PlusRole::observing);  // never
  EXPECT_EQ(first_rolling(0.225), PlusRole::expanding);
  EXPECT_EQ(first_rolling(0.325), PlusRole::compressing);
}

TEST(PlusPaper, FigureEightBeginsWhereTable1Says) {
  const Impact impact = impacts::brick_on_vertex(0.125, ConstantRestitution{0.4});
  EXPECT_LE((impact.u - VectorXd(Vector3d(-5, 0, -5.74))).norm(), 1e-14);
}

TEST(PlusPaper, ExampleTwoRollsInTheCommonExpansionOnMirrorSymmetricImpulses) {
  PlusOptions options = PlusOptions::paper();
  for (const bool library : {false, true}) {
    if (library) options = {};
    const Result result = strike(impacts::flat_box(2, {0.8, 0.6, 0.4}, {-2, 0, -8.84}, Vector3d::Zero(), 0.2,
                                                   CaptureRestitution{0.01, 0.1, 0.414}),
                                 options);
    const PlusTrace& trace = result.trace;
    ASSERT_EQ(trace.steps.size(), 3);
    for (int corner = 0; corner < 4; ++corner) {
      EXPECT_EQ(trace.motion(0, corner), PlusMotion::sliding);
      EXPECT_EQ(trace.motion(1, corner), PlusMotion::sliding);
      EXPECT_EQ(trace.role(1, corner), PlusRole::expanding);
      EXPECT_EQ(trace.motion(2, corner), PlusMotion::rolling);
    }
    // Corners 0 and 2, 1 and 3 are mirror images.
    for (const int corner : {0, 1}) {
      const Vector3d a = result.p.segment<3>(3 * corner), b = result.p.segment<3>(3 * (corner + 2));
      EXPECT_LE((a - Vector3d(b[0], -b[1], b[2])).norm(), 1e-9);
    }
    EXPECT_GT(result.p[2], result.p[5]);  // friction turns the brick onto the leading edge
  }
}

TEST(PlusPaper, FigureFourteenRowBPassesTheImpactOnInTheRoundsOfTableTwo) {
  const Impact impact = impacts::row_of_balls(std::vector<double>(5, 1.0), 2, 1);
  const Result result = strike(impact, PlusOptions::paper());
  const VectorXd v = impact.after(result.p);
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(v[6 * i + 5], i == 4 ? -2 : 0, 1e-13);
  ASSERT_EQ(result.outcome.rounds, 5);
  ASSERT_EQ(result.trace.steps.size(), 5);
  for (int round = 0; round < 5; ++round) {
    for (int pair = 0; pair < 4; ++pair) {
      const PlusRole expected = pair == round       ? PlusRole::compressing
                                : pair == round - 1 ? PlusRole::expanding
                                                    : PlusRole::observing;
      EXPECT_EQ(result.trace.role(round, pair), expected) << round << " " << pair;
    }
  }
}

TEST(PlusPaper, FigureFourteenRowCTreatsTheFourBallsAsOne) {
  const Impact impact = impacts::row_of_balls(std::vector<double>(5, 1.0), 2, 1);
  PlusOptions options = PlusOptions::paper();
  options.compress_observers = true;
  const Result result = strike(impact, options);
  EXPECT_EQ(result.outcome.rounds, 2);
  // A ball of mass 1 strikes one of mass 4: −2 (1 − 4)/5 and −2 · 2/5.
  const VectorXd v = impact.after(result.p);
  EXPECT_NEAR(v[5], 1.2, 1e-13);
  for (int i = 1; i < 5; ++i) EXPECT_NEAR(v[6 * i + 5], -0.8, 1e-13);
}

/// Row A: equal elastic spheres, Hertz contact (eq. 4.1), integrated through the collision by Runge and Kutta's rule.
VectorXd compliant_row(int balls, double speed, double radius, double modulus) {
  const double k = 4.0 / 3 * std::sqrt(radius / 2) * modulus;
  VectorXd z(balls), v = VectorXd::Zero(balls);
  for (int i = 0; i < balls; ++i) z[i] = -2 * radius * i;
  v[0] = -speed;
  const auto force = [&](const VectorXd& at) {
    VectorXd f = VectorXd::Zero(balls);
    for (int i = 0; i + 1 < balls; ++i) {
      const double depth = std::max(0.0, 2 * radius - (at[i] - at[i + 1]));
      const double push = k * std::pow(depth, 1.5);
      f[i] += push;
      f[i + 1] -= push;
    }
    return f;
  };
  constexpr double h = 2e-7;
  for (int step = 0; step < 20000; ++step) {
    const VectorXd a1 = force(z), a2 = force(z + h / 2 * v), a3 = force(z + h / 2 * v + h * h / 4 * a1);
    const VectorXd a4 = force(z + h * v + h * h / 2 * a2);
    z += h * v + h * h / 6 * (a1 + a2 + a3);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return v;
}

TEST(PlusPaper, FigureFourteenRowBIsNearRowAAndRowCIsNot) {
  const VectorXd compliant = compliant_row(5, 2, 0.25, 10e9);
  const Impact impact = impacts::row_of_balls(std::vector<double>(5, 1.0), 2, 1);
  EXPECT_NEAR(compliant.sum(), -2, 1e-9);
  PlusOptions options = PlusOptions::paper();
  const auto distance = [&] {
    const VectorXd v = impact.after(strike(impact, options).p);
    double worst = 0;
    for (int i = 0; i < 5; ++i) worst = std::max(worst, std::abs(v[6 * i + 5] - compliant[i]));
    return worst;
  };
  EXPECT_LT(distance(), 0.3);  // the compliant row spreads a little: it is a solitary wave of some balls' length
  options.compress_observers = true;
  EXPECT_GT(distance(), 1);
}

}  // namespace
}  // namespace carom::plus_paper_test
