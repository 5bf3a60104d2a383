#include "carom/validation/cassie_scores.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "cassie_writer.h"

namespace carom::cassie_scores_test {
namespace {

TEST(CassieScores, ErrorsAreRootMeanSquaresOverAllSamplesButTheFirst) {
  const CassieLanding landing = test::hanging(0, 5, 1);
  Eigen::MatrixXd predicted = landing.velocities;
  predicted.row(0).array() += 100;  // the start is given
  predicted.col(14).bottomRows(4) = landing.velocities.col(14).bottomRows(4) + Eigen::Vector4d(1, 2, 3, 4);
  predicted.col(18).array() += 9;  // rates of ankle springs were not measured
  const CassieErrors errors = cassie_errors(landing, predicted);
  for (std::size_t group = 0; group < errors.size(); ++group) {
    const bool is_touched = std::string(cassie_groups()[group].name) == "knee_springs";
    EXPECT_DOUBLE_EQ(errors[group], is_touched ? std::sqrt(30.0 / 8) : 0.0) << cassie_groups()[group].name;
  }
}

TEST(CassieScores, GroupsHaveEveryMeasuredVelocityOnce) {
  std::multiset<int> columns;
  for (const CassieGroup& group : cassie_groups()) columns.insert(group.columns.begin(), group.columns.end());
  for (int column = 0; column < 22; ++column) {
    EXPECT_EQ(columns.count(column), column == 18 || column == 19 ? 0u : 1u) << column;
  }
}

TEST(CassieScores, HeldVelocitiesErrByWhatTheMotionChanges) {
  CassieLanding landing = test::hanging(0, 3, 2);
  EXPECT_EQ(held_errors(landing), CassieErrors(6, 0.0));
  landing.velocities.row(2).array() += 1;
  for (const double error : held_errors(landing)) EXPECT_DOUBLE_EQ(error, std::sqrt(0.5));
}

TEST(CassieScores, ObjectiveIsTheMeanShareOfWhatHoldingErrs) {
  const std::vector<CassieErrors> held{{1, 2, 3, 4, 5, 6}, {3, 2, 1, 4, 5, 6}};
  EXPECT_DOUBLE_EQ(cassie_objective(held, held), 1);
  std::vector<CassieErrors> half = held;
  for (CassieErrors& errors : half) {
    for (double& error : errors) error /= 2;
  }
  EXPECT_DOUBLE_EQ(cassie_objective(half, held), 0.5);
  const std::vector<Interval> less = mean_differences(half, held);
  EXPECT_DOUBLE_EQ(less[0].mean, -1);
  EXPECT_TRUE(less[3].excludes_zero());
}

}  // namespace
}  // namespace carom::cassie_scores_test
