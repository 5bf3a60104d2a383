#include "stepping.h"

#include <pybind11/eigen.h>

#include <cmath>

#include "coordinates.h"
#include "sentences.h"
#include "state_size.h"
#include "taken.h"

namespace carom::python {

namespace py = pybind11;

namespace {

/// Throws Error that names the first entry that is no number.
void check_forces(const Model& model, const std::string& whose, const VectorX& force) {
  if (force.allFinite()) return;
  Eigen::Index i = 0;
  while (std::isfinite(force[i])) ++i;
  throw Error(whose + "[" + std::to_string(i) + "], of " +
              coordinate_names(model, velocity_coordinates)[static_cast<std::size_t>(i)] + ", is " +
              std::to_string(force[i]) + "; a force is a finite number, N m or N");
}

}  // namespace

Stepping::Stepping(std::shared_ptr<const Model> model, const Method& method, const State& state)
    : model_(std::move(model)),
      simulation_(model_, method, (check_state(*model_, state), state)),
      tau_(VectorX::Zero(model_->velocity_count())),
      motion_(*model_) {
  simulation_.set_stop([this] { return interrupt_.asked(); });
}

Stepping::Stepping(const Scene& scene) : Stepping(scene.model, scene.method, scene.initial) {
  feedback_ = scene.controller();
  outputs_ = scene.outputs;
  if (feedback_) simulation_.set_controller(feedback_);
}

Stepping::Stepping(Stepping& from, const Method& method, const State& state) : Stepping(from.model_, method, state) {
  feedback_ = from.feedback_;
  outputs_ = from.outputs_;
  if (feedback_) simulation_.set_controller(feedback_);
}

void Stepping::step() {
  advance([this](Simulation& simulation) { keep(simulation.step()); });
}

void Stepping::keep(const StepReport& report) {
  report_ = &report;
  observed_ = false;
  if (columns_) columns_->add(simulation_.state(), report);
}

const LiveColumns& Stepping::columns() {
  quiet();
  if (!columns_) watch({});
  return *columns_;
}

void Stepping::watch(const std::map<std::string, std::string>& outputs) {
  Scene from;
  from.model = model_;
  from.initial = quiet().state();
  from.outputs = outputs_;
  for (const auto& [name, formula] : outputs) from.outputs.list.push_back({name, formula, {}});
  try {
    LiveColumns columns(from);  // one that is refused leaves the others as they are
    columns_.emplace(std::move(columns));
    outputs_ = from.outputs;
  } catch (const SceneError& error) {
    throw Error(sentences(error));
  }
}

std::int64_t Stepping::run_until(double time, const py::object& after) {
  std::int64_t steps = 0;
  advance([&](Simulation& simulation) {
    steps = simulation.run_until(time, [&](const StepReport& report) {
      keep(report);
      if (interrupt_.asked()) throw Stopped();
      if (after.is_none()) return;
      const py::gil_scoped_acquire lock;
      activity_ = Activity::between_steps;
      after(py::cast(report, py::return_value_policy::copy));
      activity_ = Activity::within_step;
    });
  });
  return steps;
}

VectorX& Stepping::tau() {
  install();
  return tau_;
}

void Stepping::set_controller(const py::object& controller) {
  quiet();
  if (!controller.is_none() && PyCallable_Check(controller.ptr()) == 0) {
    throw py::type_error("a controller is a function of model, state and force, or None");
  }
  controller_ = controller;
  install();
}

void Stepping::install() {
  if (installed_) return;
  simulation_.set_controller([this](const Model& model, const State& state, VectorX& force) {
    if (feedback_) feedback_(model, state, force);
    check_forces(model, "tau", tau_);
    force += tau_;
    if (!controller_.is_none()) act(state, force);
  });
  installed_ = true;
}

void Stepping::act(const State& state, VectorX& force) {
  const py::gil_scoped_acquire lock;
  // An array of its own, so that whoever keeps it looks into nothing that is gone.
  const py::array_t<double> wanted(force.size());
  Eigen::Map<VectorX>(const_cast<double*>(wanted.data()), force.size()).setZero();
  const py::object model = py::cast(std::const_pointer_cast<Model>(model_));
  const py::object given = controller_(model, py::cast(state, py::return_value_policy::copy), wanted);
  const VectorX asked = given.is_none()
                            ? VectorX(Eigen::Map<const VectorX>(wanted.data(), wanted.size()))
                            : taken<VectorX>(given, "what the controller returns", "an array of forces, or None");
  if (asked.size() != force.size()) {
    throw Error("the controller gave " + std::to_string(asked.size()) + " forces; the model has " +
                std::to_string(force.size()) + " velocities");
  }
  check_forces(*model_, "the controller's force", asked);
  force += asked;
}

Simulation& Stepping::quiet() {
  if (activity_ == Activity::within_step) {
    throw Error(
        "the simulation is within a step: of another thread, or of the controller that asks; make one for each thread, "
        "and in a controller read the state that it is given");
  }
  return simulation_;
}

const StepReport& Stepping::report() {
  quiet();
  if (report_ == nullptr) throw Error("there is no report before the first step");
  return *report_;
}

const MotionObserver& Stepping::motion() {
  quiet();
  if (!observed_) {
    motion_.observe(simulation_.state());
    observed_ = true;
  }
  return motion_;
}

}  // namespace carom::python
