#include "carom/model/state.h"
#include "any_protocol.h"
#include "bindings.h"
#include "carom/dynamics/place_body.h"
#include "carom/stepper/assembly.h"
#include "numbers.h"
#include "state_size.h"
#include "text.h"

namespace carom::python {
namespace {

/// Writes entry by entry: the state's vectors keep their memory, into which arrays look.
void take(const VectorX& values, const char* name, VectorX& into) {
  if (values.size() != into.size()) {
    throw Error(std::string(name) + " has " + std::to_string(values.size()) + " entries; the state's has " +
                std::to_string(into.size()));
  }
  for (Eigen::Index i = 0; i < values.size(); ++i) into[i] = values[i];
}

void take(const State& changed, State& into) {
  take(changed.q, "q", into.q);
  take(changed.v, "v", into.v);
  into.time = changed.time;
  into.step = changed.step;
  into.contacts = changed.contacts;
  into.standing = changed.standing;
}

py::tuple stored(const ContactMemory& each) {
  return py::make_tuple(each.id.a, each.id.b, each.id.feature, each.impulse, each.sliding, each.approach,
                        each.spin_impulse, each.deflection[0], each.deflection[1], each.tangent);
}

ContactMemory memory_from(const py::tuple& parts) {
  ContactMemory memory;
  memory.id = {parts[0].cast<int>(), parts[1].cast<int>(), parts[2].cast<int>()};
  memory.impulse = parts[3].cast<Vec3>();
  memory.sliding = parts[4].cast<bool>();
  memory.approach = parts[5].cast<double>();
  memory.spin_impulse = parts[6].cast<double>();
  memory.deflection = {parts[7].cast<Vec3>(), parts[8].cast<Vec3>()};
  memory.tangent = parts[9].cast<Vec3>();
  return memory;
}

py::tuple stored(const State& state) {
  py::list contacts;
  for (const ContactMemory& each : state.contacts) contacts.append(stored(each));
  return py::make_tuple(state.time, state.step, state.q, state.v, contacts, state.standing);
}

State state_from(const py::tuple& parts) {
  State state;
  state.time = parts[0].cast<double>();
  state.step = parts[1].cast<std::int64_t>();
  state.q = parts[2].cast<VectorX>();
  state.v = parts[3].cast<VectorX>();
  for (const py::handle& each : parts[4]) state.contacts.push_back(memory_from(each.cast<py::tuple>()));
  state.standing = parts[5].cast<VectorX>();
  return state;
}

}  // namespace

void check_state(const Model& model, const State& state) {
  if (state.q.size() != model.position_count() || state.v.size() != model.velocity_count()) {
    throw Error("the state has " + std::to_string(state.q.size()) + " positions and " + std::to_string(state.v.size()) +
                " velocities; the model has " + std::to_string(model.position_count()) + " and " +
                std::to_string(model.velocity_count()));
  }
}

void bind_state(py::module_& module) {
  py::class_<State>(module, "State",
                    "Everything that is needed to go on, and nothing else: copied, pickled, compared bit for bit.\n\n"
                    "q: (position_count,), v: (velocity_count,), both views into the state, rad and m, rad/s and m/s "
                    "(quaternions w, x, y, z; a joint's units by its type); time: s; step: steps since the start.")
      .def(py::init([](const VectorX& q, const VectorX& v, double time) {
             State state;
             state.q = q;
             state.v = v;
             state.time = time;
             return state;
           }),
           py::arg("q"), py::arg("v"), py::arg("time") = 0.0)
      .def_property(
          "q", [](State& state) -> VectorX& { return state.q; },
          [](State& state, const VectorX& q) { take(q, "q", state.q); }, "(position_count,) a view")
      .def_property(
          "v", [](State& state) -> VectorX& { return state.v; },
          [](State& state, const VectorX& v) { take(v, "v", state.v); }, "(velocity_count,) a view")
      .def_readwrite("time", &State::time, "s")
      .def_readwrite("step", &State::step, "steps taken since the scene's start")
      .def_property_readonly(
          "contact_count", [](const State& state) { return state.contacts.size(); },
          "contacts that carried an impulse in the last step, which the next one begins with")
      .def(
          "set_pose",
          [](State& state, const Model& model, const Part& body, const Transform& X_WB) {
            check_state(model, state);
            State changed = state;
            set_pose(model, body_of(model, body), X_WB, changed);
            take(changed, state);
          },
          py::arg("model"), py::arg("body"), py::arg("X_WB"), "Puts a body that moves freely at a pose in the world.")
      .def(
          "set_velocity",
          [](State& state, const Model& model, const Part& body, const Vec3& angular, const Vec3& linear) {
            check_state(model, state);
            State changed = state;
            set_velocity(model, body_of(model, body), angular, linear, changed);
            take(changed, state);
          },
          py::arg("model"), py::arg("body"), py::arg("angular") = Vec3(Vec3::Zero()),
          py::arg("linear") = Vec3(Vec3::Zero()),
          "Gives a body that moves freely an angular velocity and one of its frame's origin, world axes, rad/s, m/s.")
      .def(
          "assemble_constraints",
          [](State& state, const Model& model) {
            check_state(model, state);
            State changed = state;
            assemble_constraints(model, changed);
            take(changed, state);
          },
          py::arg("model"), "Moves positions, then velocities, onto the model's constraints by the shortest way.")
      .def("copy", [](const State& state) { return State(state); })
      .def("__copy__", [](const State& state) { return State(state); })
      .def(
          "__deepcopy__", [](const State& state, const py::dict&) { return State(state); }, py::arg("memo"))
      .def(
          "__eq__", [](const State& a, const State& b) { return identical(a, b); }, py::is_operator(), py::arg("other"),
          "Bit for bit.")
      .def("__repr__",
           [](const State& state) {
             return "State(time=" + std::to_string(state.time) + ", q=" + text_of(state.q) + ", v=" + text_of(state.v) +
                    ")";
           })
      .def(py::pickle([](const State& state) { return stored(state); },
                      [](const py::tuple& parts) { return state_from(parts); }))
      .def("__reduce_ex__", &by_any_protocol, py::arg("protocol"))
      .attr("__hash__") = py::none();
  module.def("state_at_rest", &state_at_rest, py::arg("model"), "Every joint at zero, at rest, at time 0.");
}

}  // namespace carom::python
