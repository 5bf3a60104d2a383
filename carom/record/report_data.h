#pragma once

#include <nlohmann/json_fwd.hpp>

#include "carom/record/record.h"

namespace carom {

/// Data of the report page, as player/src/report.js reads them.
nlohmann::ordered_json report_data(const Record& record);

/// The plots among it, section after section.
nlohmann::ordered_json report_sections(const Record& record);

}  // namespace carom
