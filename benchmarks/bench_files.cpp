// Problem files beside Siconos: `bench_files FILE.hdf5 …` solves each to 1e-8 by Carom and by Siconos' NSGS and PROX,
// and prints processor time, natural map and method. Carom reads a file as `carom solve` does, islands and all; Siconos
// gets the same operator as a dense matrix.

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "benchmarks/guarded_calls.h"
#include "benchmarks/siconos_peer.h"
#include "carom/complementarity/island_certificate.h"
#include "carom/problem_files/solve_stored.h"
#include "carom/record/fclib.h"

namespace {

using carom::StoredProblem;
using carom::bench::Outcome;
using carom::bench::SiconosMethod;

constexpr double wanted = 1e-8;
constexpr double limit = 60;  // s of one solver

/// The natural map of impulses, where a skew part of the operator does what it does.
double natural_map(const StoredProblem& stored, const Eigen::VectorXd& impulse) {
  Eigen::VectorXd posed = stored.u;
  if (!stored.is_symmetric()) posed += stored.skew * impulse;
  return carom::IslandCertifier().certify({stored.A(), posed, stored.blocks}, impulse, 0).natural_map;
}

Outcome solve_here(const StoredProblem& stored, std::string& method) {
  carom::ContactOptions options;
  options.cone = carom::FrictionCone::exact;
  options.exact.tolerance = wanted;
  Outcome outcome;
  carom::StoredSolution solved;
  outcome.seconds = carom::bench::median_seconds([&] { solved = solve_stored(stored, options, {}); });
  outcome.residual = natural_map(stored, solved.impulse);
  outcome.iterations = solved.solution.iterations;
  method = solver_name(solved.solution.solver) + ", " + std::to_string(solved.islands) + " islands";
  return outcome;
}

Outcome solve_there(const StoredProblem& stored, SiconosMethod method) {
  Eigen::MatrixXd W(stored.rows(), stored.rows());
  stored.A().copy_to(W);
  if (!stored.is_symmetric()) W += Eigen::MatrixXd(stored.skew);
  carom::bench::SiconosConeProblem problem({W, stored.u, stored.blocks});
  Outcome outcome;
  for (const double tolerance : {1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12}) {
    const carom::bench::SiconosRun run = problem.solve(method, tolerance);
    outcome.seconds = run.seconds;
    outcome.residual = std::min(outcome.residual, natural_map(stored, problem.impulse()));
    if (outcome.residual <= wanted || !run.converged) break;
  }
  return outcome;
}

void print(const char* solver, const Outcome& outcome, const std::string& note) {
  if (!outcome.returned) {
    std::printf("  %-14s crashed, or took more than %g s\n", solver, limit);
    return;
  }
  std::printf("  %-14s %10.3f ms   natural map %.1e   %s %s\n", solver, 1e3 * outcome.seconds, outcome.residual,
              outcome.residual <= wanted ? "solved" : "not solved", note.c_str());
}

void compare(const std::string& path) {
  const StoredProblem stored = carom::read_problem(path);
  std::printf("%s: %zu blocks, %ld rows\n", path.c_str(), stored.blocks.size(), static_cast<long>(stored.rows()));
  std::string method;
  Outcome here = solve_here(stored, method);
  here.returned = true;
  print("Carom", here, "by " + method);
  if (!carom::bench::siconos_is_there()) return;
  const bool isotropic = std::all_of(stored.blocks.begin(), stored.blocks.end(), [](const carom::Block& block) {
    return block.kind == carom::BlockKind::cone && block.friction.x() == block.friction.y();
  });
  if (!isotropic) {
    std::printf("  Siconos gets no problem with other blocks than cones of one coefficient\n");
    return;
  }
  for (const SiconosMethod peer : {SiconosMethod::nsgs, SiconosMethod::prox}) {
    const auto there = carom::bench::guarded_calls(1, limit, [&](int) { return solve_there(stored, peer); });
    print((std::string("Siconos ") + name(peer)).c_str(), there.front(), "");
  }
}

}  // namespace

int main(int argc, char** argv) {
  int failed = 0;
  for (int i = 1; i < argc; ++i) {
    try {
      compare(argv[i]);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "bench_files: %s\n", error.what());
      failed = 1;
    }
  }
  return failed;
}
