// Work against precision: the residual that each solver of the exact cone reaches, over the time that it takes.
//
//     bench_precision FOLDER [PROBLEMS per family, 11] [CONTACTS, 20]
//
// For every family the program writes a file FOLDER/FAMILY.dat for gnuplot. It has a block per solver and a line per
// tolerance asked for (1e-1 to 1e-12). A line holds the median processor time in ms, the median of the natural maps
// reached, and how many problems reached ten times the tolerance. The script scripts/precision.sh draws the files.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "benchmarks/exact_solvers.h"
#include "testing/problems/problem_families.h"

namespace {

using carom::bench::ExactSolver;
using carom::bench::Outcome;
using carom::families::Family;
using carom::families::Mechanics;

constexpr double limit = 5;  // s of one problem, all repetitions

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

void write_curve(std::FILE* file, const ExactSolver& solver, const std::vector<Mechanics>& problems) {
  std::fprintf(file, "\"%s%s\"\n", solver.peer ? "Siconos " : "", solver.name.c_str());
  for (int digits = 1; digits <= 12; ++digits) {
    const double tolerance = std::pow(10.0, -digits);
    const auto outcomes = carom::bench::guarded_calls(static_cast<int>(problems.size()), limit, [&](int i) {
      bool converged = false;
      return solve_exact(solver, problems[static_cast<std::size_t>(i)].problem(), tolerance, converged);
    });
    std::vector<double> seconds, residuals;
    int solved = 0;
    for (const Outcome& outcome : outcomes) {
      seconds.push_back(outcome.returned ? outcome.seconds : limit);
      residuals.push_back(outcome.returned ? outcome.residual : 1);
      if (residuals.back() <= 10 * tolerance) ++solved;
    }
    std::fprintf(file, "%.6g %.3g %d\n", 1e3 * median(seconds), std::max(median(residuals), 1e-17), solved);
  }
  std::fprintf(file, "\n\n");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "bench_precision: name the folder for the figures\n");
    return 2;
  }
  const int count = argc > 2 ? std::max(1, std::atoi(argv[2])) : 11;
  const int contacts = argc > 3 ? std::max(1, std::atoi(argv[3])) : 20;
  for (const Family family : {Family::full_rank, Family::redundant, Family::mass_ratio, Family::stack,
                              Family::zero_friction, Family::near_degenerate}) {
    std::vector<Mechanics> problems;
    for (int i = 0; i < count; ++i) {
      problems.push_back(make(carom::families::Recipe{family, contacts, static_cast<std::uint64_t>(i)}));
    }
    std::string file_name = name(family);
    std::replace(file_name.begin(), file_name.end(), ' ', '_');
    std::replace(file_name.begin(), file_name.end(), '-', '_');
    const std::string path = std::string(argv[1]) + "/" + file_name + ".dat";
    std::FILE* file = std::fopen(path.c_str(), "w");
    if (file == nullptr) {
      std::perror(("bench_precision: " + path).c_str());
      return 1;
    }
    for (const ExactSolver& solver : carom::bench::exact_solvers()) write_curve(file, solver, problems);
    std::fclose(file);
    std::printf("%s\n", path.c_str());
    std::fflush(stdout);
  }
  return 0;
}
