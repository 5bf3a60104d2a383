#include "carom/geometry/height_grid.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "carom/error.h"

namespace carom {
namespace {

constexpr double least_bend = 1e-9;  // rad
constexpr int most_samples = 1 << 22;

/// Steps from a sample to its neighbours along edges, anticlockwise.
constexpr std::array<std::array<int, 2>, 6> neighbours = {{{1, 0}, {0, 1}, {-1, 1}, {-1, 0}, {0, -1}, {1, -1}}};

void check(int nx, int ny, const Vec2& spacing, const std::vector<double>& heights) {
  const std::string size = std::to_string(nx) + " x " + std::to_string(ny);
  if (nx < 2 || ny < 2) throw Error("a grid of heights needs at least 2 x 2 samples, but this has " + size);
  if (nx > most_samples / ny) throw Error("a grid of " + size + " heights is too large; there may be 4 million");
  if (heights.size() != static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny)) {
    throw Error("a grid of " + size + " samples has " + std::to_string(heights.size()) + " heights");
  }
  if (!(spacing.allFinite() && spacing.minCoeff() > 0)) {
    throw Error("the spacing of a grid of heights must be two positive lengths");
  }
  if (!std::all_of(heights.begin(), heights.end(), [](double z) { return std::isfinite(z); })) {
    throw Error("a height is not finite");
  }
}

}  // namespace

HeightGrid::HeightGrid(int nx, int ny, const Vec2& spacing, std::vector<double> heights)
    : nx_(nx), ny_(ny), spacing_(spacing), heights_(std::move(heights)) {
  check(nx_, ny_, spacing_, heights_);
  lowest_ = *std::min_element(heights_.begin(), heights_.end());
  highest_ = *std::max_element(heights_.begin(), heights_.end());
  for (int s = 0; s < sample_count(); ++s) radius_ = std::max(radius_, point(s).norm());
  ridges_.resize(3 * heights_.size());
  for (int e = 0; e < 3 * sample_count(); ++e) ridges_[e] = bends_down(e);
  peaks_.resize(heights_.size());
  for (int s = 0; s < sample_count(); ++s) peaks_[s] = has_corner(s);
  find_flats();
}

/// Joins triangles across the edges at which nothing bends; of each set the lowest number is its root.
void HeightGrid::find_flats() {
  flats_.resize(triangle_count());
  std::iota(flats_.begin(), flats_.end(), 0);
  const auto root = [&](int t) {
    while (flats_[t] != t) t = flats_[t] = flats_[flats_[t]];
    return t;
  };
  const auto join = [&](int one, int other) {
    if ((normal(one) - normal(other)).norm() >= least_bend) return;
    const int a = root(one), b = root(other);
    flats_[std::max(a, b)] = std::min(a, b);
  };
  for (int j = 0; j + 1 < ny_; ++j) {
    for (int i = 0; i + 1 < nx_; ++i) {
      const int t = 2 * (i + (nx_ - 1) * j);
      join(t, t + 1);
      if (i > 0) join(t, t - 1);
      if (j > 0) join(t, t - 2 * (nx_ - 1) + 1);
    }
  }
  for (int t = 0; t < triangle_count(); ++t) flats_[t] = root(t);
}

Vec3 HeightGrid::point(int sample) const {
  const int i = sample % nx_, j = sample / nx_;
  return {(i - 0.5 * (nx_ - 1)) * spacing_.x(), (j - 0.5 * (ny_ - 1)) * spacing_.y(), heights_[sample]};
}

std::array<int, 3> HeightGrid::corners(int triangle) const {
  const int cell = triangle / 2, s = cell % (nx_ - 1) + nx_ * (cell / (nx_ - 1));
  if (triangle % 2 == 0) return {s, s + 1, s + nx_};
  return {s + nx_ + 1, s + nx_, s + 1};
}

Vec3 HeightGrid::normal(int triangle) const {
  const auto [a, b, c] = corners(triangle);
  // The corner a is the one with the right angle: slopes along x and y.
  const double side = triangle % 2 == 0 ? 1 : -1;
  const double slope_x = side * (heights_[b] - heights_[a]) / spacing_.x();
  const double slope_y = side * (heights_[c] - heights_[a]) / spacing_.y();
  return Vec3(-slope_x, -slope_y, 1).normalized();
}

bool HeightGrid::is_over(double x, double y) const {
  const Vec2 half = half_size();
  return std::abs(x) <= half.x() && std::abs(y) <= half.y();
}

double HeightGrid::height(double x, double y) const {
  const double u = std::clamp(x / spacing_.x() + 0.5 * (nx_ - 1), 0.0, nx_ - 1.0);
  const double v = std::clamp(y / spacing_.y() + 0.5 * (ny_ - 1), 0.0, ny_ - 1.0);
  const int i = std::min(static_cast<int>(u), nx_ - 2), j = std::min(static_cast<int>(v), ny_ - 2);
  const int s = i + nx_ * j;
  const double p = u - i, q = v - j;
  if (p + q <= 1) return heights_[s] + p * (heights_[s + 1] - heights_[s]) + q * (heights_[s + nx_] - heights_[s]);
  const double far = heights_[s + nx_ + 1];
  return far + (1 - p) * (heights_[s + nx_] - far) + (1 - q) * (heights_[s + 1] - far);
}

std::array<int, 2> HeightGrid::ends(int edge) const {
  const int s = edge / 3;
  if (edge % 3 == 0) return {s, s + 1};
  if (edge % 3 == 1) return {s, s + nx_};
  return {s + 1, s + nx_};
}

std::array<Vec3, 2> HeightGrid::slopes(int edge) const {
  const int s = edge / 3, i = s % nx_, j = s / nx_;
  // The third corners of the triangles beside the edge.
  std::array<int, 2> across = {-1, -1};
  if (edge % 3 == 0) {
    across = {j + 1 < ny_ ? s + nx_ : -1, j > 0 ? s + 1 - nx_ : -1};
  } else if (edge % 3 == 1) {
    across = {i + 1 < nx_ ? s + 1 : -1, i > 0 ? s - 1 + nx_ : -1};
  } else {
    across = {s, s + nx_ + 1};
  }
  const auto [from, to] = ends(edge);
  const Vec3 start = point(from), along = (point(to) - start).normalized();
  std::array<Vec3, 2> found = {-Vec3::UnitZ(), -Vec3::UnitZ()};
  for (int k = 0; k < 2; ++k) {
    if (across[k] < 0) continue;
    const Vec3 arm = point(across[k]) - start;
    found[k] = (arm - along * along.dot(arm)).normalized();
  }
  return found;
}

int HeightGrid::slopes(int sample, std::array<Vec3, 7>& found) const {
  const int i = sample % nx_, j = sample / nx_;
  int count = 0;
  for (const auto& [di, dj] : neighbours) {
    if (i + di < 0 || i + di >= nx_ || j + dj < 0 || j + dj >= ny_) continue;
    found[count++] = (point(sample + di + nx_ * dj) - point(sample)).normalized();
  }
  found[count++] = -Vec3::UnitZ();
  return count;
}

/// The edge of a kind that starts at a sample, −1 if the grid has none there.
int HeightGrid::edge_or_none(int i, int j, int kind) const {
  const bool there = i >= 0 && j >= 0 && i + (kind != 1) < nx_ && j + (kind != 0) < ny_;
  return there ? 3 * (i + nx_ * j) + kind : -1;
}

bool HeightGrid::bends_down(int edge) const {
  const int s = edge / 3, i = s % nx_, j = s / nx_;
  if (edge_or_none(i, j, edge % 3) < 0) return false;
  const auto [one, other] = slopes(edge);
  const bool ends_here = one == -Vec3::UnitZ() || other == -Vec3::UnitZ();
  if (ends_here) return true;
  // The slopes' sum points into the ground: straight down, seen across a ridge.
  const Vec3 sum = one + other;
  return sum.norm() > least_bend && sum.z() < 0;
}

bool HeightGrid::has_corner(int sample) const {
  const int i = sample % nx_, j = sample / nx_;
  // Edges around the sample, anticlockwise, in the order of `neighbours`.
  const std::array<int, 6> around = {edge_or_none(i, j, 0),     edge_or_none(i, j, 1),     edge_or_none(i - 1, j, 2),
                                     edge_or_none(i - 1, j, 0), edge_or_none(i, j - 1, 1), edge_or_none(i, j - 1, 2)};
  std::array<Vec3, 6> along;
  int count = 0;
  for (int k = 0; k < 6; ++k) {
    if (around[k] < 0 || !ridges_[around[k]]) continue;
    const auto [from, to] = ends(around[k]);
    along[count++] = (point(from == sample ? to : from) - point(sample)).normalized();
  }
  return count > 2 || (count == 2 && (along[0] + along[1]).norm() > least_bend);
}

}  // namespace carom
