#pragma once

namespace carom {

/// Coefficient of friction as a smooth function of the slip speed s (Sherman, Seth and Delp 2011, figure 5; paper PLUS,
/// section 4). It has three pieces, which agree in two derivatives at their joints. With S(x) = x³ (10 − 15 x + 6 x²)
/// and x = s / transition, it is viscous s plus
///
///     at_rest S(x)                                                  x < 1
///     at_rest − (at_rest − sliding) S((x − 1)/2)                    1 ≤ x < 3
///     sliding                                                       3 ≤ x
///
/// Friction that depends on slip alone never sticks: under a load it creeps, slower than the transition speed.
struct Stribeck {
  double at_rest = 1;     ///< what it rises to, ≥ sliding
  double sliding = 1;     ///< ≥ 0
  double viscous = 0;     ///< ≥ 0, s/m
  double transition = 1;  ///< > 0, m/s

  double at(double slip) const {
    const double x = slip / transition, wet = viscous * slip;
    if (x >= 3) return sliding + wet;
    if (x >= 1) return at_rest - (at_rest - sliding) * rise(0.5 * (x - 1)) + wet;
    return at_rest * rise(x) + wet;
  }
  /// d at / d slip, s/m.
  double slope(double slip) const {
    const double x = slip / transition;
    if (x >= 3) return viscous;
    if (x >= 1) return viscous - (at_rest - sliding) * 0.5 * rise_slope(0.5 * (x - 1)) / transition;
    return viscous + at_rest * rise_slope(x) / transition;
  }

 private:
  static double rise(double x) { return x * x * x * (10 + x * (-15 + 6 * x)); }
  static double rise_slope(double x) { return 30 * x * x * (1 - x) * (1 - x); }
};

}  // namespace carom
