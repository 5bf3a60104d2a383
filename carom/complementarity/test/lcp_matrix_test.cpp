#include "carom/complementarity/polyhedral/lcp_matrix.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "testing/problems/contact_mechanics.h"

namespace carom::lcp_matrix_test {
namespace {

using families::Random;

/// Entries over twelve orders of magnitude, some rows and columns far from the others.
Eigen::MatrixXd badly_scaled(int n, Random& random) {
  Eigen::MatrixXd R(n, n);
  Eigen::VectorXd rows(n), columns(n);
  for (double& size : rows) size = random.logarithmic(-3, 3);
  for (double& size : columns) size = random.logarithmic(-3, 3);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      R(i, j) =
          random.chance(0.2) ? 0.0 : rows[i] * columns[j] * (random.chance(0.5) ? 1 : -1) * random.uniform(0.1, 1);
    }
    R(i, i) = rows[i] * columns[i];
  }
  return R;
}

/// R̂ by what its scales say: powers of two, so every entry is exact.
Eigen::MatrixXd scaled(const Eigen::MatrixXd& R, const LcpMatrix& matrix) {
  Eigen::MatrixXd result = R;
  for (int i = 0; i < R.rows(); ++i) {
    for (int j = 0; j < R.cols(); ++j) result(i, j) *= matrix.row_scale(i) * matrix.column_scale(j);
  }
  return result;
}

TEST(LcpMatrix, ColumnsRowsAndProductsAreThoseOfTheScaledMatrix) {
  Random random(81);
  for (int trial = 0; trial < 40; ++trial) {
    const int n = 1 + trial % 9;
    const Eigen::MatrixXd R = badly_scaled(n, random);
    DenseLcpMatrix matrix;
    matrix.build(R);
    for (const double shift : {0.0, 0.125}) {
      matrix.set_shift(shift);
      const Eigen::MatrixXd expected = scaled(R, matrix) + shift * Eigen::MatrixXd::Identity(n, n);
      std::vector<int> columns;
      for (int j = n; j >= 0; --j) columns.push_back(j);  // n stands for no column
      Eigen::VectorXd z(n), entries(n + 1);
      for (double& value : z) value = random.uniform(-1, 1);
      for (int j = 0; j < n; ++j) {
        Eigen::VectorXd column = Eigen::VectorXd::Zero(n);
        matrix.add_column(j, 2, column.data());
        EXPECT_EQ(column, Eigen::VectorXd(2 * expected.col(j)));
        matrix.row(j, columns, entries.data());
        EXPECT_EQ(entries[0], 0);
        EXPECT_EQ(Eigen::VectorXd(entries.tail(n).reverse()), Eigen::VectorXd(expected.row(j).transpose()));
      }
      Eigen::VectorXd w = Eigen::VectorXd::Ones(n), back = Eigen::VectorXd::Ones(n);
      matrix.multiply_add(z.data(), w.data());
      matrix.multiply_transposed_add(z.data(), back.data());
      EXPECT_LE((w - Eigen::VectorXd::Ones(n) - expected * z).norm(), 1e-14 * n);
      EXPECT_LE((back - Eigen::VectorXd::Ones(n) - expected.transpose() * z).norm(), 1e-14 * n);
    }
  }
}

TEST(LcpMatrix, ScalesArePowersOfTwoThatBringRowsAndColumnsNearOne) {
  Random random(82);
  for (int trial = 0; trial < 40; ++trial) {
    const int n = 2 + trial % 9;
    const Eigen::MatrixXd R = badly_scaled(n, random);
    DenseLcpMatrix matrix;
    matrix.build(R);
    const Eigen::MatrixXd result = scaled(R, matrix).cwiseAbs();
    for (int i = 0; i < n; ++i) {
      EXPECT_EQ(std::exp2(std::round(std::log2(matrix.row_scale(i)))), matrix.row_scale(i));
      EXPECT_EQ(std::exp2(std::round(std::log2(matrix.column_scale(i)))), matrix.column_scale(i));
      // Before, sizes spread over six orders of magnitude. Rounding to powers of two costs a factor of four, and three
      // sweeps leave less than another.
      EXPECT_LE(result.row(i).maxCoeff(), 4) << trial;
      EXPECT_GE(result.row(i).maxCoeff(), 1.0 / 16) << trial;
      EXPECT_LE(result.col(i).maxCoeff(), 4) << trial;
      EXPECT_GE(result.col(i).maxCoeff(), 1.0 / 16) << trial;
    }
  }
}

}  // namespace
}  // namespace carom::lcp_matrix_test
