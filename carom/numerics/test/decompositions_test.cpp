// Every decomposition against its defining equations, on random matrices, some of them singular.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <random>

#include "carom/numerics/cholesky.h"
#include "carom/numerics/least_squares.h"
#include "carom/numerics/solve_three.h"
#include "carom/numerics/symmetric_spectrum.h"
#include "testing/allocation_count.h"

namespace carom::decompositions_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

class Draws {
 public:
  explicit Draws(unsigned seed) : bits_(seed) {}
  double uniform(double low, double high) { return low + (high - low) * static_cast<double>(bits_() >> 11) * 0x1p-53; }
  int index(int count) { return static_cast<int>(bits_() % static_cast<unsigned>(count)); }

 private:
  std::mt19937_64 bits_;
};

MatrixXd random_matrix(Draws& random, int rows, int columns) {
  MatrixXd A(rows, columns);
  for (int j = 0; j < columns; ++j) {
    for (int i = 0; i < rows; ++i) A(i, j) = random.uniform(-1, 1);
  }
  return A;
}

/// Symmetric, of the given rank, with entries from 1e-4 to 1e4 times as large.
MatrixXd random_symmetric(Draws& random, int n, int rank) {
  const MatrixXd B = random_matrix(random, n, rank), C = random_matrix(random, rank, rank);
  return std::pow(10.0, random.uniform(-4, 4)) * B * (C + C.transpose()) * B.transpose();
}

/// S = V diag(λ) Vᵀ, Vᵀ V = I, λ ascending.
template <typename AnySpectrum>
void expect_spectrum_of(const MatrixXd& S, const AnySpectrum& spectrum) {
  const MatrixXd V = spectrum.vectors;
  const VectorXd values = spectrum.values;
  const double round_off = 1e-13 * static_cast<double>(S.rows());
  EXPECT_LE((V * values.asDiagonal() * V.transpose() - S).norm(), round_off * S.norm());
  EXPECT_LE((V.transpose() * V - MatrixXd::Identity(S.rows(), S.rows())).norm(), round_off);
  EXPECT_TRUE(std::is_sorted(values.data(), values.data() + values.size()));
}

TEST(SymmetricSpectrum, GivesTheMatrixBack) {
  Draws random(1);
  for (int trial = 0; trial < 500; ++trial) {
    const int n = 1 + random.index(14), rank = random.index(n + 1);
    const MatrixXd S = random_symmetric(random, n, rank);
    const Spectrum spectrum = symmetric_spectrum(S);
    expect_spectrum_of(S, spectrum);
    const auto counts = (spectrum.values.cwiseAbs().array() > 1e-11 * S.norm()).count();
    EXPECT_LE(counts, rank);
  }
}

TEST(SymmetricSpectrum, OfSmallMatricesIsTheSameAndAllocatesNothing) {
  Draws random(2);
  for (int trial = 0; trial < 500; ++trial) {
    const int n = 1 + random.index(6);
    const MatrixXd S = random_symmetric(random, n, random.index(n + 1));
    const SmallMatrix small = S;
    SmallSpectrum spectrum;
    const long allocated = fewest_allocations([&] { spectrum = small_spectrum(small); });
    EXPECT_EQ(allocated, 0);
    expect_spectrum_of(S, spectrum);
    EXPECT_LE((VectorXd(spectrum.values) - symmetric_spectrum(S).values).norm(), 1e-12 * S.norm());
  }
}

TEST(SymmetricSpectrum, OfThreeByThreeIsTheSameAndAllocatesNothing) {
  Draws random(7);
  for (int trial = 0; trial < 500; ++trial) {
    const Eigen::Matrix3d S = random_symmetric(random, 3, random.index(4));
    ThreeSpectrum spectrum;
    EXPECT_EQ(fewest_allocations([&] { spectrum = three_spectrum(S); }), 0);
    expect_spectrum_of(S, spectrum);
  }
}

/// Moore and Penrose's conditions: S P S = S, P S P = P, and both products symmetric.
TEST(SymmetricSpectrum, SemidefiniteInverseIsZeroWhereTheMatrixIs) {
  Draws random(8);
  for (int trial = 0; trial < 500; ++trial) {
    const int rank = random.index(4);
    const MatrixXd B = std::pow(10.0, random.uniform(-4, 4)) * random_matrix(random, 3, rank);
    const Eigen::Matrix3d S = B * B.transpose();
    const ThreeSpectrum spectrum = three_spectrum(S);
    // A small eigenvalue would not be told from a zero one.
    if (rank > 0 && spectrum.values[3 - rank] < 1e-6 * spectrum.values[2]) continue;
    const Eigen::Matrix3d P = semidefinite_inverse(S, 1e-12), PS = P * S;
    EXPECT_LE((S * PS - S).norm(), 1e-8 * S.norm());
    EXPECT_LE((PS * P - P).norm(), 1e-8 * P.norm());
    EXPECT_LE((PS - PS.transpose()).norm(), 1e-8);
    EXPECT_NEAR(PS.trace(), rank, 1e-8);
  }
}

/// The normal equations hold, no other x has a smaller residual, and x has no part that A does not see.
TEST(LeastSquares, LeavesAResidualThatNoColumnCanTake) {
  Draws random(3);
  for (int trial = 0; trial < 500; ++trial) {
    const int m = 1 + random.index(12), n = 1 + random.index(8), rank = 1 + random.index(std::min(m, n));
    const MatrixXd A = random_matrix(random, m, rank) * random_matrix(random, rank, n);
    const VectorXd b = random_matrix(random, m, 1);
    const VectorXd x = least_squares(A, b);
    EXPECT_LE((A.transpose() * (b - A * x)).norm(), 1e-9 * A.norm() * b.norm());
    const VectorXd other = x + 0.1 * random_matrix(random, n, 1);
    const VectorXd unseen = other - least_squares(A, A * other);
    EXPECT_NEAR(unseen.dot(x), 0, 1e-9 * (1 + x.squaredNorm()));
    EXPECT_LE((b - A * x).norm(), (b - A * other).norm() + 1e-12 * b.norm());
  }
}

TEST(LeastSquares, NamesColumnsThatDependOnOthers) {
  Draws random(4);
  for (int trial = 0; trial < 500; ++trial) {
    const int m = 3 + random.index(10), rank = 1 + random.index(3), more = random.index(4);
    MatrixXd A(m, rank + more);
    A.leftCols(rank) = random_matrix(random, m, rank);
    A.rightCols(more) = A.leftCols(rank) * random_matrix(random, rank, more);
    std::vector<int> dependent = dependent_columns(A, 1e-10);
    ASSERT_EQ(std::ssize(dependent), more);
    std::sort(dependent.begin(), dependent.end());
    MatrixXd kept(m, rank);
    int count = 0;
    for (int j = 0; j < A.cols(); ++j) {
      if (!std::binary_search(dependent.begin(), dependent.end(), j)) kept.col(count++) = A.col(j);
    }
    EXPECT_TRUE(dependent_columns(kept, 1e-10).empty());
    for (const int j : dependent) {
      EXPECT_LE((kept * least_squares(kept, A.col(j)) - A.col(j)).norm(), 1e-9 * A.norm());
    }
  }
}

TEST(Cholesky, SolvesAndTellsWhatIsNotPositive) {
  Draws random(5);
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 1 + random.index(70);
    const MatrixXd B = random_matrix(random, n, n);
    MatrixXd S = B * B.transpose() + MatrixXd::Identity(n, n);
    Cholesky factors;
    factors.compute(S);
    ASSERT_EQ(factors.info(), Eigen::Success);
    const VectorXd b = random_matrix(random, n, 1);
    const VectorXd x = factors.solve(b);
    EXPECT_LE((S * x - b).norm(), 1e-11 * S.norm() * x.norm());
    S(random.index(n), random.index(n)) = 0;
    S.diagonal()[random.index(n)] = -1;
    factors.compute(S);
    EXPECT_NE(factors.info(), Eigen::Success);
  }
}

TEST(SolveThree, SolvesAndIsNotFiniteForZero) {
  Draws random(6);
  for (int trial = 0; trial < 500; ++trial) {
    const Eigen::Matrix3d A = random_matrix(random, 3, 3), B = random_matrix(random, 3, 3);
    if (std::abs(A.determinant()) < 1e-3) continue;
    const Eigen::Matrix3d X = solve_three(A, B);
    EXPECT_LE((A * X - B).norm(), 1e-10);
    for (int j = 0; j < 3; ++j) EXPECT_LE((X.col(j) - solve_three(A, Eigen::Vector3d(B.col(j)))).norm(), 1e-10);
  }
  EXPECT_FALSE(solve_three(Eigen::Matrix3d::Zero(), Eigen::Vector3d::Ones().eval()).allFinite());
}

}  // namespace
}  // namespace carom::decompositions_test
