#include "carom/study/misfit.h"

#include <gtest/gtest.h>

#include <cmath>

namespace carom::misfit_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

TEST(Losses, AreSquaresForSmallResidualsAndHaveTheirSlopes) {
  for (const Loss loss : {Loss::squares, Loss::soft_l1, Loss::huber}) {
    EXPECT_NEAR(loss_at(loss, 1e-8).value, 1e-8, 1e-15);
    for (const double z : {0.01, 0.5, 1.5, 3.0, 40.0}) {
      const double h = 1e-6 * z;
      const double slope = (loss_at(loss, z + h).value - loss_at(loss, z - h).value) / (2 * h);
      EXPECT_NEAR(loss_at(loss, z).slope, slope, 1e-6 * slope) << static_cast<int>(loss) << " " << z;
    }
  }
  // Far out both count by the size of r.
  EXPECT_NEAR(loss_at(Loss::soft_l1, 1e8).value / 2e4, 1, 1e-3);
  EXPECT_NEAR(loss_at(Loss::huber, 1e8).value / (2 * 1.345e4), 1, 1e-3);
}

/// Two experiments of three rows: u₀ is shared, u₁ of the first, u₂ of the second.
Misfit two_experiments() {
  Misfit misfit;
  misfit.owner = {-1, 0, 1};
  misfit.weight = {1, 2};
  misfit.residuals = [](int e, const VectorXd& u) -> std::optional<VectorXd> {
    const double own = u[1 + e];
    return VectorXd{{std::exp(u[0]) - own, u[0] * own, own * own}};
  };
  return misfit;
}

TEST(MisfitOfExperiments, SumsTheirWeightedLosses) {
  const Misfit misfit = two_experiments();
  const VectorXd u{{0.3, 0.4, 0.7}};
  EXPECT_DOUBLE_EQ(cost_at(misfit, u), cost_of_experiment(misfit, 0, u) + 2 * cost_of_experiment(misfit, 1, u));
}

TEST(MisfitOfExperiments, HasTheDerivativesOfTheFormulasAndZerosElsewhere) {
  const Misfit misfit = two_experiments();
  for (const double shared : {0.0, 0.3, 1.0}) {  // one-sided at the ends
    const VectorXd u{{shared, 0.4, 0.7}};
    const MatrixXd J = jacobian(misfit, u, all_residuals(misfit, u).value(), {0, 1, 2}, 1e-5);
    MatrixXd expected = MatrixXd::Zero(6, 3);
    for (int e = 0; e < 2; ++e) {
      const double own = u[1 + e];
      expected.block(3 * e, 0, 3, 1) = VectorXd{{std::exp(shared), own, 0}};
      expected.block(3 * e, 1 + e, 3, 1) = VectorXd{{-1, shared, 2 * own}};
    }
    EXPECT_LT((J - expected).cwiseAbs().maxCoeff(), shared == 0.3 ? 1e-9 : 2e-5);
  }
}

TEST(MisfitOfExperiments, WithoutResidualsIsInfinite) {
  Misfit misfit = two_experiments();
  misfit.residuals = [](int e, const VectorXd& u) -> std::optional<VectorXd> {
    if (e == 1 && u[0] > 0.5) return {};
    return VectorXd{{u[0]}};
  };
  EXPECT_TRUE(std::isinf(cost_at(misfit, VectorXd{{0.6, 0, 0}})));
  misfit.weight = {1, 0};
  EXPECT_NEAR(cost_at(misfit, VectorXd{{0.6, 0, 0}}), 0.18, 1e-15);
}

Misfit of_one(const std::function<double(double u, double t)>& function) {
  Misfit misfit;
  misfit.owner = {-1};
  misfit.weight = {1};
  misfit.residuals = [function](int /*experiment*/, const VectorXd& u) -> std::optional<VectorXd> {
    VectorXd r(40);
    for (int i = 0; i < 40; ++i) r[i] = function(u[0], i / 39.0);
    return r;
  };
  return misfit;
}

TEST(SmoothnessByTwoSteps, TellsSmoothFunctionsFromBrokenOnes) {
  const auto smooth = [](const std::function<double(double, double)>& f) {
    return smoothness(of_one(f), {VectorXd{{0.31}}, VectorXd{{0.52}}, VectorXd{{0.0}}});
  };
  // Strongly curved, nothing at all, and steep.
  EXPECT_TRUE(smooth([](double u, double t) { return 50 * std::sin(60 * u + t); }).smooth);
  EXPECT_TRUE(smooth([](double, double t) { return t; }).smooth);
  EXPECT_TRUE(smooth([](double u, double t) { return std::exp(12 * u) * t; }).smooth);
  // Jumps as a time step makes them, finer than the wide step and coarser than the narrow one.
  const Smoothness jumps = smooth([](double u, double t) { return std::floor(u * 900) / 9 + t; });
  EXPECT_FALSE(jumps.smooth);
  EXPECT_EQ(jumps.unknown, 0);
  EXPECT_EQ(jumps.experiment, 0);
  // A kink, in the rows after one instant, near enough to one of the points.
  const Smoothness kink = smooth([](double u, double t) { return t < 0.5 ? u : u + 3 * std::max(0.0, u - 0.5205); });
  EXPECT_FALSE(kink.smooth);
  EXPECT_GE(kink.row, 20);
}

}  // namespace
}  // namespace carom::misfit_test
