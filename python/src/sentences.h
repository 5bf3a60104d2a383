#pragma once

#include <string>

#include "carom/scene/diagnostics.h"

namespace carom::python {

/// Faults, a line each, without lines of a text that nobody has seen. `begin` stands before each.
inline std::string sentences(const SceneError& error, const std::string& begin = "") {
  std::string all;
  for (const Diagnostic& fault : error.diagnostics()) all += (all.empty() ? "" : "\n") + begin + fault.message;
  return all;
}

}  // namespace carom::python
