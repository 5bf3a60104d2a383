#pragma once

#include <cmath>

namespace carom {

/// Fischer and Burmeister's function φ(a, b) = a + b − √(a² + b²). It is zero exactly where 0 ≤ a ⊥ b ≥ 0 (Fischer
/// 1992). Its extension to boxes (Billups 1995, section 3.1) is zero exactly where x in [l, u] and F fit together:
///
///     free             F
///     l only           φ(x − l, F)
///     u only           −φ(u − x, −F)
///     both             φ(x − l, −φ(u − x, −F))
///     fixed (l = u)    x − l
///
/// All increase with x and F. The square φ² is differentiable everywhere, φ not where a = b = 0. The slopes there are
/// the element 1 − √½ of both partial generalized derivatives. The units of x and F must make them comparable.
struct FischerBurmeister {
  double value = 0;
  double slope_x = 0;  ///< ∂Φ/∂x
  double slope_F = 0;  ///< ∂Φ/∂F

  /// φ(a, b) with slopes by a (slope_x) and b (slope_F). No digits are lost where one is much larger than the other.
  static FischerBurmeister pair(double a, double b) {
    const double root = std::sqrt(a * a + b * b);
    if (root == 0) return {0, 1 - std::sqrt(0.5), 1 - std::sqrt(0.5)};
    const double sum = a + b;
    return {sum > 0 ? 2 * a * (b / (sum + root)) : sum - root, slope(a, b, root), slope(b, a, root)};
  }

  static FischerBurmeister box(double x, double lower, double upper, double F) {
    if (lower == upper) return {x - lower, 1, 0};
    const bool below = std::isfinite(lower), above = std::isfinite(upper);
    if (!below && !above) return {F, 0, 1};
    if (!above) return pair(x - lower, F);
    FischerBurmeister inner = pair(upper - x, -F);  // −φ has the same slopes by x and F as φ by its arguments
    inner.value = -inner.value;
    if (!below) return inner;
    const FischerBurmeister outer = pair(x - lower, inner.value);
    return {outer.value, outer.slope_x + outer.slope_F * inner.slope_x, outer.slope_F * inner.slope_F};
  }

 private:
  /// 1 − a / root, as b² / (root (root + a)) where a is positive.
  static double slope(double a, double b, double root) { return a > 0 ? (b / root) * (b / (root + a)) : 1 - a / root; }
};

}  // namespace carom
