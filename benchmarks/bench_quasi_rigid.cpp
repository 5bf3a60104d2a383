// Steps that are implicit in the geometry beside the LCP of Stewart and Trinkle, which keeps the geometry of the step's
// start. The benchmark measures work against precision on a rolling disc and a spinning ellipsoid, and the cost of
// ellipsoids in a heap.
//
//     bench_quasi_rigid [options of Google Benchmark]
//
// Disc and ellipsoid: one iteration is a second of motion with the step in microseconds. Counter `error` is the
// distance of the last position from that of steps of 0.1 ms, m; `energy` is the relative change of the energy. Heap:
// one iteration is one of 50 steps of n ellipsoids that lie on one another, a second after they fell. Counters
// `contacts` and `iterations` are the means of contacts and Newton iterations of such a step. Counter `newton` is the
// median of a step's Newton iterations in the second before.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "carom/dynamics/recursions.h"
#include "carom/spatial/rotation.h"
#include "carom/stepper/simulation.h"

namespace {

using carom::Method;
using carom::Quaternion;
using carom::Simulation;
using carom::StepperKind;
using carom::Vec3;

constexpr StepperKind kinds[] = {StepperKind::implicit_geometry, StepperKind::stewart_trinkle};

Method method(int kind, double step) {
  Method method;
  method.stepper = kinds[kind];
  method.step = step;
  return method;
}

/// Free ellipsoids over a floor of one friction.
struct Scene {
  explicit Scene(double friction) {
    builder.set_gravity({0, 0, -9.81});
    builder.add_material({"surface", carom::Vec2(friction, friction), 0.0});
    builder.set_combination(carom::Combination::maximum, carom::Combination::maximum);
    builder.add_collider({"floor", -1, carom::HalfSpace{}, {}, 0});
  }
  void add(const Vec3& semi_axes, double mass, const Vec3& position, const Vec3& velocity, const Quaternion& turn,
           const Vec3& spin) {
    const carom::Ellipsoid shape{semi_axes};
    const carom::SpatialInertia unit = shape_inertia(shape, 1);
    const std::string name = std::to_string(count++);
    const int body = builder.add_body(name, {mass, unit.center, unit.central * (mass / unit.mass)});
    builder.add_collider({"of " + name, body, shape, {}, 0});
    state.q.conservativeResize(state.q.size() + 7);
    state.q.tail<7>() << turn.w(), turn.x(), turn.y(), turn.z(), position;
    state.v.conservativeResize(state.v.size() + 6);
    state.v.tail<6>() << spin, turn.conjugate() * velocity;
  }
  Simulation simulation(const Method& method) const {
    return Simulation(std::make_shared<const carom::Model>(builder.build()), method, state);
  }
  carom::ModelBuilder builder;
  carom::State state;
  int count = 0;
};

double energy_of(const Simulation& simulation) {
  const carom::Model& model = simulation.model();
  carom::DynamicsWorkspace workspace(model);
  forward_kinematics(model, simulation.state().q, workspace);
  forward_velocity(model, simulation.state().q, simulation.state().v, workspace);
  return kinetic_energy(model, workspace) + potential_energy(model, simulation.state().q, workspace);
}

void take_a_second(Simulation& simulation) {
  const auto steps = std::lround(1 / simulation.method().step);
  for (long k = 0; k < steps; ++k) static_cast<void>(simulation.step());
}

Scene disc() {
  Scene scene(0.8);
  scene.add({0.1, 0.02, 0.1}, 1, {0, 0, 0.1}, {0.5, 0, 0}, Quaternion::Identity(), {0, 5, 0});
  return scene;
}

Scene ellipsoid() {
  Scene scene(0.3);
  scene.add({0.12, 0.1, 0.08}, 1, {0, 0, 0.08}, {0.1, 0.05, 0}, Quaternion::Identity(), {1, -1, 6});
  return scene;
}

/// Compares with the same motion by steps of 0.1 ms.
void motion(benchmark::State& run, const Scene& scene) {
  Simulation fine = scene.simulation(method(0, 1e-4));
  const double before = energy_of(fine);
  take_a_second(fine);
  const Vec3 reference = fine.state().q.segment<3>(4);
  double error = 0, energy = 0;
  for (auto _ : run) {
    Simulation simulation =
        scene.simulation(method(static_cast<int>(run.range(0)), 1e-6 * static_cast<double>(run.range(1))));
    take_a_second(simulation);
    error = (simulation.state().q.segment<3>(4) - reference).norm();
    energy = energy_of(simulation) / before - 1;
  }
  run.counters["error"] = error;
  run.counters["energy"] = energy;
}
void rolling_disc(benchmark::State& run) { motion(run, disc()); }
void spinning_ellipsoid(benchmark::State& run) { motion(run, ellipsoid()); }

/// A heap after a second, with the Newton iterations and unsolved steps until then.
struct Heap {
  Heap(int kind, int count) {
    Scene scene(0.5);
    for (int k = 0; k < count; ++k) {
      const Vec3 place(0.12 * (k % 3) - 0.12 + 0.01 * (k % 2), 0.12 * (k / 3 % 2) + 0.013 * (k % 5),
                       0.08 + 0.12 * (k / 6));
      scene.add({0.06, 0.05, 0.04}, 0.5, place, Vec3::Zero(),
                Quaternion(carom::exponential(0.7 * k * Vec3(1, 0.4, -0.3).normalized())), Vec3::Zero());
    }
    Simulation simulation = scene.simulation(method(kind, 2e-3));
    std::vector<int> iterations;
    for (int k = 0; k < 500; ++k) {
      const carom::StepReport& report = simulation.step();
      iterations.push_back(report.iterations);
      unsolved += report.status != carom::SolveStatus::solved;
    }
    std::nth_element(iterations.begin(), iterations.begin() + 250, iterations.end());
    newton = iterations[250];
    model = std::make_shared<const carom::Model>(simulation.model());
    state = simulation.state();
  }
  std::shared_ptr<const carom::Model> model;
  carom::State state;
  int newton = 0, unsolved = 0;
};

void heap(benchmark::State& run) {
  const auto kind = static_cast<int>(run.range(0)), count = static_cast<int>(run.range(1));
  // Made once for all repetitions, which begin where it is.
  static std::map<std::pair<int, int>, Heap> heaps;
  const Heap& heap = heaps.try_emplace({kind, count}, kind, count).first->second;
  Simulation simulation(heap.model, method(kind, 2e-3), heap.state);
  double contacts = 0, iterations = 0;
  for (auto _ : run) {
    const carom::StepReport& report = simulation.step();
    contacts += report.contacts_considered;
    iterations += report.iterations;
  }
  const auto steps = static_cast<double>(run.iterations());
  run.counters["contacts"] = contacts / steps;
  run.counters["iterations"] = iterations / steps;
  run.counters["newton"] = heap.newton;
  run.counters["unsolved"] = heap.unsolved;
}

// implicit-geometry (0) and stewart-trinkle (1).
BENCHMARK(rolling_disc)->ArgsProduct({{0, 1}, {500, 1000, 2000, 4000}})->Unit(benchmark::kMillisecond);
BENCHMARK(spinning_ellipsoid)->ArgsProduct({{0, 1}, {500, 1000, 2000, 4000}})->Unit(benchmark::kMillisecond);
BENCHMARK(heap)->ArgsProduct({{0, 1}, {5, 10, 20, 40, 80, 160}})->Iterations(50)->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
