#pragma once

#include <pybind11/pybind11.h>

#include <string>

namespace carom::python {

/// An object of Python's as a value. Throws TypeError that says what it is of (`what`), what would be `right`, and what
/// it is.
template <class Value>
Value taken(const pybind11::handle& given, const std::string& what, const char* right) {
  try {
    return given.cast<Value>();
  } catch (const pybind11::cast_error&) {
    throw pybind11::type_error(what + ": right is " + right + ", and it is " +
                               pybind11::repr(given).cast<std::string>().substr(0, 80) + " (" +
                               pybind11::str(given.get_type().attr("__name__")).cast<std::string>() + ")");
  }
}

}  // namespace carom::python
