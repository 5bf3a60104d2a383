// Steps of the variational stepper: chains of 10 to 1000 links released from an oblique pose, and the humanoid of 30
// coordinates in motion.
//
//     bench_variational [options of Google Benchmark]
//
// Every iteration takes the same step from the same state. The counter `evaluations` gives the residuals of the
// discrete equations in it. Each is a walk over the tree and a solve with the factors of its mass matrix. BigO fits
// times to links. The time of forward_dynamics is measured beside them, so that a step can be expressed in its units.

#include <benchmark/benchmark.h>

#include <memory>

#include "carom/dynamics/recursions.h"
#include "carom/stepper/variational/variational_stepper.h"
#include "testing/models/random_tree.h"
#include "testing/models/reference_models.h"

namespace {

using carom::Model;
using carom::State;
using carom::VectorX;

carom::Method method(double step) {
  carom::Method method;
  method.stepper = carom::StepperKind::variational;
  method.law = carom::LawKind::newton;
  method.step = step;
  return method;
}

State oblique(const Model& model) {
  State state;
  state.q = VectorX::Constant(model.position_count(), 0.1);
  state.v = VectorX::Zero(model.velocity_count());
  return state;
}

State moving(const Model& model, double speed) {
  carom::Random random(1);
  State state;
  state.q = random_position(model, random);
  state.v = random.vector(model.velocity_count(), speed);
  return state;
}

void take_steps(benchmark::State& run, const Model& model, const State& from, double step) {
  carom::VariationalStepper stepper(model, method(step));
  const VectorX no_force = VectorX::Zero(model.velocity_count());
  const carom::StopSignal never;
  int evaluations = 0;
  for (auto _ : run) {
    State state = from;
    const carom::StepReport& report = stepper.advance(model, state, step, {no_force, never});
    evaluations = report.fixed_point_iterations;
    if (report.status != carom::SolveStatus::solved) run.SkipWithError("not solved");
    benchmark::DoNotOptimize(state.q.data());
  }
  run.counters["evaluations"] = evaluations;
}

/// links, and the step in microseconds.
void chain_step(benchmark::State& run) {
  const Model model = carom::revolute_chain(static_cast<int>(run.range(0)));
  take_steps(run, model, oblique(model), 1e-6 * static_cast<double>(run.range(1)));
  run.SetComplexityN(run.range(0));
}

void chain_forward_dynamics(benchmark::State& run) {
  const Model model = carom::revolute_chain(static_cast<int>(run.range(0)));
  const State state = oblique(model);
  carom::DynamicsWorkspace workspace(model);
  const VectorX tau = VectorX::Zero(model.velocity_count());
  VectorX vdot;
  for (auto _ : run) {
    forward_dynamics(model, state.q, state.v, tau, workspace, vdot);
    benchmark::DoNotOptimize(vdot.data());
  }
  run.SetComplexityN(run.range(0));
}

/// The step in microseconds, and the largest rate in tenths of rad/s and m/s.
void humanoid_step(benchmark::State& run) {
  const Model model = carom::humanoid();
  take_steps(run, model, moving(model, 0.1 * static_cast<double>(run.range(1))),
             1e-6 * static_cast<double>(run.range(0)));
}

BENCHMARK(chain_step)
    ->ArgsProduct({{10, 30, 100, 300, 1000}, {100}})
    ->Complexity(benchmark::oAuto)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(chain_step)->ArgsProduct({{10, 30, 100, 300}, {1000}})->Unit(benchmark::kMicrosecond);
BENCHMARK(chain_forward_dynamics)
    ->ArgsProduct({{10, 30, 100, 300, 1000}})
    ->Complexity(benchmark::oAuto)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(humanoid_step)->ArgsProduct({{1000, 5000, 10000}, {5, 10, 30}})->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
