// Impacts integrated through time on contacts with a tangential spring.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <string>

#include "carom/error.h"
#include "carom/impact/compliant_impact.h"
#include "carom/impact/impact_certificate.h"
#include "carom/impact/lzb.h"
#include "carom/impact/test/layered_impacts.h"
#include "testing/allocation_count.h"

namespace carom::compliant_spring_test {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using layered::Impact;

struct Result {
  ImpactOutcome outcome;
  Eigen::VectorXd p, after;
};

Result solve(const Impact& impact, double accuracy = 1e-9, double dissipation = 0) {
  CompliantImpact law;
  CompliantOptions options;
  options.accuracy = accuracy;
  options.dissipation = dissipation;
  Result result{{}, Eigen::VectorXd(impact.u.size()), Eigen::VectorXd(impact.u.size())};
  result.outcome = law.solve(impact.problem(), options, result.p, result.after);
  EXPECT_EQ(result.outcome.status, ImpactStatus::resolved);
  return result;
}

/// A sphere of unit mass that strikes a wall: A = diag(7/2, 7/2, 1).
Impact sphere(const Vector3d& velocity, double friction, double exponent, const TangentialSpring& spring) {
  Impact impact;
  impact.add(BlockKind::cone, friction);
  impact.A = Vector3d(3.5, 3.5, 1).asDiagonal();
  impact.u = velocity;
  impact.surfaces[0] = {ConstantRestitution{1}, 1e5, exponent, spring};
  return impact;
}

/// Springs of linear contacts that hold are oscillators of their own. The tangential one is loaded for a quarter of its
/// period and unloads in e_t times that. If it ends with the normal one, v_t⁺ = −e_t v_t.
TEST(CompliantSpring, ALinearOneTurnsTheSlipOfASphere) {
  for (const double e_t : {1.0, 0.8, 0.4}) {
    const TangentialSpring spring{std::pow((1 + e_t) / 2, 2) / 3.5, e_t};
    const Vector3d after = solve(sphere({0.3, -0.4, -2}, 50, 1, spring)).after;
    EXPECT_NEAR(after.x(), -e_t * 0.3, 1e-6) << e_t;
    EXPECT_NEAR(after.y(), e_t * 0.4, 1e-6) << e_t;
    EXPECT_NEAR(after.z(), 2, 1e-7) << e_t;
  }
}

/// Wound up and released n times in the impact: v_t⁺ = v_t cos(n π).
TEST(CompliantSpring, AStifferOneTurnsItSeveralTimes) {
  for (const int turns : {1, 2, 3, 4}) {
    const Vector3d after = solve(sphere({0.3, 0, -2}, 50, 1, {turns * turns / 3.5, 1})).after;
    EXPECT_NEAR(after.x(), turns % 2 == 0 ? 0.3 : -0.3, 1e-6) << turns;
  }
}

TEST(CompliantSpring, AGrazingSphereSlidesThroughout) {
  for (const double exponent : {1.0, 1.5}) {
    const Vector3d after = solve(sphere({3, 4, -1}, 0.1, exponent, {0.82, 0.5})).after;
    const double lost = 3.5 * 0.1 * 2;
    EXPECT_NEAR(after.x(), 3 - 0.6 * lost, 1e-6);
    EXPECT_NEAR(after.y(), 4 - 0.8 * lost, 1e-6);
    EXPECT_NEAR(after.z(), 1, 1e-7);
  }
}

/// With linear springs without losses along the normal both have the same equations: lzb follows them along the
/// impulse, with a force where this has a deflection. Both limit how fast friction turns with the slip, lzb more: that
/// is what is left, and grows where contacts strike again and again.
TEST(CompliantSpring, LinearOnesEqualLawLzb) {
  layered::Random random(41);
  int sprung_back = 0;
  for (int trial = 0; trial < 40; ++trial) {
    Impact impact = layered::random_impact(random, 1 + trial % 4);
    impact.set_restitution(1);
    for (ImpactSurface& surface : impact.surfaces) {
      surface.exponent = 1;
      surface.tangential_spring = TangentialSpring{layered::uniform(random, 0.3, 3), layered::uniform(random, 0.5, 1)};
    }
    const Result ours = solve(impact, 1e-10);
    LzbLaw lzb;
    LzbOptions options;
    options.accuracy = 1e-11;
    options.slip_tolerance = 1e-9;
    Eigen::VectorXd p(impact.u.size()), after(impact.u.size());
    EXPECT_EQ(lzb.solve(impact.problem(), options, p, after).status, ImpactStatus::resolved);
    EXPECT_LE((ours.after - after).cwiseAbs().maxCoeff(), 2e-5 * impact.u.cwiseAbs().maxCoeff()) << trial;
    for (const Block& block : impact.blocks) {
      if (block.kind != BlockKind::cone || !(p(block.normal_row()) > 0)) continue;
      sprung_back += ours.after.segment<2>(block.row).dot(impact.u.segment<2>(block.row)) < 0 ? 1 : 0;
    }
  }
  EXPECT_GT(sprung_back, 10) << "too few spring back to test anything";
}

TEST(CompliantSpring, SeveralNeverGainEnergy) {
  layered::Random random(42);
  for (int trial = 0; trial < 60; ++trial) {
    Impact impact = layered::random_impact(random, 1 + trial % 5);
    for (ImpactSurface& surface : impact.surfaces) {
      surface.exponent = trial % 2 == 0 ? 1 : 1.5;
      if (layered::uniform(random, 0, 1) < 0.2) continue;  // some are rigid along the surface
      surface.tangential_spring = TangentialSpring{layered::uniform(random, 0.1, 3), layered::uniform(random, 0, 1)};
    }
    const Result result = solve(impact, 1e-7, trial % 3 == 0 ? 0.3 : 0.0);
    EXPECT_LE(result.outcome.energy_change, 1e-5 * impact.energy()) << trial;  // a hundred steps' error
    layered::expect_lawful(impact, result.p, result.after, 1e-6);
  }
}

TEST(CompliantSpring, TurnsAndMirrorsWithItsFrameAndKnowsNoUnits) {
  for (const double exponent : {1.0, 1.5}) {
    Impact impact = sphere({0.5, -0.2, -1}, 0.4, exponent, {0.9, 0.6});
    impact.A = Eigen::Matrix3d({{2, 0.1, 0.4}, {0.1, 1.5, -0.3}, {0.4, -0.3, 1.2}});
    const Vector3d after = solve(impact, 1e-10).after;
    for (const Eigen::Matrix3d& Q :
         {Eigen::Matrix3d(Eigen::AngleAxisd(0.7, Vector3d::UnitZ())), Eigen::Matrix3d(Vector3d(-1, 1, 1).asDiagonal()),
          Eigen::Matrix3d(Vector3d(1, -1, 1).asDiagonal())}) {
      Impact turned = impact;
      turned.A = Q * impact.A * Q.transpose();
      turned.u = Q * impact.u;
      EXPECT_LE((solve(turned, 1e-10).after - Q * after).cwiseAbs().maxCoeff(), 1e-7);
    }
    Impact heavy = impact, hard = impact;
    heavy.A /= 1e3;
    hard.surfaces[0].stiffness *= 1e3;
    EXPECT_LE((solve(heavy, 1e-10).after - after).cwiseAbs().maxCoeff(), 1e-7);
    EXPECT_LE((solve(hard, 1e-10).after - after).cwiseAbs().maxCoeff(), 1e-7);
  }
}

/// As if the axis had no row: what couples along it does nothing.
TEST(CompliantSpring, AnAxisWithoutFrictionBearsNone) {
  Impact impact = sphere({0.5, -0.2, -1}, 0.4, 1.5, {0.9, 0.6});
  impact.A = Eigen::Matrix3d({{2, 0.1, 0.4}, {0.1, 1.5, -0.3}, {0.4, -0.3, 1.2}});
  impact.blocks[0].friction = {0.4, 0};
  const Result result = solve(impact);
  impact.A.row(1) *= 0.5;
  impact.A.col(1) *= 0.5;
  impact.u[1] = 7;
  const Result other = solve(impact);
  EXPECT_NE(result.p[0], 0);
  EXPECT_NEAR(result.p[0], other.p[0], 5e-6);
  EXPECT_NEAR(result.p[2], other.p[2], 5e-6);
}

/// Surfaces that are thrown apart faster than 2/(3c) bear no force though still compressed.
TEST(CompliantSpring, SurfacesThatAreThrownApartBearNoForce) {
  layered::Random random(44);
  for (int trial = 0; trial < 40; ++trial) {
    Impact impact = layered::random_impact(random, 3);
    for (ImpactSurface& surface : impact.surfaces) {
      surface.tangential_spring = TangentialSpring{layered::uniform(random, 0.3, 2), layered::uniform(random, 0, 1)};
    }
    const Result result = solve(impact, 1e-7, 2);
    EXPECT_TRUE(result.after.allFinite()) << trial;
    EXPECT_LE(result.outcome.energy_change, 0) << trial;
    layered::expect_lawful(impact, result.p, result.after, 1e-6);
  }
}

/// The ellipse of friction: the slip of a sphere that slides throughout slows along μ² v / ‖μ v‖.
TEST(CompliantSpring, FrictionOfTwoAxesIsAnEllipse) {
  Impact impact = sphere({30, 40, -1}, 0, 1.5, {0.82, 1});
  impact.blocks[0].friction = {0.1, 0.3};
  const Result result = solve(impact);
  const Vector2d mean = 0.5 * (impact.u.head<2>() + result.after.head<2>());
  EXPECT_NEAR(result.p[1] / result.p[0], 0.09 * mean[1] / (0.01 * mean[0]), 0.02);
  EXPECT_NEAR(std::hypot(result.p[0] / 0.1, result.p[1] / 0.3), result.p[2], 1e-4);
}

/// Slip below the transition speed meets the static friction, faster slip the dynamic one.
TEST(CompliantSpring, StaticFrictionHoldsBelowTheTransitionSpeed) {
  CompliantImpact law;
  CompliantOptions options;
  options.accuracy = 1e-9;
  options.transition_speed = 1;
  const auto after = [&](double slip, double friction, double ratio) {
    options.static_ratio = ratio;
    const Impact impact = sphere({slip, 0, -1}, friction, 1.5, {0.82, 1});
    Eigen::VectorXd p(3), v(3);
    EXPECT_EQ(law.solve(impact.problem(), options, p, v).status, ImpactStatus::resolved);
    return v[0];
  };
  EXPECT_GT(std::abs(after(0.3, 0.1, 3) - after(0.3, 0.1, 1)), 0.1);
  EXPECT_NEAR(after(0.3, 0.1, 3), after(0.3, 0.3, 1), 1e-6);
  EXPECT_NEAR(after(9, 0.1, 3), after(9, 0.1, 1), 1e-6);
}

TEST(CompliantSpring, RepeatedSolvesAllocateNothing) {
  const Impact impact = sphere({0.5, -0.2, -1}, 0.4, 1.5, {0.9, 0.6});
  CompliantImpact law;
  Eigen::VectorXd p(3), after(3);
  EXPECT_EQ(law.solve(impact.problem(), {}, p, after).status, ImpactStatus::resolved);
  const long before = allocation_count();
  EXPECT_EQ(law.solve(impact.problem(), {}, p, after).status, ImpactStatus::resolved);
  EXPECT_EQ(allocation_count(), before);
}

TEST(CompliantSpring, EulersRulesRefuseIt) {
  const Impact impact = sphere({0.5, -0.2, -1}, 0.4, 1.5, {0.9, 0.6});
  for (const auto rule : {CompliantIntegrator::semi_explicit_euler, CompliantIntegrator::implicit_euler}) {
    CompliantImpact law;
    CompliantOptions options;
    options.integrator = rule;
    Eigen::VectorXd p(3), after(3);
    try {
      (void)law.solve(impact.problem(), options, p, after);
      FAIL() << "not refused";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("choose runge_kutta_merson"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace carom::compliant_spring_test
