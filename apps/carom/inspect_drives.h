#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "carom/import/imported_model.h"

namespace carom {

/// Forces, servos and prescribed motions of the joints of a model, an object each.
nlohmann::ordered_json drives_json(const ImportedModel& model);

/// The same as lines of text: "servo hold on knee: 20 N m/rad, 0.5 N m s/rad, towards 0.3 rad, 12 N m at most".
std::vector<std::string> drive_lines(const ImportedModel& model);

}  // namespace carom
