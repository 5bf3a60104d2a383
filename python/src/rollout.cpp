#include <pybind11/numpy.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <optional>

#include "aside.h"
#include "bindings.h"
#include "carom/error.h"
#include "carom/stepper/simulation.h"
#include "certificate.h"
#include "state_size.h"
#include "taken.h"

// Many simulations at once, each by itself on one thread: so its bits do not depend on how many there are.
namespace carom::python {
namespace {

using Doubles = py::array_t<double>;
using Array = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// One value for all of a batch, or one for each.
template <class Value>
struct PerRun {
  std::vector<Value> values;
  const Value& operator[](std::size_t run) const { return values.size() == 1 ? values.front() : values[run]; }
};

template <class Value>
PerRun<Value> per_run(const py::object& given, const char* name, const char* right) {
  if (!py::isinstance<py::sequence>(given)) return {{taken<Value>(given, name, right)}};
  PerRun<Value> all;
  for (const py::handle each : given) {
    all.values.push_back(taken<Value>(each, name + ("[" + std::to_string(all.values.size()) + "]"), right));
  }
  return all;
}

/// Size of the batch: that of all that are no single ones. Throws Error where they differ.
std::size_t batch_of(const std::vector<std::pair<const char*, std::size_t>>& sizes) {
  std::size_t batch = 1;
  const char* first = "";
  for (const auto& [name, size] : sizes) {
    if (size == 1) continue;
    if (batch != 1 && size != batch) {
      throw Error(std::string(name) + " has " + std::to_string(size) + " runs and " + first + " " +
                  std::to_string(batch) + "; each must have one for all, or as many");
    }
    batch = size;
    first = name;
  }
  return batch;
}

struct Plan {
  PerRun<std::shared_ptr<Model>> models;
  PerRun<Method> methods;
  PerRun<State> states;
  const double* controls = nullptr;
  py::ssize_t control_runs = 1, control_steps = 1;
  std::size_t batch = 0, steps = 0;
  double *q = nullptr, *v = nullptr, *time = nullptr;
  std::vector<Certificate> certificates;
};

void run(Plan& plan, std::size_t i, Watch& watch) {
  const std::shared_ptr<const Model> model = plan.models[i];
  Simulation simulation(model, plan.methods[i], plan.states[i]);
  simulation.set_stop(watch.stop());
  const int nq = model->position_count(), nv = model->velocity_count();
  std::size_t k = 0;
  if (plan.controls != nullptr) {
    const double* of_run = plan.controls + (plan.control_runs == 1 ? 0 : i) * plan.control_steps * nv;
    simulation.set_controller([&plan, &k, of_run, nv](const Model&, const State&, VectorX& force) {
      force += Eigen::Map<const VectorX>(of_run + (plan.control_steps == 1 ? 0 : k) * nv, nv);
    });
  }
  for (; k < plan.steps; ++k) {
    watch.check();
    simulation.step();
    const std::size_t row = i * plan.steps + k;
    Eigen::Map<VectorX>(plan.q + row * nq, nq) = simulation.state().q;
    Eigen::Map<VectorX>(plan.v + row * nv, nv) = simulation.state().v;
    plan.time[row] = simulation.state().time;
  }
  plan.certificates[i] = {simulation.certificate(), plan.methods[i].cone == FrictionCone::exact};
}

/// Takes all runs, on threads other than the caller's.
void run_all(Plan& plan, int threads, const py::object& progress) {
  aside(progress, [&](Watch& watch) {
    tbb::task_arena arena(threads > 0 ? threads : tbb::task_arena::automatic);
    std::atomic<std::size_t> done = 0;
    arena.execute([&] {
      tbb::parallel_for(
          tbb::blocked_range<std::size_t>(0, plan.batch, 1),
          [&](const auto& range) {
            for (std::size_t i = range.begin(); i < range.end(); ++i) {
              // A thread that waits within a step of one run must not begin another.
              tbb::this_task_arena::isolate([&] { run(plan, i, watch); });
              watch.tell(static_cast<double>(++done) / static_cast<double>(plan.batch));
            }
          },
          tbb::simple_partitioner());
    });
  });
}

std::tuple<Doubles, Doubles, Doubles, std::vector<Certificate>> rollout(
    const py::object& model, const py::object& method, const py::object& states, const std::optional<Array>& controls,
    std::optional<std::size_t> steps, int threads, const py::object& progress) {
  Plan plan;
  plan.models = per_run<std::shared_ptr<Model>>(model, "model", "a Model");
  plan.methods = per_run<Method>(method, "method", "a Method");
  plan.states = per_run<State>(states, "states", "a State");
  const std::size_t control_runs = controls && controls->ndim() == 3 ? static_cast<std::size_t>(controls->shape(0)) : 1;
  plan.batch = batch_of({{"model", plan.models.values.size()},
                         {"method", plan.methods.values.size()},
                         {"states", plan.states.values.size()},
                         {"controls", control_runs}});
  if (plan.batch == 0) throw Error("there is nothing to run: a sequence is empty");
  for (const auto& each : plan.models.values) {
    if (!each) throw Error("a model of the batch is None");
  }
  const Model& first = *plan.models[0];
  for (std::size_t i = 0; i < plan.batch; ++i) {
    check_state(*plan.models[i], plan.states[i]);
    if (plan.models[i]->position_count() != first.position_count() ||
        plan.models[i]->velocity_count() != first.velocity_count()) {
      throw Error("model " + std::to_string(i) + " has other numbers of coordinates than model 0");
    }
  }
  if (controls) {
    if (controls->ndim() != 3 || controls->shape(2) != first.velocity_count()) {
      throw Error("controls must be (runs or 1, steps or 1, " + std::to_string(first.velocity_count()) + ")");
    }
    plan.controls = controls->data();
    plan.control_runs = controls->shape(0);
    plan.control_steps = controls->shape(1);
    const auto given = static_cast<std::size_t>(plan.control_steps);
    if (!steps) steps = given;
    if (given != 1 && given != *steps)
      throw Error("controls have " + std::to_string(given) + " steps, not one or steps");
  }
  if (!steps) throw Error("say how many steps, where there are no controls");
  plan.steps = *steps;
  plan.certificates.resize(plan.batch);
  const auto shape = [&](int size) {
    return std::vector<py::ssize_t>{static_cast<py::ssize_t>(plan.batch), static_cast<py::ssize_t>(plan.steps), size};
  };
  Doubles q(shape(first.position_count())), v(shape(first.velocity_count()));
  Doubles time({static_cast<py::ssize_t>(plan.batch), static_cast<py::ssize_t>(plan.steps)});
  plan.q = q.mutable_data();
  plan.v = v.mutable_data();
  plan.time = time.mutable_data();
  run_all(plan, threads, progress);
  return {q, v, time, std::move(plan.certificates)};
}

}  // namespace

void bind_rollout(py::module_& module) {
  module.def(
      "rollout", &rollout, py::arg("model"), py::arg("method"), py::arg("states"), py::arg("controls") = py::none(),
      py::arg("steps") = py::none(), py::arg("threads") = 0, py::arg("progress") = py::none(),
      "(q, v, time, certificates) of a batch: q (runs, steps, nq), v (runs, steps, nv), time (runs, steps), s, "
      "after each step; a Certificate for each run. model, method and states: one for all runs, or a list with "
      "one for each; controls: (runs or 1, steps or 1, nv), joint forces, N m and N. threads: 0 for all cores; "
      "the bits are the same on any number. progress: a function of (share, what). Releases the GIL; Ctrl-C stops it.");
}

}  // namespace carom::python
