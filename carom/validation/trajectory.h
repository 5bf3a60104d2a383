#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "carom/scene/scene.h"
#include "carom/stepper/step_report.h"

namespace carom {

/// A run kept in memory: states after every step (the first is the initial state) and what each step did.
struct Trajectory {
  std::shared_ptr<const Model> model;
  double step = 0;  ///< s
  std::vector<State> states;
  std::vector<StepReport> reports;  ///< one fewer than states
  RunCertificate certificate;
};

/// Runs a scene from its start to its end with another step size, and whatever else `change` does to its method.
Trajectory run_scene(const Scene& scene, double step, const std::function<void(Method&)>& change = {});

/// Index of the first step (0 is the one that starts at the scene's start) for which `is` holds; −1 if none.
int first_step(const Trajectory& trajectory, const std::function<bool(const StepReport&)>& is);

}  // namespace carom
