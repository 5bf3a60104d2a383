// Outcome sets and verdicts of propagative impacts on random problems.
//
//     bench_propagative        or with options of Google Benchmark
//
// A problem has k contacts and k + 3 coordinates with a random mass matrix. All normals open along one direction, by a
// cosine of at least 0.05, and all contacts approach. Every iteration takes the next of 500 problems. The counters are
// the median and the 95th percentile over problems, µs. The case `angles` has k contacts in a row of equal balls, whose
// verdict needs no enumeration.

#include <benchmark/benchmark.h>

#include <Eigen/Dense>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <vector>

#include "carom/impact/propagative/outcome_set.h"
#include "carom/impact/propagative/uniqueness.h"

namespace {

using carom::NormalImpact;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double operator()() { return 2 * static_cast<double>(engine_() >> 11) * 0x1p-53 - 1; }
  Eigen::MatrixXd matrix(Eigen::Index rows, Eigen::Index columns) {
    return Eigen::MatrixXd::NullaryExpr(rows, columns, [this] { return (*this)(); });
  }

 private:
  std::mt19937_64 engine_;
};

NormalImpact random_impact(Random& random, Eigen::Index k) {
  constexpr double margin = 0.05;
  const Eigen::Index n = k + 3;
  const Eigen::MatrixXd L = random.matrix(n, n);
  const Eigen::MatrixXd inverse = (L * L.transpose() + 0.2 * Eigen::MatrixXd::Identity(n, n)).inverse();
  const Eigen::VectorXd c = random.matrix(n, 1);  // a covector of momentum: opens all
  const auto product = [&](const Eigen::VectorXd& a, const Eigen::VectorXd& b) { return a.dot(inverse * b); };
  Eigen::MatrixXd J(k, n);
  for (Eigen::Index i = 0; i < k; ++i) {
    double cosine = 0;
    do {
      const Eigen::VectorXd row = random.matrix(n, 1);
      cosine = product(row, c) / std::sqrt(product(row, row) * product(c, c));
      J.row(i) = cosine < 0 ? -row : row;
    } while (std::abs(cosine) < margin);
  }
  const Eigen::MatrixXd A = J * inverse * J.transpose();
  Eigen::VectorXd u(k);
  for (Eigen::Index i = 0; i < k; ++i) u(i) = -0.05 - std::abs(random());
  return carom::normal_impact(0.5 * (A + A.transpose()), u);
}

std::vector<NormalImpact> problems(Eigen::Index k) {
  Random random(static_cast<unsigned>(1000 + k));
  std::vector<NormalImpact> list;
  for (int i = 0; i < 500; ++i) list.push_back(random_impact(random, k));
  return list;
}

NormalImpact row_of_balls(Eigen::Index k) {
  Eigen::MatrixXd A = 2 * Eigen::MatrixXd::Identity(k, k);
  for (Eigen::Index i = 0; i + 1 < k; ++i) A(i, i + 1) = A(i + 1, i) = -1;
  return carom::normal_impact(A, -Eigen::VectorXd::Ones(k));
}

/// Times work(impact) on one problem after another.
template <class Work>
void time_problems(benchmark::State& state, const std::vector<NormalImpact>& list, Work&& work) {
  std::vector<double> seconds;
  std::size_t next = 0, outcomes = 0;
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    outcomes += work(list[next]);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    next = (next + 1) % list.size();
    seconds.push_back(taken.count());
    state.SetIterationTime(taken.count());
  }
  std::sort(seconds.begin(), seconds.end());
  state.counters["median_us"] = 1e6 * seconds[seconds.size() / 2];
  state.counters["p95_us"] = 1e6 * seconds[seconds.size() * 95 / 100];
  state.counters["outcomes"] = static_cast<double>(outcomes) / static_cast<double>(seconds.size());
}

void outcomes(benchmark::State& state, carom::MinimalReading reading) {
  carom::OutcomeOptions options;
  options.reading = reading;
  time_problems(state, problems(state.range(0)), [&](const NormalImpact& impact) {
    const carom::OutcomeSet set = carom::outcome_set(impact, options);
    return set.outcomes.size();
  });
}
void stops_when_feasible(benchmark::State& state) { outcomes(state, carom::MinimalReading::stops_when_feasible); }
void no_subsequence(benchmark::State& state) { outcomes(state, carom::MinimalReading::no_subsequence); }
BENCHMARK(stops_when_feasible)->DenseRange(2, 6)->UseManualTime()->Iterations(500)->Unit(benchmark::kMicrosecond);
BENCHMARK(no_subsequence)->DenseRange(2, 5)->UseManualTime()->Iterations(500)->Unit(benchmark::kMicrosecond);

void verdict_by_angles(benchmark::State& state) {
  time_problems(state, {row_of_balls(state.range(0))}, [](const NormalImpact& impact) {
    const carom::Uniqueness verdict = carom::uniqueness(impact);
    return static_cast<std::size_t>(verdict.unique == carom::Unique::yes);
  });
}
BENCHMARK(verdict_by_angles)->Arg(2)->Arg(6)->Arg(12)->UseManualTime()->Iterations(2000)->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
