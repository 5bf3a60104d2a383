#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "carom/spatial/types.h"

namespace carom {

/// A tracked drop of a planar body. World frame: x right, z up, angles counterclockwise.
struct SquareDrop {
  std::int64_t number = 0;  ///< of the trial
  std::vector<Vec3> poses;  ///< frame by frame: x and z of the mass centre, angle of the sides; m, m, rad
};

/// The drops of one file, and the square that was dropped.
struct SquareDrops {
  double frame_rate = 0;       ///< Hz
  double gravity = 0;          ///< g of the flights, z̈ = −g − d ż, m/s²
  double drag = 0;             ///< d, ẍ = −d ẋ, 1/s
  double gyration_radius = 0;  ///< about the mass centre, m
  double half_width = 0;       ///< from the middle to a side, m
  double corner_radius = 0;    ///< m
  double floor_height = 0;     ///< at x = 0, m
  double floor_slope = 0;      ///< m of height per m along x
  std::vector<SquareDrop> drops;
};

/// Reads measured drops of a square from HDF5. Layout, with n drops of F frames:
///
///   dataset              | shape     | meaning
///   /square_drops/trial  | (n)       | number of the drop in its source, n ≥ 1
///   /square_drops/pose   | (n, F, 3) | tracked pose: x, z, angle of the marker; m, m, rad; F ≥ 3
///
/// attributes of /square_drops: frame_rate (Hz), fall (g), drag (d); of /square: gyration_radius, side (twice the half
/// width), corner_radius, floor_height at floor_x, floor_slope, tilt and marker_offset. The marker is turned against
/// the sides by tilt (rad). It lies at marker_offset (2 numbers, m, along its axes) from the mass centre. Poses are
/// given of mass centre and sides here:
///
///   p = p_tracked − R(θ_tracked) marker_offset,    θ = θ_tracked + tilt
///
/// Throws Error that names the file, the dataset or attribute and what would be right.
SquareDrops read_square_drops(const std::string& path);

}  // namespace carom
