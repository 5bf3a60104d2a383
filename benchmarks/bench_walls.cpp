// Walls that stand and heaps that fall, beside Debian's Bullet, ODE, MuJoCo and DART on identical scenes in one run.
//
//     bench_walls [check]   or with options of Google Benchmark, for example --benchmark_filter=wall_50
//
// Before any timing, a box slides down a slope in every program. The run fails if its way in one of them is not what
// friction and gravity give. With `check` it does only this.
//
// Times are processor times of whole steps on one thread, contact detection included. The tables give the median over
// the steps of a run, and of these the median over three runs. A run is cut after 20 s, and no other begins after 20 s.
// The table says up to which time such a scene came. Its numbers are those of the steps taken, and its ratios compare
// with as many steps of Bullet's. Nothing is recorded.
//
// The deepest overlap of any two bodies is that of the first run, after every step, by Carom's gaps for all programs.
// Creep is how far the brick that moved most came between 1 s and 2 s. Residuals are Carom's alone, the worst of all
// steps. The natural map is that of the exact cone, so it says nothing of the polyhedral one.

#include <benchmark/benchmark.h>
#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/carom_contacts.h"
#include "benchmarks/contact_peer.h"
#include "benchmarks/guarded_calls.h"

namespace {

using carom::Transform;
using carom::bench::contact_peers;
using carom::bench::ContactPeer;
using carom::bench::ContactPeerKind;
using carom::bench::ContactScene;
using carom::bench::processor_seconds;

constexpr double longest = 20;  // s
constexpr int most_runs = 3;
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

std::vector<ContactScene> scenes() {
  using carom::bench::heap;
  using carom::bench::lattice;
  using carom::bench::wall;
  return {wall(5, 2), wall(10, 5), wall(20, 10), heap(10), heap(50), heap(200), lattice(5, 5, 5), lattice(7, 7, 7)};
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

struct Run {
  std::vector<double> seconds;  // of each step
  double overlap = 0;           // m
  double creep = unknown;       // m/s
  std::optional<carom::bench::ContactAccount> account;
};

void read_poses(const ContactPeer& peer, std::vector<Transform>& poses) {
  for (std::size_t i = 0; i < poses.size(); ++i) poses[i] = peer.pose(static_cast<int>(i));
}

/// `measured`: with overlap and creep, which take their time between the steps.
Run simulate(const ContactScene& scene, const ContactPeerKind& kind, bool measured) {
  const std::unique_ptr<ContactPeer> peer = kind.make(scene);
  carom::bench::OverlapGauge gauge(scene);
  std::vector<Transform> poses(scene.bodies.size()), middle;
  Run run;
  double sum = 0;
  for (int step = 1; step <= scene.steps() && sum < longest; ++step) {
    const double start = processor_seconds();
    peer->step();
    run.seconds.push_back(processor_seconds() - start);
    sum += run.seconds.back();
    if (!measured) continue;
    read_poses(*peer, poses);
    run.overlap = std::max(run.overlap, gauge.deepest(poses));
    if (step == scene.steps() / 2) middle = poses;
    if (step < scene.steps() || !scene.stands) continue;
    run.creep = 0;
    for (std::size_t i = 0; i < poses.size(); ++i) {
      run.creep = std::max(run.creep, (poses[i].p - middle[i].p).norm() / (0.5 * scene.duration));
    }
  }
  run.account = peer->account();
  return run;
}

/// Results of one scene by one program.
struct Figures {
  Run first;
  double typical = 0, mean = 0;  // µs per step
};

std::map<std::string, Figures> figures;  // by the benchmark's name

std::string case_name(const ContactScene& scene, const ContactPeerKind& kind) { return scene.name + "/" + kind.name; }

void time_case(benchmark::State& state, const ContactScene& scene, const ContactPeerKind& kind) {
  for (auto _ : state) {
    Figures all;
    std::vector<double> medians, means;
    double spent = 0;
    for (int i = 0; i < most_runs && spent < longest; ++i) {
      Run run = simulate(scene, kind, i == 0);
      const double sum = std::accumulate(run.seconds.begin(), run.seconds.end(), 0.0);
      spent += sum;
      medians.push_back(median(run.seconds));
      means.push_back(sum / static_cast<double>(run.seconds.size()));
      if (i == 0) all.first = std::move(run);
    }
    all.typical = 1e6 * median(medians);
    all.mean = 1e6 * median(means);
    state.SetIterationTime(median(medians));
    state.counters["mean_us"] = all.mean;
    state.counters["overlap_mm"] = 1e3 * all.first.overlap;
    state.counters["runs"] = static_cast<double>(medians.size());
    figures[case_name(scene, kind)] = std::move(all);
  }
}

/// Prints a number, or a dash if it is unknown.
void print_number(const char* format, int width, double value) {
  if (std::isnan(value)) {
    std::printf(" %*s", width, "-");
  } else {
    std::printf(format, width, value);
  }
}

/// Median and mean of the first steps of one run, µs.
std::pair<double, double> of_first_steps(const Run& run, std::size_t steps) {
  const std::vector<double> seconds(
      run.seconds.begin(), run.seconds.begin() + static_cast<std::ptrdiff_t>(std::min(steps, run.seconds.size())));
  const double sum = std::accumulate(seconds.begin(), seconds.end(), 0.0);
  return {1e6 * median(seconds), 1e6 * sum / static_cast<double>(seconds.size())};
}

/// A run that was cut is compared with as many steps of Bullet's.
void print_case(const ContactScene& scene, const Figures& of, const Figures* bullet, const std::string& program) {
  const int steps = static_cast<int>(of.first.seconds.size());
  std::pair<double, double> theirs(unknown, unknown);
  if (bullet) theirs = {bullet->typical, bullet->mean};
  if (bullet && steps < scene.steps()) theirs = of_first_steps(bullet->first, of.first.seconds.size());
  std::printf("  %-16s", program.c_str());
  print_number(" %*.1f", 10, of.typical);
  print_number(" %*.3g", 7, of.typical / theirs.first);
  print_number(" %*.1f", 10, of.mean);
  print_number(" %*.3g", 7, of.mean / theirs.second);
  print_number(" %*.2g", 9, 1e3 * of.first.overlap);
  print_number(" %*.2g", 9, 1e3 * of.first.creep);
  if (const auto& own = of.first.account) {
    std::printf(" %9.1e %9.1e %5ld", own->natural_map, own->normal_complementarity, own->unsolved);
  }
  if (steps < scene.steps()) std::printf("  cut at %.2f s of %.0f s", steps * scene.step, scene.duration);
  std::printf("\n");
}

void print_tables() {
  for (const ContactScene& scene : scenes()) {
    const auto bullet = figures.find(scene.name + "/Bullet");
    std::printf("\n%s: %zu bodies, steps of %.0f ms\n", scene.name.c_str(), scene.bodies.size(), 1e3 * scene.step);
    constexpr const char* heading = "  %-16s %10s %7s %10s %7s %9s %9s %9s %9s %5s\n";
    std::printf(heading, "", "median, us", "/Bullet", "mean, us", "/Bullet", "overlap", "creep", "natural", "normal",
                "un-");
    std::printf(heading, "", "per step", "", "per step", "", "mm", "mm/s", "map", "compl.", "solved");
    for (const ContactPeerKind& kind : contact_peers()) {
      const auto found = figures.find(case_name(scene, kind));
      if (found == figures.end()) continue;
      print_case(scene, found->second, bullet == figures.end() ? nullptr : &bullet->second, kind.name);
    }
  }
}

/// Prints the shares of Carom's own time.
void print_shares() {
  std::printf("\n%-22s %8s %10s %6s  %s\n", "", "contacts", "iterations", "idle", "share of the time, %");
  std::printf("%-22s %8s %10s %6s %10s %8s %8s %6s %8s\n", "", "per step", "per step", "steps", "kinematics", "finding",
              "assembly", "solve", "account");
  for (const auto& [name, of] : figures) {
    if (!of.first.account) continue;
    const carom::bench::ContactAccount& own = *of.first.account;
    std::printf("%-22s %8.0f %10.2f %4.0f %% %10.1f %8.1f %8.1f %6.1f %8.1f\n", name.c_str(), own.contacts,
                own.iterations, 100 * own.idle, 100 * own.kinematics, 100 * own.finding, 100 * own.assembly,
                100 * own.solve, 100 * own.account);
  }
}

/// True if the box slides ½ (sin − μ cos) g t² in every program. A difference of 5 % is allowed, since bodies may sink
/// in and settle at first.
bool peers_agree() {
  const ContactScene scene = carom::bench::slope();
  const double slope = scene.planes.front().R(0, 2) / scene.planes.front().R(2, 2);
  const double acceleration = scene.gravity * (slope - scene.friction) / std::hypot(1, slope);
  const double expected = 0.5 * acceleration * scene.duration * scene.duration;
  bool agree = true;
  for (const ContactPeerKind& kind : contact_peers()) {
    const std::unique_ptr<ContactPeer> peer = kind.make(scene);
    const Transform start = peer->pose(0);
    for (int step = 0; step < scene.steps(); ++step) peer->step();
    const double ratio = (peer->pose(0).p - start.p).norm() / expected;
    std::printf("%-16s slides down a slope %.3f times as far as it should\n", kind.name.c_str(), ratio);
    if (!(std::abs(ratio - 1) <= 0.05)) agree = false;
  }
  return agree;
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const bool check = argc > 1 && std::string(argv[1]) == "check";
  if (!check && benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  // The peers use one thread, too.
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  if (!peers_agree()) return 1;
  if (check) return 0;
  for (const ContactScene& scene : scenes()) {
    for (const ContactPeerKind& kind : contact_peers()) {
      benchmark::RegisterBenchmark(case_name(scene, kind).c_str(), time_case, scene, kind)
          ->Unit(benchmark::kMicrosecond)
          ->UseManualTime()
          ->Iterations(1);
    }
  }
  benchmark::RunSpecifiedBenchmarks();
  print_tables();
  print_shares();
  return 0;
}
