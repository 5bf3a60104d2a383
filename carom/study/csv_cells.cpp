#include "carom/study/csv_cells.h"

#include <algorithm>

namespace carom {

std::vector<std::string> csv_cells(const std::string& line) {
  std::vector<std::string> cells;
  for (std::size_t from = 0; from <= line.size();) {
    const std::size_t to = std::min(line.find(',', from), line.size());
    const std::string cell = line.substr(from, to - from);
    const std::size_t first = cell.find_first_not_of(" \t\r\""), last = cell.find_last_not_of(" \t\r\"");
    cells.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
    from = to + 1;
  }
  return cells;
}

}  // namespace carom
