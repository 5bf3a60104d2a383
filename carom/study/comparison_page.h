#pragma once

#include <string>

#include "carom/study/comparison.h"

namespace carom {

/// Writes the comparison as one self-contained page: words, tables, and curves of all runs over one another. It also
/// plays the runs, read from their records. Throws Error if there are no records or the file can't be written.
void write_comparison_page(const Comparison& comparison, const std::string& path);

/// The JSON object that `carom compare --json` prints (docs/manual/json.md). `page`: its path, empty for none.
std::string comparison_json(const Comparison& comparison, const std::string& page);

}  // namespace carom
