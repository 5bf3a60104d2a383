#pragma once

#include <string>

#include "carom/record/plots_page.h"
#include "carom/study/comparison.h"

namespace carom {

/// The comparison as a page: words, tables, and curves of all runs over one another.
PlotsPage comparison_page(const Comparison& comparison);

/// The JSON object that `carom compare --json` prints (docs/manual/json.md). `page`: its path, empty for none.
std::string comparison_json(const Comparison& comparison, const std::string& page);

}  // namespace carom
