#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "carom/record/record.h"

namespace carom {

/// A run on a page that shows several side by side.
struct PageRun {
  std::string name;                ///< as the page's legend has it, for example "newton" or the record's file
  const Record* record = nullptr;  ///< never null; must live until the page is written
};

/// Writes one self-contained page of runs that are played together in three dimensions, over one time line that spans
/// them all. Contacts, impacts, certificate, events and plots are those of the chosen run, at first the first one. The
/// others are ghosts. The runs may be of different scenes, steps, durations and numbers of frames. At least one.
///
/// `above`, `below`: sections above and below the player; null or an empty array for none. Every entry of a section may
/// be missing:
///
///   [{"title": text, "folded": bool,
///     "paragraphs": [text, ...],
///     "tables": [{"caption": text, "columns": [text, ...], "rows": [[text, ...], ...], "tint": bool}, ...],
///     "charts": [{"title": text, "unit": text, "log": bool, "points": bool, "times": base64(s),
///                 "series": [{"name": text, "color": "c0" to "c10" or a mode, "data": base64(values)}, ...]}, ...]},
///                 ...]
///
/// In a table with tint, a cell that is a whole number from 1 gets the colour of the series of that number. The
/// function base64 is that of curve.h. A chart brings its own times, ascending. Values made by thin() go with times
/// made by thin_times(). All texts are shown as plain text.
///
/// Throws Error if there is no run or the file can't be written. A frame of n bodies takes 38 n bytes of the page, a
/// contact 80; long runs are thinned (player_data.h).
void write_runs_page(const std::string& title, const std::vector<PageRun>& runs, const nlohmann::ordered_json& above,
                     const nlohmann::ordered_json& below, const std::string& path);

}  // namespace carom
