#include <algorithm>

#include "bindings.h"
#include "carom/record/column_text.h"
#include "carom/record/record.h"
#include "carom/stepper/body_contacts.h"

// Parts that python/carom/_loads.py needs of a record beside its named columns.
namespace carom::python {
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;

/// A body with those of its colliders that are asked about.
struct Side {
  int body = -1;
  std::vector<int> colliders;

  bool has(int collider) const { return std::find(colliders.begin(), colliders.end(), collider) != colliders.end(); }
};

bool are_between(const ContactId& id, const Side& one, const Side& other) {
  return (one.has(id.a) && other.has(id.b)) || (one.has(id.b) && other.has(id.a));
}

/// (force, friction, point, normal) of the contacts of one side with another, by frame. Forces are means of the step
/// that led there, on the first side, in world axes. The point is weighted by normal impulses, NaN where nothing
/// presses.
py::tuple forces_between(const std::string& path, int body, const std::vector<int>& colliders, int other_body,
                         const std::vector<int>& other_colliders) {
  const Side side{body, colliders}, other{other_body, other_colliders};
  Rows force, friction, point;
  VectorX normal;
  {
    const py::gil_scoped_release unlocked;
    const Record record = read_record(path);
    const Model& model = *record.scene.model;
    if (!record.scene.record.contacts) {
      throw Error(path + ": no contacts are recorded (record: {contacts: false}), so it can't say what two bodies do");
    }
    const double step = record.scene.method.step;
    const auto frames = std::ssize(record.frames);
    force = friction = point = Rows::Zero(frames, 3);
    normal = VectorX::Zero(frames);
    StepReport report;
    for (Eigen::Index i = 0; i < frames; ++i) {
      report.contacts = record.frames[static_cast<std::size_t>(i)].contacts;
      for (const BodyContact& contact : contacts_between(model, report, side.body, other.body)) {
        if (!are_between(contact.id, side, other)) continue;
        force.row(i) += contact.impulse().transpose() / step;
        friction.row(i) += contact.friction_impulse.transpose() / step;
        point.row(i) += contact.normal_impulse / step * contact.position.transpose();
        normal[i] += contact.normal_impulse / step;
      }
      point.row(i) /= normal[i];
    }
  }
  return py::make_tuple(force, friction, point, normal);
}

/// (name, kg) of each mechanism, as the columns of its mass centre call it.
std::vector<std::pair<std::string, double>> tree_masses(const Model& model) {
  std::vector<std::pair<std::string, double>> masses;
  for (int root = 0; root < model.body_count(); ++root) {
    if (model.root(root) != root) continue;
    double mass = 0;
    for (const int body : model.tree(root).bodies) mass += model.bodies()[static_cast<std::size_t>(body)].inertia.mass;
    masses.emplace_back(model.bodies()[static_cast<std::size_t>(root)].name, mass);
  }
  return masses;
}

using NamedValues = std::vector<std::pair<std::string, std::vector<double>>>;

std::vector<RecordColumn> columns_from(const NamedValues& table) {
  std::vector<RecordColumn> columns;
  for (const auto& [name, values] : table) columns.push_back({name, "", "", values});
  return columns;
}

}  // namespace

void bind_loads(py::module_& module) {
  module.def("_forces_between", &forces_between, py::arg("path"), py::arg("body"), py::arg("colliders"),
             py::arg("other_body"), py::arg("other_colliders"));
  module.def(
      "_record_model",
      [](const std::string& path) {
        const py::gil_scoped_release unlocked;
        return std::const_pointer_cast<Model>(read_record(path).scene.model);
      },
      py::arg("path"));
  module.def("_tree_masses", &tree_masses, py::arg("model"));
  module.def(
      "_csv_of", [](const NamedValues& table) { return csv_text(columns_from(table)); }, py::arg("table"));
  module.def(
      "_sto_of", [](const NamedValues& table, const std::string& name) { return sto_text(columns_from(table), name); },
      py::arg("table"), py::arg("name"));
}

}  // namespace carom::python
