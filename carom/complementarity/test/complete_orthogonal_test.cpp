#include "carom/complementarity/linear/complete_orthogonal.h"

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <cstdlib>
#include <string>

#include "testing/allocation_count.h"
#include "testing/problems/problem_families.h"

namespace carom::complete_orthogonal_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using families::Random;

int trials(int full, int subset) { return std::getenv("CAROM_LONG") != nullptr ? full : subset; }

std::span<const double> span(const VectorXd& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }

VectorXd random_vector(int n, Random& random) {
  VectorXd x(n);
  for (int i = 0; i < n; ++i) x[i] = random.uniform(-1, 1);
  return x;
}

/// A vector that is new, or a copy, an opposite, a multiple or a sum of columns of `others`.
VectorXd related_vector(const MatrixXd& others, Random& random) {
  const auto size = static_cast<int>(others.rows()), many = static_cast<int>(others.cols());
  const int kind = random.integer(0, 5);
  if (many == 0 || kind < 2) return random_vector(size, random);
  VectorXd first = others.col(random.integer(0, many - 1));
  if (kind == 2) return first;
  if (kind == 3) return -first;
  if (kind == 4) return VectorXd::Zero(size);
  return first - 0.5 * others.col(random.integer(0, many - 1));
}

MatrixXd without_row(const MatrixXd& B, int i) {
  MatrixXd rest(B.rows() - 1, B.cols());
  rest << B.topRows(i), B.bottomRows(B.rows() - 1 - i);
  return rest;
}

MatrixXd with_row(const MatrixXd& B, const VectorXd& row) {
  MatrixXd more(B.rows() + 1, B.cols());
  more << B, row.transpose();
  return more;
}

struct Reference {
  VectorXd x;
  int rank = 0;
  double gap = 1;  ///< smallest singular value that counts, relative to the longest column
};

Reference by_svd(const MatrixXd& B, const VectorXd& b, double tolerance) {
  Reference result{VectorXd::Zero(B.cols()), 0, 1};
  if (B.size() == 0) return result;
  const double scale = B.colwise().norm().maxCoeff();
  const Eigen::JacobiSVD<MatrixXd> svd(B, Eigen::ComputeFullU | Eigen::ComputeFullV);
  for (Eigen::Index i = 0; i < svd.singularValues().size(); ++i) {
    const double sigma = svd.singularValues()[i];
    if (sigma <= tolerance * scale) break;
    result.x += svd.matrixV().col(i) * (svd.matrixU().col(i).dot(b) / sigma);
    result.gap = sigma / scale;
    ++result.rank;
  }
  return result;
}

/// The same edit on both sides: kind 0 to 5 = append, remove, replace of a row or a column.
void apply(int kind, MatrixXd& B, CompleteOrthogonal& factors, Random& random) {
  const bool row = kind % 2 == 0;
  MatrixXd C = row ? B : MatrixXd(B.transpose());
  const int at = kind >= 2 ? random.integer(0, static_cast<int>(C.rows()) - 1) : 0;
  if (kind >= 2) C = without_row(C, at);
  if (kind >= 4 || kind < 2) C = with_row(C, related_vector(C.transpose(), random));
  B = row ? C : MatrixXd(C.transpose());
  const VectorXd last = C.rows() > 0 ? VectorXd(C.row(C.rows() - 1)) : VectorXd();
  if (kind == 0) factors.append_row(span(last));
  if (kind == 1) factors.append_column(span(last));
  if (kind == 2) factors.remove_row(at);
  if (kind == 3) factors.remove_column(at);
  if (kind == 4) factors.replace_row(at, span(last));
  if (kind == 5) factors.replace_column(at, span(last));
}

void expect_same_as_svd(CompleteOrthogonal& factors, const MatrixXd& B, Random& random, const std::string& where) {
  ASSERT_EQ(factors.rows(), B.rows());
  ASSERT_EQ(factors.columns(), B.cols());
  const VectorXd b = random_vector(static_cast<int>(B.rows()), random);
  VectorXd x(B.cols());
  const LeastNormSolution solution = factors.solve(span(b), {x.data(), static_cast<std::size_t>(x.size())});
  const Reference reference = by_svd(B, b, 1e-10);
  ASSERT_EQ(solution.rank, reference.rank) << where << "\n" << B;
  const double tolerance = 1e-12 / reference.gap;
  EXPECT_LE((x - reference.x).norm(), tolerance * (1 + reference.x.norm())) << where;
  EXPECT_NEAR(solution.norm, x.norm(), 1e-14 * x.norm());
  EXPECT_NEAR(solution.residual, (b - B * x).norm(), 1e-13 * (1 + b.norm())) << where;
  VectorXd lambda(B.rows());
  factors.multipliers(span(x), {lambda.data(), static_cast<std::size_t>(lambda.size())});
  EXPECT_LE((B.transpose() * lambda - x).norm(), tolerance * (1 + x.norm())) << where;
}

TEST(CompleteOrthogonal, AgreesWithTheSingularValueDecompositionAfterAnyEdits) {
  Random random(61);
  for (int sequence = 0; sequence < trials(3000, 150); ++sequence) {
    MatrixXd B(random.integer(1, 12), random.integer(1, 12));
    for (int j = 0; j < B.cols(); ++j) {
      B.col(j) = related_vector(B.leftCols(j), random);
    }
    CompleteOrthogonal factors;
    factors.factorize(B);
    expect_same_as_svd(factors, B, random, "at first");
    for (int step = 0; step < 12; ++step) {
      int kind = random.integer(0, 5);
      if (kind >= 2 && (kind % 2 == 0 ? B.rows() : B.cols()) < 2) kind %= 2;
      apply(kind, B, factors, random);
      if (step % 3 == 2) {
        expect_same_as_svd(factors, B, random, std::to_string(sequence) + " " + std::to_string(step));
      }
      if (HasFailure()) return;
    }
  }
}

VectorXd solution_of(CompleteOrthogonal& factors, const VectorXd& b) {
  VectorXd x(factors.columns());
  factors.solve(span(b), {x.data(), static_cast<std::size_t>(x.size())});
  return x;
}

TEST(CompleteOrthogonal, RevealsARankThatPivotsHide) {
  // Kahan's matrix: its pivots fall like s^k, its smallest singular value like (s / (1 + c))^k.
  const int n = 40;
  const double s = 0.8, c = 0.6;
  MatrixXd B = MatrixXd::Zero(n, n);
  for (int i = 0; i < n; ++i) {
    B(i, i) = std::pow(s, i);
    for (int j = i + 1; j < n; ++j) B(i, j) = -c * std::pow(s, i);
  }
  ASSERT_GT(std::pow(s, n - 1), 1e-4);
  Random random(62);
  CompleteOrthogonal factors;
  factors.factorize(B);
  ASSERT_LT(factors.rank(), n);
  const VectorXd b = random_vector(n, random);
  EXPECT_EQ(factors.rank(), by_svd(B, b, 1e-10).rank);
}

TEST(CompleteOrthogonal, DecidesOnNearlyDependentColumnsWithinAFactorOfItsTolerance) {
  Random random(63);
  for (int trial = 0; trial < trials(2000, 100); ++trial) {
    const int n = random.integer(2, 10);
    MatrixXd B(n + random.integer(0, 3), n);
    for (int j = 0; j < n; ++j) {
      B.col(j) = related_vector(B.leftCols(j), random);
      B.col(j) += std::pow(10, random.uniform(-14, -6)) * random_vector(static_cast<int>(B.rows()), random);
    }
    CompleteOrthogonal factors;
    factors.factorize(B);
    for (int step = 0; step < 6; ++step) apply(4 + step % 2, B, factors, random);
    const VectorXd b = random_vector(static_cast<int>(B.rows()), random);
    EXPECT_GE(factors.rank(), by_svd(B, b, 1e-9).rank) << trial;
    EXPECT_LE(factors.rank(), by_svd(B, b, 1e-11).rank) << trial;
    EXPECT_LE(factors.drift(), 1e-9) << trial;
  }
}

TEST(CompleteOrthogonal, EqualColumnsShareEquallyAndStiffOnesByStiffness) {
  // Σ x_j over columns that are all e, to be 1: x_j = k_j / Σ k.
  const VectorXd e = VectorXd::Constant(3, 2.0);
  const VectorXd stiffness = (VectorXd(4) << 1, 4, 9, 2).finished();
  MatrixXd B(3, 4), weighted(3, 4);
  for (int j = 0; j < 4; ++j) {
    B.col(j) = e;
    weighted.col(j) = e * std::sqrt(stiffness[j]);
  }
  CompleteOrthogonal factors;
  factors.factorize(B);
  EXPECT_LE((solution_of(factors, e) - VectorXd::Constant(4, 0.25)).norm(), 1e-15);
  factors.factorize(weighted);
  const VectorXd x = solution_of(factors, e).cwiseProduct(stiffness.cwiseSqrt());
  EXPECT_LE((x - stiffness / 16.0).norm(), 1e-15);
}

TEST(CompleteOrthogonal, OrderAndUnitsDoNotMatter) {
  Random random(64);
  for (int trial = 0; trial < 50; ++trial) {
    const int n = random.integer(2, 10);
    MatrixXd B(n, n);
    for (int j = 0; j < n; ++j) B.col(j) = related_vector(B.leftCols(j), random);
    const VectorXd b = random_vector(n, random);
    CompleteOrthogonal factors, other;
    factors.factorize(B);
    const VectorXd x = solution_of(factors, b);
    other.factorize(0x1p-60 * B);
    EXPECT_EQ(solution_of(other, 0x1p-60 * b), x);
    other.factorize(B.rowwise().reverse());
    EXPECT_EQ(other.rank(), factors.rank());
    EXPECT_LE((solution_of(other, b).reverse() - x).norm(), 1e-12 / by_svd(B, b, 1e-10).gap * (1 + x.norm()));
  }
}

TEST(CompleteOrthogonal, WhatItFactoredBeforeDoesNotMatterAndThousandsOfEditsDoNotAgeIt) {
  Random random(65);
  CompleteOrthogonal used;
  MatrixXd B(8, 9);
  for (int j = 0; j < 9; ++j) B.col(j) = random_vector(8, random);
  used.factorize(B);
  for (int step = 0; step < trials(100000, 5000); ++step) {
    int kind = random.integer(0, 5);
    const auto length = kind % 2 == 0 ? B.rows() : B.cols();
    if (kind < 2 && length > 11) kind += 2;
    if (kind >= 2 && length < 4) kind %= 2;
    apply(kind, B, used, random);
    if (step % 50 == 0) {
      used.rank();
      ASSERT_LE(used.drift(), 1e-10) << step;
    }
  }
  expect_same_as_svd(used, B, random, "after all edits");
  CompleteOrthogonal fresh;
  used.factorize(B);
  fresh.factorize(B);
  const VectorXd b = random_vector(static_cast<int>(B.rows()), random);
  EXPECT_EQ(solution_of(used, b), solution_of(fresh, b));
}

TEST(CompleteOrthogonal, ShrinksToNothingAndGrowsBack) {
  CompleteOrthogonal factors;
  factors.factorize(MatrixXd::Identity(3, 3));
  for (int k = 3; k > 0; --k) factors.remove_row(k - 1);
  EXPECT_EQ(factors.rank(), 0);
  const VectorXd nothing;
  EXPECT_EQ(solution_of(factors, nothing), VectorXd::Zero(3));
  for (int k = 3; k > 0; --k) factors.remove_column(0);
  EXPECT_EQ(factors.columns(), 0);
  factors.append_row(span(nothing));
  factors.append_row(span(nothing));
  const VectorXd column = (VectorXd(2) << 3, 4).finished();
  factors.append_column(span(column));
  EXPECT_EQ(factors.rank(), 1);
  EXPECT_NEAR(solution_of(factors, column)[0], 1, 1e-15);
}

TEST(CompleteOrthogonal, AllocatesNothingWithinWhatWasReserved) {
  Random random(66);
  const MatrixXd B = MatrixXd::Random(9, 9);
  const VectorXd row = random_vector(9, random), b = random_vector(9, random);
  VectorXd x(9);
  CompleteOrthogonal factors;
  factors.reserve(10, 10);
  const long before = allocation_count();
  factors.factorize(B);
  for (int step = 0; step < 20; ++step) {
    factors.replace_row(step % 9, span(row));
    factors.replace_column(step % 7, span(b));
    factors.append_row(span(row));
    factors.remove_row(step % 10);
    factors.solve(span(b), {x.data(), 9});
  }
  EXPECT_EQ(allocation_count(), before);
}

}  // namespace
}  // namespace carom::complete_orthogonal_test
