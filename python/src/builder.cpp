#include "bindings.h"
#include "carom/model/model.h"
#include "words.h"

namespace carom::python {

void bind_builder(py::module_& module) {
  py::class_<ModelBuilder>(module, "ModelBuilder",
                           "Collects a mechanism and makes a Model of it. Bodies are numbers from add_body, −1 the "
                           "world.")
      .def(py::init<>())
      .def("set_gravity", &ModelBuilder::set_gravity, py::arg("gravity"), "(3,) m/s², world frame; zero by default.")
      .def("add_material", &ModelBuilder::add_material, py::arg("material"), "Its number.")
      .def("set_combination", &ModelBuilder::set_combination, py::arg("friction"), py::arg("restitution"),
           "Rules of pairs that set_pair does not name: minimum, maximum, average, geometric-mean, product.")
      .def("set_pair", &ModelBuilder::set_pair, py::arg("material_a"), py::arg("material_b"), py::arg("together"))
      .def(
          "set_pair_of_colliders",
          [](ModelBuilder& builder, std::vector<int> a, std::vector<int> b, const NamedPair& together) {
            builder.set_pair_of_colliders({std::move(a), std::move(b), together});
          },
          py::arg("a"), py::arg("b"), py::arg("together"),
          "Coefficients of any collider of a with any of b (numbers from add_collider).")
      .def("add_body", &ModelBuilder::add_body, py::arg("name"), py::arg("inertia"),
           "A body that moves freely until add_joint says otherwise; its number.")
      .def("add_joint", &ModelBuilder::add_joint, py::arg("child"), py::arg("joint"), "Hangs child on joint.parent.")
      .def("add_constraint", &ModelBuilder::add_constraint, py::arg("constraint"))
      .def("add_drive", &ModelBuilder::add_drive, py::arg("drive"))
      .def("add_wrench", &ModelBuilder::add_wrench, py::arg("wrench"))
      .def("add_collider", &ModelBuilder::add_collider, py::arg("collider"), "Its number.")
      .def("add_frame", &ModelBuilder::add_frame, py::arg("frame"))
      .def("add_sensor", &ModelBuilder::add_sensor, py::arg("sensor"))
      .def("collide_with_parent", &ModelBuilder::collide_with_parent, py::arg("child"),
           "Lets the links on both sides of the body's joint collide.")
      .def("exclude", &ModelBuilder::exclude, py::arg("body_a"), py::arg("body_b"),
           "Bodies whose shapes never collide.")
      .def(
          "build", [](const ModelBuilder& builder) { return std::make_shared<Model>(builder.build()); },
          "The Model, or Error with a line for every fault.")
      .def("body_order", &ModelBuilder::body_order, "Index in Model.bodies() by number from add_body.");
}

}  // namespace carom::python
