#pragma once

#include <string>
#include <vector>

namespace carom {

/// One motion that was measured.
struct MeasuredMotion {
  std::string name;                         ///< of the experiment; empty if the file numbers none
  std::vector<double> times;                ///< s since the scene's start, ascending
  std::vector<std::vector<double>> values;  ///< by column, by instant; NaN: not measured
};

/// Measurements of one or more experiments.
struct FitData {
  std::string file;
  std::vector<std::string> columns;
  std::vector<MeasuredMotion> motions;  ///< in the order in which the file begins them
};

/// Reads CSV: a line of names, the first `time`; then numbers (degrees as `30 deg`), where an empty cell is no
/// measurement. A column `experiment` says which lines are of one experiment. Lines that are blank or begin with # are
/// passed over. Throws Error with file and line.
FitData read_fit_data(const std::string& path);

}  // namespace carom
