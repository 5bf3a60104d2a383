// The path of one contact's slip against the equations of Darboux and Keller, integrated apart.
#include <gtest/gtest.h>

#include <cmath>

#include "carom/impact/plus.h"
#include "carom/impact/slip_path.h"
#include "carom/impact/test/random_impacts.h"

namespace carom::plus_path_test {
namespace {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using impacts::Impact;

/// Integrates du/dp_z = A (−μ û_xy, 1) by Runge and Kutta's rule, with steps that shrink with the slip, until it ends.
/// From rest on, the contact sticks if friction can hold it. Else it slides off along the ray that reproduces itself.
/// Compression goes up to u_z = 0, then follows the expansion of e times its impulse.
class Keller {
 public:
  Keller(const Matrix3d& A, double friction, double fineness) : A_(A), mu_(friction), fine_(fineness) {}

  Vector3d solve(const Vector3d& u, double e) {
    u_ = u;
    p_.setZero();
    start_ = u;
    run(INFINITY);
    run(p_[2] + e * p_[2]);
    return p_;
  }

 private:
  Vector3d direction(const Vector3d& u) const {
    const Vector2d s = u.head<2>().normalized();
    return {-mu_ * s[0], -mu_ * s[1], 1};
  }

  Vector3d runge_kutta(const Vector3d& u, double h) const {
    const Vector3d d1 = direction(u), d2 = direction(u + h / 2 * A_ * d1), d3 = direction(u + h / 2 * A_ * d2);
    const Vector3d d4 = direction(u + h * A_ * d3);
    return h / 6 * (d1 + 2 * d2 + 2 * d3 + d4);
  }

  /// Up to the normal impulse `until`, or the end of compression.
  void run(double until) {
    const bool compression = std::isinf(until);
    while (true) {
      const double slip = u_.head<2>().norm();
      const double scale = fine_ * start_.norm();
      if (slip < 1e-10 * start_.norm()) return stick(until);
      const double speed = (A_ * direction(u_)).head<2>().norm();
      double h = std::min(scale / A_(2, 2), fine_ * slip / speed);
      if (!compression) h = std::min(h, until - p_[2]);
      Vector3d step = runge_kutta(u_, h);
      bool last = !compression && p_[2] + h >= until;
      if (compression && u_[2] + (A_ * step)[2] >= 0) {
        double low = 0, high = h;
        for (int i = 0; i < 80; ++i) {
          h = (low + high) / 2;
          step = runge_kutta(u_, h);
          (u_[2] + (A_ * step)[2] >= 0 ? high : low) = h;
        }
        last = true;
      }
      p_ += step;
      u_ = start_ + A_ * p_;
      if (last) return;
    }
  }

  void stick(double until) {
    const Matrix2d A_t = A_.topLeftCorner<2, 2>();
    Vector3d way(0, 0, 1);
    way.head<2>() = -A_t.inverse() * A_.block<2, 1>(0, 2);
    ASSERT_LE(way.head<2>().norm(), mu_) << "this test's impacts stick once they stop";
    p_ += way * (std::isinf(until) ? -u_[2] / (A_ * way)[2] : until - p_[2]);
    u_ = start_ + A_ * p_;
  }

  Matrix3d A_;
  double mu_, fine_;
  Vector3d u_, p_, start_;
};

VectorXd strike(const Impact& impact, const PlusOptions& options, int* intervals = nullptr) {
  VectorXd p(3), u(3);
  PlusLaw law;
  const ImpactOutcome outcome = law.solve(impact.problem(), options, p, u);
  EXPECT_EQ(outcome.status, ImpactStatus::resolved);
  if (intervals != nullptr) *intervals = outcome.intervals;
  return p;
}

/// The brick on its vertex slides to the end (friction 0.125), or its slip ends in the expansion (0.225).
struct Reference {
  Impact impact;
  VectorXd p;
};
Reference reference(double friction) {
  const double e = friction == 0.125 ? 0.392 : 0.387;
  Reference result{impacts::brick_on_vertex(friction, ConstantRestitution{e}), {}};
  result.p = Keller(result.impact.A, friction, 1e-3).solve(result.impact.u, e);
  const VectorXd coarse = Keller(result.impact.A, friction, 4e-3).solve(result.impact.u, e);
  EXPECT_LE((coarse - result.p).norm(), 1e-9 * result.p.norm());
  return result;
}

TEST(PlusPath, ThePapersRuleIsOfFirstOrder) {
  for (const double friction : {0.125, 0.225}) {
    const Reference exact = reference(friction);
    double before = 0;
    for (const double angle : {0.02, 0.01, 0.005, 0.0025}) {
      PlusOptions options = PlusOptions::paper();
      options.direction_change = angle;
      options.shortest_interval = 1e-9;
      options.transition_speed = 1e-6;
      const double error = (strike(exact.impact, options) - exact.p).norm() / exact.p.norm();
      if (before > 0) {
        EXPECT_NEAR(std::log2(before / error), 1, 0.15) << friction << " " << angle;
      }
      before = error;
    }
    EXPECT_LT(before, 2e-4);
  }
}

TEST(PlusPath, TheLibrarysRuleIsOfSecondOrderAtLeast) {
  const Reference exact = reference(0.125);
  double before = 0;
  for (const double angle : {0.2, 0.1, 0.05, 0.025}) {
    PlusOptions options;
    options.path_tolerance = 1e3;  // only the turn limits the intervals
    options.largest_turn = angle;
    options.transition_speed = 1e-9;
    const double error = (strike(exact.impact, options) - exact.p).norm() / exact.p.norm();
    if (before > 0) {
      EXPECT_GT(std::log2(before / error), 1.9) << angle;
    }
    before = error;
  }
  EXPECT_LT(before, 1e-6);
}

TEST(PlusPath, TheErrorFollowsTheTolerance) {
  for (const double friction : {0.125, 0.225}) {
    const Reference exact = reference(friction);
    for (const double tolerance : {1e-3, 1e-4, 1e-5, 1e-6}) {
      PlusOptions options;
      options.path_tolerance = tolerance;
      options.transition_speed = 1e-9;
      const double error = (strike(exact.impact, options) - exact.p).norm() / exact.p.norm();
      EXPECT_LT(error, tolerance) << friction;
    }
  }
}

TEST(PlusPath, ByDefaultFewIntervalsAreAsGoodAsAThousandOfThePapers) {
  const Reference exact = reference(0.125);
  PlusOptions paper = PlusOptions::paper();
  paper.direction_change = 0.001;
  int many = 0, few = 0;
  const double coarse = (strike(exact.impact, paper, &many) - exact.p).norm();
  const double fine = (strike(exact.impact, {}, &few) - exact.p).norm();
  EXPECT_LE(fine, coarse);
  EXPECT_GT(many, 1000);
  EXPECT_LE(few, 12);
}

TEST(PlusPath, AnyContactThatSticksOnceItStopsFollowsTheEquations) {
  impacts::Random random(31);
  int compared = 0;
  for (int trial = 0; trial < 200; ++trial) {
    impacts::Body body;
    const Matrix3d R = random.rotation();
    body.inertia =
        R * Vector3d(random.uniform(0.05, 0.1), random.uniform(0.06, 0.1), random.uniform(0.07, 0.1)).asDiagonal() *
        R.transpose();
    body.linear = {random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-4, -1)};
    body.angular = random.vector(2);
    const double friction = random.uniform(0.05, 0.6), e = random.uniform(0, 1);
    const Impact impact = impacts::make(
        {body},
        {{0, -1, random.vector(0.3), {}, Matrix3d::Identity(), friction, ConstantRestitution{e}, BlockKind::cone}});
    // Left out: no approach, jams, and slip that would go on after it stopped.
    const Vector2d hold = impact.A.topLeftCorner<2, 2>().inverse() * impact.A.block<2, 1>(0, 2);
    const double jam = impact.A(2, 2) - friction * impact.A.block<2, 1>(0, 2).norm();
    if (impact.u[2] > -0.1 || hold.norm() > 0.95 * friction || jam < 0.05 * impact.A(2, 2)) continue;
    ++compared;
    const VectorXd exact = Keller(impact.A, friction, 4e-3).solve(impact.u, e);
    PlusOptions options;
    options.path_tolerance = 1e-5;
    options.transition_speed = 1e-7;
    EXPECT_LE((strike(impact, options) - exact).norm(), 3e-5 * exact.norm()) << trial;
  }
  EXPECT_GT(compared, 50);
}

TEST(SlipPath, TheMeanDirectionIsTheIntegral) {
  impacts::Random random(32);
  for (int trial = 0; trial < 300; ++trial) {
    const Vector2d w(random.uniform(-1, 1), random.uniform(-1, 1));
    const Vector2d change =
        std::pow(10, random.uniform(-9, 1)) * Vector2d(random.uniform(-1, 1), random.uniform(-1, 1));
    constexpr int points = 20000;
    Vector2d sum = Vector2d::Zero();
    for (int i = 0; i < points; ++i) sum += (w + (i + 0.5) / points * change).normalized() / points;
    EXPECT_LE((slip_path::mean_direction(w, change) - sum).norm(), 1e-4) << w << change;
  }
  // Through rest and along the axis of the path, where the terms cancel.
  EXPECT_LE(slip_path::mean_direction({1, 0}, {-2, 0}).norm(), 1e-15);
  EXPECT_LE((slip_path::mean_direction({1, 0}, {-1, 0}) - Vector2d(1, 0)).norm(), 1e-15);
  EXPECT_LE((slip_path::mean_direction({-1, 1e-300}, {3, 0}) - Vector2d(1.0 / 3, 0)).norm(), 1e-15);
  // Paths that end at rest but for round-off, as those of all single contacts that stick do.
  for (int trial = 0; trial < 10000; ++trial) {
    const Vector2d w(random.uniform(-1, 1), random.uniform(-1, 1));
    const Vector2d mean = slip_path::mean_direction(w, -w * (1 + 1e-16 * random.uniform(-4, 4)));
    ASSERT_LE((mean - w.normalized()).norm(), 1e-9) << w;
  }
}

TEST(SlipPath, ItTurnsAsFarAsAsked) {
  impacts::Random random(33);
  for (int trial = 0; trial < 300; ++trial) {
    const Vector2d w(random.uniform(-1, 1), random.uniform(-1, 1)),
        change(random.uniform(-1, 1), random.uniform(-1, 1));
    const double angle = random.uniform(1e-4, 1);
    const double part = slip_path::turned_by(angle, w, change);
    const auto turned = [&](const Vector2d& end) {
      return std::abs(std::atan2(w[0] * end[1] - w[1] * end[0], w.dot(end)));
    };
    if (std::isinf(part)) {
      EXPECT_LE(turned(change), angle * (1 + 1e-12));  // all that it ever turns
    } else {
      EXPECT_NEAR(turned(w + part * change), angle, 1e-9);
    }
  }
}

}  // namespace
}  // namespace carom::plus_path_test
