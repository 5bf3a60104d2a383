#include "carom/validation/square_drop_file.h"

#include <fmt/format.h>

#include <cmath>

#include "carom/error.h"
#include "carom/validation/measured_file.h"

namespace carom {
namespace {

constexpr std::size_t fewest_frames = 3;  // of a second difference

double positive(const MeasuredFile& file, const char* object, const char* name, const char* meaning) {
  const double value = file.attribute(object, name, meaning);
  if (value > 0) return value;
  throw Error(
      fmt::format("{}: attribute {} of {} is {}; it must be positive: {}", file.path(), name, object, value, meaning));
}

/// Mass centre and angle of the sides from the pose of the marker.
Vec3 pose_of_square(const Vec3& tracked, const Vec2& offset, double tilt) {
  const double c = std::cos(tracked[2]), s = std::sin(tracked[2]);
  return {tracked[0] - c * offset[0] + s * offset[1], tracked[1] - s * offset[0] - c * offset[1], tracked[2] + tilt};
}

}  // namespace

SquareDrops read_square_drops(const std::string& path) {
  const MeasuredFile file(path, "the group /square_drops of tracked drops");
  SquareDrops result;
  result.frame_rate = positive(file, "/square_drops", "frame_rate", "frames per second");
  result.gravity = positive(file, "/square_drops", "fall", "the acceleration of free fall, m/s²");
  result.drag = file.attribute("/square_drops", "drag", "the rate at which flights slow down, 1/s");
  result.gyration_radius = positive(file, "/square", "gyration_radius", "the gyration radius, m");
  result.half_width = positive(file, "/square", "side", "the width of the square, m") / 2;
  result.corner_radius = file.attribute("/square", "corner_radius", "the radius of the rounded corners, m");
  result.floor_slope = file.attribute("/square", "floor_slope", "the slope of the floor");
  const double height = file.attribute("/square", "floor_height", "the height of the floor at floor_x, m");
  result.floor_height =
      height - result.floor_slope * file.attribute("/square", "floor_x", "where the floor has floor_height, m");
  const double tilt = file.attribute("/square", "tilt", "angle of the sides less that of the marker, rad");
  const std::vector<double> offset =
      file.attributes("/square", "marker_offset", 2, "two lengths from the mass centre to the marker, m");

  const auto numbers = file.integers({"/square_drops/trial", {0}, "the number of every drop, integers"});
  const std::vector<double> poses =
      file.finite_reals({"/square_drops/pose",
                         {numbers.size(), 0, 3},
                         fmt::format("real numbers in the shape ({}, frames, 3)", numbers.size())});
  const std::size_t frames = numbers.empty() ? 0 : poses.size() / (3 * numbers.size());
  if (frames < fewest_frames) {
    throw Error(
        fmt::format("{}: dataset /square_drops/pose holds {} drops of {} frames; there must be a drop, and {} "
                    "frames or more of each",
                    path, numbers.size(), frames, fewest_frames));
  }
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    SquareDrop drop{numbers[k], {}};
    for (std::size_t frame = 0; frame < frames; ++frame) {
      const Eigen::Map<const Vec3> tracked(poses.data() + 3 * (k * frames + frame));
      drop.poses.push_back(pose_of_square(tracked, {offset[0], offset[1]}, tilt));
    }
    result.drops.push_back(std::move(drop));
  }
  return result;
}

}  // namespace carom
