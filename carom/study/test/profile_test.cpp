#include "carom/study/profile.h"

#include <gtest/gtest.h>

#include <cmath>

#include "carom/study/fit_statistics.h"

namespace carom::profile_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// r = A (u − c), of which everything is known in closed form.
Misfit linear(const MatrixXd& A, const VectorXd& c) {
  Misfit misfit;
  misfit.owner.assign(static_cast<std::size_t>(A.cols()), -1);
  misfit.weight = {1};
  misfit.residuals = [A, c](int /*experiment*/, const VectorXd& u) -> std::optional<VectorXd> { return A * (u - c); };
  return misfit;
}

TEST(ProfileLikelihood, OfALinearModelEndsWhereItsCovarianceSays) {
  MatrixXd A(4, 3);
  A << 30, 20, 5, -10, 25, 8, 4, 3, 40, 10, -12, 9;
  const VectorXd c{{0.5, 0.45, 0.6}};
  const MatrixXd covariance = (A.transpose() * A).inverse();
  const Misfit misfit = linear(A, c);
  for (const bool smooth : {true, false}) {
    for (int k = 0; k < 3; ++k) {
      const double half = std::sqrt(3.84 * covariance(k, k));
      const Profile profile = profile_of(misfit, {c, 0}, k, {3.84, 1, smooth ? half : 0, smooth});
      EXPECT_NEAR(profile.high - c[k], half, 0.03 * half) << k << smooth;
      EXPECT_NEAR(c[k] - profile.low, half, 0.03 * half) << k << smooth;
      EXPECT_FALSE(profile.open_low || profile.open_high);
    }
  }
}

TEST(ProfileLikelihood, OfSumThatAloneIsDeterminedIsOpen) {
  MatrixXd A(2, 2);
  A << 50, 50, 20, 20;
  const Misfit misfit = linear(A, VectorXd{{0.5, 0.5}});
  const Profile profile = profile_of(misfit, {VectorXd{{0.5, 0.5}}, 0}, 0, {3.84, 1, 0, true});
  EXPECT_TRUE(profile.open_low && profile.open_high);
  EXPECT_EQ(profile.low, 0);
  EXPECT_EQ(profile.high, 1);
  for (const ProfilePoint& point : profile.points) EXPECT_NEAR(point.u.sum(), 1, 1e-4);  // the other one follows
}

TEST(ProfileLikelihood, IsOpenToTheSideWhereNothingChanges) {
  // The misfit grows below 0.3 and is level above it.
  Misfit misfit = linear(MatrixXd::Identity(1, 1), VectorXd::Zero(1));
  misfit.residuals = [](int /*experiment*/, const VectorXd& u) -> std::optional<VectorXd> {
    return VectorXd{{40 * std::max(0.0, 0.3 - u[0])}};
  };
  const Profile profile = profile_of(misfit, {VectorXd{{0.6}}, 0}, 0, {3.84, 1, 0, false});
  EXPECT_TRUE(profile.open_high);
  EXPECT_FALSE(profile.open_low);
  EXPECT_NEAR(profile.low, 0.3 - std::sqrt(3.84) / 40, 0.003);
}

TEST(ProfileLikelihood, TellsOfABetterFitOnItsWay) {
  Misfit misfit = linear(MatrixXd::Identity(1, 1), VectorXd::Zero(1));
  misfit.residuals = [](int /*experiment*/, const VectorXd& u) -> std::optional<VectorXd> {
    return VectorXd{{1.5 - std::exp(-100 * std::pow(u[0] - 0.75, 2)), 0.2 * u[0]}};
  };
  const double there = cost_at(misfit, VectorXd{{0.75}});
  const Profile profile =
      profile_of(misfit, {VectorXd{{0.0}}, cost_at(misfit, VectorXd{{0.0}})}, 0, {3.84, 1, 0.2, true});
  ASSERT_TRUE(profile.better);
  EXPECT_LT(profile.better->cost, cost_at(misfit, VectorXd{{0.0}}));
  EXPECT_GE(profile.better->cost, there - 0.01);
}

TEST(CurvatureOfAFit, HasTheCovarianceOfALinearModel) {
  MatrixXd A(4, 3);
  A << 30, 20, 5, -10, 25, 8, 4, 3, 40, 10, -12, 9;
  const Curvature curvature = curvature_of(A, {}, 3.84);
  EXPECT_TRUE(curvature.open.empty());
  EXPECT_LT((curvature.covariance - (A.transpose() * A).inverse()).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(CurvatureOfAFit, FindsTheCombinationsThatNothingTellsAndInventsNone) {
  // Columns: one alone, two that act alike, two in the ratio 2 : −1, one that does nothing.
  MatrixXd A = MatrixXd::Zero(30, 6);
  for (int i = 0; i < 30; ++i) {
    const double t = i / 29.0;
    A(i, 0) = 40 * t;
    A(i, 1) = A(i, 2) = 30 * std::sin(5 * t);
    A(i, 3) = 20 * std::exp(-3 * t);
    A(i, 4) = -0.5 * A(i, 3);
  }
  const Curvature curvature = curvature_of(A, {}, 3.84);
  ASSERT_EQ(curvature.open.size(), 3U);
  std::vector<std::vector<int>> found;
  for (const OpenDirection& direction : curvature.open) {
    std::vector<int> members;
    VectorXd v = VectorXd::Zero(6);
    for (const auto& [k, share] : direction.parts) {
      members.push_back(k);
      v[k] = share;
    }
    EXPECT_LT((A * v).norm(), 1e-10);
    found.push_back(members);
  }
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, (std::vector<std::vector<int>>{{1, 2}, {3, 4}, {5}}));
  // A model of three unknowns is left, one of each pair.
  MatrixXd kept(30, 3);
  kept << A.col(0), A.col(1), A.col(3);
  const double variance = (kept.transpose() * kept).inverse()(0, 0);
  EXPECT_NEAR(curvature.covariance(0, 0), variance, 1e-9 * variance);
}

TEST(NoiseOfResiduals, IsTheirDeviationAndOutliersLeaveTheRobustOneAlone) {
  std::vector<double> residuals;
  for (int i = 0; i < 1000; ++i) residuals.push_back(0.2 * std::sqrt(2) * std::sin(2 * M_PI * (i + 0.5) / 1000));
  EXPECT_NEAR(noise_of(residuals, 0, Loss::squares), 0.2, 1e-12);
  EXPECT_NEAR(noise_of(residuals, 0.19, Loss::squares), 0.2 / 0.9, 1e-12);
  const double before = noise_of(residuals, 0, Loss::huber);
  for (int i = 0; i < 20; ++i) residuals.push_back(50);
  EXPECT_NEAR(noise_of(residuals, 0, Loss::huber), before, 0.03 * before);
}

TEST(ThresholdOfIntervals, IsThatOfTheNormalDistributionOrOfStudents) {
  EXPECT_NEAR(rise_at_95(true, 5), 1.959964 * 1.959964, 1e-5);
  EXPECT_NEAR(rise_at_95(false, 5), 2.570582 * 2.570582, 1e-5);
  EXPECT_NEAR(rise_at_95(false, 1000000), rise_at_95(true, 1), 1e-4);
}

}  // namespace
}  // namespace carom::profile_test
