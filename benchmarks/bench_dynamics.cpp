// Forward dynamics, v̇ from (q, v, τ), beside Debian's MuJoCo, Simbody and DART on identical models in one run.
//
//     bench_dynamics [check]   or with options of Google Benchmark
//
// Before any timing, all programs get the same states, of the timed models and of random trees. The run fails if their
// accelerations differ by more than 1e-8 of the largest. With `check` it does only this.
//
// A call is timed from a state in the program's own coordinates to its accelerations. Successive calls get different
// states, since some programs remember what they computed. MuJoCo's call leaves out all of mj_forward that does not
// serve the acceleration. Carom's derivatives of the accelerations are timed beside them. Times are processor times;
// the tables at the end show medians over repetitions, taken in random order.

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "benchmarks/dynamics_peers.h"
#include "benchmarks/median_reporter.h"
#include "carom/dynamics/delassus.h"
#include "carom/dynamics/derivatives.h"
#include "carom/dynamics/recursions.h"
#include "testing/models/random_tree.h"
#include "testing/models/reference_models.h"

namespace {

using carom::Model;
using carom::VectorX;
using carom::bench::dynamics_peers;
using carom::bench::DynamicsPeer;
using carom::bench::DynamicsPeerKind;
using carom::bench::DynamicsState;
using carom::bench::MedianReporter;

constexpr double agreement = 1e-8;  // of accelerations, relative to the largest
constexpr int state_count = 16;

struct NamedModel {
  std::string name;
  std::shared_ptr<const Model> model;
};

NamedModel chain(int links) {
  return {"chain_" + std::to_string(links), std::make_shared<Model>(carom::revolute_chain(links))};
}

std::vector<NamedModel> timed_models() {
  return {{"humanoid", std::make_shared<Model>(carom::humanoid())}, chain(30), chain(90), chain(300)};
}

std::vector<DynamicsState> random_states(const Model& model, std::uint64_t seed) {
  carom::Random random(seed);
  std::vector<DynamicsState> states;
  for (int k = 0; k < state_count; ++k) {
    VectorX q = random_position(model, random);
    VectorX v = random.vector(model.velocity_count(), 1);
    states.push_back({std::move(q), std::move(v), random.vector(model.velocity_count(), 1)});
  }
  return states;
}

/// The largest difference between the peer's accelerations and Carom's, over the largest acceleration of the state.
double disagreement(const Model& model, DynamicsPeer& peer, std::uint64_t seed) {
  const std::vector<DynamicsState> states = random_states(model, seed);
  carom::DynamicsWorkspace workspace(model);
  VectorX vdot;
  double worst = 0;
  peer.set_states(states);
  for (int k = 0; k < state_count; ++k) {
    const DynamicsState& state = states[static_cast<std::size_t>(k)];
    forward_dynamics(model, state.q, state.v, state.tau, workspace, vdot);
    peer.evaluate(k);
    const double difference = (peer.acceleration(k) - vdot).lpNorm<Eigen::Infinity>();
    const double relative = difference / vdot.lpNorm<Eigen::Infinity>();
    if (!(relative <= worst)) worst = relative;  // not a number counts
  }
  return worst;
}

std::vector<NamedModel> checked_models() {
  using carom::JointType;
  std::vector<NamedModel> models = timed_models();
  carom::TreeOptions options;
  options.reflected = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    carom::Random random(seed);
    options.bodies = 1 + random.index(20);
    options.types = {JointType::fixed, JointType::revolute, JointType::prismatic, JointType::spherical};
    if (seed % 2 == 0) options.types.push_back(JointType::free);
    auto model = std::make_shared<Model>(random_tree(random, options));
    if (model->velocity_count() > 0) models.push_back({"tree_" + std::to_string(seed), model});
  }
  return models;
}

bool peers_agree() {
  bool agree = true;
  for (const DynamicsPeerKind& kind : dynamics_peers()) {
    int compared = 0;
    double worst = 0;
    const std::vector<NamedModel> models = checked_models();
    for (const NamedModel& named : models) {
      const std::unique_ptr<DynamicsPeer> peer = kind.make(*named.model);
      if (!peer) continue;
      ++compared;
      const double relative = disagreement(*named.model, *peer, 1);
      if (!(relative <= agreement)) {
        std::printf("%s and Carom differ by %.1e of the largest acceleration on %s\n", kind.name.c_str(), relative,
                    named.name.c_str());
        agree = false;
      }
      if (!(relative <= worst)) worst = relative;
    }
    std::printf("%-8s agrees with Carom to %.1e of the largest acceleration on %d of %zu models, %d states each\n",
                kind.name.c_str(), worst, compared, models.size(), state_count);
  }
  return agree;
}

void time_carom(benchmark::State& state, const NamedModel& named) {
  const std::vector<DynamicsState> states = random_states(*named.model, 1);
  carom::DynamicsWorkspace workspace(*named.model);
  VectorX vdot;
  std::size_t k = 0;
  for (auto _ : state) {
    const DynamicsState& at = states[k++ % state_count];
    forward_dynamics(*named.model, at.q, at.v, at.tau, workspace, vdot);
    benchmark::DoNotOptimize(vdot.data());
  }
}

void time_peer(benchmark::State& state, const NamedModel& named, const DynamicsPeerKind& kind) {
  const std::unique_ptr<DynamicsPeer> peer = kind.make(*named.model);
  peer->set_states(random_states(*named.model, 1));
  int k = 0;
  for (auto _ : state) peer->evaluate(k++ % state_count);
}

void time_derivatives(benchmark::State& state, const NamedModel& named) {
  const std::vector<DynamicsState> states = random_states(*named.model, 1);
  carom::DynamicsWorkspace workspace(*named.model);
  carom::DerivativeScratch scratch(*named.model);
  carom::ForwardDynamicsDerivatives derivatives;
  std::size_t k = 0;
  for (auto _ : state) {
    const DynamicsState& at = states[k++ % state_count];
    forward_dynamics_derivatives(*named.model, at.q, at.v, at.tau, workspace, scratch, derivatives);
    benchmark::DoNotOptimize(derivatives.dvdot_dq.data());
  }
}

/// The same without forward dynamics and without solves. Its time does not depend on the state.
void time_inverse_derivatives(benchmark::State& state, const NamedModel& named) {
  const DynamicsState at = random_states(*named.model, 1).front();
  carom::DynamicsWorkspace workspace(*named.model);
  carom::DerivativeScratch scratch(*named.model);
  carom::InverseDynamicsDerivatives derivatives;
  forward_kinematics(*named.model, at.q, workspace);
  forward_velocity(*named.model, at.q, at.v, workspace);
  for (auto _ : state) {
    inverse_dynamics_derivatives(*named.model, at.v, at.tau, workspace, scratch, derivatives);
    benchmark::DoNotOptimize(derivatives.dtau_dq.data());
  }
}

constexpr int peak_operations = 24000;

/// As many additions and multiplications as the portable instructions can do: independent of each other, in pairs, all
/// in registers.
void time_peak(benchmark::State& state) {
  using Numbers = Eigen::Array<double, 12, 1>;
  Numbers sums = Numbers::Ones(), products = Numbers::Ones();
  double term = 1e-9, factor = 1 + 1e-9;
  for (auto _ : state) {
    benchmark::DoNotOptimize(term);
    benchmark::DoNotOptimize(factor);
    Numbers s = sums, p = products;
    for (int i = 0; i < peak_operations / 24; ++i) s += term, p *= factor;
    benchmark::DoNotOptimize(s.data());
    benchmark::DoNotOptimize(p.data());
    benchmark::ClobberMemory();
  }
}

/// Additions, subtractions and multiplications of forward_dynamics for a link on a revolute joint, counted in its code.
/// Pose and inertia in the world's axes take 171, velocity and bias 45, force of the motion 72, force of the bias 72.
/// Elimination takes 191, the solve's two walks 37 and 37. The sine and cosine are not counted.
constexpr double operations_per_link = 171 + 45 + 72 + 72 + 191 + 37 + 37;

void time_set_up(benchmark::State& state) {
  for (auto _ : state) {
    const Model model = carom::revolute_chain(10000);
    carom::DynamicsWorkspace workspace(model);
    benchmark::DoNotOptimize(workspace.X_WB.data());
  }
}

/// Three rows for each of so many contacts of random bodies with the world.
std::vector<carom::ConstraintRow> contact_rows(const Model& model, int contacts, const carom::DynamicsWorkspace& at) {
  carom::Random random(7);
  std::vector<carom::ConstraintRow> rows;
  for (int i = 0; i < contacts; ++i) {
    carom::ConstraintRow row;
    row.body_a = random.index(model.body_count());
    row.point_a = row.point_b = at.X_WB[static_cast<std::size_t>(row.body_a)].p + random.vector(0.1);
    for (const int axis : {0, 1, 2}) {
      row.direction = carom::Vec3::Unit(axis);
      rows.push_back(row);
    }
  }
  return rows;
}

/// The operator of the contacts' rows; or, to compare with, one solve of the whole model for each row.
void time_delassus(benchmark::State& state, const NamedModel& named, int contacts, bool solves) {
  const Model& model = *named.model;
  const DynamicsState at = random_states(model, 1).front();
  carom::DynamicsWorkspace workspace(model);
  forward_kinematics(model, at.q, workspace);
  factor_mass(model, VectorX(), workspace);
  const std::vector<carom::ConstraintRow> rows = contact_rows(model, contacts, workspace);
  carom::Delassus delassus;
  VectorX x;
  for (auto _ : state) {
    if (solves) {
      for (std::size_t i = 0; i < rows.size(); ++i) solve_mass(model, at.tau, workspace, x);
      benchmark::DoNotOptimize(x.data());
    } else {
      delassus.build(model, rows, workspace);
      benchmark::DoNotOptimize(delassus.matrix().data());
    }
  }
}

void repeat(benchmark::internal::Benchmark* timed) {
  timed->Unit(benchmark::kMicrosecond)->MinTime(0.02)->Repetitions(25)->ReportAggregatesOnly();
}

constexpr int exponent_links[] = {30, 100, 300, 1000};
constexpr int contact_counts[] = {1, 4, 16, 64};

std::vector<NamedModel> contact_models() {
  return {{"humanoid", std::make_shared<Model>(carom::humanoid())}, chain(30), chain(100), chain(300)};
}

std::string delassus_name(const NamedModel& named, int contacts, bool solves) {
  return named.name + (solves ? "/solves/" : "/delassus/") + std::to_string(contacts);
}

void register_benchmarks() {
  for (const NamedModel& named : timed_models()) {
    repeat(benchmark::RegisterBenchmark((named.name + "/Carom").c_str(), time_carom, named));
    repeat(benchmark::RegisterBenchmark((named.name + "/derivatives").c_str(), time_derivatives, named));
    repeat(
        benchmark::RegisterBenchmark((named.name + "/inverse derivatives").c_str(), time_inverse_derivatives, named));
    for (const DynamicsPeerKind& kind : dynamics_peers()) {
      if (!kind.make(*named.model)) continue;
      repeat(benchmark::RegisterBenchmark((named.name + "/" + kind.name).c_str(), time_peer, named, kind));
    }
  }
  for (const int links : exponent_links) {
    const NamedModel named = chain(links);
    repeat(benchmark::RegisterBenchmark(("linear/" + named.name).c_str(), time_carom, named));
  }
  for (const NamedModel& named : contact_models()) {
    for (const int contacts : contact_counts) {
      for (const bool solves : {false, true}) {
        const std::string name = delassus_name(named, contacts, solves);
        repeat(benchmark::RegisterBenchmark(name.c_str(), time_delassus, named, contacts, solves));
      }
    }
  }
  repeat(benchmark::RegisterBenchmark("peak", time_peak));
  benchmark::RegisterBenchmark("set_up/chain_10000", time_set_up)
      ->Unit(benchmark::kMillisecond)
      ->Iterations(1)
      ->Repetitions(9)
      ->ReportAggregatesOnly();
}

void print_ratios(const std::map<std::string, double>& medians) {
  std::printf("\nforward dynamics, us per call, and Carom's time over the peer's\n%-12s %9s", "model", "Carom");
  for (const DynamicsPeerKind& kind : dynamics_peers()) std::printf(" | %9s ratio", kind.name.c_str());
  std::printf("\n");
  for (const NamedModel& named : timed_models()) {
    const auto own = medians.find(named.name + "/Carom");
    if (own == medians.end()) continue;
    std::printf("%-12s %9.2f", named.name.c_str(), own->second);
    for (const DynamicsPeerKind& kind : dynamics_peers()) {
      const auto peer = medians.find(named.name + "/" + kind.name);
      if (peer == medians.end()) {
        std::printf(" | %9s %5s", "-", "-");
      } else {
        std::printf(" | %9.2f %5.3f", peer->second, own->second / peer->second);
      }
    }
    std::printf("\n");
  }
}

/// Beside forward dynamics, of which differences would take two calls for each of 2 nv columns.
void print_derivatives(const std::map<std::string, double>& medians) {
  std::printf("\nderivatives by q, v and forces, us per call, and their time over forward dynamics'\n");
  std::printf("%-12s %5s %15s %15s\n", "model", "nv", "inverse  ratio", "forward  ratio");
  for (const NamedModel& named : timed_models()) {
    const auto own = medians.find(named.name + "/Carom"), forward = medians.find(named.name + "/derivatives"),
               inverse = medians.find(named.name + "/inverse derivatives");
    if (own == medians.end() || forward == medians.end() || inverse == medians.end()) continue;
    std::printf("%-12s %5d %8.2f %6.2f %8.2f %6.2f\n", named.name.c_str(), named.model->velocity_count(),
                inverse->second, inverse->second / own->second, forward->second, forward->second / own->second);
  }
}

/// The slope of the straight line nearest to the points (log x, log y).
double exponent(const std::vector<double>& x, const std::vector<double>& y) {
  const double n = static_cast<double>(x.size());
  double sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double log_x = std::log(x[i]), log_y = std::log(y[i]);
    sum_x += log_x;
    sum_y += log_y;
    sum_xx += log_x * log_x;
    sum_xy += log_x * log_y;
  }
  return (n * sum_xy - sum_x * sum_y) / (n * sum_xx - sum_x * sum_x);
}

void print_chains(const std::map<std::string, double>& medians) {
  std::vector<double> links, times;
  for (const int count : exponent_links) {
    const auto found = medians.find("linear/chain_" + std::to_string(count));
    if (found == medians.end()) return;
    links.push_back(count);
    times.push_back(found->second);
  }
  std::printf("\nchains:");
  for (std::size_t i = 0; i < links.size(); ++i) std::printf(" %.0f links %.2f us,", links[i], times[i]);
  std::printf(" time grows with links to the power %.2f\n", exponent(links, times));
}

void print_operations(const std::map<std::string, double>& medians) {
  const auto own = medians.find("chain_300/Carom"), peak = medians.find("peak");
  if (own == medians.end() || peak == medians.end()) return;
  const double rate = 300 * operations_per_link / own->second, most = peak_operations / peak->second;
  std::printf("\n%.0f operations per revolute link: %.2f Gflop/s on chain_300, %.0f %% of this core's %.1f\n",
              operations_per_link, 1e-3 * rate, 100 * rate / most, 1e-3 * most);
}

void print_delassus(const std::map<std::string, double>& medians) {
  for (const NamedModel& named : contact_models()) {
    std::vector<double> contacts, times;
    for (const int count : contact_counts) {
      const auto own = medians.find(delassus_name(named, count, false));
      const auto solves = medians.find(delassus_name(named, count, true));
      if (own == medians.end() || solves == medians.end()) return;
      std::printf("\nDelassus operator, %s, %d contacts: %.2f us; one solve per row %.2f us, ratio %.2f",
                  named.name.c_str(), count, own->second, solves->second, own->second / solves->second);
      contacts.push_back(count);
      times.push_back(own->second);
    }
    std::printf("\ntime grows with contacts to the power %.2f\n", exponent(contacts, times));
  }
  for (const int count : contact_counts) {
    std::vector<double> links, times;
    for (const int chain_links : {30, 100, 300}) {
      const auto own = medians.find(delassus_name(chain(chain_links), count, false));
      if (own == medians.end()) return;
      links.push_back(chain_links);
      times.push_back(own->second);
    }
    std::printf("Delassus operator of %d contacts: time grows with the links of a chain to the power %.2f\n", count,
                exponent(links, times));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (!peers_agree()) return 1;
  if (argc > 1 && std::string(argv[1]) == "check") return 0;
  std::vector<char*> arguments(argv, argv + argc);
  std::string interleave = "--benchmark_enable_random_interleaving=true";
  arguments.insert(arguments.begin() + 1, interleave.data());
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;
  register_benchmarks();
  MedianReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  print_ratios(reporter.medians);
  print_derivatives(reporter.medians);
  print_chains(reporter.medians);
  print_operations(reporter.medians);
  print_delassus(reporter.medians);
  return 0;
}
