#include <exception>
#include <string>

#include "bindings.h"
#include "carom/output_error.h"
#include "carom/run_failure.h"
#include "carom/scene/diagnostics.h"
#include "unknown_name.h"

namespace carom::python {
namespace {

/// Raises a class of carom/_errors.py.
template <class... Arguments>
void raise(const char* name, Arguments&&... arguments) {
  const py::object type = py::module_::import("carom._errors").attr(name);
  const py::object error = type(std::forward<Arguments>(arguments)...);
  PyErr_SetObject(type.ptr(), error.ptr());
}

void raise_diagnostics(const SceneError& error) {
  py::list diagnostics;
  for (const Diagnostic& each : error.diagnostics()) {
    diagnostics.append(py::make_tuple(each.file, each.line, each.column, each.message));
  }
  raise("SceneError", std::string(error.what()), diagnostics);
}

}  // namespace

void raise_unknown_name(const char* what, const std::string& name, const std::vector<std::string>& names) {
  raise("UnknownName", what, name, names);
  throw py::error_already_set();
}

void bind_errors(py::module_&) {
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const SceneError& error) {
      raise_diagnostics(error);
    } catch (const OutputError& error) {
      raise("OutputError", std::string(error.what()));
    } catch (const RunFailure& error) {
      raise("RunFailure", std::string(error.what()));
    } catch (const Error& error) {
      raise("Error", std::string(error.what()));
    } catch (const py::cast_error&) {
      PyErr_SetString(PyExc_TypeError, "a value is of another type than this call takes; its help says which");
    }
  });
}

}  // namespace carom::python
