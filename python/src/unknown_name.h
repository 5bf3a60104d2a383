#pragma once

#include <string>
#include <vector>

namespace carom::python {

/// Raises carom.UnknownName, a KeyError, which tells those of `names` that are near.
[[noreturn]] void raise_unknown_name(const char* what, const std::string& name, const std::vector<std::string>& names);

}  // namespace carom::python
