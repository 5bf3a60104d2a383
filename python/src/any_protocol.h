#pragma once

#include "bindings.h"

namespace carom::python {

/// __reduce_ex__ of classes with __getstate__ and __setstate__: pickles them alike by every protocol. Python's own way
/// for protocols 0 and 1 makes an object of pybind11's base class, which ends the program.
inline py::tuple by_any_protocol(const py::object& self, const py::object& /*protocol*/) {
  return py::make_tuple(py::module_::import("copyreg").attr("__newobj__"), py::make_tuple(py::type::of(self)),
                        self.attr("__getstate__")());
}

}  // namespace carom::python
