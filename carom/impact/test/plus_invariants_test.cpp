// Properties of every impact, on random ones: 1000 each, 100000 with CAROM_LONG set.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "carom/impact/impact_certificate.h"
#include "carom/impact/plus.h"
#include "carom/impact/test/random_impacts.h"

namespace carom::plus_invariants_test {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using impacts::Impact;
using impacts::Random;
using impacts::RandomKind;

int trials() { return std::getenv("CAROM_LONG") != nullptr ? 100000 : 1000; }

struct Result {
  ImpactOutcome outcome;
  VectorXd p, u;
};

Result strike(PlusLaw& law, const Impact& impact, const PlusOptions& options = {}, PlusTrace* trace = nullptr) {
  Result result{{}, VectorXd(impact.u.size()), VectorXd(impact.u.size())};
  result.outcome = law.solve(impact.problem(), options, result.p, result.u, trace);
  return result;
}

/// Friction may drive a contact whose slip was below the transition while that slip ends. Its work is at most the slip
/// times the impulse, which is what the transition speed leaves undecided. True if it does no more, in any step.
bool friction_dissipates(const Impact& impact, const PlusTrace& trace, double transition, int trial) {
  bool dissipates = true;
  VectorXd before = impact.u;
  for (std::size_t s = 0; s < trace.steps.size(); ++s) {
    const VectorXd p = trace.impulse_of(s), after = trace.velocity_after(s);
    for (const Block& block : impact.blocks) {
      if (block.kind != BlockKind::cone) continue;
      const auto slip = (0.5 * (before + after)).segment<2>(block.row);
      const double work = slip.dot(p.segment<2>(block.row));
      dissipates = dissipates && work <= (transition + 1e-9 * (before.norm() + after.norm())) * p.norm();
      EXPECT_LE(p.segment<2>(block.row).norm(), block.friction[0] * p[block.row + 2] + 1e-8 * p.norm()) << trial;
    }
    before = after;
  }
  return dissipates;
}

TEST(PlusInvariants, MomentumConesSignsEnergyAndNoApproach) {
  PlusLaw law;
  PlusTrace trace;
  int resolved = 0, unresolvable = 0, driven = 0, missed = 0;
  for (const double ratio : {1.0, 100.0, 1e4}) {
    Random random(41);
    RandomKind kind;
    kind.mass_ratio = ratio;
    for (int trial = 0; trial < trials() / 3; ++trial) {
      const Impact impact = impacts::random_impact(random, random.integer(1, 12), kind);
      const Result result = strike(law, impact, {}, &trace);
      const ImpactCertificate certificate =
          certify_impact(impact.problem(), result.p, result.u, ImpactPath{trace.impulse, trace.velocity});
      EXPECT_LE(certificate.momentum_residual, 1e-12) << trial;
      EXPECT_LE(*certificate.path_residual, 1e-10) << trial;
      EXPECT_LE(certificate.pull, 1e-8) << trial;
      EXPECT_LE(certificate.cone_violation, 1e-8) << trial;
      EXPECT_LE(certificate.energy_gain, 1e-9) << trial;
      if (result.outcome.status != ImpactStatus::inconsistent) {
        // The law's tolerance is relative to a block's speed, the certificate's to one component.
        EXPECT_LE(certificate.approach, 1e-7 * std::sqrt(3)) << trial;
        missed += certificate.bilateral <= 1e-8 ? 0 : 1;
      }
      // The certificate's energy is that of the bodies.
      const double energy = impact.kinetic_energy(impact.after(result.p)) - impact.kinetic_energy(impact.v);
      const double exchanged = result.p.cwiseAbs().dot(impact.A.cwiseAbs() * result.p.cwiseAbs());  // has its round-off
      EXPECT_NEAR(certificate.energy_change, energy, 1e-12 * (impact.kinetic_energy(impact.v) + exchanged)) << trial;
      const double transition = std::max(1e-4, 1e-5 * std::sqrt(3) * impact.u.cwiseAbs().maxCoeff());
      driven += friction_dissipates(impact, trace, transition, trial) ? 0 : 1;
      resolved += result.outcome.status == ImpactStatus::resolved ? 1 : 0;
      unresolvable += result.outcome.status == ImpactStatus::inconsistent ? 1 : 0;
    }
  }
  EXPECT_GT(resolved, trials() * 9 / 10);
  EXPECT_LE(unresolvable, trials() / 10000);  // said so, and so does the certificate
  EXPECT_LE(missed, trials() / 50000);        // constraints, by more than 1e-8 of the speeds
  EXPECT_LE(driven, trials() / 5000);         // in rounds of hundreds of intervals, whose slips stop and start
}

TEST(PlusInvariants, OneRestitutionWithoutFrictionGainsNoEnergyWithoutTheLimit) {
  PlusLaw law;
  Random random(42);
  RandomKind kind;
  kind.one_restitution = true;
  kind.friction = false;
  PlusOptions options;
  options.energy_limit = false;
  for (int trial = 0; trial < trials(); ++trial) {
    const Impact impact = impacts::random_impact(random, random.integer(1, 12), kind);
    const Result result = strike(law, impact, options);
    EXPECT_LE(result.outcome.energy_change, 1e-9 * impact.kinetic_energy(impact.v)) << trial;
  }
}

TEST(PlusInvariants, OneRestitutionWithFrictionGainsEnergySeldomAndNoneWithTheLimit) {
  PlusLaw law;
  Random random(42);
  RandomKind kind;
  kind.one_restitution = true;
  PlusOptions free;
  free.energy_limit = false;
  int gained = 0;
  for (int trial = 0; trial < trials(); ++trial) {
    const Impact impact = impacts::random_impact(random, random.integer(1, 8), kind);
    const double before = impact.kinetic_energy(impact.v);
    if (strike(law, impact, free).outcome.energy_change <= 1e-9 * before) continue;
    ++gained;
    EXPECT_LE(strike(law, impact).outcome.energy_change, 1e-9 * before) << trial;
  }
  EXPECT_LE(gained, trials() / 100);
}

TEST(PlusInvariants, TwoRestitutionsGainEnergyAndTheLimitTakesItBack) {
  // Two frictionless contacts on one body. The first, without restitution, shares the compression with the second,
  // which has all of it: what the second gives back it took from both.
  PlusLaw law;
  Random random(43);
  PlusOptions free;
  free.energy_limit = false;
  int gained = 0;
  double largest = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const double c = random.uniform(-0.95, 0.95), ratio = std::pow(10, random.uniform(-1, 1));
    Impact impact;
    impact.W = MatrixXd::Identity(2, 2);
    impact.J = (MatrixXd(2, 2) << 1, 0, c * ratio, std::sqrt(1 - c * c) * ratio).finished();
    impact.v = VectorXd::Zero(2);
    impact.v = impact.J.inverse() * -Eigen::Vector2d(random.uniform(0.01, 1), random.uniform(0.01, 1));
    for (int i = 0; i < 2; ++i) {
      impacts::add_block(impact, BlockKind::unilateral, 0, ConstantRestitution{random.uniform(0, 1)});
    }
    impact.close();
    const double before = impact.kinetic_energy(impact.v);
    const Result result = strike(law, impact, free);
    const double gain = result.outcome.energy_change / before;
    const ImpactCertificate certificate = certify_impact(impact.problem(), result.p, result.u);
    EXPECT_GE(result.u.minCoeff(), -1e-7);
    if (gain <= 1e-9) continue;
    EXPECT_GT(certificate.energy_gain, 1e-10);
    EXPECT_EQ(certificate.driving_block >= 0, certificate.driving_work > 0);
    ++gained;
    largest = std::max(largest, gain);
    const Result limited = strike(law, impact);
    EXPECT_NE(limited.outcome.status, ImpactStatus::inconsistent);
    EXPECT_LE(limited.outcome.energy_change, 1e-10 * before) << trial;
    EXPECT_GE(limited.u.minCoeff(), -1e-7);
    EXPECT_GE(limited.outcome.energy_change, -before);
  }
  EXPECT_GT(gained, 0);
  EXPECT_GT(largest, 0.01);
}

/// The same impact with other axes in each contact: turned about its normal, and mirrored.
Impact with_other_frames(const Impact& impact, Random& random, bool mirror, MatrixXd& change) {
  change = MatrixXd::Identity(impact.u.size(), impact.u.size());
  for (const Block& block : impact.blocks) {
    if (block.kind != BlockKind::cone) continue;
    Eigen::Matrix2d turn = Eigen::Rotation2Dd(random.uniform(0, 6)).toRotationMatrix();
    if (mirror) turn.col(1) *= -1;
    change.block<2, 2>(block.row, block.row) = turn;
  }
  Impact other = impact;
  other.J = change * impact.J;
  other.close();
  return other;
}

/// The same impact with its blocks in another order.
Impact in_other_order(const Impact& impact, Random& random, MatrixXd& change) {
  std::vector<std::size_t> order(impact.blocks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[random.integer(0, static_cast<int>(i) - 1)]);
  Impact other = impact;
  other.blocks.clear();
  other.surfaces.clear();
  change = MatrixXd::Zero(impact.u.size(), impact.u.size());
  int row = 0;
  for (const std::size_t i : order) {
    Block block = impact.blocks[i];
    for (int c = 0; c < block.size(); ++c) change(row + c, block.row + c) = 1;
    block.row = row;
    row += block.size();
    other.blocks.push_back(block);
    other.surfaces.push_back(impact.surfaces[i]);
  }
  other.J = change * impact.J;
  other.close();
  return other;
}

/// Velocities agree, to what round-off becomes on the way. Left out are impacts with many intervals, whose slip ends
/// and begins over and over among several contacts of high friction.
TEST(PlusInvariants, FramesMirrorsAndOrderDoNotMatter) {
  constexpr int few = 20;  // intervals
  PlusLaw law;
  Random random(44);
  int compared = 0, apart = 0;
  for (int trial = 0; trial < trials() / 2; ++trial) {
    const Impact impact = impacts::random_impact(random, random.integer(1, 8));
    const Result result = strike(law, impact);
    MatrixXd change;
    const Impact other = trial % 3 == 2 ? in_other_order(impact, random, change)
                                        : with_other_frames(impact, random, trial % 3 == 1, change);
    const Result again = strike(law, other);
    if (result.outcome.status != ImpactStatus::resolved) continue;
    if (result.outcome.intervals > few || result.outcome.jams > 0) continue;
    ++compared;
    apart += (change * result.u - again.u).norm() <= 1e-6 * impact.u.norm() ? 0 : 1;
  }
  EXPECT_LE(apart, trials() / 20000);
  EXPECT_GT(compared, trials() / 4);
}

TEST(PlusInvariants, EqualContactsGetEqualImpulses) {
  // A box that turns about a diagonal of its base, and one that spins about the vertical: corners in pairs and all
  // alike.
  PlusLaw law;
  for (const double mu : {0.05, 0.2, 0.6}) {
    for (const double e : {0.0, 0.5}) {
      const Result spinning =
          strike(law, impacts::flat_box(3, {0.7, 0.7, 0.3}, {0, 0, -2}, {0, 0, 3}, mu, ConstantRestitution{e}));
      for (int corner = 1; corner < 4; ++corner) {
        EXPECT_NEAR(spinning.p[3 * corner + 2], spinning.p[2], 1e-9);
        EXPECT_NEAR(spinning.p.segment<2>(3 * corner).norm(), spinning.p.head<2>().norm(), 1e-9);
      }
      const Result tipping =
          strike(law, impacts::flat_box(3, {0.7, 0.7, 0.3}, {0, 0, -2}, {1, -1, 0}, mu, ConstantRestitution{e}));
      // Corners 1 and 2 mirror one another across the plane x = y.
      EXPECT_NEAR(tipping.p[5], tipping.p[8], 1e-9);
      EXPECT_NEAR(tipping.p[3], tipping.p[7], 1e-9);
      EXPECT_NEAR(tipping.p[4], tipping.p[6], 1e-9);
    }
  }
}

TEST(PlusInvariants, PerturbationsMoveTheOutcomeByAsLittle) {
  // Symmetric impacts, where ties and zeros are exact before and are not after.
  PlusLaw law;
  Random random(45);
  std::vector<Impact> impacts_;
  impacts_.push_back(
      impacts::flat_box(2, {0.8, 0.6, 0.4}, {0, 0, -3}, Vector3d::Zero(), 0.3, ConstantRestitution{0.5}));
  impacts_.push_back(
      impacts::flat_box(2, {0.8, 0.6, 0.4}, {-2, 0, -8.84}, Vector3d::Zero(), 0.2, ConstantRestitution{0.4}));
  impacts_.push_back(impacts::flat_box(2, {0.7, 0.7, 0.4}, {0, 0, -1}, {0, 0, 2}, 0.1, ConstantRestitution{0.5}));
  impacts_.push_back(impacts::row_of_balls({1, 1, 1, 1, 1}, 2, 1));
  impacts_.push_back(impacts::point({0, 0, -2}, 0.3, ConstantRestitution{0.5}));
  for (const PlusOptions& options : {PlusOptions{}, PlusOptions::paper()}) {
    for (std::size_t i = 0; i < impacts_.size(); ++i) {
      PlusTrace trace, other;
      const Result result = strike(law, impacts_[i], options, &trace);
      for (int trial = 0; trial < 50; ++trial) {
        Impact moved = impacts_[i];
        for (double& v : moved.v) v += 1e-9 * random.uniform(-1, 1);
        moved.close();
        const Result again = strike(law, moved, options, &other);
        EXPECT_EQ(again.outcome.rounds, result.outcome.rounds) << i;
        EXPECT_EQ(again.outcome.intervals, result.outcome.intervals) << i;
        EXPECT_EQ(other.roles, trace.roles) << i;
        EXPECT_EQ(other.motions, trace.motions) << i;
        EXPECT_LE((again.u - result.u).norm(), 1e-6) << i;
        EXPECT_LE((again.p - result.p).norm(), 1e-6) << i;
      }
    }
  }
}

}  // namespace
}  // namespace carom::plus_invariants_test
