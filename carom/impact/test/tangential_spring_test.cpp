// Impacts of law lzb on contacts with a tangential spring.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "carom/impact/impact_certificate.h"
#include "carom/impact/lzb.h"
#include "carom/impact/test/layered_impacts.h"
#include "carom/impact/test/sprung_plane.h"

namespace carom::tangential_spring_test {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

struct Result {
  ImpactOutcome outcome;
  Eigen::VectorXd p, after;
  ImpactCertificate certificate;
};

Result solve(const ImpactProblem& problem, double accuracy = 1e-11) {
  LzbLaw law;
  LzbOptions options;
  options.accuracy = accuracy;
  Result result{{}, Eigen::VectorXd(problem.u.size()), Eigen::VectorXd(problem.u.size()), {}};
  result.outcome = law.solve(problem, options, result.p, result.after);
  result.certificate = certify_impact(problem, result.p, result.after);
  return result;
}

/// One contact with rows x, y, normal.
struct One {
  Eigen::Matrix3d A = Eigen::Matrix3d::Identity();
  Eigen::VectorXd u = Vector3d(0, 0, -1);
  std::vector<Block> blocks = std::vector<Block>(1);
  std::vector<ImpactSurface> surfaces = std::vector<ImpactSurface>(1);

  One(const Vector2d& friction, double e, double exponent, const std::optional<TangentialSpring>& spring) {
    blocks[0].kind = BlockKind::cone;
    blocks[0].friction = friction;
    surfaces[0] = {ConstantRestitution{e}, 1, exponent, spring};
  }
  /// Velocities after the impact.
  Vector3d after(double accuracy = 1e-11) const {
    const Eigen::MatrixXd matrix = A;
    const Result result = solve({matrix, u, blocks, surfaces}, accuracy);
    EXPECT_EQ(result.outcome.status, ImpactStatus::resolved);
    EXPECT_TRUE(result.certificate.holds(1e-9));
    return result.after;
  }
};

/// A sphere's centre and its surface do not couple: A = diag(7/2, 7/2, 1). Linear springs that hold are two oscillators
/// of their own. The normal one is loaded for a quarter of its period and unloads in e times that; the tangential one
/// likewise, with e_t. If both end together, v_t⁺ = −e_t v_t.
TEST(TangentialSpring, ALinearOneTurnsTheSlipOfASphere) {
  for (const double e : {1.0, 0.7, 0.3}) {
    for (const double e_t : {1.0, 0.8, 0.4}) {
      const double ratio = std::pow((1 + e_t) / (1 + e), 2) / 3.5;  // (1 + e_t)/ω_t = (1 + e)/ω
      One sphere({50, 50}, e, 1, TangentialSpring{ratio, e_t});
      sphere.A.diagonal() << 3.5, 3.5, 1;
      sphere.u << 0.3, -0.4, -2;
      const Vector3d after = sphere.after();
      EXPECT_NEAR(after.x(), -e_t * 0.3, 3e-7) << e << " " << e_t;
      EXPECT_NEAR(after.y(), e_t * 0.4, 3e-7);
      EXPECT_NEAR(after.z(), e * 2, 1e-8);
    }
  }
}

/// Wound up and released twice in the impact, three times, and so on: v_t⁺ = v_t cos(n π).
TEST(TangentialSpring, AStifferOneTurnsItSeveralTimes) {
  for (const int turns : {1, 2, 3, 4}) {
    One sphere({50, 50}, 1, 1, TangentialSpring{turns * turns / 3.5, 1});
    sphere.A.diagonal() << 3.5, 3.5, 1;
    sphere.u << 0.3, 0, -2;
    EXPECT_NEAR(sphere.after().x(), turns % 2 == 0 ? 0.3 : -0.3, 1e-7) << turns;
  }
}

TEST(TangentialSpring, AGrazingSphereSlidesThroughout) {
  for (const double exponent : {1.0, 1.5}) {
    One sphere({0.1, 0.1}, 0.8, exponent, TangentialSpring{0.82, 0.5});
    sphere.A.diagonal() << 3.5, 3.5, 1;
    sphere.u << 3, 4, -1;
    const Vector3d after = sphere.after();
    const double lost = 3.5 * 0.1 * 1.8;
    EXPECT_NEAR(after.x(), 3 - 0.6 * lost, 1e-9);
    EXPECT_NEAR(after.y(), 4 - 0.8 * lost, 1e-9);
    EXPECT_NEAR(after.z(), 0.8, 1e-9);
  }
}

/// Root mean square error, at points (incidence in degrees, value), of a sphere of alumina (radius 2.5 mm, e = 0.98, μ
/// = 0.092). It meets a wall at 3.9 m/s without spin.
template <class Value>
double missed(const std::vector<std::pair<double, double>>& points, Value&& value) {
  double sum = 0;
  for (const auto& [degrees, right] : points) {
    const double angle = degrees * std::numbers::pi / 180, nu = 0.23;
    One sphere({0.092, 0.092}, 0.98, 1.5, TangentialSpring{2 * (1 - nu) / (2 - nu), 1});
    sphere.A.diagonal() << 3.5, 3.5, 1;
    sphere.u << 3.9 * std::sin(angle), 0, -3.9 * std::cos(angle);
    const Vector3d after = sphere.after(1e-8);
    sum += std::pow(value(sphere.u.x(), after) - right, 2);
  }
  return std::sqrt(sum / static_cast<double>(points.size()));
}

/// Chung and Ooi, Granular Matter 13 (2011), test 4. The points are of the elastic reference and of the experiment of
/// Kharaz, Gorham and Salman (Powder Technology 120, 2001). The authors of KratosMultiphysics read them off.
TEST(TangentialSpring, ASphereOfAluminaSpringsBackAsPublished) {
  const std::vector<std::pair<double, double>> angles{
      {4.901, 3.761},   {9.959, -1.556},  {14.935, -5.544}, {19.988, -7.538}, {24.958, -7.538},
      {29.922, -3.55},  {34.962, 3.429},  {39.92, 11.571},  {49.834, 29.35},  {59.987, 47.795},
      {69.742, 64.577}, {79.822, 78.701}, {84.783, 84.517}};
  const std::vector<std::pair<double, double>> measured{
      {2.1, 0.7704},    {3.943, 0.7704},  {9.718, -1.057}, {20.31, -8.535}, {30.161, -2.553}, {39.12, 9.909},
      {49.512, 30.015}, {59.904, 49.955}, {70.46, 66.903}, {78.86, 78.867}, {84.782, 85.68}};
  const std::vector<std::pair<double, double>> spins{
      {4.951, -19.27},  {10.079, -213.0}, {14.97, -377.8}, {19.941, -510.6}, {24.911, -599.4},
      {29.961, -616.5}, {34.931, -582.3}, {39.98, -544.8}, {50.0, -457.0},   {60.02, -357.5},
      {69.961, -246.2}, {80.059, -126.3}, {85.03, -63.15}};
  const auto rebound = [](double, const Vector3d& after) {
    return std::atan2(after.x(), after.z()) * 180 / std::numbers::pi;
  };
  // The impulse turns the sphere and slows its centre: of the slip's change 5/7 are R ω.
  const auto spin = [](double before, const Vector3d& after) { return (after.x() - before) * 5 / 7 / 0.0025; };
  EXPECT_LE(missed(angles, rebound), 0.5);
  EXPECT_LE(missed(measured, rebound), 1.6);
  EXPECT_LE(missed(spins, spin), 4);
}

TEST(TangentialSpring, PlanarImpactsEqualAnotherIntegration) {
  layered::Random random(11);
  int stuck = 0;
  for (int trial = 0; trial < 24; ++trial) {
    const double x = layered::uniform(random, -1.2, 1.2), z = layered::uniform(random, -1.5, -0.5);
    Eigen::Matrix2d A;  // of a point of a planar body with a gyration radius of 1
    A << 1 + z * z, -x * z, -x * z, 1 + x * x;
    const Vector2d u(layered::uniform(random, -1.5, 1.5), layered::uniform(random, -2, -0.5));
    const double mu = layered::uniform(random, 0.1, 0.9), e = layered::uniform(random, 0.3, 1);
    const double exponent = trial % 2 == 0 ? 1 : 1.5;
    const TangentialSpring spring{layered::uniform(random, 0.4, 2), layered::uniform(random, 0.3, 1)};
    One one({mu, mu}, e, exponent, spring);
    one.A << A(0, 0), 0, A(0, 1), 0, 5, 0, A(1, 0), 0, A(1, 1);
    one.u << u[0], 0, u[1];
    const Vector3d ours = one.after(1e-12);
    const Vector2d other = test::SprungPlane(A, u, mu, e, exponent, spring).after();
    EXPECT_NEAR(ours.x(), other[0], 1e-5) << trial;
    EXPECT_NEAR(ours.z(), other[1], 1e-5) << trial;
    EXPECT_EQ(ours.y(), 0);
    stuck += u[0] * ours.x() < 0 ? 1 : 0;
  }
  EXPECT_GT(stuck, 5) << "too few spring back to test anything";
}

TEST(TangentialSpring, AStiffOneIsNone) {
  layered::Random random(12);
  for (int trial = 0; trial < 12; ++trial) {
    layered::Impact impact = layered::random_impact(random, 1);
    impact.blocks.back().kind = BlockKind::cone;
    if (impact.blocks.back().row + 3 > impact.u.size()) continue;
    impact.set_restitution(0.6);
    const Eigen::VectorXd rigid = solve(impact.problem(), 1e-9).after;
    double before = INFINITY;
    for (const double stiffness : {1e1, 1e2, 1e3}) {
      impact.surfaces.back().tangential_spring = TangentialSpring{stiffness, 0.5};
      const double difference = (solve(impact.problem(), 1e-9).after - rigid).cwiseAbs().maxCoeff();
      EXPECT_LE(difference, std::max(0.5 * before, 2e-3)) << trial << " " << stiffness;
      before = difference;
    }
    EXPECT_LE(before, 2e-3) << trial;
  }
}

TEST(TangentialSpring, ASoftOneIsNoFriction) {
  One one({0.4, 0.4}, 0.7, 1.5, TangentialSpring{1e-9, 1});
  one.A << 2, 0.1, 0.4, 0.1, 1.5, -0.3, 0.4, -0.3, 1.2;
  one.u << 0.5, -0.2, -1;
  One smooth = one;
  smooth.blocks[0].friction.setZero();
  EXPECT_LE((one.after() - smooth.after()).cwiseAbs().maxCoeff(), 1e-7);
}

/// Several contacts, and bilateral rows: pushes only, within cones, without gain.
TEST(TangentialSpring, SeveralNeverGainEnergy) {
  layered::Random random(13);
  for (int trial = 0; trial < 60; ++trial) {
    layered::Impact impact = layered::random_impact(random, 1 + trial % 5);
    impact.set_restitution(layered::uniform(random, 0, 1));
    for (ImpactSurface& surface : impact.surfaces) {
      surface.exponent = trial % 2 == 0 ? 1 : 1.5;
      if (layered::uniform(random, 0, 1) < 0.2) continue;  // some are rigid
      surface.tangential_spring =
          TangentialSpring{layered::uniform(random, 0.1, 3), layered::uniform(random, trial % 3 == 0 ? 0 : 0.5, 1)};
    }
    const Result result = solve(impact.problem(), 1e-8);
    EXPECT_EQ(result.outcome.status, ImpactStatus::resolved) << trial;
    EXPECT_LE(result.outcome.energy_change, 1e-12 * impact.energy()) << trial;
    EXPECT_TRUE(result.certificate.holds(1e-7)) << trial;
    layered::expect_lawful(impact, result.p, result.after);
  }
}

/// Friction that only sticks and slides loses more than with a spring that gives back, and more with one that keeps
/// half.
TEST(TangentialSpring, ALowerRestitutionKeepsLessEnergy) {
  One one({0.9, 0.9}, 1, 1, TangentialSpring{0.3, 1});
  one.A.diagonal() << 3.5, 3.5, 1;
  one.u << 0.6, -0.2, -1.5;
  const auto energy = [&](const Vector3d& u) { return 0.5 * u.dot(one.A.inverse() * u); };
  double more = energy(one.u) * (1 + 1e-12);
  for (const double e_t : {1.0, 0.7, 0.4, 0.1}) {
    one.surfaces[0].tangential_spring->restitution = e_t;
    const double kept = energy(one.after());
    EXPECT_LT(kept, more) << e_t;
    more = kept;
  }
}

One coupled(double exponent) {
  One one({0.4, 0.4}, 0.6, exponent, TangentialSpring{0.9, 0.6});
  one.A << 2, 0.1, 0.4, 0.1, 1.5, -0.3, 0.4, -0.3, 1.2;
  one.u << 0.5, -0.2, -1;
  return one;
}

TEST(TangentialSpring, TurnsAndMirrorsWithItsFrame) {
  for (const double exponent : {1.0, 1.5}) {
    const One one = coupled(exponent);
    const Vector3d after = one.after();
    for (const Eigen::Matrix3d& Q :
         {Eigen::Matrix3d(Eigen::AngleAxisd(0.7, Vector3d::UnitZ())), Eigen::Matrix3d(Vector3d(-1, 1, 1).asDiagonal()),
          Eigen::Matrix3d(Vector3d(1, -1, 1).asDiagonal())}) {
      One turned = one;
      turned.A = Q * one.A * Q.transpose();
      turned.u = Q * one.u;
      EXPECT_LE((turned.after() - Q * after).cwiseAbs().maxCoeff(), 1e-9);
    }
  }
}

TEST(TangentialSpring, KnowsNoUnits) {
  for (const double exponent : {1.0, 1.5}) {
    const One one = coupled(exponent);
    const Vector3d after = one.after();
    One fast = one, heavy = one, hard = one;
    fast.u *= 37;
    heavy.A /= 1e3;
    hard.surfaces[0].stiffness = 1e8;
    EXPECT_LE((fast.after() / 37 - after).cwiseAbs().maxCoeff(), 1e-9);
    EXPECT_LE((heavy.after() - after).cwiseAbs().maxCoeff(), 1e-9);
    EXPECT_LE((hard.after() - after).cwiseAbs().maxCoeff(), 1e-9);
  }
}

TEST(TangentialSpring, AnAxisWithoutFrictionBearsNone) {
  One one = coupled(1.5);
  one.blocks[0].friction = {0.4, 0};
  const Eigen::MatrixXd A = one.A;
  const Result result = solve({A, one.u, one.blocks, one.surfaces});
  EXPECT_NE(result.p[0], 0);
  EXPECT_EQ(result.p[1], 0);
  EXPECT_TRUE(result.certificate.holds(1e-9));
}

TEST(TangentialSpring, EqualContactsGetEqualImpulses) {
  layered::Impact impact =
      layered::brick(Eigen::Matrix3d::Identity(), layered::brick_corners(), 0.3, {0, 0, -3}, {0, 0, 1});
  impact.set_restitution(0.5);
  for (ImpactSurface& surface : impact.surfaces) surface.tangential_spring = TangentialSpring{0.8, 0.7};
  const Result result = solve(impact.problem());
  for (int i = 1; i < 4; ++i) {
    EXPECT_NEAR(result.p(3 * i + 2), result.p(2), 1e-9);
    EXPECT_NEAR(result.p.segment<2>(3 * i).norm(), result.p.head<2>().norm(), 1e-9);
  }
  EXPECT_GT(result.p.head<2>().norm(), 1e-3);
}

}  // namespace
}  // namespace carom::tangential_spring_test
