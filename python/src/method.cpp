#include "carom/stepper/method.h"
#include "any_protocol.h"
#include "bindings.h"
#include "carom/record/scene_bytes.h"
#include "words.h"

namespace carom::python {
namespace {

void bind_settings(py::module_& module) {
  py::class_<CompliantSettings>(module, "CompliantSettings", "Settings of stepper compliant beside the materials.")
      .def(py::init<>())
      .def_readwrite("transition_speed", &CompliantSettings::transition_speed, "m/s")
      .def_readwrite("limit_stiffness", &CompliantSettings::limit_stiffness, "N m/rad or N/m")
      .def_readwrite("limit_dissipation", &CompliantSettings::limit_dissipation, "s/rad or s/m")
      .def_readwrite("most_steps", &CompliantSettings::most_steps);
  py::class_<QuasiRigidSettings>(module, "QuasiRigidSettings",
                                 "Settings of steppers quasi-rigid and implicit-geometry.")
      .def(py::init<>())
      .def_readwrite("slip", &QuasiRigidSettings::slip)
      .def_readwrite("deflection", &QuasiRigidSettings::deflection)
      .def_readwrite("tolerance", &QuasiRigidSettings::tolerance)
      .def_readwrite("iterations", &QuasiRigidSettings::iterations)
      .def_readwrite("halvings", &QuasiRigidSettings::halvings);
  py::class_<PlusOptions>(module, "PlusOptions", "Settings of law plus.")
      .def(py::init<>())
      .def_static("paper", &PlusOptions::paper, "The law as its authors ran it.")
      .def_readwrite("transition_speed", &PlusOptions::transition_speed, "m/s")
      .def_readwrite("path_tolerance", &PlusOptions::path_tolerance)
      .def_readwrite("interval_limit", &PlusOptions::interval_limit)
      .def_readwrite("energy_limit", &PlusOptions::energy_limit)
      .def_readwrite("round_budget", &PlusOptions::round_budget);
}

/// Sets an attribute of the Python object for each keyword; a word that is none is told with those that are.
Method method_of(const py::kwargs& settings) {
  Method method;
  const py::object face = py::cast(&method, py::return_value_policy::reference);
  for (const auto& [key, value] : settings) {
    const auto name = key.cast<std::string>();
    if (!py::hasattr(face, key)) {
      throw py::type_error("Method has no setting '" + name + "'; help(carom.Method) lists them");
    }
    try {
      py::setattr(face, key, value);
    } catch (const py::error_already_set& raised) {
      if (!raised.matches(PyExc_TypeError)) throw;
      throw py::type_error("Method: " + name + " can't be " + py::repr(value).cast<std::string>() + " (" +
                           py::str(value.get_type().attr("__name__")).cast<std::string>() +
                           "); help(carom.Method) says what it is");
    }
  }
  // Generators, and forms that are linear, say which cone is meant, as in scene files.
  const bool polygon = settings.contains("directions") || method.form != ContactForm::pure;
  if (polygon && !settings.contains("cone")) method.cone = FrictionCone::polyhedral;
  return method;
}

}  // namespace

void bind_method(py::module_& module) {
  bind_settings(module);
  py::class_<Method>(
      module, "Method",
      "The way in which a mechanism is advanced: Method(stepper=\"stewart-trinkle\", law=\"none\", step=1e-3, …), a "
      "keyword for each attribute. Words are those of scene files.")
      .def(py::init(&method_of))
      .def_property(
          "stepper", [](const Method& method) { return stepper_name(method.stepper); },
          [](Method& method, const std::string& name) { method.stepper = parse_stepper(name); },
          "one of carom.steppers()")
      .def_property(
          "law", [](const Method& method) { return law_name(method.law); },
          [](Method& method, const std::string& name) { method.law = parse_law(name); }, "one of carom.laws()")
      .def_readwrite("dynamics", &Method::dynamics, "articulated, divide-and-conquer or dense")
      .def_readwrite("form", &Method::form)
      .def_readwrite("cone", &Method::cone,
                     "exact, or polyhedral, which Method(directions=…) and Method(form=…) imply unless form is pure")
      .def_readwrite("gyroscopic", &Method::gyroscopic)
      .def_readwrite("smooth", &Method::smooth, "first-order or second-order: of the motion between impacts")
      .def_readwrite("step", &Method::step, "s")
      .def_readwrite(
          "accuracy", &Method::accuracy,
          "error of a step as a part of the way that bodies go in it, at most 0.1: the step is then taken in "
          "parts as short as that asks for; 0: in one")
      .def_readwrite("directions", &Method::directions, "generators of a polyhedral cone; read with that cone alone")
      .def_readwrite("contact_tolerance", &Method::contact_tolerance,
                     "1e-9 to 1e-3: residual that is enough of contacts that move, where many lie on few bodies")
      .def_readwrite("restitution_speed", &Method::restitution_speed, "approach slower than this does not bounce, m/s")
      .def_readwrite("nonlinear_iterations", &Method::nonlinear_iterations)
      .def_readwrite("nonlinear_tolerance", &Method::nonlinear_tolerance)
      .def_readwrite("tolerance", &Method::tolerance, "of event-driven and compliant: error of a step of integration")
      .def_readwrite("proximity", &Method::proximity, "of impacts, m or rad")
      .def_readwrite("plus", &Method::plus)
      .def_readwrite("lzb_accuracy", &Method::lzb_accuracy)
      .def_readwrite("compliant", &Method::compliant)
      .def_readwrite("quasi_rigid", &Method::quasi_rigid)
      .def_readwrite("rebound", &Method::rebound, "located or next-step")
      .def_readwrite("overlap", &Method::overlap, "project or push")
      .def("copy", [](const Method& method) { return Method(method); })
      .def("__copy__", [](const Method& method) { return Method(method); })
      .def(
          "__deepcopy__", [](const Method& method, const py::dict&) { return Method(method); }, py::arg("memo"))
      .def(py::pickle([](const Method& method) { return py::bytes(method_bytes(method)); },
                      [](const py::bytes& bytes) { return method_from_bytes(bytes); }))
      .def("__reduce_ex__", &by_any_protocol, py::arg("protocol"))
      .def(
          "faults", [](const Method& method) { return method_faults(method); },
          "Why its numbers or the combination make no sense, a sentence each.")
      .def(
          "fields_without_effect", [](const Method& method) { return fields_without_effect(method); },
          "Attributes that its stepper or law does not read.")
      .def("__repr__", [](const Method& method) {
        return "Method(stepper='" + stepper_name(method.stepper) + "', law='" + law_name(method.law) +
               "', step=" + py::repr(py::float_(method.step)).cast<std::string>() + ", cone='" +
               cone_name(method.cone) + "')";
      });
  module.def(
      "steppers",
      [] {
        std::vector<std::string> names;
        for (const StepperKind stepper : all_steppers()) names.push_back(stepper_name(stepper));
        return names;
      },
      "Names of all steppers.");
  module.def(
      "laws",
      [] {
        std::vector<std::string> names;
        for (const LawKind law : all_laws()) names.push_back(law_name(law));
        return names;
      },
      "Names of all laws.");
}

}  // namespace carom::python
