#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "carom/dynamics/motion_observer.h"
#include "carom/record/live_columns.h"
#include "carom/scene/scene.h"
#include "carom/stepper/simulation.h"
#include "certificate.h"
#include "interrupt.h"

namespace carom::python {

/// A Simulation as Python has it: steps without the interpreter's lock, stops at Ctrl-C, and refuses to be asked while
/// it steps.
class Stepping {
 public:
  Stepping(std::shared_ptr<const Model> model, const Method& method, const State& state);
  /// From a scene's start, with its feedback and its outputs.
  explicit Stepping(const Scene& scene);
  /// Another of the same model with the scene's feedback and outputs; what was set by hand stays behind.
  Stepping(Stepping& from, const Method& method, const State& state);

  void step();
  /// Within a handler: what is being handled, for rethrow().
  void keep_thrown() { thrown_ = std::current_exception(); }
  void rethrow() { std::rethrow_exception(std::exchange(thrown_, nullptr)); }
  /// `after` is called with the lock after every step, and may look at the simulation; None: nothing.
  std::int64_t run_until(double time, const pybind11::object& after);
  /// Takes steps with something done after each, without the lock; Ctrl-C raises at the last whole step.
  template <class Advance>
  void advance(Advance&& take_steps);

  void push(const BodyPush& push) { quiet().push(push); }
  void push(const JointPush& push) { quiet().push(push); }
  void set_controller(const pybind11::object& controller);
  /// Joint forces of every step until they are set otherwise, N m or N; its memory stays where it is.
  VectorX& tau();

  const State& state() { return quiet().state(); }
  const Model& model() const { return *model_; }
  std::shared_ptr<const Model> shared_model() const { return model_; }
  const Method& method() const { return simulation_.method(); }
  Certificate certificate() { return {quiet().certificate(), method().cone == FrictionCone::exact}; }
  const StepReport& report();
  /// Motion at the state, computed once for each step.
  const MotionObserver& motion();
  /// The numbers of a record, kept from the first call on.
  const LiveColumns& columns();
  /// The same with further outputs, {name, formula}, kept from this call on.
  void watch(const std::map<std::string, std::string>& outputs);
  Simulation& quiet();

 private:
  enum class Activity {
    none,
    within_step,    ///< not to be looked at
    between_steps,  ///< of run_until: to be looked at, not to be advanced
  };
  /// After every step, without the lock.
  void keep(const StepReport& report);
  void act(const State& state, VectorX& force);
  void install();

  std::shared_ptr<const Model> model_;
  Controller feedback_;
  Simulation simulation_;
  const StepReport* report_ = nullptr;
  VectorX tau_;
  pybind11::object controller_ = pybind11::none();
  bool installed_ = false;
  Interrupt interrupt_;
  std::exception_ptr thrown_;
  MotionObserver motion_;
  bool observed_ = false;
  SceneOutputs outputs_;
  std::optional<LiveColumns> columns_;
  std::atomic<Activity> activity_ = Activity::none;
};

template <class Advance>
void Stepping::advance(Advance&& take_steps) {
  quiet();
  if (activity_ == Activity::between_steps) {
    throw Error("run_until takes the steps; what it calls after each may look at the simulation, but not advance it");
  }
  activity_ = Activity::within_step;
  observed_ = false;
  try {
    const pybind11::gil_scoped_release unlocked;
    take_steps(simulation_);
  } catch (const Stopped&) {
    activity_ = Activity::none;
    if (interrupt_.is_raised()) interrupt_.rethrow();
    throw;
  } catch (...) {
    activity_ = Activity::none;
    throw;
  }
  activity_ = Activity::none;
}

}  // namespace carom::python
