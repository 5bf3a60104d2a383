#include "carom/impact/lzb.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "carom/impact/compliant_impact.h"
#include "carom/impact/test/blows.h"
#include "testing/allocation_count.h"

namespace carom {
namespace {

using blows::Blow;

struct Result {
  ImpactOutcome outcome;
  Eigen::VectorXd p, after;
};

Result lzb(const Blow& blow, const LzbOptions& options = {}) {
  LzbLaw law;
  Result result{{}, Eigen::VectorXd(blow.u.size()), Eigen::VectorXd(blow.u.size())};
  result.outcome = law.solve(blow.problem(), options, result.p, result.after);
  return result;
}

Result compliant(const Blow& blow, double accuracy = 1e-9, double transition_speed = 0.01) {
  CompliantImpact law;
  CompliantOptions options;
  options.accuracy = accuracy;
  options.transition_speed = transition_speed;
  Result result{{}, Eigen::VectorXd(blow.u.size()), Eigen::VectorXd(blow.u.size())};
  result.outcome = law.solve(blow.problem(), options, result.p, result.after);
  return result;
}

TEST(Lzb, RowsOfBallsGoApartAsCompliantOnesDo) {
  blows::Random random(1);
  for (int balls = 2; balls <= 10; ++balls) {
    for (int trial = 0; trial < 4; ++trial) {
      std::vector<double> masses(balls, 1), stiffnesses(balls - 1, 1e9);
      if (trial % 2 == 1) {
        for (double& mass : masses) mass = blows::uniform(random, 0.3, 3);
      }
      if (trial / 2 == 1) {
        for (double& K : stiffnesses) K = 1e9 * std::pow(10.0, blows::uniform(random, -1, 1));
      }
      for (const double exponent : {1.0, 1.5}) {
        const Blow blow = blows::row_of_balls(masses, stiffnesses, 2, exponent);
        const Result ours = lzb(blow), theirs = compliant(blow);
        EXPECT_EQ(ours.outcome.status, ImpactStatus::resolved);
        EXPECT_EQ(theirs.outcome.status, ImpactStatus::resolved);
        EXPECT_LE((ours.after - theirs.after).cwiseAbs().maxCoeff(), 1e-4 * 2) << balls << " balls, trial " << trial;
        EXPECT_NEAR(ours.outcome.energy_change, 0, 1e-13 * blow.energy());
        blows::expect_lawful(blow, ours.p, ours.after);
      }
    }
  }
}

}  // namespace
}  // namespace carom
