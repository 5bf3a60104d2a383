#include "carom/study/run_in_memory.h"

#include "carom/error.h"
#include "carom/stepper/finite_step.h"
#include "carom/stepper/simulation.h"

namespace carom {

Record run_in_memory(const Scene& scene) {
  Record record;
  record.scene = scene;
  Simulation simulation(scene.model, scene.method, scene.initial);
  simulation.set_controller(scene.controller());
  record.frames.emplace_back().state = simulation.state();
  const std::int64_t last = scene.steps();
  while (simulation.state().step < last) {
    const StepReport& report = simulation.step();
    if (!is_finite(simulation.state(), report)) throw Error("a step ended in numbers that are not finite");
    Frame& frame = record.frames.emplace_back();
    frame.state = simulation.state();
    frame.constraints = report.contacts_considered;
    frame.lcp_size = report.lcp_size;
    frame.iterations = report.iterations;
    record.events.insert(record.events.end(), report.events.begin(), report.events.end());
  }
  record.certificate = simulation.certificate();
  record.end = "done";
  return record;
}

}  // namespace carom
