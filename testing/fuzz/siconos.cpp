#include "carom/problem_files/siconos_file.h"

#include <cmath>
#include <cstdlib>

#include "carom/problem_files/solve_linear.h"
#include "testing/fuzz/fuzz_target.h"

namespace {

/// A problem called solved must be solved, and one called infeasible must have been looked at.
void judge(const carom::LinearProblem& problem) {
  const carom::LinearSolution solved = carom::solve_linear(problem, 1e-9);
  Eigen::VectorXd w(problem.size());
  const double residual = carom::certify(problem, solved.z, w).residual;
  if (solved.status == carom::SolveStatus::solved && !(residual <= 1e-9)) std::abort();
  if (solved.status == carom::SolveStatus::infeasible && solved.cases == 0) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr Eigen::Index most_rows = 8;
  return carom::fuzz::read_or_refuse([&] {
    const carom::TextProblem problem = carom::parse_siconos(carom::fuzz::text_of(data, size), "fuzz.dat");
    const auto* linear = std::get_if<carom::LinearProblem>(&problem);
    if (linear != nullptr && linear->size() <= most_rows) judge(*linear);
  });
}
