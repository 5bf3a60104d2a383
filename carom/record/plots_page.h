#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "carom/record/drawing.h"

namespace carom {

/// Curves over time, or over another quantity, in one plot. A value that is not finite is a gap.
struct Plot {
  std::string title;
  std::string unit;
  std::vector<double> times;                                        ///< s, or of what x_title says, ascending
  std::vector<std::pair<std::string, std::vector<double>>> curves;  ///< name, and a value for each of the times
  bool log = false;                                                 ///< values on a logarithmic scale
  std::string x_title{};                                            ///< what the curves run over; empty for time
  bool x_log = false;                                               ///< that on a logarithmic scale
  bool joined = false;  ///< values are dots that lines join across gaps: each curve has places of its own
};

/// Plots that belong together, three in a row where the window is wide enough, below a table if there is one.
struct PlotSection {
  std::string title;
  std::string note;                            ///< empty for none
  std::vector<std::string> paragraphs{};       ///< below it, in the size of a text to read
  std::vector<std::string> columns;            ///< heads of the table; empty for none
  std::vector<std::vector<std::string>> rows;  ///< a text for each column
  std::vector<Plot> plots;
  std::vector<Drawing> drawings{};  ///< between words and table
  bool tint = false;                ///< cells of the table that are whole numbers from 1 are coloured by them
  bool folded = false;              ///< shown when its title is pressed
};

/// A page that puts things side by side. All plots over time share cursor and zoom.
struct PlotsPage {
  std::string title;
  std::string lead;                                        ///< a line below the title
  std::vector<std::pair<std::string, std::string>> facts;  ///< label and value
  std::vector<PlotSection> sections;
};

/// A section as the scripts of player/ read it, for pages that show other things as well (runs_page.h).
nlohmann::ordered_json section_json(const PlotSection& section);

/// Writes it as one self-contained file, as write_report does. Plots of more than 2000 points are thinned. Throws Error
/// if the file can't be written.
void write_plots_page(const PlotsPage& page, const std::string& path);

}  // namespace carom
