#pragma once

#include <algorithm>
#include <cmath>

namespace carom {

/// Rules that combine the coefficients of two materials into one. A pair that a scene names explicitly is not combined.
enum class Combination { minimum, maximum, average, geometric_mean, product };

/// Combines two coefficients, each ≥ 0.
inline double combine(Combination rule, double a, double b) {
  switch (rule) {
    case Combination::minimum:
      return std::min(a, b);
    case Combination::maximum:
      return std::max(a, b);
    case Combination::average:
      return 0.5 * (a + b);
    case Combination::geometric_mean:
      return std::sqrt(a * b);
    case Combination::product:
      return a * b;
  }
  return 0;
}

}  // namespace carom
