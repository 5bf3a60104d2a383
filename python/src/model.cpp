#include <fnmatch.h>

#include <functional>

#include "any_protocol.h"
#include "bindings.h"
#include "carom/model/model.h"
#include "carom/record/scene_bytes.h"
#include "carom/scene/diagnostics.h"
#include "coordinates.h"
#include "numbers.h"
#include "taken.h"
#include "words.h"

namespace carom::python {
namespace {

/// Numbers of the names that match one of the patterns, ascending; all for no pattern. Throws Error where a pattern
/// matches none.
std::vector<int> matching(const std::vector<std::string>& names, const std::vector<std::string>& patterns,
                          const char* kind) {
  std::vector<char> chosen(names.size(), patterns.empty());
  for (const std::string& pattern : patterns) {
    bool any = false;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (fnmatch(pattern.c_str(), names[i].c_str(), 0) != 0) continue;
      chosen[i] = true;
      any = true;
    }
    if (!any)
      throw Error("no " + std::string(kind) + " is called '" + pattern + "'" + suggestion(pattern, names, "there are"));
  }
  std::vector<int> numbers;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (chosen[i]) numbers.push_back(static_cast<int>(i));
  }
  return numbers;
}

std::vector<std::string> patterns_of(const py::args& patterns) {
  std::vector<std::string> texts;
  for (const py::handle& pattern : patterns)
    texts.push_back(taken<std::string>(pattern, "a pattern of names", "a text as '*_knee'"));
  return texts;
}

/// Joints by number, and all their coordinates.
struct JointSet {
  std::vector<std::string> names;
  std::vector<int> numbers;
  std::vector<Joint> joints;
  Eigen::Matrix<std::int64_t, Eigen::Dynamic, 1> q, v;
};

JointSet joint_set(const Model& model, const std::vector<int>& numbers) {
  JointSet set;
  set.numbers = numbers;
  std::vector<std::int64_t> q, v;
  for (const int number : numbers) {
    const Joint& joint = model.joints()[number];
    set.names.push_back(joint_name(model, static_cast<std::size_t>(number)));
    set.joints.push_back(joint);
    for (int i = 0; i < position_size(joint); ++i) q.push_back(joint.q_index + i);
    for (int i = 0; i < velocity_size(joint); ++i) v.push_back(joint.v_index + i);
  }
  set.q = Eigen::Map<decltype(set.q)>(q.data(), std::ssize(q));
  set.v = Eigen::Map<decltype(set.v)>(v.data(), std::ssize(v));
  return set;
}

std::vector<std::string> joint_names(const Model& model) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < model.joints().size(); ++i) names.push_back(joint_name(model, i));
  return names;
}

template <class Parts>
std::vector<std::string> names_of(const Parts& parts) {
  std::vector<std::string> names;
  for (const auto& part : parts) names.push_back(part.name);
  return names;
}

/// A method of Model that gives the parts whose names match patterns.
template <class Parts>
auto parts_by_pattern(const Parts& (Model::*list)() const, const char* kind) {
  return [list, kind](const Model& model, const py::args& patterns) {
    const Parts& parts = (model.*list)();
    Parts chosen;
    for (const int i : matching(names_of(parts), patterns_of(patterns), kind)) {
      chosen.push_back(parts[static_cast<std::size_t>(i)]);
    }
    return chosen;
  };
}

void bind_joint_set(py::module_& module) {
  py::class_<JointSet>(module, "JointSet", "Joints of a model in their order, and where they stand in q and v.")
      .def_readonly("names", &JointSet::names)
      .def_readonly("numbers", &JointSet::numbers, "of the bodies that hang on them")
      .def_property_readonly(
          "q", [](const JointSet& set) { return set.q; }, "int64 indices into q; a copy")
      .def_property_readonly(
          "v", [](const JointSet& set) { return set.v; }, "int64 indices into v; a copy")
      .def("__len__", [](const JointSet& set) { return set.joints.size(); })
      .def(
          "__getitem__",
          [](const JointSet& set, std::ptrdiff_t i) {
            const auto count = std::ssize(set.joints);
            if (i < 0) i += count;
            if (i < 0 || i >= count) throw py::index_error("there are " + std::to_string(count) + " joints");
            return set.joints[static_cast<std::size_t>(i)];
          },
          py::arg("index"));
}

}  // namespace

void bind_model(py::module_& module) {
  bind_joint_set(module);
  py::class_<Model, std::shared_ptr<Model>>(
      module, "Model",
      "A mechanism: bodies in a tree of joints, constraints beside it, shapes and materials. Immutable; made by "
      "ModelBuilder or a scene. Lists are copies; patterns (*, ?, [abc]) choose by name.")
      .def("__copy__", [](const std::shared_ptr<Model>& model) { return model; })
      .def(
          "__deepcopy__", [](const std::shared_ptr<Model>& model, const py::dict&) { return model; }, py::arg("memo"))
      .def(py::pickle([](const Model& model) { return py::bytes(model_bytes(model)); },
                      [](const py::bytes& bytes) { return std::const_pointer_cast<Model>(model_from_bytes(bytes)); }))
      .def("__reduce_ex__", &by_any_protocol, py::arg("protocol"))
      .def_property_readonly("body_count", &Model::body_count)
      .def_property_readonly("position_count", &Model::position_count, "entries of q")
      .def_property_readonly("velocity_count", &Model::velocity_count, "entries of v")
      .def_property_readonly(
          "gravity", [](const Model& model) { return model.gravity(); }, "(3,) m/s², world; a copy")
      .def("bodies", parts_by_pattern(&Model::bodies, "body"))
      .def(
          "joints",
          [](const Model& model, const py::args& patterns) {
            return joint_set(model, matching(joint_names(model), patterns_of(patterns), "joint"));
          },
          "JointSet of those that match a pattern, or of all.")
      .def("frames", parts_by_pattern(&Model::frames, "frame"))
      .def("colliders", parts_by_pattern(&Model::colliders, "collider"))
      .def("materials", parts_by_pattern(&Model::materials, "material"))
      .def("constraints", parts_by_pattern(&Model::constraints, "constraint"))
      .def("drives", parts_by_pattern(&Model::drives, "drive"))
      .def("sensors", parts_by_pattern(&Model::sensors, "sensor"))
      .def(
          "body_number", [](const Model& model, const std::string& name) { return body_number(model, name); },
          py::arg("name"), "−1 for \"world\".")
      .def(
          "joint_number", [](const Model& model, const std::string& name) { return joint_number(model, name); },
          py::arg("name"), "Number of the body that hangs on it; a free joint has its body's name.")
      .def(
          "frame_number", [](const Model& model, const std::string& name) { return frame_number(model, name); },
          py::arg("name"))
      .def(
          "collider_number", [](const Model& model, const std::string& name) { return collider_number(model, name); },
          py::arg("name"))
      .def(
          "constraint_number",
          [](const Model& model, const std::string& name) { return constraint_number(model, name); }, py::arg("name"))
      .def(
          "drive_number", [](const Model& model, const std::string& name) { return drive_number(model, name); },
          py::arg("name"))
      .def_property_readonly(
          "position_names", [](const Model& model) { return coordinate_names(model, position_coordinates); },
          "of the entries of q")
      .def_property_readonly(
          "velocity_names", [](const Model& model) { return coordinate_names(model, velocity_coordinates); },
          "of the entries of v")
      .def("neutral_position", &Model::neutral_position, "(position_count,): every joint at zero.")
      .def(
          "is_static", [](const Model& model, const Part& body) { return model.is_static(body_of(model, body)); },
          py::arg("body"), "True for the world and what is welded to it.")
      .def(
          "may_collide",
          [](const Model& model, int a, int b) {
            const auto check = [&](int each) {
              return number_of(each, model, carom::collider_number, model.colliders().size(), 0, "collider");
            };
            return model.may_collide(check(a), check(b));
          },
          py::arg("collider_a"), py::arg("collider_b"), "True if the two are tested for contact.");
}

}  // namespace carom::python
