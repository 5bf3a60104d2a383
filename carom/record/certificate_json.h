#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "carom/record/record.h"

namespace carom {

/// A number, or a text where JSON has none for it.
nlohmann::ordered_json json_number(double value);

/// The `certificate` of a run (docs/manual/json.md).
nlohmann::ordered_json certificate_object(const Record& record);

/// Positions and velocities as `q` and `v`, with the names of their entries as `q_names` and `v_names`.
nlohmann::ordered_json state_json(const Model& model, const State& state);

}  // namespace carom
