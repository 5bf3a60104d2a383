// Entries on errors of tosses: a law may be worse than what it is held against by chance alone.

#include "carom/validation/toss_verdicts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

namespace carom {
namespace {

constexpr int tosses = 100;

/// Errors that scatter by a tenth around the published stepper of two coefficients, times `scale`.
TossScore score(const std::string& name, double scale, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> around(0.9, 1.1);
  TossScore made{name, {}};
  for (int i = 0; i < tosses; ++i) {
    TossError error;
    error.mean = {0.106 * scale * around(random), 13.2 * scale * around(random)};
    error.end = {0.216 * scale * around(random), 21.0 * scale * around(random)};
    made.errors.push_back(error);
  }
  return made;
}

int failures(const TossScore& law, TossFit fit, const std::vector<TossScore>& peers = {}) {
  Validation validation;
  add_error_entries("tosses", law, fit, peers, validation);
  EXPECT_EQ(validation.entries.size(), 4 + (fit == TossFit::none ? 0 : 4 * peers.size()));
  return static_cast<int>(std::count_if(validation.entries.begin(), validation.entries.end(),
                                        [](const ValidationEntry& entry) { return !entry.pass; }));
}

TEST(TossVerdicts, BoundsAreThoseOfChance) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    EXPECT_EQ(failures(score("law", 0.97, seed), TossFit::two_frictions), 0);
    EXPECT_EQ(failures(score("law", 1.04, seed), TossFit::two_frictions), 4);
  }
}

TEST(TossVerdicts, APeerIsMetTossByToss) {
  // Errors of all tosses differ by far more than the two simulators do.
  for (unsigned seed = 0; seed < 10; ++seed) {
    const TossScore law = score("law", 0.5, seed);
    TossScore worse = law, better = law;
    worse.name = "worse";
    better.name = "better";
    for (TossError& error : worse.errors) error.mean.rotation += 0.01;
    for (TossError& error : better.errors) error.mean.rotation -= 0.01;
    EXPECT_EQ(failures(law, TossFit::two_frictions, {law}), 0);
    EXPECT_EQ(failures(law, TossFit::two_frictions, {worse}), 0);
    EXPECT_EQ(failures(law, TossFit::two_frictions, {better}), 1);
    EXPECT_EQ(failures(law, TossFit::two_frictions, {worse, better}), 1);
  }
}

TEST(TossVerdicts, AMeanAboveTheReferenceCanBeChance) {
  // Errors of 0.8 and 1.24 times the reference in turns: their mean is 1.02 of it, its standard error 0.022.
  TossScore law = score("law", 1, 0), peer = law;
  peer.name = "peer";
  for (int i = 0; i < tosses; ++i) {
    const double part = i % 2 == 0 ? 0.8 : 1.24;
    TossError& error = law.errors[static_cast<std::size_t>(i)];
    error = {{0.106 * part, 13.2 * part}, {0.216 * part, 21.0 * part}, false};
    peer.errors[static_cast<std::size_t>(i)] = {{0.106, 13.2}, {0.216, 21.0}, false};
  }
  Validation validation;
  add_error_entries("tosses", law, TossFit::two_frictions, {peer}, validation);
  ASSERT_EQ(validation.entries.size(), 8u);
  for (const ValidationEntry& entry : validation.entries) {
    EXPECT_GT(entry.value, entry.reference);
    EXPECT_TRUE(entry.pass) << entry.quantity;
  }
  for (TossError& error : law.errors) {
    error.mean = {error.mean.position + 0.01, error.mean.rotation + 1};
    error.end = {error.end.position + 0.02, error.end.rotation + 2};
  }
  EXPECT_EQ(failures(law, TossFit::two_frictions, {peer}), 8);
}

TEST(TossVerdicts, OneCoefficientMayBeWorseUpToTheLeastAccurateEngine) {
  EXPECT_EQ(failures(score("law", 1.3, 1), TossFit::one_friction, {score("peer", 1.0, 2)}), 0);
  EXPECT_EQ(failures(score("law", 2.5, 1), TossFit::one_friction), 4);
  EXPECT_EQ(failures(score("law", 2.5, 1), TossFit::one_friction, {score("peer", 1.0, 2)}), 8);
  EXPECT_EQ(failures(score("law", 1.9, 1), TossFit::one_friction, {score("peer", 1.0, 2)}), 4);  // the rotations
  EXPECT_EQ(failures(score("law", 1.3, 1), TossFit::none), 0);
  EXPECT_EQ(failures(score("law", 2.5, 1), TossFit::none), 4);
}

TEST(TossVerdicts, FewerThanFiveTossesAreHeldToTheEnginesAlone) {
  const TossScore law = score("law", 1.1, 5), peer = score("peer", 1.0, 6), far = score("law", 2.5, 5);
  const auto first = [](TossScore whole, std::size_t few) {
    whole.errors.resize(few);
    return whole;
  };
  EXPECT_EQ(failures(law, TossFit::two_frictions, {peer}), 8);
  for (const std::size_t few : {1u, 4u}) {
    EXPECT_EQ(failures(first(law, few), TossFit::two_frictions, {first(peer, few)}), 0);
    EXPECT_EQ(failures(first(far, few), TossFit::two_frictions, {first(peer, few)}), 8);
  }
}

TEST(TossVerdicts, WhatIsNoNumberFails) {
  TossScore law = score("law", 0.5, 3);
  law.errors.front().end.position = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(failures(law, TossFit::two_frictions, {score("peer", 1, 4)}), 2);
}

}  // namespace
}  // namespace carom
