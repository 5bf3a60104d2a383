// Problems that others published, where the data are: each must be solved, or refused by name.
#include <gtest/gtest.h>

#include <filesystem>

#include "carom/error.h"
#include "carom/problem_files/siconos_file.h"
#include "carom/problem_files/solve_linear.h"
#include "carom/problem_files/solve_stored.h"
#include "testing/folders.h"

namespace carom::problem_data_test {
namespace {

namespace fs = std::filesystem;

fs::path friction_problems() { return data_folder() / "friction_problems"; }

void solve_text(const std::string& path) {
  const TextProblem problem = read_siconos(path);
  if (const auto* linear = std::get_if<LinearProblem>(&problem)) {
    const LinearSolution solved = solve_linear(*linear, 1e-9);
    Eigen::VectorXd w(linear->size());
    EXPECT_EQ(solved.status, SolveStatus::solved) << path;
    EXPECT_LE(certify(*linear, solved.z, w).residual, 1e-9) << path;
    return;
  }
  ContactOptions exact;
  exact.cone = FrictionCone::exact;
  const StoredSolution solved = solve_stored(std::get<StoredProblem>(problem), exact, Eigen::VectorXd());
  EXPECT_EQ(solved.solution.status, SolveStatus::solved) << path;
  EXPECT_LE(solved.certificate.natural_map, 1e-8) << path;
}

class PublishedProblems : public ::testing::TestWithParam<const char*> {};

TEST_P(PublishedProblems, AreReadAndSolved) {
  const fs::path folder = friction_problems() / GetParam();
  if (!fs::exists(folder)) GTEST_SKIP() << "no problems: " << folder << " (CAROM_DATA names the folder of data)";
  int read = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".dat") continue;
    ++read;
    if (std::string(GetParam()) != "rolling") {
      solve_text(entry.path().string());
      continue;
    }
    try {
      static_cast<void>(read_siconos(entry.path().string()));
      ADD_FAILURE() << entry.path() << " was read";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("rolling friction"), std::string::npos) << error.what();
    }
  }
  EXPECT_GT(read, 0);
}

INSTANTIATE_TEST_SUITE_P(Siconos, PublishedProblems, ::testing::Values("lcp", "mlcp", "contact", "rolling"),
                         [](const auto& kind) { return std::string(kind.param); });

}  // namespace
}  // namespace carom::problem_data_test
