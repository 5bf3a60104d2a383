// Steps that are implicit in the geometry beside the LCP of Stewart and Trinkle, which holds the geometry of the step's
// start: work against precision on a disc that rolls and an ellipsoid that spins, and the cost of ellipsoids in a heap.
//
//     bench_quasi_rigid [options of Google Benchmark]
//
// disc and ellipsoid: one iteration is a second of motion with the step in microseconds; `error` is the distance of the
// last position from where it should be, m, and `energy` the relative change of the energy. heap: one iteration is one
// step of n ellipsoids at rest on one another; `contacts`, and `newton`, the median of a step's Newton iterations while
// they fall and come to rest.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "carom/spatial/rotation.h"
#include "carom/stepper/test/mechanisms.h"

namespace {

using carom::Method;
using carom::Quaternion;
using carom::Simulation;
using carom::StepperKind;
using carom::Vec3;
using carom::test::SceneMaker;

constexpr StepperKind kinds[] = {StepperKind::implicit_geometry, StepperKind::stewart_trinkle};

Method method(int kind, double step) {
  Method method;
  method.stepper = kinds[kind];
  method.step = step;
  return method;
}

SceneMaker disc() {
  SceneMaker scene(0.8);
  scene.add_static(carom::HalfSpace{});
  scene.add(carom::Ellipsoid{Vec3(0.1, 0.02, 0.1)}, 1, {0, 0, 0.1}, {0.5, 0, 0}, Quaternion::Identity(), {0, 5, 0});
  return scene;
}

SceneMaker ellipsoid() {
  SceneMaker scene(0.3);
  scene.add_static(carom::HalfSpace{});
  scene.add(carom::Ellipsoid{Vec3(0.12, 0.1, 0.08)}, 1, {0, 0, 0.08}, {0.1, 0.05, 0}, Quaternion::Identity(),
            {1, -1, 6});
  return scene;
}

Simulation after_a_second(const SceneMaker& scene, const Method& method) {
  Simulation simulation = scene.simulation(method);
  for (int k = 0; k < std::lround(1 / method.step); ++k) static_cast<void>(simulation.step());
  return simulation;
}

void motion(benchmark::State& run, const SceneMaker& scene) {
  const Method how = method(static_cast<int>(run.range(0)), 1e-6 * static_cast<double>(run.range(1)));
  static const auto reference_of = [](const SceneMaker& of) {
    return carom::test::position(after_a_second(of, method(0, 1e-4)), 0);
  };
  const Vec3 reference = reference_of(scene);
  const double before = carom::test::energy(*scene.model(), scene.state());
  double error = 0, energy = 0;
  for (auto _ : run) {
    const Simulation simulation = after_a_second(scene, how);
    error = (carom::test::position(simulation, 0) - reference).norm();
    energy = carom::test::energy(simulation.model(), simulation.state()) / before - 1;
  }
  run.counters["error"] = error;
  run.counters["energy"] = energy;
}
void rolling_disc(benchmark::State& run) { motion(run, disc()); }
void spinning_ellipsoid(benchmark::State& run) { motion(run, ellipsoid()); }

void heap(benchmark::State& run) {
  SceneMaker scene(0.5);
  scene.add_static(carom::HalfSpace{});
  const int count = static_cast<int>(run.range(1));
  for (int k = 0; k < count; ++k) {
    const Vec3 place(0.12 * (k % 3) - 0.12 + 0.01 * (k % 2), 0.12 * (k / 3 % 2) + 0.013 * (k % 5),
                     0.08 + 0.12 * (k / 6));
    scene.add(carom::Ellipsoid{Vec3(0.06, 0.05, 0.04)}, 0.5, place, Vec3::Zero(),
              Quaternion(carom::exponential(0.7 * k * Vec3(1, 0.4, -0.3).normalized())));
  }
  Simulation simulation = scene.simulation(method(static_cast<int>(run.range(0)), 2e-3));
  std::vector<int> iterations;
  int unsolved = 0;
  for (int k = 0; k < 500; ++k) {
    const carom::StepReport& report = simulation.step();
    iterations.push_back(report.iterations);
    unsolved += report.status != carom::SolveStatus::solved;
  }
  std::nth_element(iterations.begin(), iterations.begin() + 250, iterations.end());
  int contacts = 0;
  for (auto _ : run) contacts = simulation.step().contacts_considered;
  run.counters["contacts"] = contacts;
  run.counters["newton"] = iterations[250];
  run.counters["unsolved"] = unsolved;
}

// implicit-geometry (0) and stewart-trinkle (1).
BENCHMARK(rolling_disc)->ArgsProduct({{0, 1}, {500, 1000, 2000, 4000}})->Unit(benchmark::kMillisecond);
BENCHMARK(spinning_ellipsoid)->ArgsProduct({{0, 1}, {500, 1000, 2000, 4000}})->Unit(benchmark::kMillisecond);
BENCHMARK(heap)->ArgsProduct({{0, 1}, {5, 10, 20, 40}})->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
