#pragma once

#include <nlohmann/json_fwd.hpp>

#include "carom/record/record.h"

namespace carom {

/// A number, or a text where JSON has none for it.
nlohmann::ordered_json json_number(double value);
/// The `certificate` of a run (docs/manual/json.md).
nlohmann::ordered_json certificate_object(const Record& record);

}  // namespace carom
