#include <algorithm>

#include "bindings.h"
#include "carom/model/part_numbers.h"
#include "carom/record/column_text.h"
#include "carom/record/record.h"
#include "carom/stepper/body_contacts.h"

// What python/carom/_loads.py needs of a record beside its named columns.
namespace carom::python {
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;

/// A body, all of it or one of its colliders.
struct Side {
  int body = -1;
  int collider = -1;  ///< −1: all

  bool has(const ContactId& id) const { return collider < 0 || id.a == collider || id.b == collider; }
};

/// By name of a body or, where none is called so, of a collider. Throws Error for other names.
Side side_of(const Model& model, const std::string& name) {
  const auto is_called_so = [&](const auto& part) { return part.name == name; };
  if (std::any_of(model.bodies().begin(), model.bodies().end(), is_called_so)) return {body_number(model, name)};
  const auto& colliders = model.colliders();
  const auto found = std::find_if(colliders.begin(), colliders.end(), is_called_so);
  if (found == colliders.end()) return {body_number(model, name)};
  return {found->body, static_cast<int>(found - colliders.begin())};
}

/// (force, friction, point, normal) of the contacts of a body or collider with another, by frame: mean forces of the step that led
/// there, on the body, world axes; the point is weighted by normal impulses, NaN where nothing presses.
py::tuple forces_between(const std::string& path, const std::string& name, const std::string& other_name) {
  Rows force, friction, point;
  VectorX normal;
  {
    const py::gil_scoped_release unlocked;
    const Record record = read_record(path);
    const Model& model = *record.scene.model;
    const Side side = side_of(model, name), other = side_of(model, other_name);
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
        if (!side.has(contact.id) || !other.has(contact.id)) continue;
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
  module.def("_forces_between", &forces_between, py::arg("path"), py::arg("body"), py::arg("other"));
  module.def("_record_model", [](const std::string& path) {
    const py::gil_scoped_release unlocked;
    return std::const_pointer_cast<Model>(read_record(path).scene.model);
  });
  module.def("_tree_masses", &tree_masses, py::arg("model"));
  module.def("_csv_of", [](const NamedValues& table) { return csv_text(columns_from(table)); });
  module.def("_sto_of", [](const NamedValues& table, const std::string& name) {
    return sto_text(columns_from(table), name);
  });
}

}  // namespace carom::python
