// Two contacts: how many resets, and which outcomes, from the geometry of a wedge of momenta; the paper's examples.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "carom/error.h"
#include "carom/impact/propagative/elastic_sequence.h"
#include "carom/impact/propagative/outcome_set.h"
#include "carom/impact/propagative/uniqueness.h"
#include "carom/impact/test/propagative_mechanics.h"

namespace carom::propagative_two_contacts_test {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;
using std::numbers::pi;

/// Momenta of the plane, feasible at polar angles 0 to β. Unit normals e_y and (sin β, −cos β) stand at π − β.
Matrix2d wedge(double beta) {
  Matrix2d N;
  N << 0, 1, std::sin(beta), -std::cos(beta);
  return N;
}

Vector2d polar(double angle) { return {std::cos(angle), std::sin(angle)}; }

/// Momentum at the angle −ψ, contact 0 first. In the unfolded plane each reset turns it on by β, so it is feasible
/// after j = ⌈ψ / β⌉ resets. The angle is then ψ − (j − 1) β if j is odd and j β − ψ if it is even. These are rotations
/// by multiples of 2 β.
struct Unfolded {
  int resets;
  double angle;
};
Unfolded unfold(double psi, double beta) {
  const int j = static_cast<int>(std::ceil(psi / beta));
  return {j, j % 2 == 1 ? psi - (j - 1) * beta : j * beta - psi};
}

TEST(PropagativeTwoContacts, TakesTheUnfoldedNumberOfResets) {
  propagative::Random random(1);
  for (int trial = 0; trial < 2000; ++trial) {
    const double beta = random.uniform(0.02, pi - 0.02), psi = random.uniform(0.001, pi - 0.001);
    if (std::abs(psi / beta - std::round(psi / beta)) < 1e-6) continue;
    const Matrix2d N = wedge(beta);
    const NormalImpact impact = normal_impact(N * N.transpose(), N * polar(-psi));
    const ElasticOutcome outcome = elastic_impact(impact, {.rule = ResetRule::priority, .order = {0, 1}});
    const Unfolded expected = unfold(psi, beta);
    ASSERT_EQ(outcome.status, ElasticStatus::feasible);
    EXPECT_EQ(static_cast<int>(outcome.sequence.size()), expected.resets) << beta << ' ' << psi;
    EXPECT_LE((outcome.velocity - N * polar(expected.angle)).norm(), 1e-12);
    EXPECT_LE((N.transpose() * outcome.impulse - polar(expected.angle) + polar(-psi)).norm(), 1e-10);
  }
}

/// Both orders from momenta that violate both contacts; the other contact sees ψ′ = 2π − β − ψ.
TEST(PropagativeTwoContacts, HasTheOutcomesOfBothOrders) {
  propagative::Random random(2);
  int several = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const double beta = random.uniform(0.1, pi - 0.1), psi = random.uniform(pi - beta + 1e-3, pi - 1e-3);
    const double other = 2 * pi - beta - psi;
    const Unfolded first = unfold(psi, beta), second = unfold(other, beta);
    const Vector2d a = polar(first.angle), b = polar(beta - second.angle);
    if ((a - b).norm() < 1e-6 || std::abs(psi / beta - std::round(psi / beta)) < 1e-6 ||
        std::abs(other / beta - std::round(other / beta)) < 1e-6) {
      continue;
    }
    const Matrix2d N = wedge(beta);
    const OutcomeSet set = outcome_set(normal_impact(N * N.transpose(), N * polar(-psi)));
    ASSERT_EQ(set.outcomes.size(), 2U);
    EXPECT_EQ(set.sequences, 2);
    EXPECT_EQ(set.shortest, std::min(first.resets, second.resets));
    EXPECT_EQ(set.longest, std::max(first.resets, second.resets));
    EXPECT_NEAR(set.diameter, (a - b).norm(), 1e-10);
    EXPECT_NEAR(set.indeterminacy, (a - b).norm(), 1e-10);  // ‖p‖ = 1
    for (const ReachedOutcome& outcome : set.outcomes) {
      const Vector2d& expected = outcome.sequence[0] == 0 ? a : b;
      EXPECT_LE((outcome.velocity - N * expected).norm(), 1e-11);
    }
    ++several;
  }
  EXPECT_GT(several, 500);
}

/// Equation (22), over random systems and their random momenta.
TEST(PropagativeTwoContacts, NeverExceedsTheBound) {
  propagative::Random random(3);
  const int trials = propagative::cases(100000, 3000);
  for (int trial = 0; trial < trials; ++trial) {
    const Eigen::Index n = random.integer(2, 6);
    propagative::Mechanics mechanics{propagative::random_mass(random, n), Eigen::MatrixXd(2, n),
                                     propagative::random_vector(random, n)};
    mechanics.J.row(0) = propagative::random_vector(random, n);
    mechanics.J.row(1) = propagative::random_vector(random, n);
    if (trial % 2 == 0) mechanics.J.row(1) = 0.3 * mechanics.J.row(1) - mechanics.J.row(0);  // nearly opposite
    const NormalImpact impact = mechanics.impact();
    const double bound = two_contact_bound(impact.cosine(0, 1));
    for (const auto& order : {std::vector<int>{0, 1}, std::vector<int>{1, 0}}) {
      const ElasticOutcome outcome = elastic_impact(impact, {.rule = ResetRule::priority, .order = order});
      ASSERT_EQ(outcome.status, ElasticStatus::feasible);
      ASSERT_LE(static_cast<double>(outcome.sequence.size()), bound) << trial;
    }
  }
}

/// ψ just below π takes all of them.
TEST(PropagativeTwoContacts, AttainsTheBound) {
  for (int step = 1; step < 400; ++step) {
    const double beta = step * pi / 400;
    const Matrix2d N = wedge(beta);
    // Below π by less than the distance to the last multiple of β.
    const double psi = pi - 0.4 * std::min(beta, pi - beta * (std::ceil(pi / beta - 1e-9) - 1));
    const NormalImpact impact = normal_impact(N * N.transpose(), N * polar(-psi));
    const ElasticOutcome outcome = elastic_impact(impact, {.rule = ResetRule::priority, .order = {0, 1}});
    EXPECT_EQ(static_cast<double>(outcome.sequence.size()), two_contact_bound(impact.cosine(0, 1))) << beta;
  }
}

TEST(PropagativeTwoContacts, KnowsTheBoundInClosedForm) {
  for (int m = 1; m <= 200; ++m) EXPECT_EQ(two_contact_bound(-std::cos(pi / m)), m == 1 ? 1 : m);
  EXPECT_EQ(two_contact_bound(-std::cos(pi / 2.5)), 3);
  EXPECT_EQ(two_contact_bound(0.5), 2);  // β = 120°
  EXPECT_EQ(two_contact_bound(-1), std::numeric_limits<double>::infinity());
}

/// Unique for every momentum if and only if the wedge is π/m: the momentum in its axis tells.
TEST(PropagativeTwoContacts, IsUniqueForWholeRatiosAlone) {
  for (int step = 1; step < 600; ++step) {
    const double beta = step * pi / 600;
    const bool whole = 600 % step == 0 && step < 600;
    const Matrix2d N = wedge(beta);
    const NormalImpact impact = normal_impact(N * N.transpose(), -N * polar(beta / 2));
    const Uniqueness verdict = uniqueness(impact);
    EXPECT_EQ(verdict.unique, whole ? Unique::yes : Unique::no) << step;
    EXPECT_EQ(verdict.any_momentum, whole);
    EXPECT_EQ(verdict.first == 0 && verdict.second == 1, !whole);
    const std::size_t outcomes = outcome_set(impact).outcomes.size();
    EXPECT_EQ(outcomes, whole ? 1U : 2U) << step;
    EXPECT_TRUE(verdict.ends);
    EXPECT_NEAR(verdict.margin, std::sin(beta / 2), 1e-6);
  }
}

TEST(PropagativeTwoContacts, KnowsThePapersAngles) {
  const auto reason = [](double beta) {
    const Matrix2d N = wedge(beta);
    return uniqueness(normal_impact(N * N.transpose(), -N * polar(beta / 2))).reason;
  };
  EXPECT_EQ(reason(pi / 2), UniqueReason::orthogonal);
  EXPECT_EQ(reason(pi / 3), UniqueReason::three_stage);
  EXPECT_EQ(reason(pi / 5), UniqueReason::reflection_group);
  EXPECT_EQ(reason(pi / 2.5), UniqueReason::enumerated);
}

/// Example 1: ball 1 strikes two at rest; both orders take three resets at most, and the last ball leaves.
TEST(PropagativeTwoContacts, SendsTheLastOfThreeEqualBallsOff) {
  const propagative::Mechanics cradle = propagative::row_of_balls({2, 2, 2}, Eigen::Vector3d(1, 0, 0));
  const OutcomeSet struck = outcome_set(cradle.impact());
  ASSERT_EQ(struck.outcomes.size(), 1U);
  EXPECT_LE((cradle.after(struck.outcomes[0].impulse) - Eigen::Vector3d(0, 0, 1)).norm(), 1e-15);
  // From both sides: the two sequences of the paper, (1, 2, 1) and (2, 1, 2).
  propagative::Mechanics squeezed = cradle;
  squeezed.v = Eigen::Vector3d(1, 0.25, -1);
  const OutcomeSet set = outcome_set(squeezed.impact());
  ASSERT_EQ(set.outcomes.size(), 1U);
  EXPECT_EQ(set.sequences, 2);
  EXPECT_EQ(set.shortest, 3);
  EXPECT_EQ(set.longest, 3);
  EXPECT_LE((squeezed.after(set.outcomes[0].impulse) - Eigen::Vector3d(-1, 0.25, 1)).norm(), 1e-15);
}

/// Equation (31): a billiard that breaks two, ⟨n_1, n_2⟩ = cos(α)/2 for equal masses. The outcome is unique at α = 90°
/// whatever the radii. Elsewhere the two orders differ by what the vectors themselves give.
TEST(PropagativeTwoContacts, BreaksBilliardsAsThePaperDoes) {
  for (const double degrees : {60.0, 75.0, 90.0, 110.0, 150.0}) {
    const double alpha = degrees * pi / 180;
    const Vector2d left = polar(alpha / 2), right = polar(-alpha / 2);
    propagative::Mechanics table{0.17 * Eigen::MatrixXd::Identity(6, 6), Eigen::MatrixXd::Zero(2, 6),
                                 Eigen::VectorXd::Zero(6)};
    table.J << -left.transpose(), left.transpose(), 0, 0, -right.transpose(), 0, 0, right.transpose();
    table.v(0) = 3;
    const NormalImpact impact = table.impact();
    EXPECT_NEAR(impact.cosine(0, 1), std::cos(alpha) / 2, 1e-15);
    OutcomeOptions options;
    options.kinetic_energy = table.energy(table.v);
    const OutcomeSet set = outcome_set(impact, options);
    Eigen::VectorXd ends[2];
    for (const int first : {0, 1}) {
      Eigen::VectorXd v = table.v;
      for (int i = first; (table.J * v).minCoeff() < -1e-12; i = 1 - i) v = table.reset(v, i);
      ends[first] = v;
    }
    const double distance = table.distance(ends[0], ends[1]);
    EXPECT_NEAR(set.indeterminacy, distance / std::sqrt(2 * options.kinetic_energy), 1e-10);
    EXPECT_EQ(set.outcomes.size(), degrees == 90 ? 1U : 2U);
    EXPECT_EQ(uniqueness(impact).reason, degrees == 90 ? UniqueReason::orthogonal : UniqueReason::enumerated);
  }
}

TEST(PropagativeTwoContacts, RefusesWhatIsNoImpact) {
  const Eigen::Vector2d u(-1, -1);
  EXPECT_THROW(normal_impact(Eigen::MatrixXd::Identity(3, 3), u), Error);
  EXPECT_THROW(normal_impact(Eigen::MatrixXd::Identity(2, 3), u), Error);
  EXPECT_THROW(normal_impact(Matrix2d::Zero(), u), Error);
  EXPECT_THROW(normal_impact((Matrix2d() << 1, 0.5, 0.4, 1).finished(), u), Error);
  EXPECT_THROW(normal_impact((Matrix2d() << 1, 1.5, 1.5, 1).finished(), u), Error);
  EXPECT_THROW(normal_impact(Matrix2d::Identity(), Vector2d(std::nan(""), 0)), Error);
  const NormalImpact impact = normal_impact(Matrix2d::Identity(), u);
  EXPECT_THROW((void)elastic_impact(impact, {.rule = ResetRule::priority, .order = {2}}), Error);
  EXPECT_EQ(elastic_impact(impact, {.rule = ResetRule::in_turn, .order = {1}}).status, ElasticStatus::not_listed);
}

}  // namespace
}  // namespace carom::propagative_two_contacts_test
