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

/// Reads a file with a line of names, the first of which is "time", and a line of numbers per instant, between tabs,
/// blanks, commas or semicolons. Lines before one that says "endheader" are a header. Throws Error with the end of a
/// sentence about the file, with the line, if it is none such.
MotionTable read_motion_table(const std::string& path);

}  // namespace carom
