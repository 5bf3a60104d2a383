// Divide and conquer beside the articulated recursion and dense algebra.
//
//     bench_divide_and_conquer [most_links]      (100000 if left out)
//
// For chains of 10², 10³, … revolute links, the benchmark times v̇ from (q, v, τ). It runs the recursion, and divide
// and conquer on one and two threads. It prints the largest difference of the accelerations (relative to the largest),
// the counted additions and multiplications, and the length of the critical path. It also times the Delassus matrix of
// 1, 4 and 16 contacts on random links, three rows each, from existing factors. The formulations are wrench columns,
// paths to the root, and Cholesky factors of the whole matrix.
//
// It also computes the speed-up that more cores would give. The costs of a body in a run and of a join are fitted to
// times on one thread with runs of 4 to 64 bodies. The walk that gives poses and velocities is timed by itself and
// stays on one thread. Levels of more than eight assemblies are handed out in blocks of four to eight, as oneTBB does
// (levels.cpp). The cost of waking threads and the limits of memory bandwidth are left out.
//
// One thread is timed by the processor, two by the clock, so two need an idle machine. Times are the least of several
// repetitions. The bandwidth of memory (a copy of 256 MB) is printed first.

#include <tbb/global_control.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "carom/dynamics/divide_and_conquer/work_count.h"
#include "carom/dynamics/divide_and_conquer/wrench_columns.h"
#include "carom/dynamics/recursions.h"
#include "testing/models/random_tree.h"
#include "testing/models/reference_models.h"

namespace {

using namespace carom;

double processor_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double clock_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Least time of a call, µs.
template <typename Call>
double least_time(Call&& call, int repetitions, double (*now)() = processor_seconds) {
  double least = 1e300;
  for (int i = 0; i < repetitions; ++i) {
    const double start = now();
    call();
    least = std::min(least, now() - start);
  }
  return 1e6 * least;
}

void tell_bandwidth() {
  const std::size_t count = 16 << 20;
  const std::vector<double> from(count, 1.0);
  std::vector<double> to(count, 0.0);
  const double time = least_time([&] { std::copy(from.begin(), from.end(), to.begin()); }, 10);
  std::printf("memory: %.1f GB/s read and written by a copy\n\n", 2 * 8 * static_cast<double>(count) / time * 1e-3);
}

struct Chain {
  Model model;
  VectorX q, v, tau;
  DynamicsWorkspace workspace;

  explicit Chain(int links) : model(revolute_chain(links)), workspace(model) {
    Random random(1);
    q = random_position(model, random);
    v = random.vector(links, 0.1);
    tau = random.vector(links, 1);
  }
};

void time_forward_dynamics(int links) {
  Chain chain(links);
  DivideAndConquer dynamics(chain.model);
  const int repetitions = std::max(5, 300000 / links);
  VectorX expected, vdot;
  const double recursion = least_time(
      [&] { forward_dynamics(chain.model, chain.q, chain.v, chain.tau, chain.workspace, expected); }, repetitions);
  const auto divide = [&] {
    dynamics.forward_dynamics(chain.model, chain.q, chain.v, chain.tau, chain.workspace, vdot);
  };
  double one = 0, two = 0, one_by_clock = 0;
  {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 1);
    one = least_time(divide, repetitions);
    one_by_clock = least_time(divide, repetitions, clock_seconds);
  }
  {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 2);
    two = least_time(divide, repetitions, clock_seconds);
  }
  const double apart = (vdot - expected).cwiseAbs().maxCoeff() / expected.cwiseAbs().maxCoeff();
  const double flops = divide_and_conquer_work(chain.model, dynamics.tree()).total() / links;
  const double recursion_flops = articulated_work(chain.model).total() / links;
  const CriticalPath path = critical_path(dynamics.tree());
  std::printf("| %d | %.4g | %.4g | %.2f | %.2f | %.1e | %.0f | %.2f | %d + %d |\n", links, recursion, one,
              one / recursion, one_by_clock / two, apart, flops, flops / recursion_flops, path.bodies, path.joins);
}

/// Least squares of time = bodies · body + joins · join over trees of several run lengths, µs.
struct TaskCosts {
  double walk = 0;  ///< poses and velocities of all bodies
  double body = 0;
  double join = 0;
};
TaskCosts measure_costs(Chain& chain, int links) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 1);
  const int repetitions = std::max(7, 100000 / links);
  VectorX vdot;
  TaskCosts costs;
  costs.walk = least_time(
      [&] {
        forward_kinematics(chain.model, chain.q, chain.workspace);
        forward_velocity(chain.model, chain.q, chain.v, chain.workspace);
      },
      repetitions);
  double bb = 0, bj = 0, jj = 0, bt = 0, jt = 0;
  for (const int run : {4, 8, 16, 32, 64}) {
    DivideAndConquer dynamics(chain.model, {.bodies_per_run = run});
    const double time =
        least_time([&] { dynamics.forward_dynamics(chain.model, chain.q, chain.v, chain.tau, chain.workspace, vdot); },
                   repetitions);
    double joins = 0;
    for (const Assembly& assembly : dynamics.tree().assemblies) joins += assembly.is_run() ? 0 : 1;
    bb += 1.0 * links * links, bj += links * joins, jj += joins * joins;
    bt += links * (time - costs.walk), jt += joins * (time - costs.walk);
  }
  const double determinant = bb * jj - bj * bj;
  costs.body = (bt * jj - jt * bj) / determinant;
  costs.join = (bb * jt - bj * bt) / determinant;
  return costs;
}

/// Time on so many cores, µs.
double scheduled(const AssemblyTree& tree, const TaskCosts& costs, int cores) {
  constexpr int grain = 8;
  double time = costs.walk;
  for (int level = 0; level < tree.level_count(); ++level) {
    const int count = tree.level_start[level + 1] - tree.level_start[level];
    double work = 0;
    for (int i = tree.level_start[level]; i < tree.level_start[level + 1]; ++i) {
      const Assembly& assembly = tree.assemblies[i];
      work += assembly.is_run() ? costs.body * (assembly.last - assembly.first) : costs.join;
    }
    int blocks = 1;
    while (count > grain * blocks) blocks *= 2;
    const int rounds = (blocks + cores - 1) / cores;
    time += work * rounds / blocks;
  }
  return time;
}

void tell_speed_up(int links) {
  Chain chain(links);
  const TaskCosts costs = measure_costs(chain, links);
  const DivideAndConquer dynamics(chain.model);
  std::printf("| %d | %.3f | %.3f | %.3f |", links, costs.walk / links, costs.body, costs.join);
  const double one = scheduled(dynamics.tree(), costs, 1);
  for (const int cores : {2, 4, 8, 16, 64}) std::printf(" %.2f |", one / scheduled(dynamics.tree(), costs, cores));
  std::printf(" %.2f |\n", one / costs.walk);
}

std::vector<ConstraintRow> contact_rows(const Chain& chain, int contacts) {
  Random random(2);
  std::vector<ConstraintRow> rows;
  for (int i = 0; i < contacts; ++i) {
    ConstraintRow row;
    row.body_a = random.index(chain.model.body_count());
    row.point_a = row.point_b = chain.workspace.nodes[row.body_a].p + random.vector(0.1);
    for (int axis = 0; axis < 3; ++axis) {
      row.direction = Vec3::Unit(axis);
      rows.push_back(row);
    }
  }
  return rows;
}

void time_delassus(int links) {
  constexpr int most_dense = 1000;
  Chain chain(links);
  DivideAndConquer dynamics(chain.model);
  forward_kinematics(chain.model, chain.q, chain.workspace);
  dynamics.factor(chain.model, VectorX(), chain.workspace);
  Eigen::LLT<MatrixX> factors;
  double dense_factor = 0;
  if (links <= most_dense) {
    MatrixX M;
    mass_matrix(chain.model, chain.workspace, M);
    dense_factor = least_time([&] { factors.compute(M); }, 5);
    dynamics.factor(chain.model, VectorX(), chain.workspace);
  }
  for (const int contacts : {1, 4, 16}) {
    const std::vector<ConstraintRow> rows = contact_rows(chain, contacts);
    WrenchColumns columns;
    Delassus delassus;
    const double by_columns = least_time([&] { columns.build(chain.model, rows, dynamics, chain.workspace); }, 50);
    const double by_paths = least_time([&] { delassus.build(chain.model, rows, chain.workspace); }, 10);
    const MatrixX A = delassus.matrix();
    const double apart = (columns.matrix() - A).cwiseAbs().maxCoeff() / A.cwiseAbs().maxCoeff();
    std::printf("| %d | %d | %.4g | %.4g | ", links, contacts, by_columns, by_paths);
    if (links <= most_dense) {
      const MatrixX J = delassus.jacobian();
      MatrixX Y, product;
      const double by_dense = least_time(
          [&] {
            Y = factors.matrixL().solve(J.transpose());
            product.noalias() = Y.transpose() * Y;
          },
          5);
      std::printf("%.4g + %.4g | ", dense_factor, by_dense);
    } else {
      std::printf("– | ");
    }
    std::printf("%.1f | %.1e |\n", static_cast<double>(columns.joins()) / static_cast<double>(rows.size()), apart);
  }
}

}  // namespace

int main(int count, char** arguments) {
  const int most_links = count > 1 ? std::atoi(arguments[1]) : 100000;
  tell_bandwidth();
  std::printf(
      "| links | recursion, µs | one thread, µs | ratio | speed-up by two | apart | flops per link | ratio |"
      " bodies + joins in a row |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
  for (int links = 100; links <= most_links; links *= 10) time_forward_dynamics(links);
  std::printf(
      "\n| links | walk, µs per link | body, µs | join, µs | 2 cores | 4 | 8 | 16 | 64 | all but the walk for nothing "
      "|\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
  for (int links = 100; links <= most_links; links *= 10) tell_speed_up(links);
  std::printf(
      "\n| links | contacts | columns, µs | paths, µs | dense: factors + rows, µs | joins per row | apart |\n"
      "| --- | --- | --- | --- | --- | --- | --- |\n");
  for (int links = 100; links <= most_links; links *= 10) time_delassus(links);
  return 0;
}
