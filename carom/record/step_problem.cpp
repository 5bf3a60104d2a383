#include "carom/record/step_problem.h"

#include <fmt/format.h>

#include <algorithm>

#include "carom/error.h"
#include "carom/stepper/simulation.h"

namespace carom {
namespace {

StoredProblem stored_from(const PosedProblem& posed) {
  StoredProblem stored;
  stored.dense = posed.A;
  stored.u = posed.u;
  stored.blocks = posed.blocks;
  if (posed.u.size() == 0) return stored;
  stored.notes.guesses.push_back(posed.warm_start);
  if (posed.solution.status != SolveStatus::solved) return stored;
  stored.notes.impulse = posed.impulse;
  stored.notes.velocity = posed.u + posed.A * posed.impulse;
  return stored;
}

std::string description_of(const Record& record, const PosedProblem& posed) {
  const Method& method = record.scene.method;
  std::string text = fmt::format("{} of h = {} s with law {}, dynamics {}.", stepper_name(method.stepper), method.step,
                                 law_name(method.law), dynamics_name(method.dynamics));
  if (has_impacts(method) && method.stepper != StepperKind::variational) {
    text += " This is persisting contact, after the step's last impact.";
  }
  if (method.stepper == StepperKind::variational) {
    text += " These are the impulses at the step's end, after its last impact; others act at its start.";
  }
  if (posed.expansion_follows) text += " This is the compression; an expansion follows it.";
  return text;
}

std::string steps_text(std::int64_t last) {
  if (last < 1) return "it ends before its first step";
  return last == 1 ? "its only step is 1" : fmt::format("its steps are 1 to {}", last);
}

}  // namespace

State state_before_step(const Record& record, std::int64_t step) {
  const std::int64_t last = record.frames.back().state.step;
  if (step < 1 || step > last) {
    throw Error(fmt::format("{} has no step {}; {}", record.path, step, steps_text(last)));
  }
  const auto after = std::find_if(record.frames.begin(), record.frames.end(),
                                  [&](const Frame& frame) { return frame.state.step >= step; });
  if (after == record.frames.begin()) {
    throw Error(fmt::format("{} has no step {}; it begins after step {}", record.path, step, after->state.step));
  }
  Simulation simulation(record.scene.model, record.scene.method, std::prev(after)->state);
  simulation.set_controller(record.scene.controller());
  while (simulation.state().step < step - 1) simulation.step();
  return simulation.state();
}

StoredProblem problem_of_step(const Record& record, std::int64_t step) {
  const Method& method = record.scene.method;
  if (is_integrated(method)) {
    throw Error(record.path + ": steps of " + stepper_name(method.stepper) +
                " have no contact problem of their own; run the scene with a stepper that poses one per step, such as "
                "semi-explicit");
  }
  if (is_implicit_in_geometry(method)) {
    throw Error(record.path + ": steps of " + stepper_name(method.stepper) +
                " are mixed complementarity problems with their geometry, for which problem files have no form; they "
                "are kept as records of one step");
  }
  Simulation simulation(record.scene.model, record.scene.method, state_before_step(record, step));
  simulation.set_controller(record.scene.controller());
  PosedProblem posed;
  simulation.keep_problem(&posed);
  simulation.step();
  StoredProblem stored = stored_from(posed);
  stored.notes.title = fmt::format("{}, step {}", record.scene.name, step);
  stored.notes.description = description_of(record, posed);
  stored.notes.directions = record.scene.method.generators();
  return stored;
}

}  // namespace carom
