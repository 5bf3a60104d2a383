#include <benchmark/benchmark.h>

#include <string>

#include "carom/scene/scene.h"
#include "carom/stepper/simulation.h"
#include "testing/folders.h"

// Time per step of whole scenes, from start to end, with the share of each stage. A run is repeated from its start, so
// that every repetition does the same work.
namespace {

void run_scene(benchmark::State& state, const std::string& file) {
  const carom::Scene scene = carom::load_scene(carom::source_folder() + "/scenes/" + file);
  carom::StageTimes sum;
  long steps = 0, contacts = 0;
  for (auto _ : state) {
    carom::Simulation simulation(scene.model, scene.method, scene.initial);
    for (std::int64_t i = 0; i < scene.steps(); ++i) {
      const carom::StepReport& report = simulation.step();
      sum.kinematics += report.stages.kinematics;
      sum.contact_finding += report.stages.contact_finding;
      sum.assembly += report.stages.assembly;
      sum.solve += report.stages.solve;
      sum.account += report.stages.account;
      contacts += report.contacts_considered;
      ++steps;
    }
    benchmark::DoNotOptimize(simulation.state().q.data());
  }
  const double total = sum.kinematics + sum.contact_finding + sum.assembly + sum.solve + sum.account;
  const double n = static_cast<double>(steps);
  state.counters["us/step"] = 1e6 * total / n;
  state.counters["contacts"] = static_cast<double>(contacts) / n;
  state.counters["kinematics_%"] = 100 * sum.kinematics / total;
  state.counters["finding_%"] = 100 * sum.contact_finding / total;
  state.counters["assembly_%"] = 100 * sum.assembly / total;
  state.counters["solve_%"] = 100 * sum.solve / total;
  state.counters["account_%"] = 100 * sum.account / total;
}

}  // namespace

BENCHMARK_CAPTURE(run_scene, four_balls, std::string("stewart2000/four_balls.yaml"))
    ->Unit(benchmark::kMillisecond)
    ->Repetitions(9)
    ->ReportAggregatesOnly();
BENCHMARK_CAPTURE(run_scene, ball_pile, std::string("ball_pile.yaml"))
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1)
    ->Repetitions(3)
    ->ReportAggregatesOnly();

BENCHMARK_MAIN();
