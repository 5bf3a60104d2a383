// Any number of contacts: every order ends where all can open, wedges are found, reflection groups are unique.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <tuple>
#include <vector>

#include "carom/impact/propagative/elastic_sequence.h"
#include "carom/impact/propagative/opening_direction.h"
#include "carom/impact/propagative/outcome_set.h"
#include "carom/impact/propagative/uniqueness.h"
#include "carom/impact/test/propagative_mechanics.h"

namespace carom::propagative_many_contacts_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using propagative::Mechanics;
using std::numbers::pi;

/// Three to eight contacts, independent or not, by three rules; each outcome conserves momentum and energy.
TEST(PropagativeManyContacts, EndInEveryOrderWhereAllCanOpen) {
  propagative::Random random(11);
  const int trials = propagative::cases(20000, 1000);
  for (int trial = 0; trial < trials; ++trial) {
    const int k = random.integer(3, 8);
    const Mechanics mechanics = propagative::random_opening(random, k, random.integer(2, 9), 0.05);
    const NormalImpact impact = mechanics.impact();
    const OpeningDirection opening = opening_direction(impact);
    ASSERT_TRUE(opening.exists) << trial;
    ASSERT_GE(opening.margin, 0.05 - 1e-9);
    const std::vector<int> order = propagative::random_rounds(random, k, 20);
    for (const ResetRule rule : {ResetRule::deepest, ResetRule::priority, ResetRule::in_turn}) {
      const ElasticOutcome outcome = elastic_impact(impact, {.rule = rule, .order = order});
      ASSERT_EQ(outcome.status, ElasticStatus::feasible) << trial;
      const VectorXd after = mechanics.after(outcome.impulse);
      const double rounding = 1e-13 * (10 + static_cast<double>(outcome.sequence.size()));
      const double energy = mechanics.energy(mechanics.v);
      EXPECT_GE(outcome.impulse.minCoeff(), 0);
      EXPECT_LE((mechanics.J * after - outcome.velocity).norm(), rounding * 10) << trial;
      EXPECT_NEAR(mechanics.energy(after), energy, rounding * energy * 10) << trial;
      EXPECT_GE((mechanics.J * after).cwiseQuotient(impact.length).minCoeff(), -2e-9 * impact.scale());
    }
  }
}

/// The direction opens every contact by the margin, and none does better: a search around it finds none.
TEST(PropagativeManyContacts, FindTheBestOpeningDirection) {
  propagative::Random random(12);
  for (int trial = 0; trial < 200; ++trial) {
    const int k = random.integer(2, 6);
    const Mechanics mechanics = propagative::random_opening(random, k, 4, 0.1);
    const NormalImpact impact = mechanics.impact();
    const OpeningDirection opening = opening_direction(impact);
    const auto margin = [&](const VectorXd& d) {
      return (mechanics.J * d).cwiseQuotient(impact.length).minCoeff() / std::sqrt(2 * mechanics.energy(d));
    };
    const VectorXd best =
        mechanics.M.ldlt().solve(mechanics.J.transpose() * opening.weights.cwiseQuotient(impact.length));
    EXPECT_NEAR(margin(best), opening.margin, 1e-12);
    for (int probe = 0; probe < 100; ++probe) {
      const double size = std::pow(10, -random.uniform(0, 4)) * best.norm();
      EXPECT_LE(margin(best + size * propagative::random_vector(random, 4)), opening.margin + 1e-12);
    }
  }
}

/// Normals whose positive weights cancel: Gordan's alternative. The weights show it.
TEST(PropagativeManyContacts, DetectWedges) {
  propagative::Random random(13);
  for (int trial = 0; trial < 300; ++trial) {
    const int k = random.integer(2, 7);
    const Eigen::Index n = random.integer(1, 6);
    Mechanics mechanics{propagative::random_mass(random, n), MatrixXd(k, n), propagative::random_vector(random, n)};
    VectorXd sum = VectorXd::Zero(n);
    for (int i = 0; i + 1 < k; ++i) {
      mechanics.J.row(i) = propagative::random_vector(random, n);
      sum += random.uniform(0.1, 1) * mechanics.J.row(i).transpose();
    }
    mechanics.J.row(k - 1) = -sum;
    const NormalImpact impact = mechanics.impact();
    const OpeningDirection opening = opening_direction(impact);
    EXPECT_FALSE(opening.exists) << trial;
    EXPECT_GE(opening.weights.minCoeff(), 0);
    EXPECT_NEAR(opening.weights.sum(), 1, 1e-14);
    const VectorXd cancelled = mechanics.J.transpose() * opening.weights.cwiseQuotient(impact.length);
    EXPECT_LE(cancelled.norm(), 1e-6 * mechanics.J.norm()) << trial;
  }
}

/// A ball between two walls goes to and fro for ever; three normals at 120° likewise, though each pair is at π − π/3.
TEST(PropagativeManyContacts, SayThatWedgedResetsNeverEnd) {
  const MatrixXd walls = (MatrixXd(2, 1) << 1, -1).finished();
  const NormalImpact between = normal_impact(walls * walls.transpose(), walls * Eigen::VectorXd::Constant(1, -2));
  ElasticOptions few;
  few.max_resets = 1001;
  EXPECT_EQ(elastic_impact(between, few).status, ElasticStatus::reset_limit);
  const Uniqueness verdict = uniqueness(between);
  EXPECT_EQ(verdict.unique, Unique::unknown);
  EXPECT_EQ(verdict.reason, UniqueReason::endless);
  EXPECT_FALSE(verdict.ends);
  EXPECT_TRUE(verdict.outcomes.endless);
  EXPECT_TRUE(verdict.outcomes.outcomes.empty());
  MatrixXd N(3, 2);
  for (int i = 0; i < 3; ++i) N.row(i) << std::cos(2 * pi * i / 3), std::sin(2 * pi * i / 3);
  const Uniqueness three = uniqueness(normal_impact(N * N.transpose(), N * Eigen::Vector2d(-0.8, 0.37)));
  EXPECT_NE(three.unique, Unique::yes);
  EXPECT_EQ(three.margin, 0);
  EXPECT_FALSE(three.ends);
  EXPECT_TRUE(three.outcomes.outcomes.empty());
}

TEST(PropagativeManyContacts, CommuteWhereNormalsAreOrthogonal) {
  propagative::Random random(14);
  for (int trial = 0; trial < 200; ++trial) {
    const int k = random.integer(2, 7);
    VectorXd lengths(k), u(k);
    for (int i = 0; i < k; ++i) lengths(i) = std::exp(random.uniform(-2, 2)), u(i) = random.uniform(-1, 1);
    const NormalImpact impact = normal_impact(lengths.cwiseAbs2().asDiagonal().toDenseMatrix(), u);
    const OutcomeSet set = outcome_set(impact);
    ASSERT_EQ(set.outcomes.size(), 1U);
    const auto violated = static_cast<int>((u.array() < 0).count());
    EXPECT_EQ(set.sequences, std::tgamma(violated + 1));  // all orders of the violated
    EXPECT_EQ(set.longest, violated);
    EXPECT_LE((set.outcomes[0].velocity - u.cwiseAbs()).norm(), 1e-15);  // theorem 2
    const UniqueReason reason = uniqueness(impact).reason;
    EXPECT_EQ(reason, violated == 0   ? UniqueReason::feasible_before
                      : violated == 1 ? UniqueReason::one_contact
                                      : UniqueReason::orthogonal);
  }
}

/// A Coxeter diagram: edges (i, j, m); other pairs have m = 2.
struct Diagram {
  std::string name;
  int rank;
  std::vector<std::tuple<int, int, int>> edges;
  int reflections;  ///< positive roots: Σ (d − 1) over the degrees d (Humphreys 1990, section 3.9)
};

std::vector<std::tuple<int, int, int>> chain(int rank, int last) {
  std::vector<std::tuple<int, int, int>> edges;
  for (int i = 0; i + 1 < rank; ++i) edges.emplace_back(i, i + 1, i + 2 == rank ? last : 3);
  return edges;
}

std::vector<Diagram> diagrams() {
  std::vector<Diagram> all = {{"A3", 3, chain(3, 3), 6},      {"A5", 5, chain(5, 3), 15}, {"B4", 4, chain(4, 4), 16},
                              {"H3", 3, chain(3, 5), 15},     {"H4", 4, chain(4, 5), 60}, {"I2(7)", 2, chain(2, 7), 7},
                              {"I2(30)", 2, chain(2, 30), 30}};
  all.push_back({"D4", 4, {{0, 1, 3}, {1, 2, 3}, {1, 3, 3}}, 12});
  all.push_back({"F4", 4, {{0, 1, 3}, {1, 2, 4}, {2, 3, 3}}, 24});
  all.push_back({"E6", 6, {{0, 1, 3}, {1, 2, 3}, {2, 3, 3}, {3, 4, 3}, {2, 5, 3}}, 36});
  all.push_back({"E8", 8, {{0, 1, 3}, {1, 2, 3}, {2, 3, 3}, {3, 4, 3}, {4, 5, 3}, {5, 6, 3}, {2, 7, 3}}, 120});
  all.push_back({"A2 + I2(5)", 4, {{0, 1, 3}, {2, 3, 5}}, 8});
  return all;
}

MatrixXd cosines(const Diagram& diagram) {
  MatrixXd C = MatrixXd::Identity(diagram.rank, diagram.rank);
  for (const auto& [i, j, m] : diagram.edges) C(i, j) = C(j, i) = -std::cos(pi / m);
  return C;
}

/// Every root as coefficients of the simple ones, by reflecting until none is new.
std::vector<VectorXd> positive_roots(const MatrixXd& C) {
  std::vector<VectorXd> roots;
  for (Eigen::Index i = 0; i < C.rows(); ++i) roots.push_back(VectorXd::Unit(C.rows(), i));
  for (std::size_t at = 0; at < roots.size(); ++at) {
    for (Eigen::Index i = 0; i < C.rows(); ++i) {
      VectorXd root = roots[at];
      root(i) -= 2 * C.row(i).dot(roots[at]);
      if (root.minCoeff() < -1e-9) continue;  // the negative of a simple root
      const bool known =
          std::any_of(roots.begin(), roots.end(), [&](const VectorXd& other) { return (other - root).norm() < 1e-6; });
      if (!known) roots.push_back(root);
    }
  }
  return roots;
}

/// One outcome and one number of resets in every order: as many as mirrors part the momentum from the feasible cone.
TEST(PropagativeManyContacts, AreUniqueInReflectionGroups) {
  propagative::Random random(15);
  for (const Diagram& diagram : diagrams()) {
    const MatrixXd C = cosines(diagram);
    const std::vector<VectorXd> roots = positive_roots(C);
    ASSERT_EQ(static_cast<int>(roots.size()), diagram.reflections) << diagram.name;
    for (int trial = 0; trial < propagative::cases(200, 20); ++trial) {
      VectorXd length(diagram.rank);
      for (double& l : length) l = std::exp(random.uniform(-1, 1));
      VectorXd w = propagative::random_vector(random, diagram.rank);
      if (trial == 0) w = VectorXd::Constant(diagram.rank, -1);  // opposite the chamber: all mirrors
      const NormalImpact impact = normal_impact(length.asDiagonal() * C * length.asDiagonal(), length.cwiseProduct(w));
      const auto between = std::count_if(roots.begin(), roots.end(), [&](const VectorXd& r) { return r.dot(w) < 0; });
      const ElasticOutcome deepest = elastic_impact(impact);
      EXPECT_EQ(std::ssize(deepest.sequence), between) << diagram.name;
      for (int order = 0; order < 5; ++order) {
        const ElasticOutcome other = elastic_impact(
            impact, {.rule = ResetRule::in_turn, .order = propagative::random_rounds(random, diagram.rank, 40)});
        EXPECT_EQ(std::ssize(other.sequence), between) << diagram.name;
        // In units of the momentum, ‖p‖.
        EXPECT_LE((other.velocity - deepest.velocity).cwiseQuotient(length).norm(), 1e-12 * impact.scale())
            << diagram.name;
        EXPECT_LE((other.impulse - deepest.impulse).norm(), 1e-12 * (1 + deepest.impulse.norm())) << diagram.name;
      }
      const Uniqueness verdict = uniqueness(impact);
      EXPECT_EQ(verdict.unique, Unique::yes) << diagram.name;
      EXPECT_EQ(verdict.any_momentum, w.minCoeff() < 0) << diagram.name;
      EXPECT_EQ(verdict.outcomes.momenta, 0);  // by the angles, not by enumeration
    }
  }
}

/// With independent normals one pair at another angle is enough: some momentum has two outcomes. It violates that pair
/// in its axis, and is far inside the others.
TEST(PropagativeManyContacts, AreNotUniqueWithOnePairAtAnotherAngle) {
  propagative::Random random(16);
  for (int trial = 0; trial < 100; ++trial) {
    const int k = random.integer(3, 6);
    const Mechanics mechanics = propagative::random_opening(random, k, k + 1, 0.05);
    const MatrixXd A = mechanics.A();
    VectorXd u = VectorXd::Constant(k, 1e4);
    const double c = A(0, 1) / std::sqrt(A(0, 0) * A(1, 1));
    if (std::abs(c) > 0.9 || !normal_impact(A, u).independent()) continue;
    u(0) = -std::sqrt(A(0, 0));
    u(1) = -std::sqrt(A(1, 1));
    OutcomeOptions options;
    options.feasible_tolerance = options.distinct_tolerance = 1e-12;
    const OutcomeSet set = outcome_set(normal_impact(A, u), options);
    EXPECT_EQ(set.outcomes.size(), 2U) << trial << ' ' << c;
  }
}

/// Equal balls exchange velocities: the outcome is their velocities in order, in as many resets as pairs stand in wrong
/// order. With a wall the speeds are in order.
TEST(PropagativeManyContacts, SortTheVelocitiesOfEqualBalls) {
  propagative::Random random(17);
  for (int trial = 0; trial < 100; ++trial) {
    const int n = random.integer(2, 12);
    const VectorXd v = propagative::random_vector(random, n);
    VectorXd sorted = v, speeds = v.cwiseAbs();
    std::sort(sorted.begin(), sorted.end());
    std::sort(speeds.begin(), speeds.end());
    int inversions = 0;
    for (int j = 0; j < n; ++j) inversions += static_cast<int>((v.head(j).array() > v(j)).count());
    const std::vector<double> masses(static_cast<std::size_t>(n), 0.3);
    const Mechanics row = propagative::row_of_balls(masses, v);
    const std::vector<int> order = propagative::random_rounds(random, n - 1, 5);
    const ElasticOutcome outcome = elastic_impact(row.impact(), {.rule = ResetRule::in_turn, .order = order});
    EXPECT_EQ(std::ssize(outcome.sequence), inversions);
    EXPECT_LE((row.after(outcome.impulse) - sorted).norm(), 1e-12);
    EXPECT_EQ(uniqueness(row.impact()).unique, Unique::yes);
    const Mechanics walled = propagative::row_of_balls(masses, v, true);
    const Uniqueness verdict = uniqueness(walled.impact());
    EXPECT_EQ(verdict.unique, Unique::yes);
    EXPECT_LE((walled.after(elastic_impact(walled.impact()).impulse) - speeds).norm(), 1e-12);
  }
}

/// Contacts without a link to a violated one do not count: here a wedge at rest beside a ball that lands.
TEST(PropagativeManyContacts, LeaveOutContactsThatNothingReaches) {
  MatrixXd A = MatrixXd::Identity(4, 4);
  A(1, 2) = A(2, 1) = -1;
  A(0, 3) = A(3, 0) = 0.5;
  const Uniqueness verdict = uniqueness(normal_impact(A, Eigen::Vector4d(-1, 0, 0, 0.1)));
  EXPECT_EQ(verdict.contacts, (std::vector<int>{0, 3}));
  EXPECT_EQ(verdict.unique, Unique::yes);
  EXPECT_TRUE(verdict.ends);
  EXPECT_EQ(verdict.first, 0);
  EXPECT_EQ(verdict.second, 3);
}

}  // namespace
}  // namespace carom::propagative_many_contacts_test
