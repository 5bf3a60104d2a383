#include <pybind11/numpy.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <optional>

#include "aside.h"
#include "bindings.h"
#include "carom/error.h"
#include "carom/scene/scene.h"
#include "carom/scene/scene_text.h"
#include "carom/stepper/finite_step.h"
#include "carom/stepper/simulation.h"
#include "certificate.h"
#include "certificate_columns.h"
#include "sentences.h"
#include "state_size.h"
#include "taken.h"

// Many simulations at once, each by itself on one thread: so its bits do not depend on how many there are. The package
// (carom/_rollout.py) says which value each run has.
namespace carom::python {
namespace {

using Doubles = py::array_t<double>;
using Array = py::array_t<double, py::array::c_style | py::array::forcecast>;
using Numbers = std::vector<std::size_t>;

/// A model alone, or a scene, which brings its feedback and its catalogue of methods.
struct Mechanism {
  std::shared_ptr<const Model> model;
  std::shared_ptr<const Scene> scene;
};

struct Plan {
  std::vector<Mechanism> models;
  std::vector<Method> methods;
  std::vector<State> states;
  const double* controls = nullptr;
  std::size_t control_steps = 1;
  Numbers model_of, method_of, state_of, control_of;  ///< of each run
  std::size_t batch = 0, steps = 0;
  double *q = nullptr, *v = nullptr, *time = nullptr, *certificates = nullptr;
  std::vector<State> ends;
  std::vector<std::string> failures;  ///< of each run; empty: it came to its end
};

Mechanism mechanism(const py::handle& given, const std::string& what) {
  if (py::isinstance<Scene>(given)) {
    const auto scene = std::make_shared<const Scene>(given.cast<Scene>());
    return {scene->model, scene};
  }
  const auto model = taken<std::shared_ptr<Model>>(given, what, "a Model or a Scene");
  if (!model) throw py::type_error(what + ": right is a Model or a Scene, and it is None");
  return {model, nullptr};
}

template <class Value>
std::vector<Value> all_of(const py::list& given, const std::string& name, const char* right) {
  std::vector<Value> all;
  for (const py::handle each : given) {
    all.push_back(
        taken<Value>(each, py::len(given) == 1 ? name : name + "[" + std::to_string(all.size()) + "]", right));
  }
  return all;
}

/// Rows of q and v, before which the time may stand.
std::vector<State> states_of(const Array& rows, const Model& model) {
  const Eigen::Index nq = model.position_count(), nv = model.velocity_count(), width = rows.shape(1);
  if (width != nq + nv && width != 1 + nq + nv) {
    throw Error("states have " + std::to_string(width) + " numbers each; right are " + std::to_string(nq + nv) +
                " (q, v) or " + std::to_string(1 + nq + nv) + " (time, q, v)");
  }
  std::vector<State> states(static_cast<std::size_t>(rows.shape(0)));
  for (std::size_t i = 0; i < states.size(); ++i) {
    const double* row = rows.data(static_cast<py::ssize_t>(i), 0);
    if (width != nq + nv) states[i].time = *row++;
    states[i].q = Eigen::Map<const VectorX>(row, nq);
    states[i].v = Eigen::Map<const VectorX>(row + nq, nv);
  }
  return states;
}

Simulation begun(const Plan& plan, std::size_t i) {
  const Mechanism& mechanism = plan.models[plan.model_of[i]];
  const Catalogue& catalogue = mechanism.scene ? *mechanism.scene->catalogue : default_catalogue();
  try {
    return Simulation(mechanism.model, plan.methods[plan.method_of[i]], plan.states[plan.state_of[i]], catalogue);
  } catch (const Error& error) {
    throw Error("run " + std::to_string(i) + ": " + error.what());
  }
}

/// The force of the scene's feedback, and on top of it the control of step k.
Controller controller_of(const Plan& plan, std::size_t i, const std::size_t& k) {
  const Mechanism& mechanism = plan.models[plan.model_of[i]];
  Controller feedback = mechanism.scene ? mechanism.scene->controller() : Controller();
  if (plan.controls == nullptr) return feedback;
  const std::size_t nv = static_cast<std::size_t>(mechanism.model->velocity_count());
  const double* own = plan.controls + plan.control_of[i] * plan.control_steps * nv;
  return [feedback, own, nv, &k, steps = plan.control_steps](const Model& model, const State& state, VectorX& force) {
    if (feedback) feedback(model, state, force);
    force += Eigen::Map<const VectorX>(own + (steps == 1 ? 0 : k) * nv, static_cast<Eigen::Index>(nv));
  };
}

void run(Plan& plan, std::size_t i, Watch& watch) {
  Simulation simulation = begun(plan, i);
  simulation.set_stop(watch.stop());
  std::size_t k = 0;
  if (Controller controller = controller_of(plan, i, k)) simulation.set_controller(std::move(controller));
  const Eigen::Index nq = simulation.state().q.size(), nv = simulation.state().v.size();
  const auto row = [&] { return static_cast<Eigen::Index>(i * plan.steps + k); };
  try {
    for (; k < plan.steps; ++k) {
      watch.check();
      const StepReport& report = simulation.step();
      if (!is_finite(simulation.state(), report)) {
        throw Error("a number of the state or the energy is no longer finite");
      }
      Eigen::Map<VectorX>(plan.q + row() * nq, nq) = simulation.state().q;
      Eigen::Map<VectorX>(plan.v + row() * nv, nv) = simulation.state().v;
      plan.time[row()] = simulation.state().time;
    }
  } catch (const Error& error) {
    // One run that can't go on takes none of the others with it.
    plan.failures[i] = "step " + std::to_string(k + 1) + ": " + error.what();
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    for (; k < plan.steps; ++k) {
      std::fill_n(plan.q + row() * nq, nq, none);
      std::fill_n(plan.v + row() * nv, nv, none);
      plan.time[row()] = none;
    }
  }
  const FrictionCone cone = plan.methods[plan.method_of[i]].cone;
  write_columns({simulation.certificate(), cone == FrictionCone::exact}, plan.failures[i].empty(),
                plan.certificates + i * certificate_columns().size());
  plan.ends[i] = simulation.state();
}

/// Does work(i) for every number below count, on threads other than the caller's.
template <class Work>
void each_aside(std::size_t count, int threads, const py::object& progress, const Work& work) {
  aside(progress, [&](Watch& watch) {
    // No more than the process may run on, of which TBB warns.
    tbb::task_arena arena(threads > 0 ? std::min(threads, tbb::info::default_concurrency())
                                      : tbb::task_arena::automatic);
    std::atomic<std::size_t> done = 0;
    arena.execute([&] {
      tbb::parallel_for(
          tbb::blocked_range<std::size_t>(0, count, 1),
          [&](const auto& range) {
            for (std::size_t i = range.begin(); i < range.end(); ++i) {
              watch.check();
              // A thread that waits within a step of one run must not begin another.
              tbb::this_task_arena::isolate([&] { work(i, watch); });
              watch.tell(static_cast<double>(++done) / static_cast<double>(count));
            }
          },
          tbb::simple_partitioner());
    });
  });
}

void check_sizes(const Plan& plan) {
  const Model& first = *plan.models.front().model;
  for (std::size_t i = 1; i < plan.models.size(); ++i) {
    const Model& other = *plan.models[i].model;
    if (other.position_count() != first.position_count() || other.velocity_count() != first.velocity_count()) {
      throw Error("model " + std::to_string(i) + " has other numbers of coordinates than model 0");
    }
  }
  for (const State& state : plan.states) check_state(first, state);
}

py::tuple rollout(const py::list& models, const Numbers& model_of, const py::list& methods, const Numbers& method_of,
                  const py::object& states, const Numbers& state_of, const std::optional<Array>& controls,
                  const Numbers& control_of, std::size_t steps, int threads, const py::object& progress) {
  Plan plan;
  for (std::size_t i = 0; i < py::len(models); ++i) {
    plan.models.push_back(mechanism(models[i], py::len(models) == 1 ? "model" : "model[" + std::to_string(i) + "]"));
  }
  plan.methods = all_of<Method>(methods, "method", "a Method");
  plan.states = py::isinstance<py::array>(states) ? states_of(states.cast<Array>(), *plan.models.front().model)
                                                  : all_of<State>(states.cast<py::list>(), "states", "a State");
  check_sizes(plan);
  plan.model_of = model_of, plan.method_of = method_of, plan.state_of = state_of, plan.control_of = control_of;
  plan.batch = model_of.size();
  plan.steps = steps;
  plan.ends.resize(plan.batch);
  plan.failures.resize(plan.batch);
  if (controls) {
    plan.controls = controls->data();
    plan.control_steps = static_cast<std::size_t>(controls->shape(1));
  }
  const auto runs = static_cast<py::ssize_t>(plan.batch), rows = static_cast<py::ssize_t>(plan.steps);
  const Model& first = *plan.models.front().model;
  Doubles q({runs, rows, py::ssize_t{first.position_count()}}), v({runs, rows, py::ssize_t{first.velocity_count()}});
  Doubles time({runs, rows}), certificates({runs, py::ssize_t(certificate_columns().size())});
  plan.q = q.mutable_data();
  plan.v = v.mutable_data();
  plan.time = time.mutable_data();
  plan.certificates = certificates.mutable_data();
  each_aside(plan.batch, threads, progress, [&](std::size_t i, Watch& watch) { run(plan, i, watch); });
  return py::make_tuple(q, v, time, certificates, std::move(plan.ends), std::move(plan.failures));
}

/// The scene with other numbers at these paths, a scene for each row of them.
std::vector<Scene> varied(const Scene& scene, const std::vector<std::string>& paths, const Array& rows, int threads) {
  if (scene.text.empty()) {
    throw Error(
        "parameters are numbers of a scene's text, which a model built in code does not have; give a list of "
        "models instead");
  }
  const SceneText text(scene.text, scene.file);
  SceneOverrides overrides;
  overrides.catalogue = scene.catalogue;
  std::vector<Scene> scenes(static_cast<std::size_t>(rows.shape(0)));
  const double* numbers = rows.data();
  each_aside(scenes.size(), threads, py::none(), [&](std::size_t i, Watch&) {
    std::vector<std::pair<std::string, double>> values;
    for (std::size_t p = 0; p < paths.size(); ++p) values.emplace_back(paths[p], numbers[i * paths.size() + p]);
    try {
      scenes[i] = parse_scene(text.with(values), scene.file, overrides);
    } catch (const SceneError& error) {
      std::string where;
      for (const auto& [path, value] : values)
        where += (where.empty() ? "" : ", ") + path + "=" + std::to_string(value);
      throw Error("parameters " + where + ": " + sentences(error));
    }
  });
  return scenes;
}

}  // namespace

void bind_rollout(py::module_& module) {
  module.def("_rollout", &rollout, py::arg("models"), py::arg("model_of"), py::arg("methods"), py::arg("method_of"),
             py::arg("states"), py::arg("state_of"), py::arg("controls"), py::arg("control_of"), py::arg("steps"),
             py::arg("threads"), py::arg("progress"));
  module.def("_varied_scenes", &varied, py::arg("scene"), py::arg("paths"), py::arg("rows"), py::arg("threads"));
  module.def("_certificate_columns", &certificate_columns);
}

}  // namespace carom::python
