#include "carom/impact/sheared_layer.h"

#include <gtest/gtest.h>

#include <limits>
#include <numbers>

namespace carom::sheared_layer_test {
namespace {

/// Compared with a walk round the ellipse in small steps.
TEST(ShearedLayer, TheNearestPointOfAnEllipseIsNearerThanAllOthers) {
  constexpr int steps = 4000;
  for (const Eigen::Vector2d& semi : {Eigen::Vector2d(1, 1), Eigen::Vector2d(2, 0.5), Eigen::Vector2d(0.3, 3)}) {
    for (const Eigen::Vector2d& point : {Eigen::Vector2d(3, 1), Eigen::Vector2d(-0.4, 5), Eigen::Vector2d(2, -2)}) {
      const Eigen::Vector2d found = nearest_in_ellipse(point, semi);
      EXPECT_NEAR(found.cwiseQuotient(semi).norm(), 1, 1e-9);
      double least = std::numeric_limits<double>::infinity();
      for (int i = 0; i < steps; ++i) {
        const double angle = 2 * std::numbers::pi * i / steps;
        least = std::min(least, (semi.cwiseProduct(Eigen::Vector2d(std::cos(angle), std::sin(angle))) - point).norm());
      }
      EXPECT_LE((found - point).norm(), least + 1e-9);
    }
  }
}

TEST(ShearedLayer, PointsWithinAnEllipseStay) {
  EXPECT_EQ(nearest_in_ellipse({0.2, -0.1}, {1, 1}), Eigen::Vector2d(0.2, -0.1));
  EXPECT_LT((nearest_in_ellipse({0.2, -0.1}, {2, 0.5}) - Eigen::Vector2d(0.2, -0.1)).norm(), 1e-12);
  EXPECT_EQ(nearest_in_ellipse({3, 4}, {0, 0}), Eigen::Vector2d(0, 0));
}

}  // namespace
}  // namespace carom::sheared_layer_test
