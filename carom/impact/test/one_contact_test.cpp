// One contact: closed forms, and where the laws agree and where they must not.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "carom/impact/compliant_impact.h"
#include "carom/impact/lzb.h"
#include "carom/impact/newton_impact.h"
#include "carom/impact/plastic.h"
#include "carom/impact/poisson_impact.h"
#include "carom/impact/stronge.h"
#include "carom/impact/test/layered_impacts.h"
#include "carom/impact/test/planar_stronge.h"

namespace carom::one_contact_test {
namespace {

using layered::Impact;
using layered::PlanarStronge;

template <typename Law, typename Options>
Eigen::VectorXd after(const Impact& impact, const Options& options) {
  Law law;
  Eigen::VectorXd p(impact.u.size()), velocity(impact.u.size());
  EXPECT_EQ(law.solve(impact.problem(), options, p, velocity).status, ImpactStatus::resolved);
  layered::expect_lawful(impact, p, velocity);
  return velocity;
}

/// One contact in the plane of x and z; y is of no consequence.
Impact planar(const Eigen::Matrix2d& A, const Eigen::Vector2d& v, double mu, double e) {
  Impact impact;
  impact.add(BlockKind::cone, mu);
  impact.set_restitution(e);
  impact.A = Eigen::Matrix3d::Identity();
  impact.A(0, 0) = A(0, 0);
  impact.A(0, 2) = impact.A(2, 0) = A(0, 1);
  impact.A(2, 2) = A(1, 1);
  impact.u = Eigen::Vector3d(v(0), 0, v(1));
  return impact;
}

LzbOptions fine() {
  LzbOptions options;
  options.accuracy = 1e-9;
  return options;
}

TEST(OneContact, TwoBallsPartWithETimesTheirApproachUnderEveryLaw) {
  for (const double e : {0.0, 0.1, 0.35, 0.5, 0.9, 1.0}) {
    Impact impact = layered::row_of_balls({2, 3}, {1e6}, 1.7);
    impact.set_restitution(e);
    EXPECT_NEAR(after<NewtonImpactLaw>(impact, EndLawOptions{})(0), e * 1.7, 1e-12);
    EXPECT_NEAR(after<PoissonImpactLaw>(impact, EndLawOptions{})(0), e * 1.7, 1e-12);
    EXPECT_NEAR(after<StrongeLaw>(impact, StrongeOptions{})(0), e * 1.7, 1e-12);
    EXPECT_NEAR(after<LzbLaw>(impact, fine())(0), e * 1.7, 2e-8);  // what the steps are held to
  }
}

TEST(OneContact, RestitutionIsThatOfTheApproachSpeed) {
  const TableRestitution table{{{1, 0.9}, {3, 0.3}}};
  for (const double s : {0.5, 1.5, 2.0, 4.0}) {
    const double e = restitution_at(table, s);
    Impact impact = layered::row_of_balls({1, 1}, {1}, s);
    impact.surfaces[0].restitution = table;
    EXPECT_NEAR(after<NewtonImpactLaw>(impact, EndLawOptions{})(0), e * s, 1e-12);
    EXPECT_NEAR(after<PoissonImpactLaw>(impact, EndLawOptions{})(0), e * s, 1e-12);
    EXPECT_NEAR(after<StrongeLaw>(impact, StrongeOptions{})(0), e * s, 1e-12);
    EXPECT_NEAR(after<LzbLaw>(impact, fine())(0), e * s, 2e-8 * s);
  }
}

TEST(OneContact, EnergeticLawsFollowThePiecesOfTheHodograph) {
  layered::Random random(11);
  int reversed = 0, stuck = 0, jammed = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const double att = layered::uniform(random, 0.5, 4), ann = layered::uniform(random, 0.5, 2);
    const double most = std::sqrt(att * ann);
    Eigen::Matrix2d A;
    A << att, 0, 0, ann;
    A(0, 1) = A(1, 0) = layered::uniform(random, -0.95, 0.95) * most;
    const Eigen::Vector2d v(layered::uniform(random, -1, 1), layered::uniform(random, -1, -0.2));
    const double mu = layered::uniform(random, 0, 1.5), e = layered::uniform(random, 0.1, 1);
    const PlanarStronge exact(A, v, mu, e);
    if (exact.recompressed) continue;
    reversed += exact.reversed;
    stuck += exact.stuck;
    jammed += exact.jammed;
    const Impact impact = planar(A, v, mu, e);
    const Eigen::VectorXd stronge = after<StrongeLaw>(impact, StrongeOptions{}),
                          lzb = after<LzbLaw>(impact, LzbOptions{});
    for (const Eigen::VectorXd* ours : {&stronge, &lzb}) {
      SCOPED_TRACE("trial " + std::to_string(trial) + (ours == &lzb ? ", lzb" : ", stronge"));
      const double close = ours == &lzb ? 2e-5 : 1e-12;
      EXPECT_NEAR((*ours)(0), exact.v(0), close);
      EXPECT_NEAR((*ours)(1), 0, 1e-12);
      EXPECT_NEAR((*ours)(2), exact.v(1), close);
    }
    EXPECT_NEAR(exact.expansion, -e * e * exact.compression, 1e-12);
  }
  EXPECT_GT(reversed, 20);
  EXPECT_GT(stuck, 50);
  EXPECT_GT(jammed, 10);
}

TEST(OneContact, LawsAgreeWhileTheSlipGoesOnAndDifferBeyond) {
  layered::Random random(12);
  int agree = 0, differ = 0;
  for (int trial = 0; trial < 300; ++trial) {
    Eigen::Matrix2d A;
    A << layered::uniform(random, 1, 4), 0, 0, layered::uniform(random, 0.5, 2);
    A(0, 1) = A(1, 0) = layered::uniform(random, -0.8, 0.8) * std::sqrt(A(0, 0) * A(1, 1));
    const Eigen::Vector2d v(layered::uniform(random, -1, 1), layered::uniform(random, -1, -0.2));
    const double mu = layered::uniform(random, 0, 0.8), e = layered::uniform(random, 0.2, 1);
    const PlanarStronge exact(A, v, mu, e);
    if (exact.jammed) continue;
    const Impact impact = planar(A, v, mu, e);
    const Eigen::VectorXd newton = after<NewtonImpactLaw>(impact, EndLawOptions{});
    const Eigen::VectorXd poisson = after<PoissonImpactLaw>(impact, EndLawOptions{});
    if (!exact.reversed && !exact.stuck) {
      ++agree;
      EXPECT_NEAR(newton(2), exact.v(1), 1e-10);
      EXPECT_NEAR(poisson(2), exact.v(1), 1e-10);
      EXPECT_NEAR(newton(0), exact.v(0), 1e-10);
      EXPECT_NEAR(poisson(0), exact.v(0), 1e-10);
    } else if (std::abs(newton(2) - exact.v(1)) > 1e-3 || std::abs(poisson(2) - exact.v(1)) > 1e-3) {
      ++differ;
    }
  }
  EXPECT_GT(agree, 50);
  EXPECT_GT(differ, 30);
}

TEST(OneContact, WithoutRestitutionAllLawsArePlasticUnlessTheSlipReverses) {
  layered::Random random(13);
  for (int trial = 0; trial < 200; ++trial) {
    Eigen::Matrix2d A;
    A << layered::uniform(random, 1, 4), 0, 0, layered::uniform(random, 0.5, 2);
    A(0, 1) = A(1, 0) = layered::uniform(random, -0.8, 0.8) * std::sqrt(A(0, 0) * A(1, 1));
    const Eigen::Vector2d v(layered::uniform(random, -1, 1), layered::uniform(random, -1, -0.2));
    const double mu = layered::uniform(random, 0, 0.8);
    const PlanarStronge exact(A, v, mu, 0);
    if (exact.reversed || exact.jammed) continue;
    const Impact impact = planar(A, v, mu, 0);
    const Eigen::VectorXd plastic = after<PlasticLaw>(impact, EndLawOptions{});
    EXPECT_NEAR(plastic(0), exact.v(0), 1e-10);
    EXPECT_NEAR(plastic(2), 0, 1e-10);
    EXPECT_LE((after<NewtonImpactLaw>(impact, EndLawOptions{}) - plastic).norm(), 1e-10);
    EXPECT_LE((after<PoissonImpactLaw>(impact, EndLawOptions{}) - plastic).norm(), 1e-10);
    EXPECT_LE((after<StrongeLaw>(impact, StrongeOptions{}) - plastic).norm(), 1e-10);
    EXPECT_LE((after<LzbLaw>(impact, LzbOptions{}) - plastic).norm(), 2e-5);
  }
}

/// Kane and Levinson 1985: two hinged rods of 1 m and 1 kg whose free end strikes the floor while it slides.
TEST(OneContact, KanesPendulumGainsEnergyByNewtonsLawAndNotByTheOthers) {
  constexpr double degree = std::numbers::pi / 180, a = 20 * degree, b = 30 * degree;
  Eigen::Matrix2d M;
  M << 4.0 / 3, 0.5 * std::cos(a - b), 0.5 * std::cos(a - b), 1.0 / 3;
  Eigen::Matrix2d J;
  J << std::cos(a), std::cos(b), std::sin(a), std::sin(b);
  const Eigen::Matrix2d A = J * M.inverse() * J.transpose();
  const Eigen::Vector2d v = J * Eigen::Vector2d(-0.1, -0.2);
  const Impact impact = planar(A, v, 0.5, 0.5);
  const auto change = [&](const Eigen::VectorXd& u) {
    const Eigen::Vector2d w = A.inverse() * (Eigen::Vector2d(u(0), u(2)) - v);
    return 0.5 * w.dot(Eigen::Vector2d(u(0), u(2)) + v);
  };
  EXPECT_GT(change(after<NewtonImpactLaw>(impact, EndLawOptions{})), 0);
  EXPECT_LE(change(after<PoissonImpactLaw>(impact, EndLawOptions{})), 0);
  EXPECT_LE(change(after<StrongeLaw>(impact, StrongeOptions{})), 0);
  EXPECT_LE(change(after<LzbLaw>(impact, LzbOptions{})), 0);
}

TEST(OneContact, AJamStopsTheSlipBeforeItRebounds) {
  // While it slides, friction presses the contact together: A_nn − μ A_nt < 0.
  Eigen::Matrix2d A;
  A << 1, 0.8, 0.8, 1;
  const PlanarStronge exact(A, {0.5, -0.4}, 2, 0.6);
  ASSERT_TRUE(exact.jammed && exact.stuck);
  const Impact impact = planar(A, {0.5, -0.4}, 2, 0.6);
  EXPECT_NEAR(after<LzbLaw>(impact, LzbOptions{})(2), exact.v(1), 2e-5);
  EXPECT_NEAR(after<StrongeLaw>(impact, StrongeOptions{})(2), exact.v(1), 1e-12);
}

/// An impact whose slip turns, by quadratures over the angle φ of the slip. The integrals are ln ρ, the impulse and the
/// work (the classical fourth-order method, φ in equal parts). Neither the variables nor the method are those of the
/// law.
struct ByAngle {
  Eigen::Matrix3d A;  // x, y, z
  Eigen::Vector3d u;
  double mu = 0, given = 1;
  using State = Eigen::Matrix<double, 5, 1>;  // ln ρ, P_x, P_y, P_z, E

  static Eigen::Vector2d along(double angle) { return {std::cos(angle), std::sin(angle)}; }
  Eigen::Vector2d rates(double angle) const {
    const Eigen::Vector2d s = along(angle), q = A.block<2, 1>(0, 2) - mu * A.block<2, 2>(0, 0) * s;
    return {s.dot(q), s.x() * q.y() - s.y() * q.x()};
  }
  State derivative(double angle, const State& y) const {
    const Eigen::Vector2d s = along(angle), r = rates(angle);
    const Eigen::Vector3d p = y.segment<3>(1);
    const double slip = std::exp(y[0]) / r[1], normal = u.z() + A.row(2).dot(p);
    State d;
    d << r[0] / r[1], -mu * s.x() * slip, -mu * s.y() * slip, slip, -given * normal * slip;
    return d;
  }
  State go(double from, const State& start, double to, int parts) const {
    const double h = (to - from) / parts;
    State y = start;
    for (int i = 0; i < parts; ++i) {
      const double x = from + i * h;
      const State k1 = derivative(x, y), k2 = derivative(x + h / 2, y + h / 2 * k1);
      const State k3 = derivative(x + h / 2, y + h / 2 * k2), k4 = derivative(x + h, y + h * k3);
      y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    return y;
  }
  /// The angle at which passed(state) becomes positive, found in steps along it; NaN if the slip no longer turns before
  /// that.
  template <class Passed>
  double place(double from, const State& start, Passed&& passed) const {
    const double sign = rates(from)[1] > 0 ? 1 : -1, turning = std::abs(rates(from)[1]);
    double x = from, step = 0.01;
    State y = start;
    while (step > 1e-14) {
      const double to = x + sign * step;
      const bool turns = std::abs(rates(to)[1]) > 0.1 * turning && rates(to)[1] * sign > 0;
      if (!turns && step > 1e-4) {
        step /= 2;
        continue;
      }
      if (!turns) return std::nan("");
      const State next = go(x, y, to, 50);
      if (passed(next)) {
        step /= 2;
        continue;
      }
      x = to;
      y = next;
    }
    return x;
  }
};

TEST(OneContact, SlipThatTurnsIsFollowedToTenDigits) {
  layered::Random random(14);
  StrongeLaw law;
  int turned = 0;
  double turn = 0;
  for (int trial = 0; trial < 60; ++trial) {
    Eigen::Matrix3d L;
    for (double& entry : L.reshaped()) entry = layered::uniform(random, -1, 1);
    ByAngle exact;
    exact.A = L * L.transpose() + 0.3 * Eigen::Matrix3d::Identity();
    exact.mu = layered::uniform(random, 0.1, 0.6);
    exact.u << layered::uniform(random, -8, 8), layered::uniform(random, -8, 8), layered::uniform(random, -11, -2);
    const double e = trial % 4 == 0 ? 1 : layered::uniform(random, 0.2, 1);
    const double from = std::atan2(exact.u.y(), exact.u.x());
    ByAngle::State start = ByAngle::State::Zero();
    start[0] = std::log(exact.u.head<2>().norm());
    const auto normal = [&](const ByAngle::State& y) { return exact.u.z() + exact.A.row(2).dot(y.segment<3>(1)); };
    const double compressed = exact.place(from, start, [&](const auto& y) { return normal(y) >= 0; });
    if (std::isnan(compressed)) continue;
    const ByAngle::State middle = exact.go(from, start, compressed, 8000);
    exact.given = 1 / (e * e);
    const double end = exact.place(compressed, middle, [](const auto& y) { return y[4] <= 0; });
    if (std::isnan(end)) continue;
    const ByAngle::State last = exact.go(compressed, middle, end, 8000);
    if (std::abs(last[4]) > 1e-10 * middle[4]) continue;  // where it hardly turns, its angle tells too little
    const Eigen::Vector3d after = exact.u + exact.A * last.segment<3>(1);

    Block block;
    block.kind = BlockKind::cone;
    block.friction = Eigen::Vector2d::Constant(exact.mu);
    const Block blocks[] = {block};
    const ImpactSurface surfaces[] = {{ConstantRestitution{e}}};
    const Eigen::MatrixXd A = exact.A;
    const Eigen::VectorXd u = exact.u;
    Eigen::VectorXd impulse(3), velocity(3);
    const ImpactOutcome outcome = law.solve({A, u, blocks, surfaces}, {}, impulse, velocity);
    ASSERT_EQ(outcome.status, ImpactStatus::resolved);
    EXPECT_LE((velocity - after).norm(), 1e-10 * exact.u.norm()) << trial;
    EXPECT_LE(outcome.energy_change, 0);
    ++turned;
    turn = std::max(turn, std::abs(end - from));
  }
  EXPECT_GT(turned, 5);
  EXPECT_GT(turn, 0.3);
}

/// Each digit that is asked for costs, and is there.
TEST(OneContact, TheEnergeticImpactIsAsExactAsItIsAsked) {
  Eigen::Matrix3d exact;
  exact << 1.5, 0.3, 0.4, 0.3, 0.9, -0.2, 0.4, -0.2, 1.1;
  const Eigen::MatrixXd A = exact;
  const Eigen::VectorXd u = Eigen::Vector3d(4, 3, -5);
  Block block;
  block.kind = BlockKind::cone;
  block.friction = Eigen::Vector2d(0.5, 0.5);
  const Block blocks[] = {block};
  const ImpactSurface surfaces[] = {{ConstantRestitution{1}}};
  StrongeLaw law;
  const auto after = [&](double accuracy) {
    StrongeOptions options;
    options.flow.accuracy = accuracy;
    Eigen::VectorXd impulse(3), velocity(3);
    EXPECT_EQ(law.solve({A, u, blocks, surfaces}, options, impulse, velocity).status, ImpactStatus::resolved);
    return velocity;
  };
  const Eigen::VectorXd finest = after(1e-14);
  for (const double accuracy : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    EXPECT_LE((after(accuracy) - finest).norm(), 100 * accuracy * u.norm()) << accuracy;
  }
}

}  // namespace
}  // namespace carom::one_contact_test
