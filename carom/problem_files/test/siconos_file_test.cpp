#include "carom/problem_files/siconos_file.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <random>

#include "carom/error.h"
#include "carom/problem_files/solve_stored.h"
#include "carom/problem_files/test/siconos_text.h"

namespace carom::siconos_file_test {
namespace {

using namespace test;

constexpr Storage all_storages[] = {Storage::dense, Storage::blocks, Storage::triplets, Storage::columns,
                                    Storage::rows};

LinearProblem linear(const std::string& text) { return std::get<LinearProblem>(parse_siconos(text, "p.dat")); }
StoredProblem contacts(const std::string& text) { return std::get<StoredProblem>(parse_siconos(text, "p.dat")); }

/// The sentence of the Error that a text ends in.
std::string refusal(const std::string& text) {
  try {
    static_cast<void>(parse_siconos(text, "p.dat"));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

MatrixXd random_matrix(Eigen::Index rows, Eigen::Index columns, int seed) {
  std::mt19937_64 engine(static_cast<std::uint64_t>(seed));
  MatrixXd M(rows, columns);
  for (double& value : M.reshaped()) value = static_cast<double>(engine() % 2001) / 1000 - 1;
  return M;
}

/// Symmetric positive semidefinite, of rank rows − 1, with a block of zeros between the first contact and the last.
MatrixXd random_operator(int dimension, int contact_count, int seed) {
  const int rows = dimension * contact_count;
  MatrixXd J = random_matrix(rows, rows - 1, seed);
  J.topRightCorner(dimension, rows - 1 - dimension).setZero();
  J.bottomLeftCorner(dimension, dimension).setZero();
  return J * J.transpose();
}

MatrixXd dense_operator(const StoredProblem& stored) {
  MatrixXd A(stored.rows(), stored.rows());
  stored.A().copy_to(A);
  return A;
}

/// A vector of the file, normals first, in Carom's rows, normals last.
VectorXd carom_rows(int dimension, const VectorXd& file) {
  VectorXd rows = VectorXd::Zero(3 * file.size() / dimension);
  for (Eigen::Index c = 0; c < file.size() / dimension; ++c) {
    rows(3 * c + 2) = file(dimension * c);
    for (int t = 1; t < dimension; ++t) rows(3 * c + t - 1) = file(dimension * c + t);
  }
  return rows;
}

TEST(SiconosFile, ContactsAreTheSameInEveryStorage) {
  for (const int dimension : {2, 3}) {
    const MatrixXd W = random_operator(dimension, 4, dimension);
    const VectorXd q = random_matrix(4 * dimension, 1, 7), mu = VectorXd::LinSpaced(4, 0.1, 0.7);
    for (const Storage storage : all_storages) {
      const StoredProblem stored = contacts(contact_text(dimension, W, q, mu, storage));
      ASSERT_EQ(stored.blocks.size(), 4u);
      EXPECT_EQ(stored.u, carom_rows(dimension, q));
      const MatrixXd A = dense_operator(stored);
      const VectorXd r = random_matrix(4 * dimension, 1, 8);
      EXPECT_LT((A * carom_rows(dimension, r) - carom_rows(dimension, W * r)).norm(), 1e-14);
      for (int c = 0; c < 4; ++c) {
        EXPECT_EQ(stored.blocks[c].friction.x(), mu(c));
        EXPECT_EQ(stored.blocks[c].friction.y(), dimension == 3 ? mu(c) : 0);
      }
      EXPECT_TRUE(stored.notes.remarks.empty());
    }
  }
}

TEST(SiconosFile, GlobalProblemIsReducedToItsContacts) {
  for (const Storage storage : all_storages) {
    for (const int bodies : {1, 2, 5}) {  // with one body M has as many rows as W
      const Eigen::Index n = 6 * bodies;
      const MatrixXd G = random_matrix(n, n, 3), M = G * G.transpose() + MatrixXd::Identity(n, n),
                     H = random_matrix(n, 6, 4);
      const VectorXd q = random_matrix(n, 1, 5), b = random_matrix(6, 1, 6), mu = VectorXd::Constant(2, 0.3);
      const StoredProblem stored = contacts("3\n2\n" + matrix_text(M, storage, 3, 3) + matrix_text(H, storage, 3, 3) +
                                            numbers(q) + numbers(b) + numbers(mu) + "1\n");
      const VectorXd r = random_matrix(6, 1, 9), v = M.ldlt().solve(H * r + q), u = H.transpose() * v + b;
      EXPECT_LT((dense_operator(stored) * carom_rows(3, r) + stored.u - carom_rows(3, u)).norm(), 1e-9);
      EXPECT_TRUE(stored.notes.remarks.empty());  // the flag at the end is Siconos' own
    }
  }
}

TEST(SiconosFile, LcpIsTheSameInEveryStorage) {
  for (const int n : {1, 2, 3, 5}) {
    const MatrixXd M = random_matrix(n, n, n) + MatrixXd::Identity(n, n) * 3;
    const VectorXd q = random_matrix(n, 1, n + 10);
    for (const Storage storage : all_storages) {
      const LinearProblem problem = linear(lcp_text(M, q, storage));
      EXPECT_EQ(problem.M, M) << n;
      EXPECT_EQ(problem.q, q);
      EXPECT_EQ(problem.pairs(), n);
    }
  }
}

TEST(SiconosFile, CommentsAndTextBehindTheProblemArePassedOver) {
  const LinearProblem problem =
      linear("# from a book\n2 // the size\n0\n2\n2\n2\t2 % once more\n1 2\n3 4 # columns\n-1 -2\nRemark 4.1\n");
  EXPECT_EQ(problem.M(0, 1), 3);
  EXPECT_EQ(problem.q(1), -2);
  ASSERT_EQ(problem.remarks.size(), 1u);
  EXPECT_EQ(problem.remarks[0], "2 words behind the problem, from line 10 on, passed over");
}

TEST(SiconosFile, MixedProblemInItsFourForms) {
  const MatrixXd M = random_matrix(5, 5, 1);
  const VectorXd q = random_matrix(5, 1, 2);
  const auto rows_text = [](const MatrixXd& part) {
    std::string text;
    for (Eigen::Index i = 0; i < part.rows(); ++i) text += numbers(part.row(i));
    return text;
  };
  const std::string whole = "2\n3\n0 2 5 \n0 1 \n" + matrix_text(M, Storage::dense) + numbers(q);
  const std::string parts = rows_text(M.topLeftCorner(2, 2)) + rows_text(M.bottomRightCorner(3, 3)) +
                            rows_text(M.topRightCorner(2, 3)) + rows_text(M.bottomLeftCorner(3, 2)) +
                            numbers(q.head(2)) + numbers(q.tail(3));
  for (const std::string& text :
       {"1\n0\n" + whole, "1\n1\n" + whole + parts, "0\n1\n2\n3\n" + parts, "2 3 5\n" + parts}) {
    const LinearProblem problem = linear(text);
    EXPECT_EQ(problem.M, M);
    EXPECT_EQ(problem.q, q);
    EXPECT_EQ(problem.complementary, (std::vector<bool>{false, false, true, true, true}));
    EXPECT_TRUE(problem.remarks.empty());
  }
  const LinearProblem other = linear("1\n1\n" + whole + numbers(VectorXd::Ones(30)));
  ASSERT_EQ(other.remarks.size(), 1u);
  EXPECT_NE(other.remarks[0].find("M and q were taken"), std::string::npos);
}

TEST(SiconosFile, BlocksOfAMixedProblemInAnyOrder) {
  const MatrixXd M = random_matrix(4, 4, 1);
  const LinearProblem problem =
      linear("1\n0\n2\n2\n0 1 3 4\n1 0 1\n" + matrix_text(M, Storage::blocks, 2, 2) + numbers(VectorXd::Ones(4)));
  EXPECT_EQ(problem.complementary, (std::vector<bool>{true, false, false, true}));
}

TEST(SiconosFile, MoreEquationsThanFreeUnknowns) {
  // x − z = 0, −x − z + 1 = 0, w = x + z − 1: Siconos writes as many entries of q as M has columns, the others in b.
  MatrixXd M(3, 2);
  M << 1, -1, -1, -1, 1, 1;
  const std::string begin = "1\n1\n1\n1\n0 1 2\n0 1\n" + matrix_text(M, Storage::dense);
  const LinearProblem problem = linear(begin + "0 1\n1\n1\n-1\n1\n0\n-1\n");
  ASSERT_EQ(problem.size(), 3);
  EXPECT_EQ(problem.q, Eigen::Vector3d(0, 1, -1));
  EXPECT_EQ(problem.unknown, (std::vector<int>{0, 2}));
  VectorXd w(3);
  EXPECT_LT(certify(problem, Eigen::Vector3d(0.5, 0, 0.5), w).residual, 1e-15);
}

TEST(SiconosFile, RollingFrictionIsRefusedByName) {
  const MatrixXd W = MatrixXd::Identity(5, 5);
  const std::string text = "5\n1\n" + matrix_text(W, Storage::dense) + numbers(VectorXd::Ones(5)) + "0.5\n0.1\n";
  EXPECT_NE(refusal(text).find("p.dat is a problem with rolling friction"), std::string::npos) << refusal(text);
  // In the plane: dimension 3, and a second coefficient for each contact.
  const std::string planar =
      contact_text(3, MatrixXd::Identity(6, 6), VectorXd::Ones(6), VectorXd::Constant(2, 0.5), Storage::dense);
  EXPECT_NE(refusal(planar + "1.0e-01 1.0e-01\n").find("rolling friction"), std::string::npos);
  EXPECT_EQ(refusal(planar + "1\n"), "");
}

TEST(SiconosFile, WhatDoesNotFitIsToldWithItsLine) {
  struct Bad {
    const char* text;
    const char* sentence;
  };
  const Bad texts[] = {
      {"", "not a problem that Carom can read"},
      {"carom: 1\nbodies: []\n", "not a problem that Carom can read"},
      {"2\n0\n2\n2\n2 2\n1 0\n0 x\n1 1\n", "p.dat:7: an entry of M is \"x\"; it must be a number"},
      {"2\n0\n2\n2\n2 2\n1 0\n0 nan\n1 1\n", "p.dat:7: an entry of M is \"nan\"; it must be finite"},
      {"2\n0\n2\n2\n2 2\n1 0\n0 1\n1\n", "p.dat:7: q must have 2 entries, but the file has only 1 word more"},
      {"2\n0\n2\n2\n2 2\n1 0\n", "p.dat:5: M, 2 x 2, asks for 4 numbers, but the file has only 2 more"},
      {"3\n1\n0\n3\n2\n3 2\n1 0 0 0 1 0\n", "p.dat:7: the first matrix is 3 x 2; it must be square"},
      {"3\n1\n0\n3\n3\n3 4\n", "p.dat:6: the first matrix is 3 x 3 in its first lines and 3 x 4 here"},
      {"3\n2\n0\n3\n3\n3 3\n1 0 0\n0 1 0\n0 0 1\n-1 0 0\n0.5\n", "need 6; if it is the mass matrix"},
      {"3\n1\n0\n3\n3\n3 3\n1 0 0\n0 1 0\n0 0 1\n-1 0 0\n-0.5\n", "p.dat:11: a coefficient of friction is negative"},
      {"2\n1\n1\n2\n2\n1\n1\n1\n3\n2\n",
       "p.dat:9: the end of a row of blocks of the first matrix is 3; it must be from 0 to 2"},
      {"1\n1\n1\n1\n0 1 2\n1 1\n", "p.dat:6: the blocks have 2 complementary rows, but the file says m = 1"},
      {"2\n2\n2\n2\n1\nCSparse\n2-by-2, nzmax: 1 nnz: 1\n", ""},
  };
  for (const Bad& bad : texts) EXPECT_NE(refusal(bad.text).find(bad.sentence), std::string::npos) << refusal(bad.text);
  EXPECT_NE(refusal(texts[12].text), "");
}

TEST(SiconosFile, NothingIsReadBeyondADamagedFile) {
  const MatrixXd M = random_matrix(4, 4, 1);
  for (const Storage storage : all_storages) {
    const std::string whole = lcp_text(M, VectorXd::Ones(4), storage);
    std::mt19937_64 engine(1);
    for (std::size_t length = 0; length + 2 < whole.size(); ++length) {
      EXPECT_NE(refusal(whole.substr(0, length)), "") << length;
    }
    for (int trial = 0; trial < 300; ++trial) {
      std::string damaged = whole;
      for (int k = 0; k < 3; ++k) damaged[engine() % damaged.size()] = "0123456789-+.e \n:x"[engine() % 18];
      static_cast<void>(refusal(damaged));  // an Error or a problem, nothing else
    }
  }
}

TEST(SiconosFile, BallOnAFloorIsSolved) {
  // 2 kg falling with 1 m/s and sliding with 0.5 m/s: 2 N s stop it, and friction 0.4 takes 0.8 N s from the slip.
  const StoredProblem stored = contacts(contact_text(3, MatrixXd::Identity(3, 3) / 2, Eigen::Vector3d(-1, 0.5, 0),
                                                     VectorXd::Constant(1, 0.4), Storage::blocks));
  ContactOptions exact;
  exact.cone = FrictionCone::exact;
  const StoredSolution solved = solve_stored(stored, exact, VectorXd());
  EXPECT_EQ(solved.solution.status, SolveStatus::solved);
  EXPECT_LT((solved.impulse - Eigen::Vector3d(-0.8, 0, 2)).norm(), 1e-8);
}

}  // namespace
}  // namespace carom::siconos_file_test
