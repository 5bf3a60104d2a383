#include "any_protocol.h"
#include "bindings.h"
#include "carom/record/scene_bytes.h"
#include "scene_source.h"
#include "settings_of.h"
#include "stepping.h"
#include "taken.h"

namespace carom::python {

namespace {

/// The words for what a setting's value may be.
template <class Setting>
const char* right_setting() {
  if (std::is_same_v<Setting, bool>) return "True or False";
  if (std::is_same_v<Setting, std::optional<double>>) return "a number";
  if (std::is_same_v<Setting, std::optional<Vec3>>) return "three numbers";
  if (std::is_same_v<Setting, std::vector<std::string>>) return "a list of folders, each a text";
  if (std::is_same_v<Setting, std::map<std::string, double>>) return "a dict from a joint's name to a number";
  if (std::is_same_v<Setting, decltype(SceneSettings::parameters)>) {
    return "a dict from a parameter's name to a number or a text as '20 deg'";
  }
  return "a word, as a text";
}

}  // namespace

SceneSettings settings_of(const py::dict& keywords) {
  SceneSettings settings;
  for (const auto& [key, value] : keywords) {
    const auto name = key.cast<std::string>();
    const auto take = [&](const py::handle& given, auto& into) {
      using Setting = std::remove_reference_t<decltype(into)>;
      into = taken<Setting>(given, name, right_setting<Setting>());
    };
    if (name == "stepper")
      take(value, settings.stepper);
    else if (name == "law")
      take(value, settings.law);
    else if (name == "dynamics")
      take(value, settings.dynamics);
    else if (name == "cone")
      take(value, settings.cone);
    else if (name == "smooth")
      take(value, settings.smooth);
    else if (name == "step")
      take(value, settings.step);
    else if (name == "duration")
      take(value, settings.duration);
    else if (name == "parameters")
      take(value, settings.parameters);
    else if (name == "drop")
      take(value, settings.drop);
    else if (name == "friction")
      take(value, settings.friction);
    else if (name == "gravity")
      take(value, settings.gravity);
    else if (name == "fixed")
      take(value, settings.fixed);
    else if (name == "relax_inertia")
      take(value, settings.relax_inertia);
    else if (name == "keyframe")
      take(value, settings.keyframe);
    else if (name == "self_collision")
      take(value, settings.self_collision);
    else if (name == "meshes")
      take(value, settings.meshes);
    else if (name == "joints")
      take(value, settings.joints);
    else if (name == "search_path")
      take(value, settings.search_path);
    else
      throw py::type_error("there is no setting '" + name + "'; help(carom.load) lists them");
  }
  return settings;
}

void bind_scenes(py::module_& module) {
  auto scene = py::reinterpret_borrow<py::class_<Scene>>(module.attr("Scene"));
  scene.def_readonly("name", &Scene::name)
      .def_readonly("file", &Scene::file, "where it was read from")
      .def_readonly("text", &Scene::text, "the file itself: a record carries it")
      .def_property_readonly("model", [](const Scene& s) { return std::const_pointer_cast<Model>(s.model); })
      .def_property_readonly(
          "initial", [](const Scene& s) { return State(s.initial); }, "State; a copy")
      .def_property_readonly(
          "method", [](const Scene& s) { return Method(s.method); }, "a copy")
      .def_readonly("duration", &Scene::duration, "s")
      .def_property_readonly("steps", &Scene::steps, "in the duration")
      .def_readonly("has_restitution", &Scene::has_restitution)
      .def_readonly("warnings", &Scene::warnings, "what of the file is without effect, a sentence each")
      .def(
          "simulation", [](const Scene& s) { return std::make_unique<Stepping>(s); },
          "A Simulation from its start, with its feedback.")
      .def("__copy__", [](const Scene& s) { return Scene(s); })
      .def(
          "__deepcopy__", [](const Scene& s, const py::dict&) { return Scene(s); }, py::arg("memo"))
      .def(py::pickle(
          [](const Scene& s) { return py::make_tuple(py::bytes(scene_bytes(s)), State(s.initial), s.warnings); },
          [](const py::tuple& parts) {
            Scene scene = scene_from_bytes(parts[0].cast<py::bytes>(), parts[1].cast<State>());
            scene.warnings = parts[2].cast<std::vector<std::string>>();
            return scene;
          }))
      .def("__reduce_ex__", &by_any_protocol, py::arg("protocol"))
      .def("__repr__",
           [](const Scene& s) { return "Scene('" + s.name + "', " + std::to_string(s.steps()) + " steps)"; });
  module.def(
      "_load",
      [](const std::string& path, const py::dict& asked) {
        const SceneSettings settings = settings_of(asked);
        const py::gil_scoped_release unlocked;
        return read_scene(scene_source(path, settings));
      },
      py::arg("path"), py::arg("settings"));
  module.def(
      "parse_scene",
      [](const std::string& text, const std::string& file) {
        const py::gil_scoped_release unlocked;
        return parse_scene(text, file);
      },
      py::arg("text"), py::arg("file") = "scene.yaml",
      "The Scene of a text; `file` names it in errors, and other files are found beside it.");
}

}  // namespace carom::python
