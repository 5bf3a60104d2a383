#pragma once

#include <string>
#include <vector>

namespace carom {

/// Cells of a line of CSV without the blanks and quotes around them. One more than the line has commas.
std::vector<std::string> csv_cells(const std::string& line);

}  // namespace carom
