#include "carom/problem_files/solve_stored.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "carom/complementarity/infeasibility.h"
#include "carom/record/fclib.h"
#include "carom/record/problem_summary.h"
#include "carom/record/test/plain_file.h"
#include "carom/record/test/random_problem.h"
#include "carom/record/test/test_folder.h"
#include "testing/folders.h"

namespace carom::solve_stored_test {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using test::Numbers;
using test::write_plain;

namespace fs = std::filesystem;

std::string problem_file(const std::string& name) { return (data_folder() / "friction_problems" / name).string(); }

ContactOptions exact_cone(double tolerance = 1e-9) {
  ContactOptions options;
  options.cone = FrictionCone::exact;
  options.exact.tolerance = tolerance;
  return options;
}

/// Impulses in the order of the file, normal first.
VectorXd file_order(const VectorXd& p) {
  VectorXd r(p.size());
  for (Eigen::Index c = 0; c < p.size() / 3; ++c) r.segment<3>(3 * c) << p(3 * c + 2), p(3 * c), p(3 * c + 1);
  return r;
}

/// max_i ‖r_i − P_K(r_i − (u_i + μ‖u_t‖ n) / a_i)‖ over the largest ‖r_i‖. It is computed from the problem as the file
/// has it, u = W r + q, normal rows first.
double natural_map(const MatrixXd& W, const VectorXd& q, const VectorXd& mu, const VectorXd& r) {
  const VectorXd u = W * r + q;
  double worst = 0, size = 0;
  for (Eigen::Index c = 0; c < mu.size(); ++c) {
    const Eigen::Index i = 3 * c;
    const double a = W.block<3, 3>(i, i).trace() / 3;
    Vector3d x = u.segment<3>(i);
    x(0) += mu(c) * x.tail<2>().norm();
    x = r.segment<3>(i) - x / a;
    const double normal = x(0), tangent = x.tail<2>().norm();
    Vector3d projected = x;
    if (mu(c) * tangent <= -normal) {
      projected.setZero();
    } else if (tangent > mu(c) * normal) {
      projected(0) = (normal + mu(c) * tangent) / (1 + mu(c) * mu(c));
      projected.tail<2>() *= mu(c) * projected(0) / tangent;
    }
    worst = std::max(worst, (r.segment<3>(i) - projected).norm());
    size = std::max(size, r.segment<3>(i).norm());
  }
  return worst / size;
}

MatrixXd matrix_of(const ArrayFile& file, const std::string& group) {
  const auto m = file.integers(group + "/m")[0], n = file.integers(group + "/n")[0],
             nz = file.integers(group + "/nz")[0];
  const auto p = file.integers(group + "/p"), i = file.integers(group + "/i");
  const std::vector<double> x = file.reals(group + "/x");
  MatrixXd matrix = MatrixXd::Zero(m, n);
  for (std::int64_t k = 0; k < nz; ++k) matrix(i[k], p[k]) += x[k];
  if (nz >= 0) return matrix;
  EXPECT_EQ(nz, -2);
  for (std::int64_t row = 0; row < m; ++row) {
    for (std::int64_t k = p[row]; k < p[row + 1]; ++k) matrix(row, i[k]) += x[k];
  }
  return matrix;
}

VectorXd vector_of(const ArrayFile& file, const std::string& dataset) {
  const std::vector<double> values = file.reals(dataset);
  return Eigen::Map<const VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

/// The problem as the file has it, a global one with its bodies eliminated by dense factors.
double natural_map_of_file(const std::string& path, const VectorXd& impulse) {
  const ArrayFile file = ArrayFile::open(path);
  const VectorXd r = file_order(impulse);
  if (file.has("/fclib_local")) {
    return natural_map(matrix_of(file, "/fclib_local/W"), vector_of(file, "/fclib_local/vectors/q"),
                       vector_of(file, "/fclib_local/vectors/mu"), r);
  }
  const MatrixXd H = matrix_of(file, "/fclib_global/H");
  const Eigen::LDLT<MatrixXd> M(matrix_of(file, "/fclib_global/M"));
  const VectorXd f = vector_of(file, "/fclib_global/vectors/f"), w = vector_of(file, "/fclib_global/vectors/w");
  return natural_map(H.transpose() * M.solve(H), H.transpose() * M.solve(f) + w,
                     vector_of(file, "/fclib_global/vectors/mu"), r);
}

class ProblemFile : public ::testing::TestWithParam<const char*> {};

TEST_P(ProblemFile, IsSolvedByItsOwnNaturalMap) {
  const std::string path = problem_file(GetParam());
  if (!fs::exists(path)) GTEST_SKIP() << "no problem file: " << path << " (CAROM_DATA names the folder of data)";
  const StoredProblem stored = read_problem(path);
  const StoredSolution solved = solve_stored(stored, exact_cone(), {});
  EXPECT_EQ(solved.solution.status, SolveStatus::solved);
  const double residual = natural_map_of_file(path, solved.impulse);
  EXPECT_LE(residual, 1e-8);
  // The certificate judges the same problem.
  EXPECT_NEAR(residual, solved.certificate.natural_map, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Frozen, ProblemFile,
                         ::testing::Values("Box_Stacks-i0122-82-5.hdf5", "Capsules-i125-1213.hdf5",
                                           "LMGC_100_PR_PerioBox-i00361-60-03000.hdf5"),
                         [](const auto& info) { return std::string(info.param).substr(0, 4); });

TEST(StoredProblems, KeepSparseOperatorsSparse) {
  const std::string path = problem_file("Capsules-i125-1213.hdf5");
  if (!fs::exists(path)) GTEST_SKIP() << "no problem file: " << path << " (CAROM_DATA names the folder of data)";
  const StoredProblem stored = read_problem(path);
  EXPECT_EQ(stored.form, ContactOperator::Form::sparse);
  EXPECT_FALSE(stored.is_symmetric());
}

class SolveStoredTest : public test::FolderTest {};

/// Rows of a gyroscopic operator: the solution is of W itself, not of its symmetric part.
TEST_F(SolveStoredTest, SolvesOperatorsThatAreNotQuiteSymmetric) {
  for (int seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    Numbers numbers(static_cast<std::uint64_t>(seed));
    const Eigen::Index contacts = 4, k = 3 * contacts;
    const MatrixXd J = numbers.vector(k * k).reshaped(k, k), N = numbers.vector(k * k).reshaped(k, k);
    const MatrixXd W = J * J.transpose() + 2e-3 * (N - N.transpose());
    const VectorXd mu = VectorXd::Constant(contacts, 0.6);
    VectorXd q = numbers.vector(k);
    q(0) = -1;  // one contact closes at least
    write_plain((path("skew.hdf5")), W, q, mu);
    const StoredProblem stored = read_problem(path("skew.hdf5"));
    EXPECT_FALSE(stored.is_symmetric());
    const StoredSolution solved = solve_stored(stored, exact_cone(), {});
    ASSERT_EQ(solved.solution.status, SolveStatus::solved);
    EXPECT_LE(natural_map(W, q, mu, file_order(solved.impulse)), 1e-8);
    // The symmetric part has another solution.
    EXPECT_GT(natural_map(0.5 * (W + W.transpose()), q, mu, file_order(solved.impulse)), 1e-6);
    EXPECT_LT((solved.velocity - stored.u - stored.dense * solved.impulse - stored.skew * solved.impulse).norm(),
              1e-12);
  }
}

/// Two walls that close on what is between them, without friction: u_1 = −1 and u_2 = −1 push one body from both sides.
StoredProblem squeezed() {
  StoredProblem stored;
  stored.dense.resize(2, 2);
  stored.dense << 1, -1, -1, 1;
  stored.u = VectorXd::Zero(2);
  for (int row = 0; row < 2; ++row) {
    Block block;
    block.row = row;
    block.offset = -1;
    stored.blocks.push_back(block);
  }
  return stored;
}

TEST(StoredProblems, ShowWhyThereIsNoSolution) {
  const StoredProblem stored = squeezed();
  for (FrictionCone cone : {FrictionCone::exact, FrictionCone::polyhedral}) {
    ContactOptions options;
    options.cone = cone;
    const StoredSolution solved = solve_stored(stored, options, {});
    EXPECT_EQ(solved.solution.status, SolveStatus::infeasible);
    EXPECT_TRUE(solved.dual_checked);
    ASSERT_EQ(solved.dual.size(), 2);
    EXPECT_TRUE(proves_infeasible(stored.problem(), solved.dual));
    const auto json = nlohmann::json::parse(solve_json("squeezed", stored, solved, ""));
    EXPECT_EQ(json["certificate"]["status"], "infeasible");
    EXPECT_EQ(json["dual"].size(), 2U);
    EXPECT_EQ(json["dual_checked"], true);
    EXPECT_NE(solve_text("squeezed", stored, solved, "").find("dual vector shows it (checked)"), std::string::npos);
  }
}

TEST(StoredProblems, TellWhatWasSolvedAndHowWell) {
  Numbers numbers(4);
  StoredProblem stored = test::random_problem(5, {BlockKind::cone, BlockKind::unilateral, BlockKind::bilateral},
                                              ContactOperator::Form::dense, numbers);
  for (Block& block : stored.blocks) block.offset = block.floor = 0;
  const StoredSolution solved = solve_stored(stored, exact_cone(), {});
  ASSERT_EQ(solved.solution.status, SolveStatus::solved);
  const auto json = nlohmann::json::parse(solve_json("p.hdf5", stored, solved, "out.hdf5"));
  for (const char* field : {"contacts", "rows", "solver", "iterations", "seconds", "impulse", "certificate", "cone"}) {
    EXPECT_TRUE(json.contains(field)) << field;
  }
  const auto& certificate = json["certificate"];
  EXPECT_EQ(certificate["status"], "solved");
  EXPECT_LE(certificate["natural_map"].get<double>(), 1e-8);
  for (const auto& [name, value] : certificate.items()) {
    EXPECT_TRUE(!value.is_null() || certificate["reasons"].contains(name)) << name << " is null without a reason";
  }
  ASSERT_EQ(json["impulse"].size(), static_cast<std::size_t>(stored.rows()));
  for (Eigen::Index i = 0; i < stored.rows(); ++i) EXPECT_EQ(json["impulse"][i].get<double>(), solved.impulse(i));
  for (const Verdict& verdict : verdicts(stored, solved)) EXPECT_TRUE(verdict.good) << verdict.name;
  EXPECT_NE(solve_text("p.hdf5", stored, solved, "").find("status      solved"), std::string::npos);
}

/// A contact whose impulse is off by a thousandth, beside one that bears a million times more. Relative to the largest
/// impulse the error is nothing, but the light contact separates while it pushes.
TEST(StoredProblems, SayWhereToLookWhateverTheNaturalMapHides) {
  StoredProblem stored;
  stored.dense = Eigen::Vector2d(1e-6, 1).asDiagonal();
  stored.u = Eigen::Vector2d(-1, -1);
  stored.blocks.resize(2);
  stored.blocks[1].row = 1;
  StoredSolution solved;
  solved.options = exact_cone();
  solved.solution.status = SolveStatus::solved;
  for (const double off : {0.0, 1e-3}) {
    solved.impulse = Eigen::Vector2d(1e6, 1 + off);
    solved.velocity = stored.u + stored.dense * solved.impulse;
    solved.certificate = certify(stored.problem(), solved.impulse, 0);
    ASSERT_TRUE(is_borne_out(solved));
    const bool good = off == 0;
    EXPECT_EQ(solved.certificate.normal_complementarity <= 1e-8, good);
    for (const Verdict& verdict : verdicts(stored, solved)) {
      if (verdict.name == "contact_work") continue;
      EXPECT_TRUE(verdict.judged) << verdict.name;
      EXPECT_EQ(verdict.good, good || verdict.name != "normal_complementarity") << verdict.name;
    }
    EXPECT_EQ(solve_text("p.hdf5", stored, solved, "").find("LOOK HERE") == std::string::npos, good);
  }
}

/// The rank is that of J: A = J Jᵀ.
TEST(StoredProblems, TellTheRankOfTheOperator) {
  for (int rank = 1; rank <= 9; ++rank) {
    Numbers numbers(static_cast<std::uint64_t>(rank));
    const MatrixXd J = numbers.vector(9 * rank).reshaped(9, rank);
    StoredProblem stored;
    stored.dense = J * J.transpose();
    stored.u = VectorXd::Zero(9);
    EXPECT_EQ(operator_rank(stored), rank);
  }
}

}  // namespace
}  // namespace carom::solve_stored_test
