#pragma once

#include <string>
#include <vector>

namespace carom {

/// Samples of a ground on a grid, in whatever unit their source has.
struct HeightSamples {
  int columns = 0, rows = 0;   ///< along x, along y
  std::vector<double> values;  ///< by rows of growing y: value i + columns j is that of (x_i, y_j)
};

/// True if a file begins as a PNG image does; false if it can't be opened.
bool is_png(const std::string& path);

/// Digits of brightness that are kept: MuJoCo reads all images with 8 bits, Gazebo with those that they have.
enum class ImageDepth { eight_bits, sixteen_bits };

/// Brightness in a PNG image, from 0 to 255 or 65535; that of red where it has colours. The top row is that of greatest
/// y. Throws Error with the end of a sentence that starts with the file's name. The file is missing, is larger than 64
/// MiB, is no PNG, or has fewer than 2 × 2 or more than 4 million samples.
HeightSamples read_height_image(const std::string& path, ImageDepth depth);

/// MuJoCo's own format: numbers of rows and columns as int32, then float32 by rows of growing y, all little-endian. The
/// same errors; the size of the file must be that of so many numbers, and each must be finite.
HeightSamples read_mujoco_heights(const std::string& path);

}  // namespace carom
