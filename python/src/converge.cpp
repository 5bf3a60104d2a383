#include "aside.h"
#include "bindings.h"
#include "carom/study/convergence.h"
#include "settings_of.h"
#include "study.h"

namespace carom::python {
namespace {

py::dict method_of(const MethodConvergence& method) {
  py::dict told;
  const std::vector<StepRun>& runs = method.runs;
  told["method"] = method.choice.name();
  told["words"] = convergence_words(method);
  told["order"] = method.order;
  told["estimate"] = method.estimate;
  told["reference"] = method.reference;
  told["note"] = method.trouble;
  told["step"] = column(runs, [](const StepRun& run) { return run.step; });
  told["steps"] = column(runs, [](const StepRun& run) { return run.steps; });
  told["seconds"] = column(runs, [](const StepRun& run) { return run.seconds; });
  told["change"] = column(runs, [](const StepRun& run) { return run.change; });
  told["change_order"] = column(runs, [](const StepRun& run) { return run.change_order; });
  told["error"] = column(runs, [](const StepRun& run) { return run.error; });
  told["error_order"] = column(runs, [](const StepRun& run) { return run.error_order; });
  told["end_error"] = column(runs, [](const StepRun& run) { return run.end_error; });
  told["own_error"] = column(runs, [](const StepRun& run) { return run.own_error; });
  told["trials"] = column(runs, [](const StepRun& run) { return run.trials; });
  told["unsolved_steps"] = column(runs, [](const StepRun& run) { return run.unsolved_steps; });
  const std::vector<AccuracyRun>& chosen = method.accuracy_runs;
  told["accuracy"] = column(chosen, [](const AccuracyRun& run) { return run.accuracy; });
  told["accuracy_trials"] = column(chosen, [](const AccuracyRun& run) { return run.trials; });
  told["accuracy_seconds"] = column(chosen, [](const AccuracyRun& run) { return run.seconds; });
  told["accuracy_own_error"] = column(chosen, [](const AccuracyRun& run) { return run.own_error; });
  told["accuracy_error"] = column(chosen, [](const AccuracyRun& run) { return run.error; });
  return told;
}

py::dict converge_scene(const SceneOrPath& scene, const py::dict& settings, const std::vector<std::string>& methods,
                        const std::vector<double>& steps, const std::vector<double>& accuracies, double budget,
                        const py::object& progress) {
  const SceneSettings asked = settings_of(settings);
  ConvergenceOptions options;
  options.methods = method_choices(methods);
  options.steps = steps;
  options.accuracies = accuracies;
  options.budget = budget;
  const Convergence convergence = aside(progress, [&](Watch& watch) {
    options.stop = watch.stop();
    options.progress = [&](const std::string& what, double share) { watch.tell(what, share); };
    return with_keywords([&] { return converge(study_source(scene, asked), options); });
  });
  py::dict told;
  py::list told_methods;
  for (const MethodConvergence& method : convergence.methods) told_methods.append(method_of(method));
  told["scene"] = convergence.scene.name;
  told["duration"] = convergence.scene.duration;
  told["methods"] = told_methods;
  told["text"] = convergence_text(convergence);
  return told;
}

}  // namespace

void bind_converge(py::module_& module) {
  module.def("_converge", &converge_scene, py::arg("scene"), py::arg("settings"), py::arg("methods"), py::arg("steps"),
             py::arg("accuracies"), py::arg("budget"), py::arg("progress"));
}

}  // namespace carom::python
