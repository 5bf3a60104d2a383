#pragma once

#include <string>
#include <vector>

#include "carom/record/record.h"

// Pictures of a page of runs, drawn by the page itself in a browser without a window.
namespace carom {

/// From the first frame of all runs to the last one, s.
struct PlayedTime {
  double first = 0, last = 0;
};
PlayedTime played_time(const std::vector<Record>& records);

/// The scene at one time, as a PNG file of 1280 × 800. Throws Error if there is no chromium, std::runtime_error if it
/// fails.
void write_picture(const std::string& page, double time, const std::string& path);

/// The whole motion as an MP4 file, 30 pictures a second; `speed` 1 is the speed of life. The same of ffmpeg; Error if
/// it would have more than 3000 pictures.
void write_film(const std::string& page, const PlayedTime& span, double speed, const std::string& path);

}  // namespace carom
