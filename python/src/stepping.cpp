#include "stepping.h"

#include <pybind11/eigen.h>

#include "state_size.h"

namespace carom::python {

namespace py = pybind11;

Stepping::Stepping(std::shared_ptr<const Model> model, const Method& method, const State& state, Controller feedback)
    : model_(std::move(model)),
      feedback_(std::move(feedback)),
      simulation_(model_, method, (check_state(*model_, state), state)),
      tau_(VectorX::Zero(model_->velocity_count())),
      motion_(*model_) {
  simulation_.set_stop([this] { return interrupt_.asked(); });
  if (feedback_) simulation_.set_controller(feedback_);
}

void Stepping::step() {
  advance([this](Simulation& simulation) { report_ = &simulation.step(); });
}

std::int64_t Stepping::run_until(double time, const py::object& after) {
  std::int64_t steps = 0;
  advance([&](Simulation& simulation) {
    steps = simulation.run_until(time, [&](const StepReport& report) {
      report_ = &report;
      if (interrupt_.asked()) throw Stopped();
      if (after.is_none()) return;
      const py::gil_scoped_acquire lock;
      after(py::cast(report, py::return_value_policy::copy));
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
  if (given.is_none()) {
    force += Eigen::Map<const VectorX>(wanted.data(), wanted.size());
    return;
  }
  const auto asked = given.cast<VectorX>();
  if (asked.size() != force.size()) {
    throw Error("the controller gave " + std::to_string(asked.size()) + " forces; the model has " +
                std::to_string(force.size()) + " velocities");
  }
  force += asked;
}

Simulation& Stepping::quiet() {
  if (stepping_) {
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
