// Sentences and tables of fits, on results that are made by hand.
#include "carom/study/fit_words.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "carom/study/fit_tables.h"

namespace carom::fit_words_test {
namespace {

/// One number and one column of 200 residuals of pure noise, 0.01, before and after an impact at 1 s.
FitResult sound_fit() {
  FitResult result;
  FittedNumber number;
  number.name = "friction";
  number.value = 0.3;
  number.low = 0.28;
  number.high = 0.32;
  number.upper = 1;
  result.numbers = {number};
  result.correlations = Eigen::MatrixXd::Ones(1, 1);
  result.columns = {{.name = "x", .formula = "box.position.x", .noise = 0.01, .count = 200, .misfit = 0.01}};
  FittedMotion motion;
  motion.first_impact = 1;
  motion.measured.resize(1);
  motion.fitted.resize(1);
  std::mt19937_64 random(5);
  std::normal_distribution<double> noise(0, 0.01);
  for (int i = 0; i < 200; ++i) {
    motion.times.push_back(0.01 * i);
    motion.fitted[0].push_back(std::sin(0.01 * i));
    motion.measured[0].push_back(motion.fitted[0].back() + noise(random));
  }
  result.motions = {motion};
  result.measurements = 200;
  result.misfit = 1;
  return result;
}

/// The result with its biases, correlation and sentences as a fit has them.
FitResult judged(FitResult result) {
  result.biases = biases_of(result);
  result.serial = serial_correlation(result);
  result.sentences = sentences_of(result);
  return result;
}

std::string told(const FitResult& result) {
  std::string all;
  for (const std::string& sentence : conclusions(result)) all += sentence + "\n";
  return all;
}

TEST(FitWords, NothingIsFoundInNoise) {
  const FitResult result = judged(sound_fit());
  EXPECT_EQ(told(result), "Every number is determined, and residuals look like noise.\n");
  EXPECT_LT(std::abs(result.serial), 0.2);
  for (const FitBias& bias : result.biases) EXPECT_FALSE(bias.significant()) << bias.phase;
}

TEST(FitWords, AnOutlierIsCountedAndPlaced) {
  FitResult result = sound_fit();
  result.motions[0].measured[0][37] += 5;
  EXPECT_NE(told(judged(result)).find("1 of 200 values of x lie farther off than noise does, the farthest by"),
            std::string::npos);
  EXPECT_NE(told(judged(result)).find("at 0.37 s: look at it, or take loss: soft_l1"), std::string::npos)
      << told(judged(result));
  result.study.loss = Loss::soft_l1;
  EXPECT_EQ(told(judged(result)).find("take loss"), std::string::npos);
}

TEST(FitWords, ABiasOfOnePhaseIsNamed) {
  FitResult result = sound_fit();
  for (std::size_t i = 110; i < 200; ++i) result.motions[0].measured[0][i] += 0.02;
  EXPECT_NE(told(judged(result)).find("more than the fit on average after the first impact"), std::string::npos)
      << told(judged(result));
  EXPECT_EQ(told(judged(result)).find("before the first impact"), std::string::npos);
}

TEST(FitWords, ResidualsThatFollowOneAnotherAreNoNoise) {
  FitResult result = sound_fit();
  FittedMotion& motion = result.motions[0];
  for (std::size_t i = 0; i < 200; ++i) motion.measured[0][i] = motion.fitted[0][i] + (i / 10 % 2 == 0 ? 0.01 : -0.01);
  EXPECT_GT(judged(result).serial, 0.7);
  EXPECT_NE(told(judged(result)).find("Neighbouring residuals are alike"), std::string::npos);
}

TEST(FitWords, ANumberThatIsOpenIsNotDetermined) {
  FitResult result = sound_fit();
  result.numbers[0].high = result.numbers[0].upper;
  result.numbers[0].open_high = true;
  EXPECT_NE(told(judged(result)).find("friction is not determined: every value from 0.28 to 1 fits as well"),
            std::string::npos)
      << told(judged(result));
  result.numbers[0].experiment = "throw 2";
  EXPECT_EQ(full_name(result.numbers[0]), "friction of throw 2");
}

TEST(FitWords, MethodsThatDifferByNothingCanNotBeTold) {
  FitResult result = sound_fit();
  RankedMethod first, same, worse;
  first.name = "newton";
  first.low = first.high = std::nan("");
  same.name = "stronge";
  worse.name = "plastic";
  worse.low = 3;
  worse.high = 5;
  result.ranking = {first, same, worse};
  EXPECT_EQ(told(judged(result)), "The measurements can't tell stronge from newton.\n");
}

TEST(FitTables, HaveALineForEachAndAHeadForEachCell) {
  FitResult result = judged(sound_fit());
  result.numbers.push_back(result.numbers[0]);
  result.numbers[1].name = "restitution";
  result.correlations = Eigen::MatrixXd::Identity(2, 2);
  result.correlations(1, 0) = std::nan("");
  for (const FitTable& table : {number_table(result), column_table(result), correlation_table(result)}) {
    ASSERT_FALSE(table.rows.empty());
    for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.columns.size());
  }
  EXPECT_EQ(number_table(result).rows.size(), 2u);
  EXPECT_EQ(number_table(result).rows[1][0], "restitution");
  EXPECT_EQ(correlation_table(result).rows.back().at(1), "open") << "of a number that is not determined";
}

}  // namespace
}  // namespace carom::fit_words_test
