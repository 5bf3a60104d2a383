#include "carom/validation/trajectory.h"

#include <cmath>

#include "carom/stepper/simulation.h"

namespace carom {

Trajectory run_scene(const Scene& scene, double step, const std::function<void(Method&)>& change) {
  Method method = scene.method;
  method.step = step;
  if (change) change(method);
  Simulation simulation(scene.model, method, scene.initial);
  simulation.set_controller(scene.controller());
  Trajectory trajectory{
      .model = scene.model, .step = step, .states = {scene.initial}, .reports = {}, .certificate = {}};
  const long steps = std::lround(scene.duration / step);
  for (long i = 0; i < steps; ++i) {
    trajectory.reports.push_back(simulation.step());
    trajectory.states.push_back(simulation.state());
  }
  trajectory.certificate = simulation.certificate();
  return trajectory;
}

int first_step(const Trajectory& trajectory, const std::function<bool(const StepReport&)>& is) {
  for (std::size_t i = 0; i < trajectory.reports.size(); ++i) {
    if (is(trajectory.reports[i])) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace carom
