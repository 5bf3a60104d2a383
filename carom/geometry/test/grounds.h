#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "carom/geometry/test/random_shapes.h"

namespace carom {

/// Heights by a function of the place.
inline HeightField ground(int nx, int ny, const Vec2& spacing, const std::function<double(double, double)>& height) {
  std::vector<double> heights;
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) {
      heights.push_back(height((i - 0.5 * (nx - 1)) * spacing.x(), (j - 0.5 * (ny - 1)) * spacing.y()));
    }
  }
  return {std::make_shared<const HeightGrid>(nx, ny, spacing, std::move(heights))};
}

/// Heights between −bumps and bumps.
inline HeightField rough(RandomShapes& random, int n, double spacing, double bumps) {
  return ground(n, n, Vec2(spacing, spacing), [&](double, double) { return random.between(-bumps, bumps); });
}

}  // namespace carom
