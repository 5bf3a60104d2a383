#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <variant>

#include "bindings.h"
#include "carom/stepper/body_contacts.h"
#include "numbers.h"
#include "stepping.h"
#include "unknown_name.h"
#include "words.h"

namespace carom::python {
namespace {

/// Contacts of surfaces, each once and told for its body A.
std::vector<BodyContact> all_contacts(const Model& model, const StepReport& report) {
  std::map<int, std::set<ContactId>> by_body;
  for (const ContactReport& contact : report.contacts) {
    if (contact.id.is_surface()) by_body[contact.body_a].insert(contact.id);
  }
  std::vector<BodyContact> contacts;
  for (const auto& [body, ids] : by_body) {
    for (BodyContact& contact : contacts_of(model, report, body)) {
      if (ids.contains(contact.id)) contacts.push_back(std::move(contact));
    }
  }
  return contacts;
}

/// Throws Error where both are one.
std::pair<int, int> two_bodies(const Model& model, const Part& body, const Part& other) {
  const std::pair<int, int> bodies{body_of(model, body), body_of(model, other)};
  if (bodies.first != bodies.second) return bodies;
  const std::string name = bodies.first < 0 ? "world" : model.bodies()[static_cast<std::size_t>(bodies.first)].name;
  throw Error("contacts are between two bodies, and both of these are '" + name + "'; name another, as 'world'");
}

std::vector<BodyContact> contacts(Stepping& simulation, const std::optional<Part>& body,
                                  const std::optional<Part>& other) {
  const Model& model = simulation.model();
  if (other && !body) throw Error("name the body, and then the other one");
  if (!body) return all_contacts(model, simulation.report());
  if (!other) return contacts_of(model, simulation.report(), body_of(model, *body));
  const auto [a, b] = two_bodies(model, *body, *other);
  return contacts_between(model, simulation.report(), a, b);
}

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// A copy that refuses to be written to: who writes to it means to move the simulation.
template <class Values>
py::array_t<double> read_only(const Values& values) {
  using Layout = py::detail::EigenProps<Values>;
  return py::reinterpret_steal<py::array_t<double>>(py::detail::eigen_array_cast<Layout>(values, py::handle(), false));
}

py::array_t<double> poses(Stepping& simulation) {
  Rows rows(simulation.model().body_count(), 7);
  for (int body = 0; body < rows.rows(); ++body) {
    const Transform X = simulation.motion().pose(body);
    const Quaternion turn(X.R);
    rows.row(body) << turn.w(), turn.x(), turn.y(), turn.z(), X.p.transpose();
  }
  return read_only(rows);
}

py::array_t<double> velocities(Stepping& simulation) {
  Rows rows(simulation.model().body_count(), 6);
  for (int body = 0; body < rows.rows(); ++body) {
    const FrameVelocity velocity = simulation.motion().velocity(body);
    rows.row(body) << velocity.angular.transpose(), velocity.linear.transpose();
  }
  return read_only(rows);
}

/// The columns of a simulation, which it keeps alive.
struct Columns {
  py::object simulation;
  const LiveColumns& live() const { return simulation.cast<Stepping&>().columns(); }
};

double number_of(const Columns& columns, const std::string& name) {
  const LiveColumns& live = columns.live();
  if (!live.has(name)) raise_unknown_name("column", name, live.names());
  return live.number(name);
}

VectorX numbers_of(const Columns& columns, const std::string& name) {
  const LiveColumns& live = columns.live();
  try {
    return live.numbers(name);
  } catch (const Error&) {
    raise_unknown_name("column", name, live.names());
  }
}

/// A number of its own, or all that begin with the name.
std::variant<double, VectorX> column_of(const Columns& columns, const std::string& name) {
  const LiveColumns& live = columns.live();
  if (live.has(name)) return live.number(name);
  return numbers_of(columns, name);
}

void bind_columns(py::module_& module) {
  py::class_<Columns>(
      module, "Columns",
      "The numbers of a record, step by step and without a file: sensors, outputs, poses, loads, energies, "
      "by the names that `carom export --list` tells. Means are over the last step, extremes since the "
      "columns' first use.")
      .def("__getitem__", &column_of, py::arg("name"),
           "A float (\"hip.rate\"), or (n,) all that begin with the name (\"imu.angular_velocity\"), in the record's "
           "units; NaN of means before the first step. Raises UnknownName, a KeyError, for a name that there is not, "
           "with "
           "those near it.")
      .def("number", &number_of, py::arg("name"), "The same of a single number.")
      .def("numbers", &numbers_of, py::arg("name"), "(n,) all that begin with the name.")
      .def(
          "__contains__", [](const Columns& columns, const std::string& name) { return columns.live().has(name); },
          py::arg("name"))
      .def("__iter__", [](const Columns& columns) { return py::iter(py::cast(columns.live().names())); })
      .def("__len__", [](const Columns& columns) { return columns.live().names().size(); })
      .def(
          "keys", [](const Columns& columns) { return columns.live().names(); }, "All names, in the record's order.");
}

/// Simulation.step without pybind11's choice among signatures, of which a step has one. Called from cold, as it is
/// after each step, that choice costs a microsecond. Exceptions go the usual way, by `_rethrow`.
PyObject* step(PyObject* self, PyObject*) {
  auto* stepping = reinterpret_cast<py::detail::instance*>(self)->get_value_and_holder().value_ptr<Stepping>();
  if (stepping == nullptr) {
    PyErr_SetString(PyExc_TypeError, "Simulation.__init__() must be called before step()");
    return nullptr;
  }
  try {
    stepping->step();
  } catch (...) {
    stepping->keep_thrown();
    return PyObject_CallMethod(self, "_rethrow", nullptr);
  }
  Py_RETURN_NONE;
}

void bind_step(py::class_<Stepping>& simulation) {
  static PyMethodDef definition{"step", step, METH_NOARGS,
                                "step(self: carom._carom.Simulation) -> None\n\n"
                                "Advances by method.step; releases the GIL."};
  auto* type = reinterpret_cast<PyTypeObject*>(simulation.ptr());
  const auto method = py::reinterpret_steal<py::object>(PyDescr_NewMethod(type, &definition));
  if (!method) throw py::error_already_set();
  simulation.attr("step") = method;
  simulation.def("_rethrow", &Stepping::rethrow);
}

void bind_advancing(py::class_<Stepping>& simulation) {
  bind_step(simulation);
  simulation
      .def(py::init([](std::shared_ptr<Model> model, const Method& method, const State& state) {
             return std::make_unique<Stepping>(std::move(model), method, state);
           }),
           py::arg("model").none(false), py::arg("method"), py::arg("state"))
      .def(py::init<const Scene&>(), py::arg("scene"))
      .def(
          "run_until", &Stepping::run_until, py::arg("time"), py::arg("after") = py::none(),
          "Steps until `time`, s, or the nearest that whole steps reach, and returns how many it took; releases the "
          "GIL. after: called with every step's StepReport; it may look at the simulation and push, not step it. After "
          "Ctrl-C the simulation is at the last whole step and can go on.")
      .def(
          "push",
          [](Stepping& self, const Part& body, const Vec3& force, const Vec3& torque, const Vec3& point,
             std::optional<double> seconds) {
            self.push(
                BodyPush{body_of(self.model(), body), force, torque, point, seconds.value_or(self.method().step)});
          },
          py::arg("body"), py::arg("force") = Vec3(Vec3::Zero()), py::arg("torque") = Vec3(Vec3::Zero()),
          py::arg("point") = Vec3(Vec3::Zero()), py::arg("seconds") = py::none(),
          "From now on a force (3,), N, at a point fixed in the body, body frame, m, and a torque (3,), N m, both in "
          "world axes; for `seconds`, or one step.")
      .def(
          "push_joint",
          [](Stepping& self, const Part& joint, const VectorX& force, std::optional<double> seconds) {
            self.push(JointPush{joint_of(self.model(), joint), force, seconds.value_or(self.method().step)});
          },
          py::arg("joint"), py::arg("force"), py::arg("seconds") = py::none(),
          "The same on a joint's coordinates: force has an entry for each of its velocities, N m or N.")
      .def("set_controller", &Stepping::set_controller, py::arg("controller"),
           "A function of (model, state, force), called once a step with copies: it writes into force "
           "(velocity_count,), N m or N, or returns such an array. None: no controller.")
      .def_property(
          "tau", [](Stepping& self) -> VectorX& { return self.tau(); },
          [](Stepping& self, const VectorX& tau) {
            if (tau.size() != self.tau().size()) throw Error("tau has an entry for each of the model's velocities");
            for (Eigen::Index i = 0; i < tau.size(); ++i) self.tau()[i] = tau[i];
          },
          "(velocity_count,) joint forces that act in every step until they are set otherwise, N m or N; a view")
      .def(
          "snapshot", [](Stepping& self) { return State(self.state()); }, "The state, to go on from.")
      .def(
          "branch",
          [](Stepping& self, const std::optional<State>& state, const std::optional<Method>& method) {
            return std::make_unique<Stepping>(self, method.value_or(self.method()), state ? *state : self.state());
          },
          py::arg("state") = py::none(), py::arg("method") = py::none(),
          "Another simulation of the same model from this state, or a snapshot, perhaps by another method. The scene's "
          "feedback acts in it, too; pushes, controllers and tau stay behind.");
}

void bind_looking(py::class_<Stepping>& simulation) {
  simulation
      .def_property_readonly(
          "state", [](Stepping& self) { return State(self.state()); },
          "a copy; to go on from a changed one: simulation.branch(state)")
      .def_property_readonly(
          "q", [](Stepping& self) { return read_only(self.state().q); },
          "(position_count,) rad and m; a copy, read-only: a state is set by branch")
      .def_property_readonly(
          "v", [](Stepping& self) { return read_only(self.state().v); },
          "(velocity_count,) rad/s and m/s; a copy, read-only: a state is set by branch")
      .def_property_readonly(
          "time", [](Stepping& self) { return self.state().time; }, "s")
      .def_property_readonly("model",
                             [](Stepping& self) { return std::const_pointer_cast<Model>(self.shared_model()); })
      .def_property_readonly(
          "method", [](Stepping& self) { return Method(self.method()); }, "a copy")
      .def_property_readonly(
          "report", [](Stepping& self) { return StepReport(self.report()); }, "StepReport of the last step; a copy")
      .def_property_readonly("certificate", &Stepping::certificate, "of the steps taken by this object")
      .def_property_readonly(
          "columns",
          [](py::object self) {
            self.cast<Stepping&>().columns();
            return Columns{std::move(self)};
          },
          "Columns: the numbers of a record by name, after each step. Kept from its first use on.")
      .def("watch", &Stepping::watch, py::arg("outputs"),
           "Adds formulas over the columns, {name: formula}, as a scene's outputs; all columns are kept from now on. "
           "Throws Error for a formula that is none.")
      .def("contacts", &contacts, py::arg("body") = py::none(), py::arg("other") = py::none(),
           "BodyContacts of the last step: all, those of a body, or those between two.")
      .def(
          "contact_impulse",
          [](Stepping& self, const Part& body, const std::optional<Part>& other) {
            if (!other) return Vec3(contact_impulse(self.report(), body_of(self.model(), body)));
            const auto [a, b] = two_bodies(self.model(), body, *other);
            return Vec3(contact_impulse(self.report(), a, b));
          },
          py::arg("body"), py::arg("other") = py::none(),
          "(3,) what contacts gave the body in the last step, N s, world axes; over method.step a mean force.")
      .def(
          "pose", [](Stepping& self, const Part& body) { return self.motion().pose(body_of(self.model(), body)); },
          py::arg("body"), "X_WB")
      .def(
          "velocity",
          [](Stepping& self, const Part& body) { return self.motion().velocity(body_of(self.model(), body)); },
          py::arg("body"), "FrameVelocity of the body's frame, world axes")
      .def(
          "frame_pose",
          [](Stepping& self, const Part& frame) { return self.motion().frame_pose(frame_of(self.model(), frame)); },
          py::arg("frame"), "X_WF")
      .def(
          "frame_velocity",
          [](Stepping& self, const Part& frame) { return self.motion().frame_velocity(frame_of(self.model(), frame)); },
          py::arg("frame"))
      .def_property_readonly("poses", &poses,
                             "(body_count, 7): quaternion w, x, y, z of X_WB, then its place, m; read-only")
      .def_property_readonly(
          "velocities", &velocities,
          "(body_count, 6): angular, then of the frame's origin, world axes, rad/s and m/s; read-only")
      .def(
          "whole", [](Stepping& self) { return self.motion().whole(); },
          "CentroidalState: mass, centre of mass and momentum of all that moves")
      .def(
          "tree_of",
          [](Stepping& self, const Part& body) { return self.motion().tree_of(body_of(self.model(), body)); },
          py::arg("body"), "The same of the tree that a body belongs to.")
      .def_property_readonly(
          "kinetic_energy", [](Stepping& self) { return self.motion().kinetic_energy(); }, "J")
      .def_property_readonly(
          "potential_energy", [](Stepping& self) { return self.motion().potential_energy(); },
          "of gravity, zero at the world's origin, and springs, J");
}

}  // namespace

void bind_simulation(py::module_& module) {
  // Its constructor from a scene names this class.
  py::class_<Scene>(module, "Scene", "All that a run needs: model, method, initial state, duration.");
  py::class_<Stepping> simulation(module, "Simulation",
                                  "One mechanism advanced by one method from one state. The same inputs give the same "
                                  "bits. Not to be asked from another thread while it steps.");
  bind_columns(module);
  bind_advancing(simulation);
  bind_looking(simulation);
}

}  // namespace carom::python
