#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "carom/error.h"
#include "carom/problem_files/fclib_global.h"

namespace carom::mass_symmetry_test {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A body of three velocities that touches a floor; its mass matrix is off from symmetric by `skew` of its largest
/// entry.
FclibGlobal body(double skew) {
  MatrixXd M(3, 3);
  M << 4, 1, 0, 1, 3, 0.5, 0, 0.5, 2;
  M(0, 1) += 4 * skew;
  FclibGlobal global;
  global.M = M.sparseView();
  global.H = MatrixXd::Identity(3, 3).sparseView();
  global.G.resize(3, 0);
  global.f = VectorXd::Ones(3);
  global.w = VectorXd::Zero(3);
  global.mu = VectorXd::Constant(1, 0.5);
  return global;
}

MatrixXd operator_of(const StoredProblem& stored) {
  MatrixXd A(stored.rows(), stored.rows());
  stored.A().copy_to(A);
  return A;
}

TEST(MassSymmetry, SmallDifferencesAreTakenOutAndTold) {
  const double skew = 1.5e-7;
  const StoredProblem stored = problem_of(body(skew), "p.hdf5");
  ASSERT_EQ(stored.notes.remarks.size(), 1u);
  EXPECT_NE(stored.notes.remarks[0].find("1.5e-07"), std::string::npos) << stored.notes.remarks[0];
  // The mean of M and its transpose, in the order x, y, normal of the contact.
  const MatrixXd M = MatrixXd(body(skew).M), inverse = (0.5 * (M + M.transpose())).inverse();
  MatrixXd A(3, 3);
  const int row[] = {1, 2, 0};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) A(i, j) = inverse(row[i], row[j]);
  }
  EXPECT_LT((operator_of(stored) - A).cwiseAbs().maxCoeff(), 1e-15);
}

TEST(MassSymmetry, RoundOffIsNotWorthAWord) {
  EXPECT_TRUE(problem_of(body(0), "p.hdf5").notes.remarks.empty());
  EXPECT_TRUE(problem_of(body(3e-15), "p.hdf5").notes.remarks.empty());
}

TEST(MassSymmetry, MoreIsRefusedWithTheEntry) {
  try {
    static_cast<void>(problem_of(body(2e-6), "p.hdf5"));
    FAIL() << "an unsymmetric mass matrix was taken";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("(1, 0) and (0, 1) differ by 2e-06"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace carom::mass_symmetry_test
