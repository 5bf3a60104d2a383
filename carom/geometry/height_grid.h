#pragma once

#include <array>
#include <vector>

#include "carom/spatial/types.h"

namespace carom {

/// Ground given by its heights on a grid of nx × ny samples. The samples are spacing.x and spacing.y apart, in the
/// middle of the x-y plane of their frame,
///
///   x_i = (i − (nx − 1)/2) spacing.x,   y_j = (j − (ny − 1)/2) spacing.y,   z_ij = heights[i + nx j],
///
/// all in metres. Every cell is cut along the diagonal from its corner (i + 1, j) to its corner (i, j + 1), as in
/// MuJoCo. The surface is flat over each of the two triangles. Below the surface all is solid, however deep; beside the
/// rectangle there is nothing.
///
/// Triangle 2 c of cell c = i + (nx − 1) j has corners (i, j), (i + 1, j), (i, j + 1). Triangle 2 c + 1 has the corners
/// (i + 1, j + 1), (i, j + 1), (i + 1, j). Both are anticlockwise seen from above. Edge 3 s of sample s = i + nx j runs
/// to (i + 1, j). Edge 3 s + 1 runs to (i, j + 1). Edge 3 s + 2 runs from (i + 1, j) to (i, j + 1).
class HeightGrid {
 public:
  /// Throws Error with a sentence for fewer than 2 × 2 samples or more than 4 million, or if their number is not nx ny.
  /// Throws also if a spacing is not positive or a height not finite. O(samples).
  HeightGrid(int nx, int ny, const Vec2& spacing, std::vector<double> heights);

  int nx() const { return nx_; }
  int ny() const { return ny_; }
  const Vec2& spacing() const { return spacing_; }
  const std::vector<double>& heights() const { return heights_; }
  double lowest() const { return lowest_; }
  double highest() const { return highest_; }
  double radius() const { return radius_; }  ///< of the smallest ball about the origin that holds all samples, m
  Vec2 half_size() const { return 0.5 * Vec2((nx_ - 1) * spacing_.x(), (ny_ - 1) * spacing_.y()); }
  int sample_count() const { return nx_ * ny_; }
  int triangle_count() const { return 2 * (nx_ - 1) * (ny_ - 1); }

  Vec3 point(int sample) const;
  std::array<int, 3> corners(int triangle) const;
  Vec3 normal(int triangle) const;  ///< unit, upwards
  /// The lowest number of the triangles that lie in one plane with this one and hang together with it.
  int flat(int triangle) const { return flats_[triangle]; }
  /// Height of the surface, or of the nearest point of the rim where (x, y) lies beside the rectangle.
  double height(double x, double y) const;
  bool is_over(double x, double y) const;  ///< whether (x, y) lies in the rectangle

  /// True if the surface bends downwards there, by more than 1e-9 rad, or ends: other edges touch nothing that the
  /// triangles beside them do not.
  bool is_ridge(int edge) const { return ridges_[edge]; }
  /// True if ridges end there that are not one straight line.
  bool is_peak(int sample) const { return peaks_[sample]; }
  std::array<int, 2> ends(int edge) const;

  /// Directions from an edge into the two triangles beside it, straight down in place of one that is missing. A unit
  /// vector n across the edge is one in which the ground can be left there if n · d ≤ 0 for both.
  std::array<Vec3, 2> slopes(int edge) const;
  /// The same for a sample: unit vectors along its edges, and straight down. Returns how many, up to 7.
  int slopes(int sample, std::array<Vec3, 7>& found) const;

 private:
  int edge_or_none(int i, int j, int kind) const;
  bool bends_down(int edge) const;
  bool has_corner(int sample) const;
  void find_flats();
  int nx_, ny_;
  Vec2 spacing_;
  std::vector<double> heights_;
  double lowest_, highest_, radius_ = 0;
  std::vector<char> ridges_, peaks_;
  std::vector<int> flats_;  // by triangle
};

}  // namespace carom
