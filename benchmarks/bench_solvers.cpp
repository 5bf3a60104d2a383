// The solvers beside Debian's Siconos numerics, on identical problems in one run: Stewart and Trinkle's LCPs with eight
// directions, and the exact cone. The certificate judges all of them. A solver solves a problem if it reaches 1e-8.
//
//     bench_solvers [PROBLEMS per case, 5] [FAMILY or all]
//
// Each solver runs from zero, Carom's with the tolerance 1e-8. Siconos gets tolerances from 1e-6 down, of which the
// loosest that solves the problem counts. Times are processor times, medians over repetitions and then over the solved
// problems (over all attempts if none was solved). One ratio compares Carom with the fastest among the peer's solvers
// that solve most. The other compares problem by problem with the fastest that solves it; its median and worst are
// given. Making the LCP's matrix for Siconos and setting its options is not counted (making Carom's matrix is).

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "benchmarks/exact_solvers.h"
#include "benchmarks/stewart_trinkle_lcp.h"
#include "carom/complementarity/certificate.h"
#include "carom/complementarity/polyhedral/lemke.h"
#include "carom/complementarity/polyhedral/polyhedral.h"
#include "testing/problems/problem_families.h"

namespace {

using carom::ContactProblem;
using carom::bench::ExactSolver;
using carom::bench::guarded_calls;
using carom::bench::median_seconds;
using carom::bench::Outcome;
using carom::families::Family;
using carom::families::Mechanics;
using carom::families::Recipe;

constexpr double wanted = 1e-8;
constexpr int directions = 8;
constexpr double limit = 5;  // s of one problem, all repetitions

struct Solver {
  std::string name;
  bool peer = false;
  std::function<Outcome(const Mechanics&)> solve;
};

double polyhedral_residual(const ContactProblem& problem, const Eigen::VectorXd& impulse) {
  const carom::SolveCertificate c = certify(problem, impulse, directions);
  return std::max({c.normal_complementarity, c.cone_violation, c.dissipation_residual});
}

Outcome solve_polyhedral(const Mechanics& m) {
  carom::PolyhedralSolver solver;
  Eigen::VectorXd impulse(m.u.size()), velocity(m.u.size());
  Outcome outcome;
  carom::ContactSolution solution;
  outcome.seconds = median_seconds([&] {
    solution = solver.solve(m.problem(), {directions, {}}, {}, impulse, velocity);
  });
  outcome.iterations = solution.iterations;
  outcome.residual = std::max(solution.residual, polyhedral_residual(m.problem(), impulse));
  return outcome;
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

/// For a peer, the loosest tolerance that solves the problem counts.
Outcome solve_cone(const ExactSolver& solver, const Mechanics& m) {
  bool converged = false;
  if (!solver.peer) return solve_exact(solver, m.problem(), wanted, converged);
  Outcome best;
  for (const double tolerance : {1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12}) {
    best = solve_exact(solver, m.problem(), tolerance, converged);
    if (best.residual <= wanted || !converged) break;  // without convergence a smaller tolerance would do the same
  }
  return best;
}

/// The kinder of two judgements: the certificate's, and that of the LCP itself, which does not measure friction by the
/// impulses.
Outcome solve_siconos_lcp(const Mechanics& m, double on_diagonal) {
  const carom::bench::StewartTrinkleLcp lcp = carom::bench::stewart_trinkle_lcp(m.problem(), directions);
  Eigen::MatrixXd R = lcp.R;
  R.diagonal().array() += on_diagonal;
  Eigen::VectorXd z;
  std::vector<double> times;
  Outcome outcome;
  median_seconds([&] { times.push_back(carom::bench::solve_siconos_lcp(R, lcp.q, z).seconds); });
  outcome.seconds = median(times);
  if (!z.allFinite()) return outcome;
  outcome.residual = std::min(polyhedral_residual(m.problem(), lcp.impulse(z)), carom::lcp_residual(lcp.R, lcp.q, z));
  return outcome;
}

/// Results of one solver on the problems of one case.
struct Column {
  int solved = 0;
  double seconds = 0;           // median over the problems that it solved; over all attempts if it solved none
  std::vector<double> problem;  // seconds of each, 0 where not solved
};

Column measure(const Solver& solver, const std::vector<Mechanics>& problems) {
  const auto outcomes = guarded_calls(static_cast<int>(problems.size()), limit,
                                      [&](int i) { return solver.solve(problems[static_cast<std::size_t>(i)]); });
  Column column;
  std::vector<double> attempts, successes;
  for (const Outcome& outcome : outcomes) {
    const bool solved = outcome.returned && outcome.residual <= wanted;
    column.problem.push_back(solved ? outcome.seconds : 0);
    attempts.push_back(outcome.returned ? outcome.seconds : limit);
    if (solved) successes.push_back(outcome.seconds);
  }
  column.solved = static_cast<int>(successes.size());
  column.seconds = median(successes.empty() ? attempts : successes);
  return column;
}

/// Ours over the fastest peer that solves a problem, for every problem that both solve.
std::vector<double> ratios_by_problem(const std::vector<Solver>& solvers, const std::vector<Column>& columns) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < columns[0].problem.size(); ++i) {
    double fastest = 0;
    for (std::size_t s = 0; s < solvers.size(); ++s) {
      const double time = columns[s].problem[i];
      if (solvers[s].peer && time > 0 && (fastest == 0 || time < fastest)) fastest = time;
    }
    if (fastest > 0 && columns[0].problem[i] > 0) ratios.push_back(columns[0].problem[i] / fastest);
  }
  return ratios;
}

void print_row(const std::string& family, int size, const std::vector<Solver>& solvers,
               const std::vector<Column>& columns) {
  std::printf("%-16s %3d", family.c_str(), size);
  std::size_t best = solvers.size();  // the peer that solves most, the fastest of these
  for (std::size_t s = 0; s < solvers.size(); ++s) {
    const Column& c = columns[s];
    std::printf(" | %9.4f %2d", 1e3 * c.seconds, c.solved);
    if (!solvers[s].peer) continue;
    const bool more = best == solvers.size() || c.solved > columns[best].solved;
    if (more || (c.solved == columns[best].solved && c.seconds < columns[best].seconds)) best = s;
  }
  if (best < solvers.size()) {
    std::printf(" | %6.3f %-10s", columns[0].seconds / columns[best].seconds, solvers[best].name.c_str());
    const std::vector<double> ratios = ratios_by_problem(solvers, columns);
    if (!ratios.empty()) {
      std::printf(" %6.3f %6.3f", median(ratios), *std::max_element(ratios.begin(), ratios.end()));
    }
  }
  std::printf("\n");
}

void run_table(const char* title, const std::vector<Solver>& solvers, const std::vector<Family>& families, int count) {
  std::printf("\n%s\n%-16s %3s", title, "family", "n");
  for (const Solver& solver : solvers) std::printf(" | %12s", solver.name.c_str());
  std::printf(" | ratio to the best, by problem, worst\n");
  for (const Family family : families) {
    for (const int size : {5, 10, 20, 40, 60}) {
      std::vector<Mechanics> problems;
      for (int i = 0; i < count; ++i) {
        problems.push_back(make(Recipe{family, size, static_cast<std::uint64_t>(1000 * size + i)}));
      }
      std::vector<Column> columns;
      for (const Solver& solver : solvers) columns.push_back(measure(solver, problems));
      print_row(name(family), size, solvers, columns);
      std::fflush(stdout);
    }
  }
}

std::vector<Solver> lcp_solvers() {
  std::vector<Solver> solvers{{"carom", false, solve_polyhedral}};
  if (!carom::bench::siconos_is_there()) return solvers;
  // Not the measure: it fails early where it fails.
  solvers.push_back({"Lemke", false, [](const Mechanics& m) { return solve_siconos_lcp(m, 0); }});
  solvers.push_back({"Lemke+1e-9", true, [](const Mechanics& m) { return solve_siconos_lcp(m, 1e-9); }});
  return solvers;
}

std::vector<Solver> cone_solvers() {
  std::vector<Solver> solvers;
  for (const ExactSolver& solver : carom::bench::exact_solvers()) {
    solvers.push_back({solver.name, solver.peer, [solver](const Mechanics& m) { return solve_cone(solver, m); }});
  }
  return solvers;
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::max(1, std::atoi(argv[1])) : 5;
  std::vector<Family> families(std::begin(carom::families::all), std::end(carom::families::all));
  if (argc > 2 && std::strcmp(argv[2], "all") == 0) {
    families.push_back(Family::zero_friction);
    families.push_back(Family::near_degenerate);
  }
  if (!carom::bench::siconos_is_there()) {
    std::printf("built without Siconos (libsiconos-numerics-dev): its columns are left out\n");
  }
  std::printf("processor time in ms and problems solved to %.0e, of %d per case\n", wanted, count);
  run_table("LCP of 8 directions", lcp_solvers(), families, count);
  run_table("exact cone", cone_solvers(), families, count);
  return 0;
}
