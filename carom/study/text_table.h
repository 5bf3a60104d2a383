#pragma once

#include <string>
#include <vector>

namespace carom {

/// A table for a terminal: the first column to the left, the others to the right, two blanks before each.
std::string padded(const std::vector<std::string>& columns, const std::vector<std::vector<std::string>>& rows);

/// A paragraph in lines of at most 100 characters, indented as its beginning.
std::string wrapped(const std::string& paragraph);

}  // namespace carom
