#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "carom/impact/impact_certificate.h"
#include "carom/impact/plastic.h"
#include "carom/impact/plus.h"
#include "carom/impact/test/impacts.h"
#include "carom/impact/test/random_impacts.h"

namespace carom::plus_closed_forms_test {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using impacts::Impact;

struct Result {
  ImpactOutcome outcome;
  VectorXd p, u;
  PlusTrace trace;
};

Result strike(const Impact& impact, const PlusOptions& options = {}) {
  Result result;
  result.p.resize(impact.u.size());
  result.u.resize(impact.u.size());
  PlusLaw law;
  result.outcome = law.solve(impact.problem(), options, result.p, result.u, &result.trace);
  const ImpactPath path{result.trace.impulse, result.trace.velocity};
  EXPECT_TRUE(certify_impact(impact.problem(), result.p, result.u, path).holds(1e-9));
  return result;
}

TEST(Plus, ABallReboundsByTheRestitutionOfItsSpeed) {
  const TableRestitution table{{{1, 0.9}, {3, 0.5}}};
  struct {
    Restitution law;
    double speed, e;
  } cases[] = {{ConstantRestitution{0}, 2, 0},
               {ConstantRestitution{0.7}, 2, 0.7},
               {ConstantRestitution{1}, 2, 1},
               {CaptureRestitution{0.01, 0.1, 0.4}, 0.005, 0},
               {CaptureRestitution{0.01, 0.1, 0.4}, 0.05, 0.7},
               {CaptureRestitution{0.01, 0.1, 0.4}, 5, 0.4},
               {LineRestitution{0.2}, 2, 0.6},
               {LineRestitution{0.2}, 7, 0},
               {table, 2, 0.7},
               {table, 0.5, 0.9}};
  for (const auto& [law, speed, e] : cases) {
    for (const double mass : {1e-3, 1.0, 1e3}) {
      const Result result = strike(impacts::point({0, 0, -speed}, 0.3, law, mass));
      EXPECT_EQ(result.outcome.status, ImpactStatus::resolved);
      EXPECT_NEAR(result.u[2], e * speed, 1e-12 * speed);
      EXPECT_NEAR(result.p[2], (1 + e) * mass * speed, 1e-12 * mass * speed);
      EXPECT_NEAR(result.outcome.energy_change, -0.5 * mass * speed * speed * (1 - e * e),
                  1e-12 * mass * speed * speed);
      EXPECT_EQ(result.outcome.rounds, e > 0 ? 2 : 1);
    }
  }
}

TEST(Plus, ABallThatSlidesLosesSlipByFrictionTimesNormalImpulse) {
  constexpr double mu = 0.3, e = 0.5;
  const Vector3d u(6, 8, -2);
  const Result result = strike(impacts::point(u, mu, ConstantRestitution{e}));
  const double normal = (1 + e) * 2;
  EXPECT_NEAR(result.p[2], normal, 1e-12);
  EXPECT_LE((result.p.head<2>() + mu * normal * Vector2d(0.6, 0.8)).norm(), 1e-12);
  EXPECT_EQ(result.outcome.intervals, 2);
}

/// A ball of A = diag(7/2, 7/2, 1)/m sticks if ending its slip needs less than the impulse of compression gives. It
/// slides throughout if both phases cannot end it.
TEST(Plus, ABallSticksOrSlidesWhateverItsDirection) {
  impacts::Random random(7);
  constexpr double mu = 0.3, e = 0.5;
  for (int trial = 0; trial < 5000; ++trial) {
    const Vector3d u(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-3, -0.5));
    impacts::Impact impact = impacts::point(u, mu, ConstantRestitution{e});
    impact.A.diagonal().head<2>() *= 3.5;
    const Result result = strike(impact);
    ASSERT_EQ(result.outcome.status, ImpactStatus::resolved) << u;
    const double stops = u.head<2>().norm() / 3.5, normal = (1 + e) * -u[2];
    EXPECT_NEAR(result.u[2], -e * u[2], 1e-12);
    const double left = std::max(0.0, 1 - mu * normal / stops);
    EXPECT_LE((result.u.head<2>() - left * u.head<2>()).norm(), 1e-4) << u;
  }
}

TEST(Plus, TwoBallsExchangeByMassAndRestitution) {
  for (const double ratio : {0.1, 1.0, 3.0}) {
    for (const double e : {0.0, 0.5, 1.0}) {
      const Impact impact = impacts::row_of_balls({1, ratio}, 2, e);
      const Result result = strike(impact);
      const VectorXd v = impact.after(result.p);
      EXPECT_NEAR(v[5], -2 * (1 - e * ratio) / (1 + ratio), 1e-13);
      EXPECT_NEAR(v[11], -2 * (1 + e) / (1 + ratio), 1e-13);
    }
  }
}

TEST(Plus, ARowOfEqualBallsPassesTheImpactToTheLast) {
  for (const int balls : {2, 3, 5, 9}) {
    const Impact impact = impacts::row_of_balls(std::vector<double>(balls, 1.0), 2, 1);
    const Result result = strike(impact);
    const VectorXd v = impact.after(result.p);
    for (int i = 0; i < balls; ++i) EXPECT_NEAR(v[6 * i + 5], i == balls - 1 ? -2 : 0, 1e-12);
    EXPECT_EQ(result.outcome.rounds, balls);
  }
}

TEST(Plus, ARowOfUnequalBallsIsASequenceOfPairs) {
  // Each ball lighter than the one before: every pair separates for good before the next has rebounded.
  const std::vector<double> masses = {8, 4, 2, 1};
  const Impact impact = impacts::row_of_balls(masses, 3, 1);
  const VectorXd v = impact.after(strike(impact).p);
  double speed = 3;
  for (std::size_t i = 0; i + 1 < masses.size(); ++i) {
    EXPECT_NEAR(v[6 * i + 5], -speed * (masses[i] - masses[i + 1]) / (masses[i] + masses[i + 1]), 1e-12);
    speed *= 2 * masses[i] / (masses[i] + masses[i + 1]);
  }
  EXPECT_NEAR(v[6 * 3 + 5], -speed, 1e-12);
}

/// Without restitution an impact runs to and fro in a row for ever; the limit is the plastic law's, and is told as
/// solved.
TEST(Plus, ARowWithoutRestitutionEndsAsThePlasticLawHasIt) {
  std::mt19937_64 random(31);
  std::uniform_real_distribution<double> exponent(-1, 1);
  PlasticLaw plastic;
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> masses(static_cast<std::size_t>(3 + trial % 6));
    for (double& mass : masses) mass = trial == 0 ? 1 : std::pow(10, exponent(random));
    Impact impact = impacts::row_of_balls(masses, 2, 0);
    if (trial > 0) {  // all balls move
      for (Eigen::Index i = 0; i < impact.u.size(); ++i) impact.u[i] += exponent(random);
    }
    const Result result = strike(impact);
    ASSERT_EQ(result.outcome.status, ImpactStatus::resolved) << trial;
    VectorXd p(impact.u.size()), u(impact.u.size());
    ASSERT_EQ(plastic.solve(impact.problem(), {}, p, u).status, ImpactStatus::resolved) << trial;
    EXPECT_LE((result.u - u).norm(), 1e-9) << trial;
    EXPECT_LE((result.p - p).norm(), 1e-9 * p.norm()) << trial;
    const ImpactCertificate certificate =
        certify_impact(impact.problem(), result.p, result.u, ImpactPath{result.trace.impulse, result.trace.velocity});
    EXPECT_TRUE(certificate.holds(1e-10)) << trial;
  }
}

/// A spent budget is one if restitution, or a contact that another one opens, leaves the limit unknown.
TEST(Plus, ASpentBudgetIsToldWhereTheLimitIsNotKnown) {
  PlusOptions options;
  options.round_budget = 2;
  EXPECT_EQ(strike(impacts::row_of_balls({1, 1, 1, 1}, 2, 0.5), options).outcome.status, ImpactStatus::budget);
  Impact opening = impacts::row_of_balls({1, 1, 1, 1}, 2, 0);
  opening.A(0, 2) = opening.A(2, 0) = 0.1;
  EXPECT_EQ(strike(opening, options).outcome.status, ImpactStatus::budget);
}

TEST(Plus, AFlatBoxReboundsStraightUpOnFourEqualImpulses) {
  for (const double mu : {0.0, 0.4}) {
    const Result result =
        strike(impacts::flat_box(2, {0.8, 0.6, 0.4}, {0, 0, -3}, Vector3d::Zero(), mu, ConstantRestitution{0.5}));
    for (int corner = 0; corner < 4; ++corner) {
      EXPECT_NEAR(result.p[3 * corner + 2], 2 * 3 * 1.5 / 4, 1e-13);
      EXPECT_LE(result.p.segment<2>(3 * corner).norm(), 1e-13);
      EXPECT_NEAR(result.u[3 * corner + 2], 1.5, 1e-13);
    }
  }
}

TEST(Plus, ImpendingSlipOpposesTheMotionToCome) {
  // A point at rest on a slope, after a time so short that its slip is below the transition. Gravity g_n = 9.81 presses
  // it on and g_t draws it along; friction 0.2 holds 1.962 m/s² of that.
  constexpr double h = 1e-6, mu = 0.2, g_n = 9.81;
  for (const double angle : {0.0, 1.0, 2.5, -2.0}) {
    const Vector2d along(std::cos(angle), std::sin(angle));
    const auto start = [&](double g_t) {
      const Vector3d u(h * g_t * along[0], h * g_t * along[1], -h * g_n);
      return strike(impacts::point(u, mu, ConstantRestitution{0}));
    };
    const Result slips = start(6);
    EXPECT_LE((slips.u.head<2>() / h - 4.038 * along).norm(), 1e-9);
    EXPECT_EQ(slips.trace.motion(0, 0), PlusMotion::slipping);
    const Result sticks = start(1);
    EXPECT_LE(sticks.u.norm() / h, 1e-9);
    EXPECT_EQ(sticks.trace.motion(0, 0), PlusMotion::rolling);
  }
}

TEST(Plus, ABallWithSpinSlidesOrRolls) {
  // Solid sphere: the slip changes by 7/2 per unit of tangential impulse and mass, always along itself.
  constexpr double mass = 2, radius = 0.3, e = 0.6;
  impacts::Body ball;
  ball.mass = mass;
  ball.inertia = 0.4 * mass * radius * radius * Eigen::Matrix3d::Identity();
  ball.linear = {1.5, -0.5, -2};
  ball.angular = {3, 4, 5};
  for (const double mu : {0.05, 0.1, 0.5}) {
    const Impact impact = impacts::make({ball}, {{0,
                                                  -1,
                                                  {0, 0, -radius},
                                                  Eigen::Vector3d::Zero(),
                                                  Eigen::Matrix3d::Identity(),
                                                  mu,
                                                  ConstantRestitution{e},
                                                  BlockKind::cone}});
    const Vector2d slip = impact.u.head<2>();
    const double normal = (1 + e) * mass * 2, stop = slip.norm() * mass * 2 / 7;
    const Result result = strike(impact);
    EXPECT_NEAR(result.p[2], normal, 1e-12);
    EXPECT_LE((result.p.head<2>() + std::min(stop, mu * normal) * slip.normalized()).norm(), 1e-9) << mu;
    EXPECT_NEAR(result.u.head<2>().norm(), std::max(0.0, slip.norm() - 3.5 / mass * mu * normal), 1e-9);
    EXPECT_NEAR(result.u[2], e * 2, 1e-12);
  }
}

/// A slender rod in the x-z plane, its lower end on the ground and its centre up and to the right of it.
Impact rod(double angle, double friction, double e, const Vector3d& linear) {
  constexpr double mass = 1, half = 0.5;
  impacts::Body body;
  body.mass = mass;
  body.inertia = mass * half * half / 3 * Eigen::Matrix3d::Identity();
  body.linear = linear;
  return impacts::make({body}, {{0,
                                 -1,
                                 {-half * std::cos(angle), 0, -half * std::sin(angle)},
                                 {},
                                 Eigen::Matrix3d::Identity(),
                                 friction,
                                 ConstantRestitution{e},
                                 BlockKind::cone}});
}

TEST(Plus, ARodThatJamsStopsByATangentialImpactAndThenRolls) {
  constexpr double angle = 1, e = 0.4;
  // Friction that presses the tip in: with s the slip's direction, A_zz − μ A_zx s < 0.
  const Impact unit = rod(angle, 1, e, {0, 0, -1});
  const double limit = unit.A(2, 2) / std::abs(unit.A(0, 2));
  const double side = unit.A(0, 2) > 0 ? 1 : -1;
  for (const double factor : {0.95, 1.05, 1.5}) {
    const Impact impact = rod(angle, factor * limit, e, {2 * side, 0, -1});
    const Result result = strike(impact);
    EXPECT_EQ(result.outcome.status, ImpactStatus::resolved);
    EXPECT_EQ(result.outcome.jams, factor > 1 ? 1 : 0);
    // Slip ends within compression and friction holds it, so compression brings both velocities to rest, and the
    // expansion rolls.
    Matrix2d A;
    A << impact.A(0, 0), impact.A(0, 2), impact.A(2, 0), impact.A(2, 2);
    Vector2d p = -A.inverse() * Vector2d(impact.u[0], impact.u[2]);
    const double owed = e * p[1];
    ASSERT_LT(std::abs(A(0, 1) / A(0, 0)), factor * limit);
    p += owed * Vector2d(-A(0, 1) / A(0, 0), 1);
    EXPECT_NEAR(result.p[0], p[0], 1e-9 * p.norm());
    EXPECT_NEAR(result.p[2], p[1], 1e-9 * p.norm());
    EXPECT_GE(result.u[2], 0);
    EXPECT_LT(result.outcome.energy_change, 0);
  }
}

TEST(Plus, AJointsStopAndABilateralRowAct) {
  // A body that may only move along z (five bilateral rows, with velocity errors) strikes a joint limit.
  impacts::Body body;
  body.mass = 3;
  body.linear = {0.1, -0.2, -4};
  body.angular = {0.3, 0, 0.5};
  std::vector<impacts::Touch> touches(1);
  touches[0].kind = BlockKind::unilateral;
  touches[0].r_a = {0.5, 0, 0};  // off the centre: the joint takes the moment
  touches[0].restitution = ConstantRestitution{0.5};
  Impact impact = impacts::make({body}, touches);
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(6, 6);
  J.row(0) = impact.J.row(0);
  for (int i = 0; i < 5; ++i) {
    J(i + 1, i) = 1;
    impacts::add_block(impact, BlockKind::bilateral, 0, ConstantRestitution{0});
  }
  impact.J = J;
  impact.close();
  const Result result = strike(impact);
  const VectorXd v = impact.after(result.p);
  EXPECT_LE(v.head<5>().norm(), 1e-13);
  // Errors in the joint go before the compression, so the joint limit sees all of its own approach.
  EXPECT_NEAR(v[5], 0.5 * 4, 1e-12);
}

TEST(Plus, ABilateralErrorAloneIsRemoved) {
  impacts::Body body;
  body.linear = {1, 2, 3};
  std::vector<impacts::Touch> touches(1);
  touches[0].kind = BlockKind::bilateral;
  Impact impact = impacts::make({body}, touches);
  impact.blocks[0].offset = -0.5;  // a drive at 0.5 m/s
  const Result result = strike(impact);
  EXPECT_NEAR(result.u[0], 0.5, 1e-14);
  EXPECT_EQ(result.outcome.rounds, 1);
}

TEST(Plus, NothingHappensWhereNothingApproaches) {
  const Result result = strike(impacts::point({1, 0, 2}, 0.3, ConstantRestitution{0.5}));
  EXPECT_EQ(result.outcome.rounds, 0);
  EXPECT_TRUE(result.p.isZero());
}

}  // namespace
}  // namespace carom::plus_closed_forms_test
