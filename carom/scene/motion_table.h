#pragma once

#include <string>
#include <vector>

namespace carom {

/// Columns of numbers over time, as OpenSim (.sto, .mot) and spreadsheets (.csv) write them.
struct MotionTable {
  std::vector<double> times;                 ///< s, ascending
  std::vector<std::string> names;            ///< of the columns behind the time
  std::vector<std::vector<double>> columns;  ///< by name, a number per time
  bool degrees = false;                      ///< angles are in degrees: the header says inDegrees=yes
};

/// Reads a file with a line of names, the first of which is "time", and a line of numbers per instant. Tabs, blanks,
/// commas or semicolons separate them. Lines before one that says "endheader" are a header. If the file is no such
/// table, throws Error with the end of a sentence about it, and the line.
MotionTable read_motion_table(const std::string& path);

}  // namespace carom
