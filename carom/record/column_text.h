#pragma once

#include <string>
#include <vector>

#include "carom/record/record_columns.h"

namespace carom {

/// Comma-separated values, RFC 4180: a line of names, then a line per frame. Numbers have as many digits as they need
/// to be read back bit for bit; what is not a number is empty.
std::string csv_text(const std::vector<RecordColumn>& columns);

/// OpenSim's storage format (STO; MOT files are the same): a header that ends with `endheader`, a line of names, then a
/// line per frame, with tabs between. Angles are in radians (inDegrees=no). Blanks in names become underscores.
std::string sto_text(const std::vector<RecordColumn>& columns, const std::string& name);

}  // namespace carom
