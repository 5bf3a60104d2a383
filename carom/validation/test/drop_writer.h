#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "carom/validation/square_drop_file.h"
#include "toss_writer.h"

namespace carom::test {

/// The square of the measurements, over a level floor at z = 0, without drops.
inline SquareDrops square_of_drops() {
  SquareDrops square;
  square.frame_rate = 250;
  square.gravity = 9.92;
  square.drag = 0.42;
  square.gyration_radius = 0.0204;
  square.half_width = 0.03;
  square.corner_radius = 0.00553;
  return square;
}

/// A marker on the square: its turn against the sides, and its place.
struct Marker {
  double tilt = 0.0341;
  Vec2 offset{0.0003, 0.0005};
};

/// Writes drops as measurements are stored, poses those of the marker. All drops have the same number of frames.
inline void write_drops(const TossWriter& writer, const SquareDrops& drops, const Marker& marker = {}) {
  std::vector<std::int64_t> numbers;
  std::vector<double> poses;
  for (const SquareDrop& drop : drops.drops) {
    numbers.push_back(drop.number);
    for (const Vec3& q : drop.poses) {
      const double angle = q[2] - marker.tilt, c = std::cos(angle), s = std::sin(angle);
      poses.insert(poses.end(), {q[0] + c * marker.offset[0] - s * marker.offset[1],
                                 q[1] + s * marker.offset[0] + c * marker.offset[1], angle});
    }
  }
  writer.group("/square");
  writer.group("/square_drops");
  writer.integers("/square_drops/trial", numbers);
  writer.reals("/square_drops/pose", {numbers.size(), drops.drops.front().poses.size(), 3}, poses);
  writer.attribute("/square_drops", "frame_rate", drops.frame_rate);
  writer.attribute("/square_drops", "fall", drops.gravity);
  writer.attribute("/square_drops", "drag", drops.drag);
  writer.attribute("/square", "gyration_radius", drops.gyration_radius);
  writer.attribute("/square", "side", 2 * drops.half_width);
  writer.attribute("/square", "corner_radius", drops.corner_radius);
  writer.attribute("/square", "floor_height", drops.floor_height - 0.45 * drops.floor_slope);
  writer.attribute("/square", "floor_x", -0.45);
  writer.attribute("/square", "floor_slope", drops.floor_slope);
  writer.attribute("/square", "tilt", marker.tilt);
  writer.attribute("/square", "marker_offset", std::vector<double>{marker.offset[0], marker.offset[1]});
}

}  // namespace carom::test
