#include "carom/complementarity/linear/secant_steps.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <random>

namespace carom::secant_steps_test {
namespace {

/// F(w) = B w − b of n unknowns has no error left after n + 1 steps, in whatever metric sizes are compared.
TEST(SecantSteps, SolveALinearEquationInAsManyStepsAsUnknowns) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> entry(-1, 1);
  for (int n = 1; n <= 8; ++n) {
    for (const bool weighted : {false, true}) {
      SCOPED_TRACE(n);
      Eigen::MatrixXd B = Eigen::MatrixXd::Identity(n, n), M = B;
      Eigen::VectorXd b(n), w = Eigen::VectorXd::Zero(n);
      for (double& number : B.reshaped()) number += 0.4 * entry(random);
      for (double& number : b) number = entry(random);
      if (weighted) M.diagonal() = Eigen::VectorXd::LinSpaced(n, 0.01, 10);
      SecantSteps steps(n);
      const double before = b.norm();
      for (int i = 0; i <= n; ++i) {
        const Eigen::VectorXd F = B * w - b;
        steps.step(F, M * F, w);
      }
      EXPECT_LE((B * w - b).norm(), 1e-9 * before);
    }
  }
}

/// After begin() earlier steps play no part any more.
TEST(SecantSteps, BeginAfreshAsThoughNothingHadBeen) {
  SecantSteps used(2), fresh(2);
  Eigen::VectorXd w = Eigen::Vector2d(1, 2);
  for (int i = 0; i < 3; ++i) used.step(3 * w, 3 * w, w);
  used.begin();
  Eigen::VectorXd a = Eigen::Vector2d(0.5, -1), b = a;
  for (int i = 0; i < 2; ++i) {
    const Eigen::VectorXd F = a.array().cube(), G = b.array().cube();
    used.step(F, F, a);
    fresh.step(G, G, b);
  }
  EXPECT_EQ(a, b);
}

}  // namespace
}  // namespace carom::secant_steps_test
