#pragma once

#include <pybind11/eigen.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

// Parts of the module, each a source of its own because each takes long to compile. They are called in the order of
// module.cpp: a class is bound before functions name it.
namespace carom::python {

namespace py = pybind11;

void bind_errors(py::module_& module);
void bind_spatial(py::module_& module);
void bind_shapes(py::module_& module);
void bind_parts(py::module_& module);
void bind_model(py::module_& module);
void bind_builder(py::module_& module);
void bind_state(py::module_& module);
void bind_method(py::module_& module);
void bind_contacts(py::module_& module);
void bind_simulation(py::module_& module);
void bind_scenes(py::module_& module);
void bind_dynamics(py::module_& module);
void bind_rollout(py::module_& module);
void bind_records(py::module_& module);
void bind_compare(py::module_& module);
void bind_converge(py::module_& module);
void bind_impact_study(py::module_& module);
void bind_design(py::module_& module);
void bind_solve(py::module_& module);
void bind_fit(py::module_& module);
void bind_sweep(py::module_& module);
void bind_loads(py::module_& module);

}  // namespace carom::python
