// Problem files against the FCLib library itself, where it is installed.
#include <gtest/gtest.h>

#include <cstdlib>

#include "carom/problem_files/fclib_local.h"
#include "carom/record/fclib.h"
#include "carom/record/test/random_problem.h"
#include "carom/record/test/test_folder.h"

#ifdef CAROM_HAS_FCLIB
extern "C" {
#include <fclib.h>
}
#endif

namespace carom::fclib_peer_test {
namespace {

class FclibPeerTest : public test::FolderTest {};

#ifdef CAROM_HAS_FCLIB

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd matrix_of(const fclib_matrix& stored) {
  EXPECT_EQ(stored.nz, -2);
  MatrixXd matrix = MatrixXd::Zero(stored.m, stored.n);
  for (int row = 0; row < stored.m; ++row) {
    for (int k = stored.p[row]; k < stored.p[row + 1]; ++k) matrix(row, stored.i[k]) += stored.x[k];
  }
  return matrix;
}

TEST_F(FclibPeerTest, ReadsWhatCaromWrites) {
  for (int seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE(seed);
    test::Numbers numbers(static_cast<std::uint64_t>(seed));
    StoredProblem stored = test::random_problem(6, {BlockKind::cone, BlockKind::unilateral, BlockKind::bilateral},
                                                ContactOperator::Form::dense, numbers);
    stored.notes.title = "for the peer";
    stored.notes.impulse = numbers.vector(stored.rows());
    stored.notes.guesses.push_back(numbers.vector(stored.rows()));
    const FclibLocal expected = local_of(stored, fclib_rows(stored.blocks));
    if (expected.q.size() == 0 || expected.s.size() == 0) continue;
    const std::string file = path("problem.hdf5");
    write_problem(file, stored);

    fclib_local* local = fclib_read_local(file.c_str());
    ASSERT_NE(local, nullptr);
    EXPECT_EQ(local->spacedim, 3);
    EXPECT_STREQ(local->info->title, "for the peer");
    EXPECT_EQ(matrix_of(*local->W), MatrixXd(expected.W));
    EXPECT_EQ(matrix_of(*local->V), MatrixXd(expected.V));
    EXPECT_EQ(matrix_of(*local->R), MatrixXd(expected.R));
    EXPECT_EQ(VectorXd(Eigen::Map<VectorXd>(local->q, expected.q.size())), expected.q);
    EXPECT_EQ(VectorXd(Eigen::Map<VectorXd>(local->s, expected.s.size())), expected.s);
    EXPECT_EQ(VectorXd(Eigen::Map<VectorXd>(local->mu, expected.mu.size())), expected.mu);
    fclib_delete_local(local);
    std::free(local);  // which leaves the struct itself
    fclib_solution* solution = fclib_read_solution(file.c_str());
    ASSERT_NE(solution, nullptr);
    VectorXd r, lambda;
    solution_of(fclib_rows(stored.blocks), stored.notes.impulse, r, lambda);
    EXPECT_EQ(VectorXd(Eigen::Map<VectorXd>(solution->r, r.size())), r);
    EXPECT_EQ(VectorXd(Eigen::Map<VectorXd>(solution->l, lambda.size())), lambda);
    fclib_delete_solutions(solution, 1);
    int count = 0;
    fclib_solution* guesses = fclib_read_guesses(file.c_str(), &count);
    ASSERT_NE(guesses, nullptr);
    EXPECT_EQ(count, 1);
    fclib_delete_solutions(guesses, count);
  }
}

TEST_F(FclibPeerTest, WritesWhatCaromReads) {
  std::vector<int> p = {0, 1, 2, 3}, i = {0, 1, 2};
  std::vector<double> x = {2, 3, 4}, q = {-1, 0.5, 0.25}, mu = {0.3};
  fclib_matrix W{3, 3, 3, p.data(), i.data(), x.data(), -1, nullptr};
  char title[] = "three", nothing[] = "";
  fclib_info info{title, nothing, nothing};
  fclib_local local{&W, nullptr, nullptr, mu.data(), q.data(), nullptr, 3, &info};
  const std::string file = path("peer.hdf5");
  ASSERT_EQ(fclib_write_local(&local, file.c_str()), 1);
  const StoredProblem stored = read_problem(file);
  EXPECT_EQ(stored.notes.title, "three");
  EXPECT_EQ(stored.dense.diagonal(), Eigen::Vector3d(3, 4, 2));
  EXPECT_EQ(stored.u, Eigen::Vector3d(0.5, 0.25, -1));
  ASSERT_EQ(stored.blocks.size(), 1U);
  EXPECT_EQ(stored.blocks[0].friction, Eigen::Vector2d(0.3, 0.3));
}

#else

TEST_F(FclibPeerTest, IsInstalled) { GTEST_SKIP() << "the FCLib library (libfclib-dev) is not installed"; }

#endif

}  // namespace
}  // namespace carom::fclib_peer_test
