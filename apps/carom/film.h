#pragma once

#include <optional>
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

/// The choices for pictures.
struct FilmLook {
  int width = 1280, height = 800;  ///< pixels
  int follow = -1;                 ///< body of the first run that the camera goes with
  // A camera that is left out is chosen so that everything is seen; the target is the middle of the motion, or the
  // body.
  std::optional<Vec3> camera, target;                  ///< at the first picture, m
  std::optional<double> azimuth, elevation, distance;  ///< of the camera from the target in place of `camera`; rad, m
};

/// The scene at one time, as a PNG file. Throws Error if there is no chromium, std::runtime_error if it fails.
void write_picture(const std::string& page, double time, const FilmLook& look, const std::string& path);

/// The whole motion as an MP4 file, `rate` pictures a second; `speed` 1 is the speed of life. The same of ffmpeg; Error
/// if it would have more than 3000 pictures.
void write_film(const std::string& page, const PlayedTime& span, double speed, int rate, const FilmLook& look,
                const std::string& path);

}  // namespace carom
