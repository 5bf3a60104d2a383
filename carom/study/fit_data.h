#pragma once

#include <string>
#include <utility>
#include <vector>

namespace carom {

/// One motion that was measured.
struct MeasuredMotion {
  std::string name;                         ///< of the experiment; empty if the file numbers none
  std::vector<double> times;                ///< s since the scene's start, ascending
  std::vector<std::vector<double>> values;  ///< by column, by instant; NaN: not measured
};

/// A cell that is written in degrees or degrees per second.
struct DegreeCell {
  int line = 0;  ///< of the file; 0: none is
  std::string text{};
};

/// Measurements of one or more experiments.
struct FitData {
  std::string file;  ///< or the name of the data in error messages
  std::vector<std::string> columns;
  std::vector<MeasuredMotion> motions;  ///< in the order in which the file begins them
  std::vector<DegreeCell> degrees{};    ///< the first of each column; empty: no number has a unit
  std::vector<std::pair<std::string, std::string>> left_aside{};  ///< what is no column, and why
};

/// Reads measurements. Throws Error with file and line or dataset.
///
/// CSV: a line of names, the first `time`; then numbers (degrees as `30 deg`), where an empty cell is no measurement. A
/// column `experiment` says which lines are of one experiment. Lines that are blank or begin with # are passed over.
///
/// HDF5, known by its beginning. A dataset `time` at the top, with an entry for each of n instants, makes the file one
/// table. Its columns are the other datasets of numbers with n rows, also those in groups: `z`, `markers/head`. One of
/// n × m numbers is m columns `head/0`, `head/1`, …. MATLAB writes n × m as m × n, and marks it. A dataset `experiment`
/// of texts or whole numbers says which instants are of one experiment. Without `time` at the top each group there is
/// one experiment, a table with a `time` of its own; what only others have was not measured in it. NaN is no
/// measurement.
FitData read_fit_data(const std::string& path);

/// The same from memory: columns by name, all of one length, the first `time`. NaN: not measured. `experiment`: of each
/// entry; empty: all are of one. `name`: what faults call the data, beside the number of the entry. Throws Error.
FitData fit_data_of(const std::vector<std::pair<std::string, std::vector<double>>>& columns,
                    const std::vector<std::string>& experiment, const std::string& name);

}  // namespace carom
