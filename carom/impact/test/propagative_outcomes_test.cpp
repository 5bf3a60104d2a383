// The set of all outcomes, against plain recursion in velocities.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "carom/impact/propagative/elastic_sequence.h"
#include "carom/impact/propagative/outcome_set.h"
#include "carom/impact/propagative/uniqueness.h"
#include "carom/impact/test/propagative_mechanics.h"

namespace carom::propagative_outcomes_test {
namespace {

using Eigen::VectorXd;
using propagative::Mechanics;

/// Every sequence of resets at violated contacts until none is, by recursion over velocities.
struct BruteForce {
  const Mechanics& mechanics;
  std::size_t most;
  std::vector<std::vector<int>> sequences = {};
  std::vector<VectorXd> ends = {};
  std::vector<int> running = {};

  void follow(const VectorXd& v) {
    if (sequences.size() > most) return;
    const VectorXd u = mechanics.J * v;
    bool feasible = true;
    for (Eigen::Index i = 0; i < u.size(); ++i) {
      if (u(i) >= -1e-9) continue;
      feasible = false;
      running.push_back(static_cast<int>(i));
      follow(mechanics.reset(v, i));
      running.pop_back();
    }
    if (!feasible) return;
    sequences.push_back(running);
    ends.push_back(v);
  }

  /// Keeps the sequences of which no other is a part. If a sequence has a feasible part, it also has one that ends as
  /// soon as it is feasible.
  void keep_minimal() {
    const auto is_part = [](const std::vector<int>& part, const std::vector<int>& whole) {
      std::size_t at = 0;
      for (const int i : whole) at += at < part.size() && part[at] == i ? 1 : 0;
      return at == part.size() && part.size() < whole.size();
    };
    std::vector<std::vector<int>> kept;
    std::vector<VectorXd> kept_ends;
    for (std::size_t a = 0; a < sequences.size(); ++a) {
      const bool minimal = std::none_of(sequences.begin(), sequences.end(),
                                        [&](const std::vector<int>& other) { return is_part(other, sequences[a]); });
      if (!minimal) continue;
      kept.push_back(sequences[a]);
      kept_ends.push_back(ends[a]);
    }
    sequences.swap(kept);
    ends.swap(kept_ends);
  }

  double diameter() const {
    double largest = 0;
    for (const VectorXd& a : ends) {
      for (const VectorXd& b : ends) largest = std::max(largest, mechanics.distance(a, b));
    }
    return largest;
  }
};

/// Outcome by outcome: velocities, numbers of sequences, shortest and longest.
void expect_same(const Mechanics& mechanics, const BruteForce& brute, const OutcomeSet& set) {
  EXPECT_FALSE(set.cut);
  EXPECT_FALSE(set.endless);
  EXPECT_EQ(set.sequences, static_cast<double>(brute.sequences.size()));
  std::vector<int> found(set.outcomes.size(), 0), shortest(set.outcomes.size(), std::numeric_limits<int>::max());
  std::vector<int> longest(set.outcomes.size(), 0);
  for (std::size_t s = 0; s < brute.sequences.size(); ++s) {
    int matches = 0;
    for (std::size_t o = 0; o < set.outcomes.size(); ++o) {
      if (mechanics.distance(mechanics.after(set.outcomes[o].impulse), brute.ends[s]) > 1e-8) continue;
      ++matches;
      ++found[o];
      shortest[o] = std::min(shortest[o], static_cast<int>(brute.sequences[s].size()));
      longest[o] = std::max(longest[o], static_cast<int>(brute.sequences[s].size()));
    }
    EXPECT_EQ(matches, 1);
  }
  for (std::size_t o = 0; o < set.outcomes.size(); ++o) {
    EXPECT_EQ(set.outcomes[o].sequences, found[o]);
    EXPECT_EQ(set.outcomes[o].shortest, shortest[o]);
    EXPECT_EQ(set.outcomes[o].longest, longest[o]);
    EXPECT_NE(std::find(brute.sequences.begin(), brute.sequences.end(), set.outcomes[o].sequence),
              brute.sequences.end());
  }
  EXPECT_NEAR(set.diameter, brute.diameter(), 1e-7);
}

void compare(const Mechanics& mechanics, std::size_t most, int& compared) {
  BruteForce brute{mechanics, most};
  brute.follow(mechanics.v);
  if (brute.sequences.size() > most) return;
  const NormalImpact impact = mechanics.impact();
  expect_same(mechanics, brute, outcome_set(impact));
  OutcomeOptions literal;
  literal.reading = MinimalReading::no_subsequence;
  literal.max_momenta = 2000000;
  brute.keep_minimal();
  expect_same(mechanics, brute, outcome_set(impact, literal));
  ++compared;
}

TEST(PropagativeOutcomes, AreThoseOfEveryOrderOnThreeBalls) {
  int compared = 0;
  for (const double first : {0.1, 0.5, 1.0, 2.0, 7.0}) {
    for (const double middle : {0.2, 1.0, 3.0}) {
      for (const double last : {0.3, 1.0, 4.0}) {
        for (const Eigen::Vector3d& v :
             {Eigen::Vector3d(1, 0, 0), Eigen::Vector3d(1, 0, -1), Eigen::Vector3d(2, 0, -0.3)}) {
          compare(propagative::row_of_balls({first, middle, last}, v), 1000, compared);
        }
      }
    }
  }
  EXPECT_EQ(compared, 5 * 3 * 3 * 3);
}

TEST(PropagativeOutcomes, AreThoseOfEveryOrderOnLongerRows) {
  propagative::Random random(21);
  int compared = 0;
  for (int trial = 0; trial < propagative::cases(300, 40); ++trial) {
    const int n = random.integer(4, 5);
    std::vector<double> masses(static_cast<std::size_t>(n));
    for (double& mass : masses) mass = std::exp(random.uniform(-0.7, 0.7));
    compare(propagative::row_of_balls(masses, propagative::random_vector(random, n), trial % 3 == 0), 400, compared);
  }
  EXPECT_GE(compared, propagative::cases(150, 20));
}

/// Contacts in any position, more of them than coordinates in some cases.
TEST(PropagativeOutcomes, AreThoseOfEveryOrderInRandomSystems) {
  propagative::Random random(22);
  int compared = 0;
  for (int trial = 0; trial < propagative::cases(600, 100); ++trial) {
    const int k = random.integer(2, 4);
    compare(propagative::random_opening(random, k, random.integer(2, 5), 0.2), 400, compared);
  }
  EXPECT_GE(compared, propagative::cases(300, 50));
}

/// To the letter, an order whose subsequence is enough does not count: (1, 2, 1) beside (2, 1).
TEST(PropagativeOutcomes, DifferByTheReadingOfMinimality) {
  int looks_unique = 0;
  for (double speed = 0.1; speed < 3; speed += 0.1) {
    const Mechanics row = propagative::row_of_balls({1, 3, 1}, Eigen::Vector3d(1, 0, -speed));
    const OutcomeSet all = outcome_set(row.impact());
    OutcomeOptions options;
    options.reading = MinimalReading::no_subsequence;
    const OutcomeSet literal = outcome_set(row.impact(), options);
    ASSERT_GE(literal.outcomes.size(), 1U);
    EXPECT_EQ(literal.shortest, all.shortest);
    const bool part = all.longest > all.shortest;  // alternating orders: the shorter is then part of the longer
    EXPECT_EQ(literal.sequences, part ? 1 : 2);
    if (all.outcomes.size() == 2 && literal.outcomes.size() == 1) ++looks_unique;
  }
  EXPECT_GT(looks_unique, 5);
}

/// New numbers for the contacts, other lengths of their normals, another unit of energy: the same set.
TEST(PropagativeOutcomes, DoNotDependOnOrderAndScaleOfRows) {
  propagative::Random random(23);
  for (int trial = 0; trial < 60; ++trial) {
    const int k = random.integer(2, 4);
    const Mechanics mechanics = propagative::random_opening(random, k, k + 1, 0.2);
    Mechanics other = mechanics;
    for (int i = 0; i < k; ++i) {
      other.J.row(i) = std::exp(random.uniform(-3, 3)) * mechanics.J.row((i + 1) % k);
    }
    other.M *= 50;
    const OutcomeSet a = outcome_set(mechanics.impact()), b = outcome_set(other.impact());
    ASSERT_EQ(a.outcomes.size(), b.outcomes.size()) << trial;
    EXPECT_EQ(a.sequences, b.sequences);
    EXPECT_EQ(a.shortest, b.shortest);
    EXPECT_EQ(a.longest, b.longest);
    EXPECT_EQ(a.momenta, b.momenta);
    EXPECT_NEAR(a.indeterminacy, b.indeterminacy, 1e-9);
    for (const ReachedOutcome& outcome : a.outcomes) {
      const VectorXd v = mechanics.after(outcome.impulse);
      const auto same = std::count_if(b.outcomes.begin(), b.outcomes.end(), [&](const ReachedOutcome& reached) {
        return (other.after(reached.impulse) - v).norm() < 1e-8 && reached.sequences == outcome.sequences;
      });
      EXPECT_EQ(same, 1);
    }
    EXPECT_EQ(uniqueness(mechanics.impact()).unique, uniqueness(other.impact()).unique);
    const VectorXd deepest = mechanics.after(elastic_impact(mechanics.impact()).impulse);
    EXPECT_LE((other.after(elastic_impact(other.impact()).impulse) - deepest).norm(), 1e-10);
  }
}

/// Every outcome pushes, conserves energy and momentum, and starts a sequence that elastic_impact repeats.
TEST(PropagativeOutcomes, ConserveEnergyAndMomentum) {
  propagative::Random random(24);
  for (int trial = 0; trial < 100; ++trial) {
    const int k = random.integer(2, 5);
    const Mechanics mechanics = propagative::random_opening(random, k, random.integer(2, 6), 0.3);
    const NormalImpact impact = mechanics.impact();
    const double energy = mechanics.energy(mechanics.v);
    for (const ReachedOutcome& outcome : outcome_set(impact).outcomes) {
      const VectorXd after = mechanics.after(outcome.impulse);
      EXPECT_GE(outcome.impulse.minCoeff(), 0);
      EXPECT_NEAR(mechanics.energy(after), energy, 1e-12 * energy);
      EXPECT_LE((mechanics.J * after - outcome.velocity).norm(), 1e-12);
      if (outcome.sequence.empty()) continue;
      const ElasticOutcome repeated = elastic_impact(impact, {.rule = ResetRule::in_turn, .order = outcome.sequence});
      EXPECT_EQ(repeated.sequence, outcome.sequence);
      EXPECT_EQ(repeated.impulse, outcome.impulse);
    }
  }
}

/// A budget ends the search, which says so and finds no more than there is.
TEST(PropagativeOutcomes, SayWhatTheBudgetCut) {
  const Mechanics row = propagative::row_of_balls({1, 1.7, 0.6, 2.2, 0.8}, (VectorXd(5) << 2, 1, 0, -1, -2).finished());
  const OutcomeSet whole = outcome_set(row.impact());
  ASSERT_FALSE(whole.cut);
  ASSERT_GT(whole.outcomes.size(), 5U);
  for (const int budget : {1, 10, whole.momenta / 2, whole.momenta - 1}) {
    UniquenessOptions options;
    options.outcomes.max_momenta = budget;
    const OutcomeSet part = outcome_set(row.impact(), options.outcomes);
    EXPECT_TRUE(part.cut);
    EXPECT_LE(part.momenta, budget);
    EXPECT_LE(part.outcomes.size(), whole.outcomes.size());
    EXPECT_TRUE(budget < whole.longest || !part.outcomes.empty());  // resets enough to follow one way to its end
    for (const ReachedOutcome& outcome : part.outcomes) {
      const auto same = std::find_if(whole.outcomes.begin(), whole.outcomes.end(), [&](const ReachedOutcome& other) {
        return (other.velocity - outcome.velocity).norm() < 1e-8;
      });
      ASSERT_NE(same, whole.outcomes.end());
      EXPECT_LE(outcome.sequences, same->sequences);
      EXPECT_GE(outcome.shortest, same->shortest);
      EXPECT_LE(outcome.longest, same->longest);
    }
    EXPECT_LE(part.sequences, whole.sequences);
    EXPECT_LE(part.diameter, whole.diameter + 1e-12);
    const Uniqueness verdict = uniqueness(row.impact(), options);
    EXPECT_EQ(verdict.unique, part.outcomes.size() > 1 ? Unique::no : Unique::unknown);
    EXPECT_TRUE(verdict.sentence.find("at least " + std::to_string(part.outcomes.size())) != std::string::npos);
  }
  OutcomeOptions exact;
  exact.max_momenta = whole.momenta;
  EXPECT_FALSE(outcome_set(row.impact(), exact).cut);
  exact.reading = MinimalReading::no_subsequence;
  exact.max_momenta = 5;
  EXPECT_TRUE(outcome_set(row.impact(), exact).cut);
}

TEST(PropagativeOutcomes, OfNoImpactIsTheMomentumItself) {
  const OutcomeSet set = outcome_set(normal_impact(Eigen::Matrix2d::Identity(), Eigen::Vector2d(0, 1)));
  ASSERT_EQ(set.outcomes.size(), 1U);
  EXPECT_EQ(set.sequences, 1);
  EXPECT_EQ(set.longest, 0);
  EXPECT_EQ(set.outcomes[0].impulse, Eigen::Vector2d(0, 0));
  const OutcomeSet none = outcome_set(normal_impact(Eigen::MatrixXd(0, 0), VectorXd(0)));
  EXPECT_EQ(none.outcomes.size(), 1U);
}

}  // namespace
}  // namespace carom::propagative_outcomes_test
