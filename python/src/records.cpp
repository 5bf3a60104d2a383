#include <chrono>

#include "aside.h"
#include "bindings.h"
#include "carom/record/column_text.h"
#include "carom/record/record.h"
#include "carom/record/record_columns.h"
#include "carom/record/report.h"
#include "carom/record/summary.h"
#include "carom/run_failure.h"
#include "carom/stepper/finite_step.h"
#include "stepping.h"

namespace carom::python {
namespace {

/// A record in the making, fed by one simulation.
class Recording {
 public:
  Recording(const std::string& path, const Scene& scene)
      : model_(scene.model), writer_(RecordWriter::create(path, scene)) {}

  void append(Stepping& simulation) {
    if (simulation.shared_model() != model_) {
      throw Error("this simulation has another model than the scene of the record; make it by scene.simulation()");
    }
    writer_.append(simulation.state(), simulation.report());
  }
  void finish(const std::string& end) {
    writer_.finish(end, 0);
    finished_ = true;
  }
  bool is_finished() const { return finished_; }

 private:
  std::shared_ptr<const Model> model_;
  RecordWriter writer_;
  bool finished_ = false;
};

/// Takes the steps that are left of a scene into a record, which says how the run ended.
void take_steps(const Scene& scene, const State& from, RecordWriter& writer, Watch& watch) {
  const auto began = std::chrono::steady_clock::now();
  const auto finish = [&](const char* end) {
    writer.finish(end, std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
  };
  try {
    Simulation simulation(scene.model, scene.method, from);
    simulation.set_controller(scene.controller());
    simulation.set_stop(watch.stop());
    watch.tell(scene.name, 0);
    const double steps = static_cast<double>(scene.steps() - from.step);
    while (simulation.state().step < scene.steps()) {
      watch.check();
      const StepReport& report = simulation.step();
      if (!is_finite(simulation.state(), report)) {
        throw RunFailure("step " + std::to_string(report.step) +
                         ": a number of the state or the energy is no longer finite");
      }
      writer.append(simulation.state(), report);
      watch.tell(static_cast<double>(report.step - from.step) / steps);
    }
  } catch (const RunFailure&) {
    finish("failed");
    throw;
  } catch (...) {
    finish("interrupted");
    throw;
  }
  finish("done");
}

void run_scene(const Scene& scene, const std::string& path, const py::object& progress) {
  aside(progress, [&](Watch& watch) {
    RecordWriter writer = RecordWriter::create(path, scene);
    take_steps(scene, scene.initial, writer, watch);
  });
}

/// Goes on with a record, to another end where one is given, s.
void resume_record(const std::string& path, const std::optional<double>& duration, const py::object& progress) {
  aside(progress, [&](Watch& watch) {
    const Record record = read_record(path);
    SceneOverrides overrides;
    overrides.duration = duration;
    const Scene scene = with_overrides(record.scene, overrides);
    const State& last = record.frames.back().state;
    if (last.step >= scene.steps()) {
      throw Error(path + " has reached its end already; say by duration how far to go on, s");
    }
    RecordWriter writer = RecordWriter::resume(path, scene);
    take_steps(scene, last, writer, watch);
  });
}

py::list columns_of(const std::string& path, const std::vector<std::string>& patterns) {
  std::vector<RecordColumn> columns;
  {
    const py::gil_scoped_release unlocked;
    columns = read_record_columns(path, patterns);
  }
  py::list told;
  for (const RecordColumn& column : columns) {
    told.append(py::make_tuple(
        column.name, column.unit, column.meaning,
        VectorX(Eigen::Map<const VectorX>(column.values.data(), static_cast<Eigen::Index>(column.values.size())))));
  }
  return told;
}

Scene built_scene_from(const std::string& name, const std::shared_ptr<Model>& model, const Method& method,
                       const State& state, double duration) {
  return built_scene(name, model, method, state, duration);
}

py::list names_of(const std::string& path) {
  py::list told;
  for (const RecordColumn& column : list_record_columns(path)) {
    told.append(py::make_tuple(column.name, column.unit, column.meaning));
  }
  return told;
}

}  // namespace

void bind_records(py::module_& module) {
  py::class_<Recording>(module, "Recording",
                        "A record (HDF5) in the making: append(simulation) after every step, then finish(). Used as a "
                        "context manager it finishes by itself.")
      .def(py::init<const std::string&, const Scene&>(), py::arg("path"), py::arg("scene"))
      .def("append", &Recording::append, py::arg("simulation"), "Called after every step.")
      .def("finish", &Recording::finish, py::arg("end") = "done", "Closes the file, which says how the run ended.")
      .def("__enter__", [](py::object self) { return self; })
      .def(
          "__exit__",
          [](Recording& self, const py::object& type, const py::object&, const py::object&) {
            if (!self.is_finished()) self.finish(type.is_none() ? "done" : "interrupted");
          },
          py::arg("type"), py::arg("value"), py::arg("traceback"));
  module.def("built_scene", &built_scene_from, py::arg("name"), py::arg("model"), py::arg("method"), py::arg("state"),
             py::arg("duration"),
             "The Scene of a model that was built in code, with a duration in s: to be recorded and run like one from "
             "a file.");
  module.def("_run_scene", &run_scene, py::arg("scene"), py::arg("path"), py::arg("progress"));
  module.def("_resume", &resume_record, py::arg("path"), py::arg("duration"), py::arg("progress"));
  module.def("_columns", &columns_of, py::arg("path"), py::arg("patterns"));
  module.def("_column_names", &names_of, py::arg("path"));
  module.def(
      "_run_json", [](const std::string& path) { return run_json(read_record(path), ""); }, py::arg("path"));
  module.def(
      "_write_page", [](const std::string& path, const std::string& page) { write_report(read_record(path), page); },
      py::arg("path"), py::arg("page"));
  module.def(
      "_csv",
      [](const std::string& path, const std::vector<std::string>& patterns) {
        return csv_text(read_record_columns(path, patterns));
      },
      py::arg("path"), py::arg("patterns"));
  module.def(
      "_sto",
      [](const std::string& path, const std::vector<std::string>& patterns, const std::string& name) {
        return sto_text(read_record_columns(path, patterns), name);
      },
      py::arg("path"), py::arg("patterns"), py::arg("name"));
}

}  // namespace carom::python
