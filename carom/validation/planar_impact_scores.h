#pragma once

#include <array>
#include <vector>

#include "carom/study/bootstrap.h"
#include "carom/validation/planar_impact_file.h"

// Judgement of predicted velocities after a planar impact by measured ones. Distances are those of the kinetic metric
// per unit mass, ‖v‖² = v_x² + v_z² + (k ω)², in which the mass cancels.
namespace carom {

/// Distance of one predicted velocity from the measured one.
struct PlanarError {
  double kinetic = 0;  ///< ‖v⁺ − v⁺_measured‖ / ‖v⁺_measured − v‖
  double plain = 0;  ///< |v⁺ − v⁺_measured| / |v⁺_measured|, m/s and rad/s added as they are, of earlier papers
  bool energy_grown = false;  ///< ‖v⁺‖ > ‖v‖ (1 + 1e-9)
};
PlanarError planar_error(const PlanarImpact& impact, double gyration_radius, const Vec3& predicted);

/// The mean of the kinetic error, which fits minimise.
double planar_objective(const PlanarImpacts& impacts, const std::vector<Vec3>& predicted);

/// The fold of an impact: impacts of one record or drop stay together, ⌊number / 2⌋ mod `count`.
int planar_fold(std::int64_t number, int count);

/// A law's errors over the impacts of a body.
struct PlanarScore {
  Interval mean, median;        ///< kinetic error; Interval::mean holds the statistic itself
  Interval plain_median;        ///< plain error, whose mean a few impacts with little motion left decide
  double energy_grown = 0;      ///< share of the impacts
  std::vector<double> kinetic;  ///< impact by impact
};
PlanarScore planar_score(const PlanarImpacts& impacts, const std::vector<Vec3>& predicted);

/// Arms of contacts as measured velocities have them, before any law. An impulse P = (P_t, P_n) per unit mass
/// at the contact changes v_x by P_t, v_z by P_n, and the spin by
///
///     k² Δω = a r_x Δv_z + b (−r_z) Δv_x,      a = b = 1 in a right-handed frame
///
/// whatever P is. a and b are fitted to the impacts by least squares.
struct MomentBalance {
  std::array<double, 2> arms{};    ///< a, b
  std::array<double, 2> errors{};  ///< their standard errors
  /// ‖part of Δv that no impulse at the contact explains‖ / ‖Δv‖, mean over the impacts, with a = b = 1. It is the
  /// least kinetic error of any law of one contact.
  double unexplained = 0;
};
MomentBalance moment_balance(const PlanarImpacts& impacts);
/// The same of what the source printed, with its own rows (1, 0, h), (0, 1, r_x): h stands for −r_z.
MomentBalance printed_moment_balance(const PlanarImpacts& impacts);

}  // namespace carom
