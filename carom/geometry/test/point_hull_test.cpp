#include "carom/geometry/point_hull.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>

namespace carom::point_hull_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd random_matrix(std::mt19937& engine, Eigen::Index rows, Eigen::Index columns) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  return MatrixXd::NullaryExpr(rows, columns, [&] { return uniform(engine); });
}

MatrixXd random_rotation(std::mt19937& engine, Eigen::Index n) {
  return Eigen::HouseholderQR<MatrixXd>(random_matrix(engine, n, n)).householderQ();
}

double factorial(int n) { return std::tgamma(n + 1.0); }

TEST(PointHull, SimplexHasItsClosedVolumeWhereverItLies) {
  std::mt19937 engine(3);
  for (int d = 1; d <= 4; ++d) {
    for (int n = d; n <= 7; ++n) {
      const MatrixXd edges = random_matrix(engine, d, d);
      MatrixXd points = MatrixXd::Zero(n, d + 1);
      points.block(0, 1, d, d) = edges;
      const VectorXd shift = random_matrix(engine, n, 1);
      points = (random_rotation(engine, n) * points).eval();
      points.colwise() += shift;
      const PointHull hull = point_hull(points, 1e-9);
      ASSERT_EQ(hull.dimension, d);
      ASSERT_TRUE(hull.has_size);
      EXPECT_NEAR(hull.size, std::abs(edges.determinant()) / factorial(d), 1e-12) << d << " in " << n;
      EXPECT_LT((hull.basis.transpose() * hull.basis - MatrixXd::Identity(d, d)).norm(), 1e-12);
    }
  }
}

TEST(PointHull, CubeWithPointsInsideAndTwiceHasTheCubesVolume) {
  std::mt19937 engine(5);
  for (int d = 2; d <= 4; ++d) {
    const int corners = 1 << d;
    MatrixXd points(d, 2 * corners + 50);
    for (int i = 0; i < corners; ++i) {
      for (int k = 0; k < d; ++k) points(k, i) = points(k, corners + i) = (i >> k & 1) != 0 ? 1.5 : -0.5;
    }
    points.rightCols(50) = 0.5 * random_matrix(engine, d, 50);
    points.rightCols(50).array() += 0.5;
    EXPECT_NEAR(point_hull(points, 1e-9).size, std::pow(2, d), 1e-12);
  }
}

/// Three orders above the tolerance down to twice it.
TEST(PointHull, AThinSetHasTheDimensionsThatAreWiderThanTheTolerance) {
  std::mt19937 engine(7);
  for (const double width : {1e-6, 1e-7, 1e-8, 4e-9}) {
    for (int trial = 0; trial < 50; ++trial) {
      MatrixXd points = MatrixXd::Zero(5, 12);
      points.topRows(2) = random_matrix(engine, 2, 12);
      points.row(1) *= width;
      points = (random_rotation(engine, 5) * points).eval();
      const PointHull hull = point_hull(points, 1e-9);
      EXPECT_EQ(hull.dimension, 2) << width;
      EXPECT_LT((hull.basis.transpose() * hull.basis - MatrixXd::Identity(hull.dimension, hull.dimension)).norm(),
                1e-12);
      EXPECT_EQ(point_hull(points, 2 * width).dimension, 1) << width;
    }
  }
}

TEST(PointHull, DegenerateSetsSayTheirDimension) {
  EXPECT_EQ(point_hull(MatrixXd(3, 0), 1e-9).dimension, -1);
  const PointHull one = point_hull(MatrixXd::Ones(3, 1), 1e-9);
  EXPECT_EQ(one.dimension, 0);
  EXPECT_EQ(one.size, 0);
  EXPECT_EQ(point_hull(MatrixXd::Ones(3, 5), 1e-9).dimension, 0);  // one point five times
  MatrixXd line(3, 3);
  line << 0, 3, 1, 0, 4, 4.0 / 3, 0, 0, 0;
  const PointHull segment = point_hull(line, 1e-9);
  EXPECT_EQ(segment.dimension, 1);
  EXPECT_NEAR(segment.size, 5, 1e-14);
}

TEST(PointHull, AboveTheLargestDimensionThereIsNoSize) {
  std::mt19937 engine(7);
  const PointHull hull = point_hull(random_matrix(engine, 6, 20), 1e-9);
  EXPECT_EQ(hull.dimension, 6);
  EXPECT_FALSE(hull.has_size);
}

}  // namespace
}  // namespace carom::point_hull_test
