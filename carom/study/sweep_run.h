#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "carom/study/sweep_cases.h"

namespace carom {

/// Result of one case.
struct SweepRow {
  /// The word done means that all steps were taken, stopped that the bound of iterations was reached. The word failed
  /// means that a number was not finite, or a step could not be taken. The word refused means that the scene makes no
  /// sense, and crashed that the program died in the case.
  std::string status;
  std::string reason;           ///< a sentence, or the certificate's lines that need a look
  bool ok = false;              ///< done, and every line of the certificate is good
  std::vector<double> numbers;  ///< by sweep_columns; NaN where there is none
};

/// Names of a row's numbers. The outputs come first, then time, steps, unsolved steps, iterations, impacts and events.
/// The judged numbers (judged.h) and lines of the energy ledger follow.
std::vector<std::string> sweep_columns(const std::vector<std::string>& outputs);

/// One case from start to end. `record`: a path to write its record to; empty: none. Leaves by Stopped when `stop` says
/// so. Nothing else is thrown for a fault of the case: it is in the row.
SweepRow run_case(const SweepCases& cases, const SweepCase& sweep_case, const SweepStudy& study,
                  const std::vector<std::string>& outputs, const std::string& record,
                  const std::function<bool()>& stop);

}  // namespace carom
