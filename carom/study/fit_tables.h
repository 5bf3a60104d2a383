#pragma once

#include <string>
#include <vector>

#include "carom/study/fit.h"

namespace carom {

/// Heads, and a text for each of them in every row: for terminal and page alike.
struct FitTable {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

FitTable number_table(const FitResult& result);
FitTable column_table(const FitResult& result);
FitTable correlation_table(const FitResult& result);  ///< below the diagonal
FitTable ranking_table(const FitResult& result);      ///< of the methods that were fitted

}  // namespace carom
